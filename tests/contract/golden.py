"""Golden playthroughs: one game of each kind as readable text, with everything that a player meets.

`tests/golden/<game>-v<version>.txt` names the seed and lists the actions; replaying them must give the same text, so
it pins what the version of a game stands for: chance, observations, masks, rewards and the end. The first transitions
are told in full, then only by name, then the last position in full again. After a deliberate change write them anew
with `python -m tests.contract.golden --write GAME`, or without a name for all games, read the difference, and raise
the version if it is more than words.
"""

from __future__ import annotations

import textwrap
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np

from edge_envs import Game, State
from tests.contract.cases import plain_games
from tests.contract.writing import games_to_write

FOLDER = Path(__file__).resolve().parents[1] / "golden"
SEED = 0
TOLD_IN_FULL = 8
TOLD_CHOICES = 12
WIDTH = 118
MOST_TRANSITIONS = 250
_ACTIONS = "actions: "


def file_of(game: Game) -> Path:
    """Where the playthrough of a game lies."""
    return FOLDER / f"{game.name}-v{game.type.version}.txt"


def playthrough(game: Game, actions: list[int]) -> str:
    """The text of the game with this seed in which players choose `actions`."""
    state, choices, digest = game.new_initial_state(seed=SEED), iter(actions), 0
    names: list[str] = []
    full: list[str] = []
    while not state.is_terminal() and len(names) < MOST_TRANSITIONS:
        action = next(choices) if state.current_player() >= 0 else state.sample_chance()
        names.append(f"{_actor(state)} {state.action_to_string(action)}")
        if len(names) <= TOLD_IN_FULL:
            full += [*_told(state), f"-> {names[-1]}", ""]
        state.apply_action(action)
        digest = zlib.crc32(_shown(state), digest)
    rest = [*_wrapped(names[TOLD_IN_FULL:], "; "), ""] if len(names) > TOLD_IN_FULL else []
    end = [f"digest of all observations, masks and rewards: {digest:08x}", "", *_told(state)]
    return "\n".join([*_head(game, actions), "", *full, *rest, *end]) + "\n"


def _head(game: Game, actions: list[int]) -> list[str]:
    sizes = f"{game.num_distinct_actions} actions, {game.max_chance_outcomes} outcomes"
    utility = f"utility {game.min_utility:.6g} to {game.max_utility:.6g}"
    return [
        f"{game.name}-v{game.type.version} {dict(game.params)} seed {SEED}",
        f"{sizes}, observation {game.observation_shape} {game.observation_dtype}, {utility}",
        *textwrap.wrap(_ACTIONS + " ".join(map(str, actions)), WIDTH),
    ]


def _shown(state: State) -> bytes:
    """All that environments hand out at a node."""
    views = [state.observation_tensor(player).tobytes() for player in range(state.game.num_players)]
    return b"".join([*views, state.legal_action_mask().tobytes(), np.array(state.rewards()).tobytes()])


def _actor(state: State) -> str:
    return "chance" if state.is_chance_node() else f"player {state.current_player()}"


def _told(state: State) -> Iterator[str]:
    """A position in full: picture, rewards, what is possible, what each player sees."""
    yield from (f"  {line}".rstrip() for line in str(state).splitlines())
    if any(state.rewards()):
        yield f"rewards {_numbers(state.rewards())}, returns {_numbers(state.returns())}"
    if not state.is_terminal():
        choices = _choices(state)
        more = [f"and {len(choices) - TOLD_CHOICES} more"] if len(choices) > TOLD_CHOICES else []
        yield from _wrapped([f"{_actor(state)} may:", *choices[:TOLD_CHOICES], *more], "  ")
    if not state.is_chance_node():
        for player in range(state.game.num_players):
            yield from _wrapped([f"player {player} sees", *_seen(state, player)], " ")


def _choices(state: State) -> list[str]:
    """Id and text of all that may happen, with the probability of outcomes."""
    if state.is_chance_node():
        return [f"{a} {state.action_to_string(a)} ({p:.4g})" for a, p in state.chance_outcomes()]
    return [f"{a} {state.action_to_string(a)}" for a in state.legal_actions()]


def _wrapped(items: list[str], separator: str) -> list[str]:
    """Lines of items that are not broken."""
    whole = separator.join(item.replace(" ", "\0") for item in items)
    lines = textwrap.wrap(whole, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _seen(state: State, player: int) -> list[str]:
    """The cells of an observation that are not zero, by field: their index, or index=value; a field of one value so."""
    observation = state.observation_tensor(player)
    fields = []
    for name, cells in state.game.observation_slices().items():
        values = observation[cells].ravel()
        if len(values) > 1 and values[0] and (values == values[0]).all():
            fields.append(f"{name}[all={values[0]:.4g}]")
            continue
        shown = [f"{i}" if values[i] == 1 else f"{i}={values[i]:.4g}" for i in np.flatnonzero(values)]
        fields += f"{name}[{' '.join(shown)}]".split(" ")
    return fields


def _numbers(values: list[float]) -> str:
    return " ".join(f"{value:+.6g}" for value in values)


def actions_of(text: str) -> list[int]:
    """The actions that a golden file lists."""
    after = text[text.index(_ACTIONS) + len(_ACTIONS) :]
    return [int(number) for number in after[: after.index("\n\n")].split()]


def drawn_actions(game: Game) -> list[int]:
    """Uniform legal decisions for a new file, as many as are told."""
    state, rng, actions = game.new_initial_state(seed=SEED), np.random.default_rng(SEED), []
    while not state.is_terminal() and len(state.history()) < MOST_TRANSITIONS:
        if not state.is_chance_node():
            actions.append(int(rng.choice(state.legal_actions())))
        state.apply_action(state.sample_chance() if state.is_chance_node() else actions[-1])
    return actions


def write(names: Collection[str]) -> None:
    """Write the playthroughs of these games, with the actions of an old file where they are still legal."""
    for game in plain_games():
        if game.name not in names:
            continue
        file = file_of(game)
        try:
            text = playthrough(game, actions_of(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, StopIteration):
            text = playthrough(game, drawn_actions(game))
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(games_to_write("golden"))
