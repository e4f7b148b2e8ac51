"""Golden playthroughs: one episode of each game as readable text.

`tests/golden/<game>-v<version>.txt` contains the seed and the actions. Replaying them must give the same text, so the
file pins the dynamics of a version: chance, observations, masks, rewards and the end. The first transitions and the
last position are printed in full, the others by name only. After a deliberate change, write the files again with
`python -m tests.contract.golden --write GAME` (without a name: of all games) and read the difference. Raise the version
of the game unless only wording has changed.
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
FULL_TRANSITIONS = 8
SHOWN_CHOICES = 12
WIDTH = 118
MOST_TRANSITIONS = 250
_ACTIONS = "actions: "


def file_of(game: Game) -> Path:
    """Return the path of a game's golden playthrough."""
    return FOLDER / f"{game.name}-v{game.type.version}.txt"


def playthrough(game: Game, actions: list[int]) -> str:
    """Play `actions` with the fixed seed and return the golden playthrough."""
    state, choices, digest = game.new_initial_state(seed=SEED), iter(actions), 0
    names: list[str] = []
    full: list[str] = []
    while not state.is_terminal() and len(names) < MOST_TRANSITIONS:
        action = next(choices) if state.current_player() >= 0 else state.sample_chance()
        names.append(f"{_actor_name(state)} {state.action_to_string(action)}")
        if len(names) <= FULL_TRANSITIONS:
            full += [*_describe_position(state), f"-> {names[-1]}", ""]
        state.apply_action(action)
        digest = zlib.crc32(_arrays(state), digest)
    rest = [*_wrapped(names[FULL_TRANSITIONS:], "; "), ""] if len(names) > FULL_TRANSITIONS else []
    end = [f"digest of all observations, masks and rewards: {digest:08x}", "", *_describe_position(state)]
    return "\n".join([*_head(game, actions), "", *full, *rest, *end]) + "\n"


def _head(game: Game, actions: list[int]) -> list[str]:
    sizes = f"{game.num_distinct_actions} actions, {game.max_chance_outcomes} outcomes"
    utility = f"utility {game.min_utility:.6g} to {game.max_utility:.6g}"
    return [
        f"{game.name}-v{game.type.version} {game.params_dict()} seed {SEED}",
        f"{sizes}, observation {game.observation_shape} {game.observation_dtype}, {utility}",
        *textwrap.wrap(_ACTIONS + " ".join(map(str, actions)), WIDTH),
    ]


def _arrays(state: State) -> bytes:
    """Return all arrays that environments return at a node, as bytes."""
    views = [state.observation_tensor(player).tobytes() for player in range(state.game.num_players)]
    return b"".join([*views, state.legal_action_mask().tobytes(), np.array(state.rewards()).tobytes()])


def _actor_name(state: State) -> str:
    return "chance" if state.is_chance_node() else f"player {state.current_player()}"


def _describe_position(state: State) -> Iterator[str]:
    """Yield a position in full: picture, rewards, legal actions or outcomes, and each player's observation."""
    yield from (f"  {line}".rstrip() for line in str(state).splitlines())
    if any(state.rewards()):
        yield f"rewards {_numbers(state.rewards())}, returns {_numbers(state.returns())}"
    if not state.is_terminal():
        choices = _choices(state)
        more = [f"and {len(choices) - SHOWN_CHOICES} more"] if len(choices) > SHOWN_CHOICES else []
        yield from _wrapped([f"{_actor_name(state)} may:", *choices[:SHOWN_CHOICES], *more], "  ")
    if not state.is_chance_node():
        for player in range(state.game.num_players):
            yield from _wrapped([f"player {player} sees", *_nonzero_cells(state, player)], " ")


def _choices(state: State) -> list[str]:
    """Return id and text of each legal action, or of each outcome with its probability."""
    if state.is_chance_node():
        return [f"{a} {state.action_to_string(a)} ({p:.4g})" for a, p in state.chance_outcomes()]
    return [f"{a} {state.action_to_string(a)}" for a in state.legal_actions()]


def _wrapped(items: list[str], separator: str) -> list[str]:
    """Join items and wrap them into lines without breaking an item."""
    whole = separator.join(item.replace(" ", "\0") for item in items)
    lines = textwrap.wrap(whole, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _nonzero_cells(state: State, player: int) -> list[str]:
    """Return the non-zero cells of an observation by field, as index, index=value or all=value."""
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
    """Return the actions that a golden file lists."""
    after = text[text.index(_ACTIONS) + len(_ACTIONS) :]
    return [int(number) for number in after[: after.index("\n\n")].split()]


def sample_actions(game: Game) -> list[int]:
    """Draw uniform legal actions for a new file."""
    state, rng, actions = game.new_initial_state(seed=SEED), np.random.default_rng(SEED), []
    while not state.is_terminal() and len(state.history()) < MOST_TRANSITIONS:
        if not state.is_chance_node():
            actions.append(int(rng.choice(state.legal_actions())))
        state.apply_action(state.sample_chance() if state.is_chance_node() else actions[-1])
    return actions


def write(names: Collection[str]) -> None:
    """Write the playthroughs of these games; keep the actions of an existing file if they are still legal."""
    for game in plain_games():
        if game.name not in names:
            continue
        file = file_of(game)
        try:
            text = playthrough(game, actions_of(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, StopIteration):
            text = playthrough(game, sample_actions(game))
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(games_to_write("golden"))
