"""Data sets in Minari's format: an episode for each player of each game, in files that a main file links to."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from agents.collection.episodes import Episode, episodes
from agents.collection.games import Collected
from edge_envs import Game, __version__
from edge_envs.core.spec import Array
from edge_envs.envs.observations import observation_box

_VERSION = ("v110", "v110")
"""The HDF5 version: the first with a compact format for arrays that are written once."""


def episodes_file(game: Game, collected: Collected, seeds: Sequence[int], first: int) -> bytes:
    """Make a file with the episodes of some games, the first of which has this number."""
    import h5py

    content = io.BytesIO()
    with h5py.File(content, "w", libver=_VERSION) as file:
        for number, episode in enumerate(episodes(collected.arrays(first), game.num_distinct_actions)):
            group = file.create_group(_name(number))
            group.attrs["total_steps"] = len(episode.actions)
            if collected.viewer is None:  # the seed reveals all hidden information
                group.attrs["seed"] = seeds[episode.game - first]
            for key in ("game", "player", "agent"):
                group.attrs[key] = getattr(episode, key)
            for key, array in _arrays(episode).items():
                group.create_dataset(key, data=array, chunks=array.shape, compression=1)
    return content.getvalue()


def _name(number: int) -> str:
    return f"episode_{number}"


def _arrays(episode: Episode) -> dict[str, Array]:
    """Return the arrays of an episode by Minari's names; infos have one more entry, like observations."""
    last = np.arange(len(episode.actions)) == len(episode.actions) - 1
    return {
        "observations": episode.observations,
        "actions": episode.actions,
        "rewards": episode.rewards,
        "terminations": last,
        "truncations": np.zeros_like(last),
        "infos/action_mask": episode.action_masks,
        "infos/drawn": np.append(episode.drawn, False),
    }


def shapes(game: Game, collected: Collected) -> dict[str, Any]:
    """Return dtypes and shapes of an episode's arrays, for any number of steps."""
    empty = Episode(
        game=0,
        player=0,
        agent=0,
        observations=np.zeros((1, *game.observation_shape), game.observation_dtype),
        action_masks=np.zeros((1, game.num_distinct_actions), np.int8),
        actions=np.zeros(0, np.int64),
        rewards=np.zeros(0, np.float32),
        drawn=np.zeros(0, np.bool_),
    )
    return {
        key: {"dtype": str(array.dtype), "shape": ["steps + 1" if len(array) else "steps", *array.shape[1:]]}
        for key, array in _arrays(empty).items()
    }


def index(game: Game, card: Mapping[str, Any], files: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """Make the files that Minari reads first: metadata, and links to all episodes."""
    import h5py

    where = [(file["file"], number) for file in files for number in range(file["episodes"])]
    content = io.BytesIO()
    with h5py.File(content, "w", libver=_VERSION) as main:
        for number, (file, inside) in enumerate(where):
            main[_name(number)] = h5py.ExternalLink(file, _name(inside))
    metadata = _metadata(game, card) | {"total_episodes": len(where), "dataset_size": round(card["bytes"] / 1e6, 1)}
    return {"main_data.hdf5": content.getvalue(), "metadata.json": (json.dumps(metadata, indent=1) + "\n").encode()}


def _metadata(game: Game, card: Mapping[str, Any]) -> dict[str, Any]:
    """Return Minari's metadata of a data set, with its card."""
    import minari
    from minari.serialization import serialize_space

    agents = [row["agent"] for row in card["agents"]]
    spec = copy.deepcopy(gymnasium.spec(f"edge_envs/{game.name}-v{game.type.version}"))
    spec.kwargs |= game.params_dict()
    return {
        "dataset_id": f"{game.name}/{'-'.join(map(_word, agents))}-v{game.type.version}",
        "data_format": "hdf5",
        "jpeg_encoding": False,
        "minari_version": minari.__version__,
        "total_steps": card["decisions"],
        "observation_space": serialize_space(observation_box(game, game.observation_dtype)),
        "action_space": serialize_space(gymnasium.spaces.Discrete(game.num_distinct_actions)),
        "env_spec": spec.to_json(),
        "requirements": [f"edge-envs>={__version__}"],
        **{key: [card[key]] for key in ("author", "author_email") if key in card},  # Minari stores sets
        **{key: card[key] for key in ("code_permalink",) if key in card},
        "algorithm_name": ", ".join(agents),
        "description": f"{card['games']} games of {game.name}, an episode for each player. {card['hidden']}",
        "card": {key: value for key, value in card.items() if key not in ("files", "arrays")},
    }


def _word(agent: str) -> str:
    """Return the name of an agent in characters that are valid in names of data sets."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", agent)
