"""Fuzz records of games and their files."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from edge_envs import State, read_records, record_of, replay, write_records
from tests.fuzz.mutation import damaged_bytes, mutated, odd_value
from tests.fuzz.playing import check_round_trip, nodes_of, play_on
from tests.fuzz.target import ACCEPTED, REJECTED, Target, Trace

TRANSITIONS = 12


class Records(Target):
    """Damaged records: they are replayed exactly, or rejected."""

    apis = ("State",)

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Replay a damaged record; an accepted one gives the same history."""
        one, other = some_record(rng, self), some_record(rng, self)
        record: Any = mutated(rng, one, other) if rng.random() < 0.98 else odd_value(rng)
        trace.add("replay", record)
        try:
            state = replay(record)
        except ValueError as error:
            assert str(error)
            return REJECTED
        assert record_of(state)["history"] == record["history"]
        check_round_trip(state)
        return ACCEPTED


class RecordFiles(Target):
    """Damaged files of records."""

    apis = ("State",)

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Read and replay a damaged file; errors of reading name file and line."""
        path = self.folder / "games.jsonl"
        write_records(path, [some_record(rng, self) for _ in range(rng.randrange(4))])
        path.write_bytes(damaged_bytes(rng, path.read_bytes()))
        trace.add("file", path.read_bytes())
        try:
            records = list(read_records(path))
        except ValueError as error:
            assert str(error).startswith(f"{path}, line "), f"the error does not name a line: {error}"
            return REJECTED
        for record in records:
            try:
                replay(record)
            except ValueError as error:
                assert str(error)
        return ACCEPTED


def some_record(rng: Random, target: Target) -> dict[str, Any]:
    """Return the record of an unfinished game, or of a game from a position."""
    game = target.some_game(rng)
    node = rng.choice(nodes_of(game))
    state: State = node.clone() if rng.random() < 0.5 else game.state_from_dict(node.to_dict(), rng.getrandbits(40))
    play_on(state, rng, rng.randrange(TRANSITIONS))
    forfeit = rng.randrange(game.num_players) if rng.random() < 0.2 and not state.is_terminal() else None
    record = json.loads(json.dumps(record_of(state, forfeit=forfeit)))
    return dict(record)
