"""Titles of agents for people, in place of their names: `Built-in player`, `ppo with search`, `Level 3`."""

from __future__ import annotations

from collections.abc import Callable

_FIXED = {
    "human": ("a human player", ""),
    "random": ("Random moves", "plays any legal action"),
    "heuristic": ("Built-in player", "plays by rules of thumb"),
    "perfect": ("Perfect play", "plays optimally"),
    "flat_monte_carlo": ("Random playouts", "tries each choice in random games"),
    "turn": ("Turn search", "searches the rest of its turn"),
    "one_turn": ("Greedy turn", "takes the largest lead that it can reach in this turn"),
}


def _search(rest: str) -> tuple[str, str]:
    budget, _, policy = rest.partition(":")
    effort = budget if budget.endswith("s") else f"{budget} iterations"
    if policy:
        return f"{title_of(policy)} with search", f"a trained player that looks ahead, {effort}"
    return f"Tree search, {effort}", "looks ahead; a larger number is stronger and slower"


_KINDS: dict[str, Callable[[str], tuple[str, str]]] = {
    "level": lambda rest: (f"Level {rest}", "a higher level is stronger"),
    "heuristic": lambda rest: (f"Built-in player, {rest}", "an earlier version"),
    "search": _search,
}


def title_of(name: str) -> str:
    """Return the title of an agent."""
    return described(name)[0]


def described(name: str) -> tuple[str, str]:
    """Return the title of an agent, and a phrase about it, which may be empty."""
    if name in _FIXED:
        return _FIXED[name]
    kind, _, rest = name.partition(":")
    if rest and kind in _KINDS:
        return _KINDS[kind](rest)
    if "/" in name:
        return name.rstrip("/").rpartition("/")[2], "a trained player"
    return name, ""
