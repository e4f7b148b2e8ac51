"""Bridge to TextArena: all games as environments for language models that play each other.

    import textarena as ta
    import edge_envs.bridges.textarena

    env = ta.make("edge_envs/falling_off-v0")
    env.reset(num_players=2, seed=7)
    player, observation = env.get_observation()
    done, info = env.step(action="[keep]")
    rewards, infos = env.close()

With `reset(num_players=1)` only one seat answers, and `opponents` play the others inside, as Prime Intellect's
`verifiers` expects of an environment:

    env = ta.make("edge_envs/falling_off-v0", opponents="heuristic")
    env.reset(num_players=1)

Importing this module registers every game and its variants under their ids. The suffixes `-train` and `-raw` select
other observation wrappers, as for TextArena's own board games. Rules, positions and accepted answers are those of
`edge_envs.text`.

This is the only module of the package that requires textarena.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np

import edge_envs
from edge_envs import CHANCE
from edge_envs.core.checks.integers import integer_of
from edge_envs.core.checks.seeds import check_seed
from edge_envs.core.errors import MissingExtraError, ParameterError, in_short
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.loops.seat_codes import MOST_REPLACED
from edge_envs.core.state import State
from edge_envs.envs.entropy import agents_generator
from edge_envs.envs.lifecycle import Lifecycle
from edge_envs.envs.opponents import BUILT_IN, Opponents, seat_opponents
from edge_envs.envs.options import check_flag, forfeit_rewards
from edge_envs.envs.seat_lanes import check_seat
from edge_envs.players import built_in_agent, decide
from edge_envs.text import AnswerError, Disguise, check_retries, position_message, read_answer, rules_message

try:
    import textarena as ta
    from textarena.envs import BOARDGAME_WRAPPERS, DEFAULT_WRAPPERS
    from textarena.envs.registration import register_with_versions
except ImportError as error:
    raise MissingExtraError("the bridge to TextArena", error.name or "textarena", "textarena") from error

_KINDS = ta.ObservationType


class TextArenaEnv(ta.Env):  # type: ignore[misc]  # textarena is untyped
    """A game as a TextArena environment; `position` is the `State`.

    Other players never see an agent's answer, only its action, as far as they may know it.

    Args:
        name: the name or id of a game or of a variant.
        listed: whether positions list the legal actions.
        retries: how many consecutive answers without a legal action are tolerated; the next one forfeits the game.
        disguise: the seed of made-up names for things and actions, or None.
        opponents: the players of the other seats after `reset(num_players=1)`, as for `edge_envs.seat_env`.
        seat: the seat that answers after `reset(num_players=1)`: 0, 1, …, or "random" to draw it for each game.
        **params: the parameters of the game.

    Raises:
        ParameterError: if the game or an argument is invalid.
        ValueError: if `opponents` or `seat` is invalid.
    """

    def __init__(
        self,
        name: str,
        *,
        listed: bool = True,
        retries: int = 1,
        disguise: int | None = None,
        opponents: Opponents = "random",
        seat: int | str = "random",
        **params: Any,
    ) -> None:
        check_retries(retries)
        check_flag("listed", listed)
        self._name, self._params, self._listed, self._retries = name, params, listed, retries
        self.game = self._own_game = edge_envs.load_game(name, **params)
        self._lifecycle = Lifecycle()
        self._disguise = None if disguise is None else Disguise(self.game, disguise)
        self._seat = check_seat(seat, self.game.num_players)
        objects, self._mixes = seat_opponents(opponents, self.game.num_players, self.game)
        self._agents = [*(built_in_agent(name, self.game) for name in BUILT_IN), *objects]
        """The possible opponents: the one with code k (see `seat_opponents`) has index k - 1."""

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start a game.

        Args:
            num_players: the number of players that answer: all players of the game, or 1.
            seed: an integer from 0 to 2**64 - 1. None draws one from the module `random`, which callers can seed.

        Raises:
            ParameterError: if the game does not support this number of players.
            ValueError: if `seed` is invalid, or if the one player has no decision in 10,000 games in a row.
        """
        number = integer_of(num_players)
        if number is None:
            raise ParameterError(f"invalid num_players={in_short(num_players)}: expected an integer")
        num_players = number
        game = self._own_game if num_players == 1 else self._game_of(num_players)
        seed = random.getrandbits(64) if seed is None else check_seed(seed)
        with self._lifecycle:
            self._begin(game, num_players, seed)

    def _begin(self, game: Game, num_players: int, seed: int) -> None:
        """Start a game."""
        self.game, self._rng = game, agents_generator([seed])
        self._answering = range(num_players)
        """The seat of each player of TextArena."""
        if num_players == 1:
            self._draw_seats()
        self.position: State = game.new_initial_state(seed=seed)
        self._play_opponents()
        for _ in range(MOST_REPLACED if num_players == 1 else 0):
            if not self.position.is_terminal():
                break
            self._draw_seats()
            self.position = game.new_initial_state(seed=int(self._rng.integers(2**64, dtype=np.uint64)))
            self._play_opponents()
        if self.position.is_terminal():
            raise ValueError(
                f"seat {self._answering[0]} had no decision in {MOST_REPLACED:,} games of {game!r} in a row"
            )
        self.state = ta.FFAMultiPlayerState(num_players, error_allowance=self._retries)
        rules = rules_message(game, self._listed)
        self.state.reset(
            game_state={},
            player_prompt_function=lambda player_id, game_state: self._outward(rules),
            role_mapping={player: f"Player {seat}" for player, seat in enumerate(self._answering)},
        )
        self._shown = [0] * num_players
        self._advance()

    def _game_of(self, num_players: int) -> Game:
        """Return the game with this number of players."""
        if num_players == self.game.num_players:
            return self.game
        if "num_players" in self._params:
            raise ParameterError(f"invalid num_players={num_players}: this environment has {self.game.num_players}")
        return edge_envs.load_game(self._name, **self._params, num_players=num_players)

    def _draw_seats(self) -> None:
        """Draw the seat that answers, and the opponents of the others."""
        players = self._own_game.num_players
        seat = self._seat if self._seat >= 0 else int(self._rng.integers(players))
        self._answering = range(seat, seat + 1)
        self._opponents = {
            (seat + 1 + left) % players: self._agents[int((self._rng.random() >= mix).sum())]
            for left, mix in enumerate(self._mixes)
        }

    def _play_opponents(self) -> None:
        """Play chance and the opponents up to a decision of a player that answers, or to the end."""
        while not self.position.is_terminal():
            seat = self.position.current_player()
            if seat == CHANCE:
                self.position.apply_action(self.position.sample_chance())
            elif seat in self._answering:
                return
            else:
                self.position.apply_action(decide(self._opponents[seat], self.position, self._rng))

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Process the answer of the player to act; each decision counts as one turn of TextArena.

        Raises:
            ValueError: if no game has started, or if the game is over.
            RuntimeError: if an opponent failed or the last call was interrupted, until the next reset.
        """
        if not hasattr(self, "position"):
            raise ValueError("no game has started: call reset first")
        self._lifecycle.check()
        if self.state.done:
            raise ValueError("the game is over: call reset")
        with self._lifecycle:
            return self._play(action)

    def get_observation(self) -> tuple[int, Any]:
        """Return the player to act and the new messages for it.

        Raises:
            RuntimeError: if an opponent failed or the last call was interrupted, until the next reset.
        """
        self._lifecycle.check()
        found: tuple[int, Any] = super().get_observation()
        return found

    def _play(self, action: str) -> tuple[bool, dict[str, Any]]:
        player = self.state.current_player_id
        seat = self._answering[player]
        answer = str(action)
        self.state.add_observation(answer, _KINDS.PLAYER_ACTION, from_id=player, to_id=player)
        try:
            decision = read_answer(self.position, answer, self._listed, self._disguise)
        except AnswerError as error:
            if not self.state.set_invalid_move(f"{str(error)[:1].upper()}{str(error)[1:]}."):
                self._name_seat(player, seat)
            else:
                self._end(forfeit_rewards(self.game, seat), f"Player {seat} named no legal action.")
        else:
            self.position.apply_action(decision)
            self._play_opponents()
            self._advance()
        result: tuple[bool, dict[str, Any]] = self.state.step(rotate_player=False)
        return result

    def _advance(self) -> None:
        """Send the events to all players that answer, and the position to the next one."""
        for player, seat in enumerate(self._answering):
            seen = self.position.history_strings(seat)
            news, self._shown[player] = seen[self._shown[player] :], len(seen)
            if news:
                self._send(player, "\n".join(news), _KINDS.GAME_ACTION_DESCRIPTION)
        if self.position.is_terminal():
            self._end(self.position.returns(), f"The game is over. {self.position.result()}")
            return
        player = self._answering.index(self.position.current_player())
        self.state.manually_set_current_player_id(player, force=True)
        self._send(player, position_message(self.position, self._listed, news=False), _KINDS.GAME_BOARD)

    def _end(self, returns: list[float], reason: str) -> None:
        rewards = {player: returns[seat] for player, seat in enumerate(self._answering)}
        self.state.set_game_outcome(rewards, reason)

    def _name_seat(self, player: int, seat: int) -> None:
        """Name the seat in TextArena's message about an invalid answer, which names its own number of the player."""
        sender, text, kind = self.state.observations[player][-1]
        self.state.observations[player][-1] = sender, text.replace(f"Player {player}", f"Player {seat}", 1), kind

    def _send(self, player: int, text: str, kind: Any) -> None:
        self.state.add_observation(self._outward(text), kind, to_id=player)

    def get_board_str(self) -> str:
        """Return the text picture of the public part of the position."""
        return self._outward(str(self.position))

    def _outward(self, text: str) -> str:
        return self._disguise.hide(text) if self._disguise else text


def register_games(games: Mapping[str, GameType]) -> None:
    """Register each game that has short rules, and its variants, with TextArena; repeated calls have no effect."""
    for game_type in games.values():
        for name in game_type.variants if game_type.has_module("short_rules") else ():
            entry = f"edge_envs/{name}-v{game_type.version}"
            if entry not in ta.envs.registration.ENV_REGISTRY:
                shown = {"default": DEFAULT_WRAPPERS, "-train": BOARDGAME_WRAPPERS}
                register_with_versions(entry, TextArenaEnv, shown, name=name)


register_games(edge_envs.GAMES)
