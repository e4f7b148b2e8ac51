"""Records of games as JSON lines: game, version, parameters, seed and every action and chance outcome.

One line is one game, for example

    {"game": "falling_off", "version": 0, "params": {"num_players": 2, "play_on": false}, "seed": 7, "position": null,
     "history": [[-1, 12], [0, 3], ...], "returns": [1.0, -1.0]}

`position` is the position the game was set up from, or null for a new game. A record replays without a generator.
A forfeited game has `"forfeit": {"seat": 0, "why": "illegal action 7"}` in addition: its history ends there, and its
returns are those of a forfeit.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from edge_envs.core.checks.files import open_regular
from edge_envs.core.checks.seeds import check_seed
from edge_envs.core.errors import did_you_mean, in_short
from edge_envs.core.game import Game
from edge_envs.core.state import State
from edge_envs.envs.options import forfeit_rewards
from edge_envs.games import GAMES

_KEYS = ("game", "version", "params", "seed", "position", "history", "returns")
_FORFEIT = "forfeit"  # a key of those that have one
_LONGEST_LINE = 2**24  # bytes


def record_of(state: State, *, forfeit: int | None = None, why: str = "") -> dict[str, Any]:
    """The record of the game so far, ready for JSON; with `forfeit` of a game that this seat has given away here.

    ValueError if there is no such seat, or if the game is over anyway.
    """
    game = state.game
    record = {
        "game": game.name,
        "version": game.type.version,
        "params": game.params_dict(),
        "seed": state.seed,
        "position": state.start_dict(),
        "history": [list(step) for step in state.history()],
        "returns": state.returns(),
    }
    if forfeit is not None:
        record[_FORFEIT] = {"seat": forfeit, "why": why}
        record["returns"] = _returns(state, record[_FORFEIT])
    return record


def view_of(state: State, player: int) -> dict[str, Any]:
    """What a player knows of the game so far, ready for JSON: without the seed and what is hidden, so never replayed.

    `history` are the texts of what happened, `information_state` is what the player sees and remembers. At the end of a
    game nothing is hidden.
    """
    return {
        "game": state.game.name,
        "version": state.game.type.version,
        "params": state.game.params_dict(),
        "viewer": player,
        "history": state.history_strings(player),
        "information_state": state.information_state_string(player),
        "returns": state.returns(),
    }


def replay(record: Mapping[str, Any]) -> State:
    """Play a record again; ValueError names what does not fit (key, game, version, seed, player, action or end).

    A forfeited game ends where it was forfeited, in a position that could be played on from: that it was, and what it
    was worth, is told by the record alone.
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"a record is a JSON object, not {type(record).__name__}")
    missing = [key for key in _KEYS if key not in record]
    if missing:
        raise ValueError(f"the record has no {missing[0]!r}; a record has {', '.join(_KEYS)}")
    if unknown := [key for key in record if key not in (*_KEYS, _FORFEIT)]:
        possible = f"{', '.join(_KEYS)}, and may have {_FORFEIT}"
        raise ValueError(f"{in_short(unknown[0])}: unknown key; a record has {possible}")
    returns = record["returns"]
    if not isinstance(returns, list) or not all(type(entry) in (int, float) for entry in returns):
        raise ValueError(f"returns: {in_short(returns)} is not a list of numbers")
    state = start_of(record)
    for number, (player, action) in enumerate(_steps(record["history"])):
        if player != (to_act := state.current_player()):
            raise ValueError(f"history[{number}]: {player} is to act in the record, {to_act} in the game")
        state.apply_action(action)
    if (actual := _returns(state, record.get(_FORFEIT))) != returns:
        raise ValueError(f"returns: the record says {returns}, the game {actual}")
    return state


def _returns(state: State, forfeit: Any) -> list[float]:
    """What the players got in a game that ended here, or that one has forfeited; ValueError if it could not be."""
    if forfeit is None:
        return state.returns()
    if not isinstance(forfeit, Mapping) or forfeit.keys() != {"seat", "why"} or not isinstance(forfeit["why"], str):
        raise ValueError(f'forfeit: {in_short(forfeit)} is not {{"seat": a number, "why": a text}}')
    seat, players = forfeit["seat"], state.game.num_players
    if type(seat) is not int or not 0 <= seat < players:
        raise ValueError(f"forfeit: there is no seat {in_short(seat)}; possible are 0 to {players - 1}")
    if state.is_terminal():
        raise ValueError("forfeit: the game is over, nobody can give it away")
    return forfeit_rewards(state.game, seat)


def start_of(record: Mapping[str, Any]) -> State:
    """The position that a record begins with; ValueError names what does not fit."""
    name, params = record["game"], record["params"]
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(
            f"game: unknown game {in_short(name)} (choose from {', '.join(GAMES)}){did_you_mean(name, GAMES)}"
        )
    if not isinstance(params, Mapping):
        raise ValueError(f"params: {in_short(params)} is not a JSON object")
    GAMES[name].check_names_no_file(params)
    game = Game(GAMES[name], params)
    version, seed = record["version"], record["seed"]
    if type(version) is not int or version != game.type.version:
        raise ValueError(f"version: the record is of {in_short(version)} of {name}, this is {game.type.version}")
    try:
        seed = None if seed is None else check_seed(seed)
    except ValueError as error:
        raise ValueError(f"seed: {error}") from None
    if record["position"] is None:
        return game.new_initial_state(seed)
    return game.state_from_dict(record["position"], seed)


def _steps(history: Any) -> list[tuple[int, int]]:
    if not isinstance(history, list):
        raise ValueError(f"history: {in_short(history)} is not a list of [player, action]")
    for number, step in enumerate(history):
        if not isinstance(step, list) or len(step) != 2 or not all(type(entry) is int for entry in step):
            raise ValueError(f"history[{number}]: {in_short(step)} is not [player, action]")
    return [(player, action) for player, action in history]


def write_records(path: str | Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records to a file of JSON lines, in place of what was there: all of them, or none if something fails.

    ValueError names a record that is not JSON.
    """
    file = Path(path).resolve()
    partial = file.with_name(f".{file.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="utf-8") as lines:
            for number, record in enumerate(records, start=1):
                try:
                    lines.write(json.dumps(record, allow_nan=False) + "\n")
                except (TypeError, ValueError, RecursionError) as error:
                    raise ValueError(f"{path}: record {number} is not JSON: {error}") from None
        partial.replace(file)
    except BaseException as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        if isinstance(error, OSError) and error.errno is not None:  # a full disk names no file
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def read_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """Read the records in a file of JSON lines one by one, so that the file may be large.

    Raises:
        OSError: if the file cannot be read, or is not a regular file.
        ValueError: if a line is not a record; it names the first such line.
    """
    with open_regular(path) as lines:
        for number, line in enumerate(iter(lambda: lines.readline(_LONGEST_LINE + 1), b""), start=1):
            line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            try:
                if len(line) > _LONGEST_LINE:
                    raise ValueError(f"longer than {_LONGEST_LINE:,} bytes")
                record = json.loads(line.decode(encoding="utf-8"), parse_constant=_no_number)
            except UnicodeDecodeError as error:
                raise ValueError(f"{path}, line {number}: this is not UTF-8: {error}") from None
            except RecursionError:
                raise ValueError(f"{path}, line {number}: this is nested too deeply") from None
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
            if not isinstance(record, dict):
                raise ValueError(f"{path}, line {number}: a record is a JSON object")
            yield record


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number in JSON")
