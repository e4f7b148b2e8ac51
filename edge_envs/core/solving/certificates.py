"""Certificates: what a proof says, in a form that can be checked without a search and by other means.

A certificate of "player p gets at least so much" names one action for each position that player p may meet, whatever
the other does. A position goes by a number, the first eight bytes of the SHA-256 of its JSON, without `game` and
`params`, with sorted keys and no spaces. The file is an uncompressed `.npz`, read without pickle:

| array | |
|---|---|
| `about` | uint8: JSON of `game`, `version`, `params` and the `claims`, a list of `player` and `least` |
| `positions_0` | uint64, rising: the positions of the first claim; `positions_1` of the second, if there is one |
| `actions_0` | int16: the actions of that player in these positions |

A value of 1 or -1 is one claim, of the winner, who gets at least 1; a draw is two, one of each player, at least 0.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs.core.checks.files import read_arrays
from edge_envs.core.errors import in_short
from edge_envs.core.solving.prover import PROVEN, REFUTED, Claim, ValueSearch, start_of
from edge_envs.core.state import State

if TYPE_CHECKING:
    from edge_envs.core.game import Game
    from edge_envs.core.spec import Array

Progress = Callable[[int], None]

CLAIMED = (0, 1)
"""What a player may be said to get at least: no loss, or a win."""


def position_number(position: Mapping[str, Any]) -> int:
    """The number by which a certificate knows a position."""
    rest = {key: value for key, value in position.items() if key not in ("game", "params")}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


@dataclass(frozen=True)
class Strategy:
    """That a player gets at least so much: its action in each position that it may meet, sorted by their numbers."""

    player: int
    least: float
    positions: Array
    actions: Array

    def action(self, number: int) -> int:
        """The action in the position of a number; ValueError if there is none."""
        place = int(np.searchsorted(self.positions, np.uint64(number)))
        if place == len(self.positions) or int(self.positions[place]) != number:
            raise ValueError("the certificate has no action for a position that may come up")
        return int(self.actions[place])


@dataclass(frozen=True)
class Certificate:
    """The value of a game's start with the strategies that prove it."""

    game: Game
    strategies: tuple[Strategy, ...]

    def save(self, path: Path) -> None:
        """Write the file."""
        about = {
            "game": self.game.name,
            "version": self.game.type.version,
            "params": self.game.params_dict(),
            "claims": [{"player": one.player, "least": one.least} for one in self.strategies],
        }
        arrays = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
        for k, one in enumerate(self.strategies):
            arrays |= {f"positions_{k}": one.positions, f"actions_{k}": one.actions}
        with path.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)

    def check(self, progress: Progress = lambda positions: None) -> int:
        """Follow every line; ValueError if one breaks the claim. Returns how many positions there were."""
        return sum(_check(self.game, one, progress) for one in self.strategies)


def read_certificate(path: Path) -> Certificate:
    """The certificate of a file; ValueError if it is not one, or one of another version of the game.

    Whether it holds, `Certificate.check` finds out.
    """
    from edge_envs import GAMES, load_game

    try:
        saved = read_arrays(path)
        about = json.loads(saved["about"].tobytes())
        GAMES[about["game"]].check_names_no_file(about["params"])
        game, version = load_game(about["game"], **about["params"]), about["version"]
        players = [_player_of(game, claim) for claim in about["claims"]]
        if not 1 <= len(players) == len(set(players)):
            raise ValueError("claims: possible are some, at most one of each player")
        strategies = tuple(
            _strategy_of(player, claim["least"], saved[f"positions_{k}"], saved[f"actions_{k}"])
            for k, (player, claim) in enumerate(zip(players, about["claims"], strict=True))
        )
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except Exception as error:  # the readers of arrays and JSON raise half a dozen types for a damaged file
        raise ValueError(f"{path} is not a certificate, or it is damaged: {error}") from None
    if type(version) is not int or version != game.type.version:
        of, now = in_short(version), game.type.version
        raise ValueError(f"{path} is a certificate of version {of} of {game.name}, this is {now}")
    if not game.perfect_information:
        raise ValueError(f"{path} is a certificate of {game.name}, where players cannot see the whole position")
    return Certificate(game, strategies)


def _player_of(game: Game, claim: Mapping[str, Any]) -> int:
    """Whose claim it is; ValueError if there is no such player."""
    player = claim["player"]
    if type(player) is not int or not 0 <= player < game.num_players:
        raise ValueError(f"player: {in_short(player)} is not possible; possible are 0 to {game.num_players - 1}")
    return player


def _strategy_of(player: int, least: Any, positions: Array, actions: Array) -> Strategy:
    """A strategy as a file tells it; ValueError for a claim that says nothing, and for arrays of another form."""
    if type(least) not in (int, float) or least not in CLAIMED:
        raise ValueError(f"least: {in_short(least)} is not possible; possible are 0 (no loss) and 1 (a win)")
    if positions.dtype != np.uint64 or actions.dtype != np.int16:
        raise ValueError("positions must be of type uint64, and actions of type int16")
    if positions.ndim != 1 or positions.shape != actions.shape:
        raise ValueError("positions and actions must be two lists of one length")
    if not (positions[1:] > positions[:-1]).all():
        raise ValueError("positions must rise")
    return Strategy(player, float(least), positions, actions)


def certify(start: ValueSearch, progress: Progress = lambda positions: None) -> Certificate:
    """The certificate of the value of the start; ValueError if it is not known."""
    strategies = (_strategy(start, player, least, claim, progress) for player, least, claim in start.proofs())
    return Certificate(start.prover.game, tuple(strategies))


def _strategy(start: ValueSearch, player: int, least: float, claim: Claim, progress: Progress) -> Strategy:
    """How a player gets so much, as a claim that is settled for it says."""
    prover, game = start.prover, start.prover.game
    kernels = game.compiled.kernels
    found: dict[int, int] = {}
    seen: set[int] = set()
    waiting = [start_of(game)]
    while waiting:
        records = waiting.pop()
        acting = kernels.current_player(records[0])
        number = position_number(game.position(records[0])) if acting >= 0 else 0
        if acting < 0 or number in seen:
            continue
        seen.add(number)
        progress(len(seen))
        if acting == player:
            answer = prover.settle(records[0], claim)
            if (answer.status, claim.player == player) not in ((PROVEN, True), (REFUTED, False)):
                raise ValueError("the way to what is proven goes in circles; a larger table may help")
            found[number] = answer.action
            actions = [answer.action]
        else:
            mask = np.empty(game.num_distinct_actions, np.int8)
            kernels.legal_action_mask(records[0], mask)
            actions = np.flatnonzero(mask).tolist()
        for action in actions:
            following = records.copy()
            kernels.apply(following[0], action)
            waiting.append(following)
    numbers = sorted(found)
    actions = [found[number] for number in numbers]
    return Strategy(player, least, np.array(numbers, np.uint64), np.array(actions, np.int16))


def _check(game: Game, strategy: Strategy, progress: Progress) -> int:
    """Follow every line of a strategy by the rules alone; returns how many positions there were."""
    seen: set[int] = set()
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            if state.returns()[strategy.player] < strategy.least:
                raise ValueError(f"a line ends with less than {strategy.least:g} for player {strategy.player}")
            continue
        number = position_number(state.to_dict())
        if number in seen:
            continue
        seen.add(number)
        progress(len(seen))
        legal = state.legal_actions()
        actions = [strategy.action(number)] if state.current_player() == strategy.player else legal
        if actions[0] not in legal:
            raise ValueError(f"the certificate has an illegal action, {actions[0]}")
        waiting += [_after(state, action) for action in actions]
    return len(seen)


def _after(state: State, action: int) -> State:
    following = state.clone()
    following.apply_action(action)
    return following
