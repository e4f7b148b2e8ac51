"""Bridge to OpenSpiel: all games as OpenSpiel games, our agents as bots, and bots as our agents.

    import pyspiel
    from edge_envs.bridges import open_spiel

    game = pyspiel.load_game("falling_off(num_players=3)")

Importing this module registers every game and its variants with OpenSpiel. A name that OpenSpiel already has gets the
prefix `edge_envs_`. Chance is explicit, and all rewards are paid at the end. A parameter value that is an object, such
as a map, is a JSON string. OpenSpiel cannot parse commas, brackets and equals signs within a value, so in game strings
such values, as JSON or the names of generated maps, are URL-encoded (`urllib.parse.quote`).

This is the only module of the package that requires pyspiel.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import numpy as np

import edge_envs
from edge_envs.core.checks.seeds import check_seed
from edge_envs.core.errors import MissingExtraError, in_short
from edge_envs.core.game_type import GameType
from edge_envs.core.opponent import Opponent
from edge_envs.core.spec import Array, Records
from edge_envs.core.state import State
from edge_envs.players import Agent, built_in_agent, decide

try:
    import pyspiel
except ImportError as error:
    raise MissingExtraError("the bridge to OpenSpiel", error.name or "pyspiel", "openspiel") from error

UNBOUNDED = 1_000_000_000
"""The value passed to OpenSpiel for a number without a known bound."""


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game with its parameters, created by `pyspiel.load_game`. `rules` is the `edge_envs.Game`."""

    named: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        read = {name: _read_value(name, value) for name, value in (params or {}).items()}
        self.rules = edge_envs.load_game(self.named, **read)
        super().__init__(_fact_sheet(self.named, self.rules), _sizes(self.rules), _written(self.rules))

    def new_initial_state(self) -> OpenSpielState:
        """Return the start of a game."""
        return OpenSpielState(self)

    def state_of(self, state: State) -> OpenSpielState:
        """Return a copy of a position of this game, with an empty history.

        Raises:
            ValueError: if the position is of another game.
        """
        self.check_position(state)
        theirs = self.new_initial_state()
        theirs.position = state.clone()
        return theirs

    def check_position(self, state: State) -> None:
        """Raise ValueError unless the position is of this game with these parameters."""
        if state.game.name != self.rules.name or state.game.params_difference(self.rules.params):
            raise ValueError(f"the position is of {state.game}, not of {self.rules}")

    def max_chance_nodes_in_history(self) -> int:
        """Return 0 without chance; otherwise no bound is known."""
        return UNBOUNDED if self.rules.max_chance_outcomes else 0

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> Observer | None:
        """Return an observer of one player's observation, or with `perfect_recall` of its information state.

        Returns None if only a part of it is requested.
        """
        seen = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise ValueError(f"observers of {self.rules.name} have no parameters, got {', '.join(params)}")
        whole = seen.public_info and seen.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return Observer(self.rules, seen.perfect_recall) if whole else None

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position; `position` is the `State`."""

    @functools.cached_property
    def position(self) -> State:
        """The position; its seed does not matter, because the caller draws all chance outcomes."""
        return self.get_game().rules.new_initial_state(seed=0)

    def current_player(self) -> int:
        """Return the seat to act, or a `pyspiel.PlayerId`."""
        return self.position.current_player()

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.is_terminal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of positive probability and their probabilities."""
        return self.position.chance_outcomes()

    def returns(self) -> list[float]:
        """Return the return of each player; 0 before the end."""
        return self.position.returns() if self.is_terminal() else [0.0] * self.num_players()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> OpenSpielState:
        """Return a random position that agrees with a player's information state, see `State.resample`."""
        rng = np.random.default_rng([int(sampler() * 2**32) for _ in range(2)])
        other: OpenSpielState = self.get_game().new_initial_state()
        other.position = self.position.resample(player, rng)
        return other

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.position.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == self.current_player() and action in self.position.legal_actions():
            return self.position.action_to_string(action)
        return f"{'outcome' if player == pyspiel.PlayerId.CHANCE else 'action'} {action}"

    def __str__(self) -> str:
        """Return the text picture of the position; with hidden information, the observations of all players."""
        if self.position.game.perfect_information:
            return str(self.position)
        return "\n".join(self.position.observation_string(player) for player in range(self.num_players()))

    def __reduce__(self) -> tuple[Any, ...]:
        return self.get_game().deserialize_state, (self.serialize(),)


class Observer:
    """Observation of one player: `tensor` is flat; `dict` contains its parts by name, or all planes as one part.

    With `perfect_recall` it is the information state. In games with hidden information this is only a string, and
    `tensor` is None.
    """

    def __init__(self, rules: edge_envs.Game, remembers: bool) -> None:
        self._remembers = remembers
        self.tensor: Array | None = None
        self.dict: dict[str, Array] = {}
        if rules.perfect_information or not remembers:
            whole = np.zeros(rules.observation_shape, np.float32)
            self.tensor = whole.reshape(-1)
            parts = rules.observation_slices() if whole.ndim == 1 else {"observation": slice(None)}
            self.dict = {name: whole[part] for name, part in parts.items()}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill `tensor`.

        Raises:
            ValueError: if the observer has no tensor.
        """
        if self.tensor is None:
            raise ValueError("in games with hidden information the information state is a string, not a tensor")
        self.tensor[:] = state.position.observation_tensor(player).reshape(-1)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the observation or information state as a string."""
        if self._remembers:
            return state.position.information_state_string(player)
        return state.position.observation_string(player)


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as an OpenSpiel bot.

    The agent receives only what the player to act may know.

    Args:
        game: a game of this bridge.
        agent: the name of an agent that needs no training, or an `edge_envs.players.Agent`.
        seed: the seed of the agent's random choices.

    Raises:
        ValueError: if the agent is unknown, the game is not a game of this bridge, or `seed` is not a valid seed.
    """

    def __init__(self, game: OpenSpielGame, agent: str | Agent, seed: int | None = None) -> None:
        super().__init__()
        if not isinstance(game, OpenSpielGame):
            raise ValueError(f"{in_short(game)} is not a game registered by this bridge")
        self._game = game
        self._agent = built_in_agent(agent, game.rules) if isinstance(agent, str) else agent
        if not isinstance(self._agent, Opponent):
            raise ValueError(f"{in_short(agent)} is not an agent: it has no method act")
        self._rng = np.random.default_rng(None if seed is None else check_seed(seed))

    def restart_at(self, state: OpenSpielState) -> None:
        """Do nothing: agents do not remember games."""

    def step(self, state: OpenSpielState) -> int:
        """Return the action that the agent chooses.

        Raises:
            ValueError: if the position is of another game.
        """
        if not isinstance(state, OpenSpielState):
            raise ValueError(f"the position is of {in_short(state.get_game())}, not of {self._game.rules}")
        self._game.check_position(state.position)
        return decide(self._agent, state.position, self._rng)


class BotAgent:
    """An OpenSpiel bot as one of our agents, for any seat.

    `make_bot(game, random_state)` creates the bot. It is called for each decision with an `OpenSpielGame` and a NumPy
    RandomState, so that equal seeds give equal games. The bot receives positions with resampled hidden information.
    """

    name = "bot"
    needs_states = True

    def __init__(self, rules: edge_envs.Game, make_bot: Callable[[Any, np.random.RandomState], Any]) -> None:
        self._game = open_spiel_game(rules)
        self._make_bot = make_bot

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return the actions (k,) of the bot, one after the other."""
        assert states is not None
        return np.array([self._decide(states[k : k + 1], rng) for k in range(len(players))])

    def _decide(self, records: Records, rng: np.random.Generator) -> int:
        bot = self._make_bot(self._game, np.random.RandomState(rng.integers(2**32)))
        return int(bot.step(self._game.state_of(State.of_records(self._game.rules, records))))


def open_spiel_game(rules: edge_envs.Game) -> OpenSpielGame:
    """Return the OpenSpiel game of a game.

    Raises:
        ValueError: if `rules` is not a game, from `edge_envs.load_game`.
    """
    if not isinstance(rules, edge_envs.Game):
        raise ValueError(f"{in_short(rules)} is not a game: pass edge_envs.load_game(NAME)")
    game: OpenSpielGame = pyspiel.load_game(_NAMES[rules.name], _written(rules))
    return game


def _loaded(text: str) -> OpenSpielGame:
    """Load a game from its string; pickles refer to this function, so that other processes import this module."""
    game: OpenSpielGame = pyspiel.load_game(text)
    return game


def register_games(games: Mapping[str, GameType]) -> None:
    """Register each game and its boards with OpenSpiel; repeated calls have no effect.

    Variants that are not boards of the benchmark are parameters of their games there.

    Each name gets a class instead of a factory function: OpenSpiel releases the registered objects after Python has
    finalized, which only classes survive.
    """
    boards = (name for game_type in games.values() for name, variant in game_type.variants.items() if variant.board)
    for name in (name for name in boards if name not in _NAMES):
        taken = name in pyspiel.registered_names()
        _NAMES[name] = f"edge_envs_{name}" if taken else name
        made = type(f"OpenSpielGame_{name}", (OpenSpielGame,), {"named": name})
        pyspiel.register_game(_fact_sheet(name, edge_envs.load_game(name)), made)


_NAMES: dict[str, str] = {}
"""OpenSpiel's name of each registered game, by our name."""


def _fact_sheet(name: str, rules: edge_envs.Game) -> pyspiel.GameType:
    """Return the OpenSpiel type of a game: chance mode of its parameters, default values of its name."""
    kinds, players = pyspiel.GameType, rules.type.parameters.get("num_players")
    chance, information, utility = kinds.ChanceMode, kinds.Information, kinds.Utility
    sums = {None: utility.GENERAL_SUM, 0.0: utility.ZERO_SUM}
    return kinds(
        short_name=_NAMES[name],
        long_name=rules.type.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if rules.max_chance_outcomes else chance.DETERMINISTIC,
        information=information.PERFECT_INFORMATION if rules.perfect_information else information.IMPERFECT_INFORMATION,
        utility=sums.get(rules.utility_sum, utility.CONSTANT_SUM),
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=players.high if players else rules.num_players,
        min_num_players=players.low if players else rules.num_players,
        provides_information_state_string=True,
        provides_information_state_tensor=rules.perfect_information,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_written(edge_envs.load_game(name)),
    )


def _sizes(rules: edge_envs.Game) -> pyspiel.GameInfo:
    longest = rules.max_game_length
    return pyspiel.GameInfo(
        num_distinct_actions=rules.num_distinct_actions,
        max_chance_outcomes=rules.max_chance_outcomes,
        num_players=rules.num_players,
        min_utility=rules.min_utility,
        max_utility=rules.max_utility,
        utility_sum=rules.utility_sum,
        max_game_length=UNBOUNDED if longest is None else longest,
    )


def _written(rules: edge_envs.Game) -> dict[str, Any]:
    """Return the parameters in the format of OpenSpiel's game strings."""
    return {name: _written_value(value) for name, value in rules.params.items()}


def _written_value(value: Any) -> Any:
    if isinstance(value, str):
        return quote(value, safe=":/ ") if set(value) & set("=,()%") else value
    if isinstance(value, bool | int | float):
        return value
    return quote(json.dumps(value, separators=(",", ":")), safe='":[]')


def _read_value(name: str, value: Any) -> Any:
    """Parse a value from OpenSpiel: strings may be URL-encoded, and those that begin like a JSON object are JSON."""
    if not isinstance(value, str):
        return value
    text = value if value.startswith("{") else unquote(value)
    if not text.startswith("{"):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise edge_envs.ParameterError(f"{name}={in_short(text)} is not JSON: {error}") from None


register_games(edge_envs.GAMES)
