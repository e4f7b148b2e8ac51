"""The values of the templates, which follow from the options of a new game."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

FACES = 3
"""The number of outcomes of a chance node: the faces of the die, and the possible stakes."""


@dataclass(frozen=True)
class Options:
    """The options of a new game, as in `python scripts/new_game.py --help`."""

    name: str
    package: str
    """The dotted name of the game's package."""
    chance: bool
    hidden: bool
    values: bool
    players: int

    @property
    def position(self) -> dict[str, Any]:
        """A position in which player 0 steps, without `game` and `params`."""
        die = {"die": 3} if self.chance else {}
        stakes = {"stakes": [1, 2]} if self.hidden else {}
        return {"total": 0, "turn_player": 0, **die, **stakes}


def template_values(options: Options) -> dict[str, Any]:
    """Return the values of the templates by their names."""
    many, outcomes = options.players > 2, FACES if options.chance or options.hidden else 0
    high = FACES if options.hidden else 1
    return {
        **vars(options),
        **_imports(options),
        **_page(options),
        "many": many,
        "outcomes": outcomes,
        "perfect": not options.hidden,
        "keys": ", ".join(json.dumps(key) for key in options.position),
        "low": -high,
        "high": high,
        "min_utility": f"-{high}.0 / (players - 1)" if many else f"-{high}.0",
        "max_utility": f"{high}.0",
        "plain": json.dumps(options.position)[1:-1],
        "twin_players": ", num_players: int = 2" if many else "",
        "or_resample": " and `resample`" if options.hidden else "",
        "or_outcome": " or a chance outcome" if outcomes else "",
        "or_stakes": ", nor the stakes of other players" if options.hidden else "",
        "at_chance": "`CHANCE` at a chance node or " if outcomes else "or ",
        "nodes": "CHANCE, TERMINAL" if outcomes else "TERMINAL",
    }


def _page(options: Options) -> dict[str, Any]:
    """Return the values of the page of the game: names, sizes and the position that it shows."""
    many = options.players > 2
    params = {"num_players": 2, "goal": 10} if many else {"goal": 10}
    per_player = 1 + FACES * options.hidden
    entries = 1 + FACES * (options.chance + options.hidden)
    return {
        "title": options.name.replace("_", " ").capitalize(),
        "range": f"2-{options.players}" if many else "2",
        "n": "n" if many else 2,
        "shown": f"{FACES} n" if many else 2 * FACES,
        "size": f"{per_player} n + {entries}" if many else 2 * per_player + entries,
        "position": json.dumps({"game": options.name, "params": params, **options.position}),
    }


def _imports(options: Options) -> dict[str, str]:
    """Return the names that each module imports from `state`, and that `position` imports to check entries."""
    chance, hidden = options.chance, options.hidden
    names: dict[str, dict[str, bool]] = {
        "action_imports": {"MAX_STEP": True, "is_dealing": hidden},
        "rule_imports": {"DIE": chance, "MAX_PLAYERS": hidden, "MAX_STAKE": hidden, "is_dealing": hidden},
        "observation_imports": {"DIE": chance, "MAX_PLAYERS": options.players == 2, "MAX_STAKE": hidden},
        "position_imports": {
            "DIE": chance, "MAX_PLAYERS": hidden, "MAX_STAKE": hidden, "is_dealing": hidden, "is_over": chance,
        },
        "draw_imports": {"is_dealing": hidden, "is_over": True},
        "position_checks": {
            "check": chance or hidden, "check_keys": True, "integer": True, "integers": hidden,
        },
    }  # fmt: skip
    return {use: ", ".join(name for name, is_used in found.items() if is_used) for use, found in names.items()}
