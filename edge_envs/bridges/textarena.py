"""Bridge to TextArena: all games as environments for language models that play each other.

    import textarena as ta
    import edge_envs.bridges.textarena

    env = ta.make("edge_envs/falling_off-v0")
    env.reset(num_players=2, seed=7)
    player, observation = env.get_observation()
    done, info = env.step(action="[keep]")
    rewards, infos = env.close()

Importing this module registers every game and its variants under their ids. The suffixes `-train` and `-raw` select
other observation wrappers, as for TextArena's own board games. Rules, positions and accepted answers are those of
`edge_envs.text`.

This is the only module of the package that requires textarena.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import edge_envs
from edge_envs.core.errors import MissingExtraError, ParameterError, in_short
from edge_envs.core.game_type import GameType
from edge_envs.core.state import State
from edge_envs.envs.options import forfeit_rewards
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
        **params: the parameters of the game.
    """

    def __init__(
        self, name: str, *, listed: bool = True, retries: int = 1, disguise: int | None = None, **params: Any
    ) -> None:
        check_retries(retries)
        self._name, self._params, self._listed, self._retries = name, params, listed, retries
        self.game = edge_envs.load_game(name, **params)
        self._disguise = None if disguise is None else Disguise(self.game, disguise)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start a game.

        Raises:
            ParameterError: if the game does not support this number of players.
        """
        params = {**self._params, "num_players": num_players}
        if type(num_players) is not int:
            raise ParameterError(f"invalid num_players={in_short(num_players)}: expected an integer")
        if num_players != self.game.num_players:
            if "num_players" in self._params:
                raise ParameterError(f"invalid num_players={num_players}: this environment has {self.game.num_players}")
            self.game = edge_envs.load_game(self._name, **params)
        self.position: State = self.game.new_initial_state(seed=seed)
        self.state = ta.FFAMultiPlayerState(num_players, error_allowance=self._retries)
        rules = rules_message(self.game, self._listed)
        self.state.reset(game_state={}, player_prompt_function=lambda player_id, game_state: self._outward(rules))
        self._shown = [0] * num_players
        self._advance()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Process the answer of the player to act; each decision counts as one turn of TextArena.

        Raises:
            ValueError: if no game has started.
        """
        if not hasattr(self, "position"):
            raise ValueError("no game has started: call reset first")
        player = self.state.current_player_id
        answer = str(action)
        self.state.add_observation(answer, _KINDS.PLAYER_ACTION, from_id=player, to_id=player)
        try:
            decision = read_answer(self.position, answer, self._listed, self._disguise)
        except AnswerError as error:
            if self.state.set_invalid_move(f"{str(error)[:1].upper()}{str(error)[1:]}."):
                self._end(forfeit_rewards(self.game, player), f"Player {player} named no legal action.")
        else:
            self.position.apply_action(decision)
            self._advance()
        result: tuple[bool, dict[str, Any]] = self.state.step(rotate_player=False)
        return result

    def _advance(self) -> None:
        """Resolve chance, send the events to all players, and send the position to the next player."""
        while self.position.is_chance_node():
            self.position.apply_action(self.position.sample_chance())
        for player in range(self.game.num_players):
            seen = self.position.history_strings(player)
            news, self._shown[player] = seen[self._shown[player] :], len(seen)
            if news:
                self._send(player, "\n".join(news), _KINDS.GAME_ACTION_DESCRIPTION)
        if self.position.is_terminal():
            self._end(self.position.returns(), f"The game is over. {self.position.result()}")
            return
        player = self.position.current_player()
        self.state.manually_set_current_player_id(player, force=True)
        self._send(player, position_message(self.position, self._listed, news=False), _KINDS.GAME_BOARD)

    def _end(self, returns: list[float], reason: str) -> None:
        self.state.set_game_outcome(dict(enumerate(returns)), reason)

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
