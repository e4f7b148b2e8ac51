"""The card of a data set: its contents, how it was made, and its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.arena.report import code, fenced, literal, table
from agents.collection.config import CollectionConfig
from agents.collection.formats import FORMATS
from agents.collection.meanings import MEANINGS
from agents.collection.store import Told
from agents.players.digests import made_of
from edge_envs import GAMES, Game, __version__

_AUTHORS = "edge_envs contributors"
_LICENSE = "MIT"


def card(config: CollectionConfig, game: Game, files: Sequence[Told]) -> dict[str, Any]:
    """Return the card as plain data. It depends only on the games, so a resumed run gives the same card."""
    kind = FORMATS[config.format]
    return {
        "game": game.name,
        "version": game.type.version,
        "params": game.params_dict(),
        "package": f"edge-envs {__version__}",
        "command": config.command(),
        **config.published(),
        "license": _LICENSE,
        "citation": f"{config.author or _AUTHORS}: {_title(config, game)}. Made with edge-envs {__version__}",
        "format": config.format,
        "viewer": config.viewer,
        "hidden": _hidden(kind.shown, config.viewer),
        "noise": config.noise,
        "first_seed": config.first_seed(),
        "games": sum(one["games"] for one in files),
        "decisions": sum(one["decisions"] for one in files),
        "drawn": sum(one["drawn"] for one in files),
        "bytes": sum(one["bytes"] for one in files),
        "seats": [config.names[number] for number in config.seats(game.num_players)],
        "agents": [
            _agent(name, made_of(name, game), [one["agents"][number] for one in files])
            for number, name in enumerate(config.names)
        ],
        "actions": game.num_distinct_actions,
        "arrays": {key: {**one, "meaning": MEANINGS[key]} for key, one in files[0]["arrays"].items()},
        "files": [{key: one[key] for key in ("file", "games", "decisions", "bytes", "blake2b")} for one in files],
    }


def _hidden(shown: bool, viewer: int | None) -> str:
    """Describe the hidden information in the files."""
    if viewer is None and not shown:
        return "Records contain everything, including information that was hidden from the players."
    if viewer is None:
        kept = "Observations are those of the player to act; they contain nothing that is hidden from that player."
    else:
        kept = f"The files contain only what the player in seat {viewer} saw."
    return f"{kept} Replaying the games from their seeds reveals everything."


def _title(config: CollectionConfig, game: Game) -> str:
    return f"{config.games} games of {game.name}-v{game.type.version} by {', '.join(config.names)}"


def _agent(name: str, digest: str, told: Sequence[dict[str, Any]]) -> dict[str, Any]:
    seats = sum(one["seats"] for one in told)
    return {
        "agent": name,
        "digest": digest,
        "seats": seats,
        "decisions": sum(one["decisions"] for one in told),
        "win_rate": round(sum(one["wins"] for one in told) / seats, 6),
        "mean_return": round(sum(one["returns"] for one in told) / seats, 6),
    }


def card_page(document: Mapping[str, Any]) -> str:
    """Return the card as Markdown."""
    params = literal(", ".join(GAMES[document["game"]].format_params(document["params"]))) or "default parameters"
    arrays = [
        (f"`{key}`", one["dtype"], _shape(one["shape"]), one["meaning"]) for key, one in document["arrays"].items()
    ]
    agents = [
        (code(row["agent"]), f"{row['seats']:,}", f"{row['decisions']:,}", f"{row['win_rate']:.3f}",
         f"{row['mean_return']:+z.4f}", row["digest"] and f"`{row['digest']}`")
        for row in document["agents"]
    ]  # fmt: skip
    lines = [
        f"# {document['games']:,} games of {document['game']}",
        "",
        f"Version {document['version']}, {params}; {document['decisions']:,} decisions, {document['drawn']:,} of them "
        f"random, in {document['bytes']:,} bytes. Game k has the seed {document['first_seed']} + k.",
        "",
        f"Created with {document['package']} by this command:",
        "",
        *fenced(document["command"]),
        "",
        *table(("agent", "seats", "decisions", "win rate", "mean return", "digest"), agents),
        "",
        f"The agents in the seats of game 0: {', '.join(map(literal, document['seats']))}. They move on by one seat in "
        "each game.",
        "",
        document["hidden"],
        "",
        f"License: {document['license']}. Citation: {literal(document['citation'])}.",
        *([f"Contact: {document['author_email']}"] if "author_email" in document else []),
        *([f"Code: {document['code_permalink']}"] if "code_permalink" in document else []),
        *(["", *table(("array", "dtype", "shape", "meaning"), arrays)] if arrays else []),
    ]
    return "\n".join(lines) + "\n"


def _shape(shape: Sequence[Any]) -> str:
    return f"({', '.join(map(str, shape))})"
