"""Certificates: proofs of a game's value that can be checked without a search, by independent programs.

A certificate of the claim "player p gets at least v" has one action for each position that player p may meet, whatever
the other player does. A position is identified by a number: the first eight bytes of the SHA-256 of its JSON, without
`game` and `params`, with sorted keys and no spaces. The file is an uncompressed `.npz`, read without pickle:

| array | content |
|---|---|
| `about` | uint8: JSON of `game`, `version`, `params` and the `claims`, a list of `player` and `least` |
| `positions_0` | uint64, increasing: the positions of the first claim; `positions_1` for a second claim |
| `actions_0` | int16: the actions of that player in these positions |

A value of 1 or -1 has one claim: the winner gets at least 1. A draw has two: each player gets at least 0.
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
"""The returns that a claim may be about: no loss, or a win."""


def position_number(position: Mapping[str, Any]) -> int:
    """Return the number that identifies a position in a certificate."""
    rest = {key: value for key, value in position.items() if key not in ("game", "params")}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


@dataclass(frozen=True)
class Strategy:
    """A strategy that secures a return of at least `least`: actions by position, sorted by position number."""

    player: int
    least: float
    positions: Array
    actions: Array

    def action(self, number: int) -> int:
        """Return the action in a position.

        Raises:
            ValueError: if the strategy does not have this position.
        """
        place = int(np.searchsorted(self.positions, np.uint64(number)))
        if place == len(self.positions) or int(self.positions[place]) != number:
            raise ValueError("the certificate has no action for a reachable position")
        return int(self.actions[place])


@dataclass(frozen=True)
class Certificate:
    """The strategies that prove the value of a game's start."""

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
        """Verify the claims by following every line of play.

        Args:
            progress: Called with the number of positions so far.

        Returns:
            The number of positions.

        Raises:
            ValueError: if a line breaks a claim.
        """
        return sum(_check(self.game, one, progress) for one in self.strategies)


def read_certificate(path: Path) -> Certificate:
    """Read a certificate. Call `Certificate.check` to verify it.

    Raises:
        ValueError: if the file cannot be read, is not a certificate, or is for another version of the game.
    """
    from edge_envs import GAMES, load_game

    try:
        saved = read_arrays(path)
        about = json.loads(saved["about"].tobytes())
        GAMES[about["game"]].check_names_no_file(about["params"])
        game, version = load_game(about["game"], **about["params"]), about["version"]
        players = [_player_of(game, claim) for claim in about["claims"]]
        if not 1 <= len(players) == len(set(players)):
            raise ValueError("invalid claims: expected one or two, at most one per player")
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
        raise ValueError(f"{path} is a certificate for version {of} of {game.name}, expected version {now}")
    if not game.perfect_information:
        raise ValueError(f"{path} is a certificate for {game.name}, which does not have perfect information")
    return Certificate(game, strategies)


def _player_of(game: Game, claim: Mapping[str, Any]) -> int:
    """Return the player of a claim.

    Raises:
        ValueError: if the game does not have this player.
    """
    player = claim["player"]
    if type(player) is not int or not 0 <= player < game.num_players:
        raise ValueError(f"invalid player={in_short(player)}: expected an integer from 0 to {game.num_players - 1}")
    return player


def _strategy_of(player: int, least: Any, positions: Array, actions: Array) -> Strategy:
    """Check and return a strategy from a file.

    Raises:
        ValueError: if the claim is trivial or impossible, or the arrays are invalid.
    """
    if type(least) not in (int, float) or least not in CLAIMED:
        raise ValueError(f"invalid least={in_short(least)}: expected 0 (no loss) or 1 (a win)")
    if positions.dtype != np.uint64 or actions.dtype != np.int16:
        raise ValueError("positions must be of type uint64, and actions of type int16")
    if positions.ndim != 1 or positions.shape != actions.shape:
        raise ValueError("positions and actions must be one-dimensional and of equal length")
    if not (positions[1:] > positions[:-1]).all():
        raise ValueError("positions must be increasing")
    return Strategy(player, float(least), positions, actions)


def certify(start: ValueSearch, progress: Progress = lambda positions: None) -> Certificate:
    """Make the certificate of the value of the start.

    Args:
        start: The finished search for the value of the start.
        progress: Called with the number of positions so far.

    Raises:
        ValueError: if the value is not known.
    """
    strategies = (_strategy(start, player, least, claim, progress) for player, least, claim in start.proofs())
    return Certificate(start.prover.game, tuple(strategies))


def _strategy(start: ValueSearch, player: int, least: float, claim: Claim, progress: Progress) -> Strategy:
    """Extract a player's strategy from the table of a prover, for a settled claim."""
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
                raise ValueError("the proven line of play repeats a position; try a larger table")
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
    """Follow every line of a strategy, using only the rules; return the number of positions."""
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
