"""All games as OpenSpiel's, and the bots of each side as players on the other.

    import pyspiel
    from edge_envs.bridges import open_spiel

    game = pyspiel.load_game("falling_off(num_players=3)")

Importing this module registers every game and its variants with OpenSpiel; a name that OpenSpiel has already gets
`edge_envs_` before it. Chance is explicit, and all rewards are paid at the end. A value that is an object, as a map, is
a text of JSON. OpenSpiel cannot read commas and brackets within a value, so in the text of a game the JSON is quoted as
in addresses of the web, by `urllib.parse.quote`.

The only module of the package that needs pyspiel.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import numpy as np

import edge_envs
from edge_envs.core.asking import Opponent
from edge_envs.core.errors import MissingExtraError, in_short
from edge_envs.core.game import Array, GameType, Records
from edge_envs.core.state import State
from edge_envs.players import Agent, built_in_agent, decide

try:
    import pyspiel
except ImportError as error:
    raise MissingExtraError("the bridge to OpenSpiel", error.name or "pyspiel", "openspiel") from error

UNBOUNDED = 1_000_000_000
"""What OpenSpiel is told of a number that has no bound, or none that is known."""


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game with its parameters chosen, made by `pyspiel.load_game`. `rules` is the `edge_envs.Game`."""

    named: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        read = {name: _read_value(name, value) for name, value in (params or {}).items()}
        self.rules = edge_envs.load_game(self.named, **read)
        super().__init__(_fact_sheet(self.named, self.rules), _sizes(self.rules), _written(self.rules))

    def new_initial_state(self) -> OpenSpielState:
        """The start of a game."""
        return OpenSpielState(self)

    def state_of(self, state: State) -> OpenSpielState:
        """A copy of a position of this game; its own history begins anew. ValueError if it is of another game."""
        self.check_position(state)
        theirs = self.new_initial_state()
        theirs.position = state.clone()
        return theirs

    def check_position(self, state: State) -> None:
        """ValueError unless a position is one of this game with these parameters."""
        if state.game.name != self.rules.name or state.game.params_difference(self.rules.params):
            raise ValueError(f"this is a position of {state.game}, not of {self.rules}")

    def max_chance_nodes_in_history(self) -> int:
        """No bound that is known, but where there is no chance."""
        return UNBOUNDED if self.rules.max_chance_outcomes else 0

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> Observer | None:
        """What a player sees, or with `perfect_recall` what it sees and remembers; None for any part of it alone."""
        seen = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise ValueError(f"observers of {self.rules.name} have no parameters, and got {', '.join(params)}")
        whole = seen.public_info and seen.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return Observer(self.rules, seen.perfect_recall) if whole else None

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position. `position` is the `State`."""

    @functools.cached_property
    def position(self) -> State:
        """The position itself: whoever plays draws all chance, so its own seed does not matter."""
        return self.get_game().rules.new_initial_state(seed=0)

    def current_player(self) -> int:
        """The seat to act, or one of `pyspiel.PlayerId`."""
        return self.position.current_player()

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_terminal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of positive probability with it."""
        return self.position.chance_outcomes()

    def returns(self) -> list[float]:
        """What each player has won; 0 before the end."""
        return self.position.returns() if self.is_terminal() else [0.0] * self.num_players()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> OpenSpielState:
        """A position that agrees with all that a player knows and remembers, see `State.resample`."""
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
        """What is public, and what each player sees besides."""
        if self.position.game.perfect_information:
            return str(self.position)
        return "\n".join(self.position.observation_string(player) for player in range(self.num_players()))

    def __reduce__(self) -> tuple[Any, ...]:
        return self.get_game().deserialize_state, (self.serialize(),)


class Observer:
    """What one player sees: `tensor` is flat, `dict` has its parts by their names, or planes in one piece.

    With `perfect_recall` it is the information state. In games with hidden information that is a text alone, and
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
        """Fill `tensor`; ValueError if there is none."""
        if self.tensor is None:
            raise ValueError("with hidden information an information state is a text and no tensor")
        self.tensor[:] = state.position.observation_tensor(player).reshape(-1)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The same as a text."""
        if self._remembers:
            return state.position.information_state_string(player)
        return state.position.observation_string(player)


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as a bot of OpenSpiel: the name of one that needs no training, or an `edge_envs.players.Agent`.

    It is handed what the player to act may know, and no more. ValueError if there is no such agent, or if the game, or
    the game of a position, is another one.
    """

    def __init__(self, game: OpenSpielGame, agent: str | Agent, seed: int | None = None) -> None:
        super().__init__()
        if not isinstance(game, OpenSpielGame):
            raise ValueError(f"{in_short(game)} is none of the games that this bridge has registered")
        self._game = game
        self._agent = built_in_agent(agent, game.rules) if isinstance(agent, str) else agent
        if not isinstance(self._agent, Opponent):
            raise ValueError(f"{in_short(agent)} is no agent: it has no method act")
        self._rng = np.random.default_rng(seed)

    def restart_at(self, state: OpenSpielState) -> None:
        """Nothing: the agent remembers no game."""

    def step(self, state: OpenSpielState) -> int:
        """The action that the agent chooses."""
        if not isinstance(state, OpenSpielState):
            raise ValueError(f"this is no position of {self._game.rules}, but of {in_short(state.get_game())}")
        self._game.check_position(state.position)
        return decide(self._agent, state.position, self._rng)


class BotAgent:
    """A bot of OpenSpiel as one of our agents, for any seat.

    `make_bot(game, random_state)` makes the bot. It is called for each decision with an `OpenSpielGame` and a NumPy
    RandomState, so that the same seed gives the same games. The bot is shown positions with hidden parts drawn anew.
    """

    name = "bot"
    needs_states = True

    def __init__(self, rules: edge_envs.Game, make_bot: Callable[[Any, np.random.RandomState], Any]) -> None:
        self._game = open_spiel_game(rules)
        self._make_bot = make_bot

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """The actions (k,) of the bot, one after another."""
        assert states is not None
        return np.array([self._decide(states[k : k + 1], rng) for k in range(len(players))])

    def _decide(self, records: Records, rng: np.random.Generator) -> int:
        bot = self._make_bot(self._game, np.random.RandomState(rng.integers(2**32)))
        return int(bot.step(self._game.state_of(State.of_records(self._game.rules, records))))


def open_spiel_game(rules: edge_envs.Game) -> OpenSpielGame:
    """The same game as OpenSpiel's."""
    game: OpenSpielGame = pyspiel.load_game(_NAMES[rules.name], _written(rules))
    return game


def _loaded(text: str) -> OpenSpielGame:
    """The game of a text; what is pickled names this function, so that another process imports this module."""
    game: OpenSpielGame = pyspiel.load_game(text)
    return game


def register_games(games: Mapping[str, GameType]) -> None:
    """Register each game and its variants with OpenSpiel, once.

    Each name gets a class, and not a function that makes the game: OpenSpiel drops what it was given when Python has
    ended already, which only classes outlive.
    """
    for name in (name for game_type in games.values() for name in game_type.variants if name not in _NAMES):
        taken = name in pyspiel.registered_names()
        _NAMES[name] = f"edge_envs_{name}" if taken else name
        made = type(f"OpenSpielGame_{name}", (OpenSpielGame,), {"named": name})
        pyspiel.register_game(_fact_sheet(name, edge_envs.load_game(name)), made)


_NAMES: dict[str, str] = {}
"""Our name of each game that is registered, and OpenSpiel's."""


def _fact_sheet(name: str, rules: edge_envs.Game) -> pyspiel.GameType:
    """A game's type, its chance as the parameters have it; the default values are those of the name."""
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
    """The parameters as OpenSpiel takes them, and reads them in the text of a game."""
    return {name: _written_value(value) for name, value in rules.params.items()}


def _written_value(value: Any) -> Any:
    if isinstance(value, bool | int | float | str):
        return value
    return quote(json.dumps(value, separators=(",", ":")), safe='":[]')


def _read_value(name: str, value: Any) -> Any:
    """A value from OpenSpiel: a text that begins as an object of JSON does, quoted or not, is one."""
    text = value if isinstance(value, str) else ""
    text = unquote(text) if text.startswith("%7B") else text
    if not text.startswith("{"):
        return value
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise edge_envs.ParameterError(f"{name}={in_short(text)} is not JSON: {error}") from None


register_games(edge_envs.GAMES)
