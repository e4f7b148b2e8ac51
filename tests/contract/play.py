"""Helpers of the contract tests that play games and sample their nodes."""

from __future__ import annotations

import functools
import itertools
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from edge_envs import Game, State

NODES = 100
PER_KIND = 4
Array = np.ndarray[Any, np.dtype[Any]]


def settle(state: State) -> State:
    """Sample outcomes from the state's own generator until a player is to act, and return the state."""
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    return state


def random_step(state: State, rng: np.random.Generator) -> None:
    """Apply a uniformly random legal action or outcome."""
    legal = state.legal_actions()
    state.apply_action(legal[int(rng.integers(len(legal)))])


def after(state: State, action: int) -> State:
    """Return a copy of the state after one more transition."""
    following = state.clone()
    following.apply_action(action)
    return following


def with_memory(state: State) -> State:
    """Cache the information states of all viewers in the state, and return it."""
    for viewer in (None, *range(state.game.num_players)):
        state._moments(viewer)
    return state


def playthrough(game: Game, seed: int, heuristic: bool = False) -> Iterator[State]:
    """Yield every node of one game with uniform chance outcomes; the same object is yielded and changed each time."""
    rng = np.random.default_rng(seed)
    state = game.new_initial_state(seed=seed)
    while not state.is_terminal():
        yield state
        if heuristic and not state.is_chance_node():
            state.apply_action(state.heuristic_action())
        else:
            random_step(state, rng)
    yield state


def _sample_nodes(nodes: Iterator[State], count: int, rng: np.random.Generator) -> list[State]:
    """Return copies of the first node, the last node and a uniform sample of the others, in order."""
    kept: list[State] = []
    for index, state in enumerate(nodes):
        place = index if index < count else 1 + int(rng.integers(index))
        if place < count:
            kept[place : place + 1] = [with_memory(state).clone()]
    return [*sorted(kept, key=lambda node: len(node.history())), with_memory(state)]


@functools.cache
def _nodes(game: Game) -> tuple[State, ...]:
    """Sample nodes of games that are played uniformly at random and by the heuristic, alternately."""
    rng, seed = np.random.default_rng(0), 0
    nodes: list[State] = []
    while seed < 2 or len(nodes) < NODES:
        nodes += _sample_nodes(playthrough(game, seed, heuristic=seed % 2 == 1), NODES // 2, rng)
        seed += 1
    return tuple(nodes)


def kind(state: State) -> str:
    """Classify a node by the verbs of its first and last choice."""
    legal = state.legal_actions()
    verbs = [state.action_to_string(action).split()[0] for action in {legal[0], legal[-1]}]
    return " ".join(["chance" if state.is_chance_node() else "decision", *sorted(set(verbs))])


@functools.cache
def _kinds(game: Game) -> dict[str, list[State]]:
    """Return a few nodes of every kind that occurs in four games."""
    found: dict[str, list[State]] = {}
    for seed in range(4):
        for state in playthrough(game, seed, heuristic=seed % 2 == 1):
            if not state.is_terminal():
                same = found.setdefault(kind(state), [])
                if len(same) < PER_KIND:
                    same.append(with_memory(state).clone())
    return found


def walk(game: Game, nodes: int = NODES) -> Iterator[State]:
    """Yield copies of nodes that are spread evenly over random games, terminal nodes included."""
    spread = _nodes(game)
    ends = [state for state in spread if state.is_terminal()][: max(nodes // 10, 2)]
    for state in [*spread[:: max(len(spread) // nodes, 1)], *ends]:
        yield state.clone()


def _chosen_nodes(game: Game, nodes: int, who: str) -> Iterator[State]:
    """Yield copies of nodes: first each kind in turn, then others."""
    kinds = [states for name, states in _kinds(game).items() if name.startswith(who)]
    by_turns = [state for some in itertools.zip_longest(*kinds) for state in some if state is not None]
    others = (s for s in walk(game) if not s.is_terminal() and s.is_chance_node() == (who == "chance"))
    return itertools.islice(itertools.chain((state.clone() for state in by_turns), others), nodes)


def decisions(game: Game, nodes: int = NODES) -> Iterator[State]:
    """Yield decision nodes, including rare kinds."""
    return _chosen_nodes(game, nodes, "decision")


def chance_nodes(game: Game, nodes: int = NODES) -> Iterator[State]:
    """Yield chance nodes, including rare kinds."""
    return _chosen_nodes(game, nodes, "chance")


def middle(game: Game, seed: int = 0, depth: int = 4) -> State:
    """Return a decision node at most `depth` decisions after the start of a game."""
    state = settle(game.new_initial_state(seed=seed))
    rng = np.random.default_rng(seed)
    for _ in range(depth):
        following = state.clone()
        random_step(following, rng)
        if settle(following).is_terminal():
            break
        state = following
    return state


def chosen(observation: Array, mask: Array, salt: int = 0) -> int:
    """Choose a pseudo-random legal action that depends only on the observation, the mask and the salt."""
    legal = np.flatnonzero(mask)
    return int(legal[zlib.crc32(observation.tobytes() + mask.tobytes(), salt) % len(legal)])


class Sighted:
    """An opponent that plays `chosen`, so that a seed gives the same game in every API."""

    def act(
        self, observations: Array, action_masks: Array, states: Array | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return the actions of the players to act."""
        return np.array([chosen(*view) for view in zip(observations, action_masks, strict=True)], np.int64)


def facts(state: State) -> dict[str, Any]:
    """Return everything that a position shows, for comparisons."""
    players = range(state.game.num_players)
    return {
        "position": state.to_dict(),
        "player": state.current_player(),
        "legal": state.legal_actions(),
        "mask": state.legal_action_mask().tolist(),
        "observations": [state.observation_tensor(player).tolist() for player in players],
        "views": [state.observation_string(player) for player in players],
        "picture": str(state),
    }


def future(state: State, seed: int = 0, transitions: int = 60) -> list[Any]:
    """Play a copy to its end with its own random word, and return its transitions."""
    state = state.clone()
    rng = np.random.default_rng(seed)
    met: list[Any] = []
    while not state.is_terminal() and len(met) < transitions:
        if state.is_chance_node():
            state.apply_action(state.sample_chance())
        else:
            random_step(state, rng)
        met.append((state.history()[-1], state.rewards(), state.to_dict()))
    return met
