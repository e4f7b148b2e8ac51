"""The interface of agents, and the built-in agents, which need no training.

| name | agent |
|---|---|
| `random` | uniformly random legal actions |
| `heuristic` | the heuristic of the game |
| `heuristic:v0` | an earlier version of the heuristic |
| `perfect` | optimal play, where the game is solved |
| `flat_monte_carlo` | the best action of 200 games of random play per decision |
| `search:200` | tree search with 200 iterations per decision |
| `search:50ms` | tree search with 50 ms per decision |
| `turn` | search over the rest of the turn, with a fitted value at its end |
| `one_turn` | the same with the score as the value, in games that have a score |
| `turns:16:score` | the 16 best whole turns by the lead in score, against every reply of the next player |
| `noisy:0.25` | the heuristic with 25 % random decisions |
| `trained` | the trained policy of the package for this board, played without PyTorch |
| `trained:NAME` | a trained policy of the package by its name |
| `level:1` | opponents of rising strength: level:1, level:2, ... (Game.levels) |

`search` alone has 200 iterations, `noisy` alone 25 % random decisions.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from edge_envs.core.errors import IllegalActionError, did_you_mean, in_short
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.opponent import Opponent, action_numbers, check_made_for
from edge_envs.core.spec import Records
from edge_envs.core.trained import fitting, trained_policies

if TYPE_CHECKING:
    from edge_envs.core.state import State

AGENTS = {
    "random": "edge_envs.players.random:RandomAgent",
    "heuristic": "edge_envs.players.heuristic:HeuristicAgent",
    "perfect": "edge_envs.players.perfect:PerfectAgent",
    "flat_monte_carlo": "edge_envs.players.flat_monte_carlo:FlatMonteCarloAgent",
    "search": "edge_envs.search.agent:SearchAgent",
    "turn": "edge_envs.search.turn:TurnAgent",
    "one_turn": "edge_envs.search.one_turn:OneTurnAgent",
    "turns": "edge_envs.ntuple.agent:ScoreTurnsAgent",
    "noisy": "edge_envs.players.noisy:NoisyAgent",
    "trained": "edge_envs.trained.agent:TrainedAgent",
    "level": "edge_envs.players.levels:LevelAgent",
}
"""Built-in agents by name: the module and the class, whose constructor takes the game.

A class that takes an argument after a colon has `from_text(text, game)`, and `check_text(text)`, which may raise
ValueError.
"""

_WITH_FOLDER = {"search": "edge_envs.ntuple.agent:NamedSearchAgent"}
"""The same for names that end with the folder of an n-tuple network's policy, where that is another class."""

SYNTAX = {
    "random": "uniformly random legal actions",
    "heuristic": "the heuristic of the game",
    "heuristic:v0": "an earlier version of the heuristic",
    "perfect": "optimal play, where the game is solved",
    "flat_monte_carlo": "the best action of 200 games of random play per decision",
    "search:200": "tree search with 200 iterations per decision",
    "search:50ms": "tree search with 50 ms per decision",
    "turn": "search over the rest of the turn, with a fitted value at its end",
    "one_turn": "the same with the score as the value, in games that have a score",
    "turns:16:score": "the 16 best whole turns by the lead in score, against every reply of the next player",
    "noisy:0.25": "the heuristic with 25 % random decisions",
    "trained": "the trained policy of the package for this board, played without PyTorch",
    "trained:NAME": "a trained policy of the package by its name",
    "level:1": "opponents of rising strength: level:1, level:2, ... (Game.levels)",
}
"""The syntax of the names of built-in agents, each with a line of help."""

OFFERED = (
    "random",
    "heuristic",
    "perfect",
    "flat_monte_carlo",
    "search:50",
    "search:200",
    "search:1000",
    "turn",
    "one_turn",
    "trained",
    "level:2",
    "level:3",
    "level:4",
)
"""Agents that menus offer; see `offered`."""


class Agent(Opponent, Protocol):
    """An agent for any seat of a game, which can also be an opponent in the seat environments.

    `name` is its name in tables. If `needs_states` is true, `act` gets state records whose random words and hidden
    parts were drawn again; otherwise it gets None.
    With an attribute `remembers` that is true, `agents.evaluate` plays one game after another instead of many at once,
    because decisions in the same game take less time.
    """

    name: str
    needs_states: bool


def offered(game_type: GameType) -> list[str]:
    """Return the agents of `OFFERED` that can play a game, and the earlier versions of its heuristic."""
    from edge_envs.search.fitted import fits_of

    impossible = set()
    if not game_type.has_module("solver"):
        impossible.add("perfect")
    if not game_type.has_score:
        impossible.add("one_turn")
    if not fits_of(game_type):
        impossible.add("turn")
    if not trained_policies(game_type):
        impossible.add("trained")
    earlier = [f"heuristic:{version}" for version in game_type.heuristics[:-1]]
    return [*(name for name in OFFERED if name not in impossible), *earlier]


def playing(game: Game) -> list[str]:
    """Return the agents of `offered` that can play a game with its parameters."""
    from edge_envs.players.perfect import is_solved

    impossible = set() if is_solved(game) else {"perfect"}
    if not fitting(game.type, game.params):
        impossible.add("trained")
    return [name for name in offered(game.type) if name not in impossible]


def is_built_in(name: str) -> bool:
    """Return whether a name, up to a colon, is one of `AGENTS`."""
    return name.partition(":")[0] in AGENTS


def check_built_in(name: str) -> None:
    """Check the name of a built-in agent.

    Raises:
        ValueError: if the agent is unknown or its argument after the colon is invalid.
    """
    maker, colon, text = name.partition(":")
    if maker not in AGENTS:
        raise ValueError(
            f"unknown agent {in_short(name)} (choose from {', '.join(AGENTS)}){did_you_mean(maker, AGENTS)}"
        )
    if not colon:
        return
    check = getattr(_class_of(maker, text), "check_text", None)
    if check is None:
        raise ValueError(f"unknown agent {name!r}: {maker} takes no argument after a colon")
    try:
        check(text)
    except ValueError as error:
        raise ValueError(f"unknown agent {name!r}: {error}") from None


def built_in_agent(name: str, game: Game) -> Agent:
    """Create a built-in agent from its name.

    Raises:
        ValueError: if the name is invalid or the agent cannot play this game.
    """
    check_built_in(name)
    maker, colon, text = name.partition(":")
    kind = _class_of(maker, text)
    made: Agent = kind.from_text(text, game) if colon else kind(game)
    return made


def plain_name(name: str, game: Game) -> str:
    """Return the name of the agent that a level stands for; return any other name unchanged."""
    maker, _, text = name.partition(":")
    if maker != "level":
        return name
    from edge_envs.players.levels import agent_of_level

    check_built_in(name)
    return agent_of_level(text, game)


def _class_of(maker: str, text: str) -> Any:
    """Return the class of a built-in agent, whose argument after the colon is `text`."""
    named = _WITH_FOLDER.get(maker) if ":" in text else None
    module, _, entry = (named or AGENTS[maker]).partition(":")
    return getattr(importlib.import_module(module), entry)


def decide(agent: Opponent, state: State, rng: np.random.Generator) -> int:
    """Return the action of an agent in a single position, given only what its player may know.

    Raises:
        IllegalActionError: if the agent chooses an illegal action.
        ValueError: if the agent was made for a game with another layout.
    """
    check_made_for(agent, state.game)
    player, name = state.current_player(), getattr(agent, "name", None) or repr(agent)
    masks = state.legal_action_mask()[None]
    states = records_shown(state, rng) if getattr(agent, "needs_states", False) else None
    chosen = agent.act(state.observation_tensor(player)[None], masks, states, np.array([player]), rng)
    action = int(action_numbers(chosen, 1, f"actions of agent {name}")[0])
    if not 0 <= action < masks.shape[1] or not masks[0, action]:
        raise IllegalActionError(f"agent {name} chose {action}; choose from {state.legal_actions()}")
    return action


def records_shown(state: State, rng: np.random.Generator) -> Records:
    """Return the position as an array of one record, with hidden parts and the random word drawn again."""
    records = state.game.records_from_dict(state.resample(state.current_player(), rng).to_dict())
    records["rng"] = rng.integers(2**63, dtype=np.uint64)
    return records
