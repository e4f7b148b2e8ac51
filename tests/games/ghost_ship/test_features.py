"""The features of `ghost_ship`: its groups of actions, steps told apart, and the board in short."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edge_envs import Game, State, load_game
from edge_envs.core.spec import Array
from edge_envs.games.ghost_ship.actions import GO
from edge_envs.games.ghost_ship.features import FAR_VIEW, GhostShipFeatures, action_tables
from edge_envs.games.ghost_ship.map.geometry import NUM_SPOTS, RIM
from edge_envs.games.ghost_ship.state import CELL
from tests.agents.players import assert_only_who_is_to_act_is_advised, decisions, observed

each_game = pytest.mark.parametrize(
    "params",
    [{"max_turns": 40}, {"num_players": 4, "creation": "random", "max_turns": 80}, {"num_players": 3, "max_turns": 20}],
    ids=str,
)


@each_game
def test_where_nobody_or_another_is_to_act_all_hints_are_the_worst(params: dict[str, Any]) -> None:
    game = load_game("ghost_ship", **params)
    assert_only_who_is_to_act_is_advised(game, GhostShipFeatures(game, hints=True))


def hinted(**weights: float) -> GhostShipFeatures:
    """Features of the tour with hints by these weights."""
    return GhostShipFeatures(load_game("ghost_ship", creation="random"), hints=True, weights=weights)


def test_hints_may_weigh_otherwise_than_the_heuristic() -> None:
    seen = observed(decisions(load_game("ghost_ship", creation="random"), games=1, heuristic=0.9)[::5])
    usual = hinted()(seen).hints
    assert usual is not None
    assert np.array_equal(usual, hinted(next=0.8)(seen).hints)
    for name, value in {"next": 0.2, "links": 0.0, "longest": 30.0, "second": 1.0}.items():
        assert not np.array_equal(usual, hinted(**{name: value})(seen).hints), name


def verb(state: State, action: int) -> str:
    """What kind of action it is."""
    words = state.action_to_string(action).split()
    if words[0] == "take":
        return " ".join(words)
    return f"ghost to {words[1]}" if words[0] == "ghost" and len(words[1]) == 2 and words[1][0] == "D" else words[0]


def test_every_verb_has_a_weight_of_its_own() -> None:
    game = load_game("ghost_ship", max_turns=150)
    groups = GhostShipFeatures(game, hints=True).action_groups
    assert len(groups) == game.num_distinct_actions
    verbs: dict[str, set[int]] = {}
    for state in decisions(game, games=4, heuristic=0.5):
        for action in state.legal_actions():
            verbs.setdefault(verb(state, action), set()).add(int(groups[action]))
    assert {"tile", "stack", "travel", "save", "search", "go", "take chit", "take gold", "end"} <= set(verbs)
    assert verbs.pop("ghost to D5") == verbs.pop("ghost to D6")
    assert all(len(found) == 1 for found in verbs.values())
    assert len(set.union(*verbs.values())) == len(verbs)


def changed(game: Game, state: State, **entries: Any) -> tuple[Array, Array]:
    """What the player to act is shown before and after a change of the position."""
    other = game.state_from_dict({**state.to_dict(), **entries})
    before, after = GhostShipFeatures(game, hints=False)(observed([state, other])).vectors
    return before, after


def test_without_hints_the_ghost_and_the_treasure_show_by_row_and_column() -> None:
    game = load_game("ghost_ship", creation="random")
    state = decisions(game, games=1)[0]
    row, column = "ABCDEFG".index(state.to_dict()["ghost"][0]), int(state.to_dict()["ghost"][1:])
    moved = f"{'ABCDEFG'[(row + 1) % 7]}{column}"
    before, after = changed(game, state, ghost=moved)
    differing = before != after
    assert int(differing.sum()) == 2
    assert sorted(before[differing].tolist()) == sorted(after[differing].tolist()) == [0.0, 1.0]


@each_game
def test_steps_of_the_pawn_that_moves_are_told_apart(params: dict[str, Any]) -> None:
    game = load_game("ghost_ship", **params)
    states = decisions(game, games=2, heuristic=0.5)
    features = GhostShipFeatures(game, hints=False)
    actions = features(observed(states)).actions
    assert actions is not None
    for state, own in zip(states, actions, strict=True):
        seen = [own[action] for action in state.legal_actions() if verb(state, action) not in ("tile", "stack", "chit")]
        assert max(own) < features.num_actions
        far = [state.action_to_string(action) for action in state.legal_actions() if own[action] == FAR_VIEW]
        assert all(text.startswith("go B") for text in far)  # round a corner of the rim
        assert len(seen) - len(set(seen)) == (verb(state, state.legal_actions()[0]).startswith("ghost to"))


def test_the_same_step_from_elsewhere_is_the_same_to_the_network() -> None:
    tables = action_tables()
    a4, c7, rim = CELL[3], CELL[26], 5  # the board-edge circle north of A5
    assert tables[a4, GO + 8 * 4] == tables[c7, GO + 8 * 27]  # sailing east
    assert tables[a4, GO + 8 * 4] != tables[a4, GO + 8 * 13]  # south
    assert tables[c7, GO + 8 * 0] == FAR_VIEW
    assert tables[rim, GO + 8 * 4] == tables[a4, GO + 8 * 13]  # south, into the board
    assert tables[rim, GO + RIM + 5] == tables[a4, GO + 8 * 4] + NUM_SPOTS  # east along the rim
