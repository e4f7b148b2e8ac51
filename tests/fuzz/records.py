"""Records of games, and files of them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from edge_envs import State, read_records, record_of, replay, write_records
from tests.fuzz.door import REFUSED, TAKEN, Door, Story
from tests.fuzz.mutation import damaged_bytes, mutated, odd_value
from tests.fuzz.playing import check_kept, nodes_of, play_on

TRANSITIONS = 12


class Records(Door):
    """Records with changes: played again as they say, or refused."""

    apis = ("State",)

    def attempt(self, rng: Random, story: Story) -> str:
        """Replay a damaged record; what is accepted gives the same record again."""
        one, other = some_record(rng, self), some_record(rng, self)
        record: Any = mutated(rng, one, other) if rng.random() < 0.98 else odd_value(rng)
        story.tell("replay", record)
        try:
            state = replay(record)
        except ValueError as error:
            assert str(error)
            return REFUSED
        assert record_of(state)["history"] == record["history"]
        check_kept(state)
        return TAKEN


class RecordFiles(Door):
    """Files of records with damage."""

    apis = ("State",)

    def attempt(self, rng: Random, story: Story) -> str:
        """Read and replay a damaged file; errors name the file, and its line if it is no JSON."""
        path = self.folder / "games.jsonl"
        write_records(path, [some_record(rng, self) for _ in range(rng.randrange(4))])
        path.write_bytes(damaged_bytes(rng, path.read_bytes()))
        story.tell("a file of", path.read_bytes())
        try:
            records = list(read_records(path))
        except ValueError as error:
            assert str(error).startswith(f"{path}, line "), f"names no line: {error}"
            return REFUSED
        for record in records:
            try:
                replay(record)
            except ValueError as error:
                assert str(error)
        return TAKEN


def some_record(rng: Random, door: Door) -> dict[str, Any]:
    """The record of a game that is begun, or of one that began at a position."""
    game = door.some_game(rng)
    node = rng.choice(nodes_of(game))
    state: State = node.clone() if rng.random() < 0.5 else game.state_from_dict(node.to_dict(), rng.getrandbits(40))
    play_on(state, rng, rng.randrange(TRANSITIONS))
    forfeit = rng.randrange(game.num_players) if rng.random() < 0.2 and not state.is_terminal() else None
    record = json.loads(json.dumps(record_of(state, forfeit=forfeit)))
    return dict(record)
