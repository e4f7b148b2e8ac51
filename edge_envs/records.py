"""Records of games as JSON lines: game, version, parameters, seed, and all actions and chance outcomes.

Each line is one game, for example

    {"game": "falling_off", "version": 0, "params": {"num_players": 2, "play_on": false}, "seed": 7, "position": null,
     "history": [[-1, 12], [0, 3], ...], "returns": [1.0, -1.0]}

`position` is the position from which the game was set up, or null for a new game. Replaying a record needs no random
generator. A forfeited game also has a key `"forfeit": {"seat": 0, "why": "illegal action 7"}`: its history ends there,
and its returns are those of a forfeit.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from edge_envs.core.checks.files import open_regular
from edge_envs.core.checks.integers import integer_of
from edge_envs.core.checks.seeds import check_seed
from edge_envs.core.errors import did_you_mean, in_short
from edge_envs.core.game import Game
from edge_envs.core.state import State
from edge_envs.core.writing import replacing
from edge_envs.envs.options import forfeit_rewards
from edge_envs.games import GAMES

_KEYS = ("game", "version", "params", "seed", "position", "history", "returns")
_FORFEIT = "forfeit"  # key of forfeited games only
_LONGEST_LINE = 2**24  # bytes


def record_of(state: State, *, forfeit: int | None = None, why: str = "") -> dict[str, Any]:
    """Return the record of the game so far, ready for JSON.

    Args:
        state: the position of the game.
        forfeit: the seat that forfeits the game in this position, or None.
        why: the reason for the forfeit.

    Raises:
        ValueError: if the seat does not exist, or if the game is already over.
    """
    game = state.game
    seat = integer_of(forfeit)  # of any integer type
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
        record[_FORFEIT] = {"seat": forfeit if seat is None else seat, "why": why}
        record["returns"] = _returns(state, record[_FORFEIT])
    return record


def view_of(state: State, player: int) -> dict[str, Any]:
    """Return a player's view of the game so far, ready for JSON.

    The view contains neither the seed nor hidden information, so it cannot be replayed. `history` lists the events as
    text; `information_state` is what the player sees and remembers. At the end of a game nothing is hidden.
    """
    return {
        "game": state.game.name,
        "version": state.game.type.version,
        "params": state.game.params_dict(),
        "viewer": integer_of(player),
        "history": state.history_strings(player),
        "information_state": state.information_state_string(player),
        "returns": state.returns(),
    }


def replay(record: Mapping[str, Any]) -> State:
    """Replay a record and return its last position.

    The last position of a forfeited game is the one in which it was forfeited. It is not terminal: only the record
    contains the forfeit and the returns.

    Raises:
        ValueError: if the record is not valid; the message names the key, game, version, seed, player, action or end
            at fault.
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"a record is a JSON object, not {type(record).__name__}")
    missing = [key for key in _KEYS if key not in record]
    if missing:
        raise ValueError(f"the record has no key {missing[0]!r} (keys: {', '.join(_KEYS)})")
    if unknown := [key for key in record if key not in (*_KEYS, _FORFEIT)]:
        keys = f"{', '.join(_KEYS)}, optionally {_FORFEIT}"
        raise ValueError(f"unknown key {in_short(unknown[0])} in the record (keys: {keys})")
    returns = record["returns"]
    if not isinstance(returns, list) or not all(type(entry) in (int, float) for entry in returns):
        raise ValueError(f"returns: {in_short(returns)} is not a list of numbers")
    state = start_of(record)
    for number, (player, action) in enumerate(_steps(record["history"])):
        if player != (to_act := state.current_player()):
            acts = f"player {in_short(player)} acts in the record, player {to_act} in the game"
            raise ValueError(f"history[{number}]: {acts}")
        state.apply_action(action)
    if (actual := _returns(state, record.get(_FORFEIT))) != returns:
        raise ValueError(f"returns: the record says {in_short(returns)}, the game {actual}")
    return state


def _returns(state: State, forfeit: Any) -> list[float]:
    """Return the returns of a game that ends here, or of its forfeit.

    Raises:
        ValueError: if the forfeit is not valid.
    """
    if forfeit is None:
        return state.returns()
    if not isinstance(forfeit, Mapping) or forfeit.keys() != {"seat", "why"} or not isinstance(forfeit["why"], str):
        raise ValueError(f'forfeit: {in_short(forfeit)} is not {{"seat": integer, "why": string}}')
    seat, players = forfeit["seat"], state.game.num_players
    if type(seat) is not int or not 0 <= seat < players:
        raise ValueError(f"forfeit: invalid seat {in_short(seat)}: expected an integer from 0 to {players - 1}")
    if state.is_terminal():
        raise ValueError("forfeit: the game is over, so it cannot be forfeited")
    return forfeit_rewards(state.game, seat)


def start_of(record: Mapping[str, Any]) -> State:
    """Return the first position of a record.

    Raises:
        ValueError: if the record is not valid; the message names the key at fault.
    """
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
        raise ValueError(
            f"version: the record has version {in_short(version)} of {name}, this release {game.type.version}"
        )
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
    """Write records to a file of JSON lines, replacing the file atomically. A device or a pipe is written directly.

    Raises:
        OSError: if the file cannot be written.
        ValueError: if `records` is a single record, or if one of them is not a record or cannot be written as JSON; the
            message names it. An existing file stays as it is.
    """
    if isinstance(records, Mapping):
        raise ValueError("invalid records: expected a list of records, not a single record: write [record]")
    with replacing(Path(path)) as partial, partial.open("w", encoding="utf-8") as lines:
        for number, record in enumerate(records, start=1):
            if not isinstance(record, Mapping):
                raise ValueError(f"{path}: record {number} is not a dict: {in_short(record)}")
            try:
                lines.write(json.dumps(record, allow_nan=False) + "\n")
            except (TypeError, ValueError, RecursionError) as error:
                raise ValueError(f"{path}: record {number} is not JSON: {error}") from None


def read_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """Iterate over the records in a file of JSON lines, reading one line at a time.

    Raises:
        OSError: if the file cannot be read, or is not a regular file.
        ValueError: if a line is not a record; the message names the first such line.
    """
    with open_regular(path) as lines:
        for number, line in enumerate(iter(lambda: lines.readline(_LONGEST_LINE + 1), b""), start=1):
            line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            try:
                if len(line) > _LONGEST_LINE:
                    raise ValueError(f"longer than {_LONGEST_LINE:,} bytes")
                record = json.loads(line.decode(encoding="utf-8"), parse_constant=_reject_constant)
            except UnicodeDecodeError as error:
                raise ValueError(f"{path}, line {number}: not UTF-8: {error}") from None
            except json.JSONDecodeError as error:
                why = f"{error.msg}, column {error.colno}" if line.strip() else "the line is empty"
                raise ValueError(f"{path}, line {number}: {why}") from None
            except RecursionError:
                raise ValueError(f"{path}, line {number}: nested too deeply") from None
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
            if not isinstance(record, dict):
                raise ValueError(f"{path}, line {number}: a record is a JSON object")
            yield record


def _reject_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number in JSON")
