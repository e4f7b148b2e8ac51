"""Fit values of positions to games of the heuristic; see `edge_envs.search.fitted`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import optimize

from agents.common.files import read_json, write_whole
from edge_envs import Game
from edge_envs.core.checks.files import read_arrays
from edge_envs.core.spec import Array
from edge_envs.core.writing import replacing
from edge_envs.search.fitted import Fit, feature_names, shares_losses
from edge_envs.search.samples import Samples, no_samples, play_samples

PENALTY = 1e-4
"""The L2 penalty on the weights of standardised features, relative to the mean loss."""
MOST_DEVIATIONS = 6.0
TEST_SHARE = 0.2


def collect(
    game: Game, games: int, seed: int, chunk: int, kept: Path | None, progress: Callable[[int], None]
) -> tuple[Samples, int]:
    """Play games and sample their positions.

    Args:
        game: the game with its parameters.
        games: the number of games.
        seed: the seed of the first game.
        chunk: games between two updates.
        kept: a file for the samples. Games in it are not played again, and all of them are used, even if there are
        more. progress: called with the number of finished games.

    Returns:
        The samples, and the number of their games.

    Raises:
        ValueError: if the file has other games, or is of another kind.
    """
    samples, done = no_samples(game), 0
    owner = json.dumps([game.name, game.params_dict(), seed, feature_names(game.type)])
    if kept is not None and kept.exists():
        samples, done = _read(kept, owner, samples)
    progress(min(done, games))
    while done < games:
        count = min(chunk, games - done)
        samples += play_samples(game, seed + done, count)
        done += count
        if kept is not None:
            _save(kept, owner=owner, features=samples.features, returns=samples.returns, games=done)
        progress(done)
    return samples, done


def _read(path: Path, owner: str, like: Samples) -> tuple[Samples, int]:
    """Read the samples in a file and the number of their games; ValueError if it has other games or is invalid."""
    try:
        stored = read_arrays(path)
        found, games = str(stored["owner"]), int(stored["games"])
        samples = Samples(stored["features"], stored["returns"])
    except Exception as error:  # damaged files raise several types
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"{path}: not a file of --keep ({first}); name another file, or remove it") from None
    if found != owner:
        raise ValueError(f"{path} holds games of {found}; name another file")
    for array, other in zip(samples.arrays(), like.arrays(), strict=True):
        if (len(array), array.dtype, array.shape[1:]) != (len(samples), other.dtype, other.shape[1:]):
            raise ValueError(f"{path}: not a file of --keep (its arrays do not fit); name another file, or remove it")
    return samples, games


def _save(path: Path, **arrays: Any) -> None:
    """Write a file atomically."""
    with replacing(path) as partial, partial.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def fit_values(game: Game, samples: Samples, cut: int) -> tuple[Fit, float]:
    """Return the fit with the least loss, and the share of the variance between games that it explains.

    That share is measured on the last fifth of the games, for a fit to the others.
    """
    split = int(len(samples) * (1.0 - TEST_SHARE))
    utility_sum = game.utility_sum if game.utility_sum is not None else float(samples.returns.sum(axis=1).mean())
    shares = _shares(game, samples.returns)
    weights = _fit(samples.features[:split], shares[:split])
    predicted = _softmax(_scores(weights, samples.features[split:]))
    even = np.mean((shares[split:] - shares[:split].mean(axis=0)) ** 2)
    explained = 1.0 - float(np.mean((shares[split:] - predicted) ** 2) / even) if even > 0 else 0.0
    return Fit(game.params_dict(), _fit(samples.features, shares), cut, utility_sum), explained


def _shares(game: Game, returns: Array) -> Array:
    """Return each player's share of the total to win or to lose, see `pool`; equal shares if it is zero."""
    parts = returns - (game.max_utility if shares_losses(game) else game.min_utility)
    total = parts.sum(axis=1, keepdims=True)
    even = np.full_like(parts, 1.0 / game.num_players)
    return np.divide(parts, total, out=even, where=abs(total) > 1e-9)


def _fit(features: Array, shares: Array) -> Array:
    """Return the weights (P, F + 1) with the least cross-entropy, in turn order from the player to move."""
    _, players, count = features.shape
    centre, spread = features.mean(axis=(0, 1)), features.std(axis=(0, 1))
    spread[spread < 1e-9] = np.inf
    scaled = np.clip((features - centre) / spread, -MOST_DEVIATIONS, MOST_DEVIATIONS)

    def loss(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(players, count + 1)
        predicted = _softmax(_scores(weights, scaled))
        error = (predicted - shares) / len(shares)
        gradient = np.empty_like(weights)
        gradient[:, :-1], gradient[:, -1] = np.einsum("mp,mpf->pf", error, scaled), error.sum(axis=0)
        value = -float(np.mean(np.sum(shares * np.log(predicted + 1e-12), axis=1))) + PENALTY * float(flat @ flat)
        return value, gradient.ravel() + 2 * PENALTY * flat

    found = optimize.minimize(loss, np.zeros(players * (count + 1)), jac=True, method="L-BFGS-B")
    weights: Array = found.x.reshape(players, count + 1)
    weights[:, :-1] /= spread
    weights[:, -1] -= weights[:, :-1] @ centre
    weights[:, -1] -= weights[-1, -1]  # only differences of scores matter
    return weights


def _scores(weights: Array, features: Array) -> Array:
    """Return the scores (M, P) of features (M, P, F)."""
    scores: Array = np.einsum("mpf,pf->mp", features, weights[:, :-1]) + weights[:, -1]
    return scores


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def read_fits(path: Path) -> list[dict[str, Any]]:
    """Read the fits in the file of a game, an empty list if the file does not exist; ValueError if it is invalid."""
    if not path.exists():
        if not path.parent.is_dir():
            raise ValueError(f"{path.parent}: no such folder")
        return []
    document = read_json(path)
    fits = document.get("fits") if isinstance(document, dict) else None
    if not isinstance(fits, list) or not all(isinstance(fit, dict) and "params" in fit for fit in fits):
        raise ValueError(f'{path}: not a file of fits, {{"fits": [...]}}, each with its params; name another file')
    return fits


def add_fit(path: Path, fit: Fit, features: list[str], games: int, explained: float) -> None:
    """Add a fit to the file of a game, or replace the one with the same parameters; ValueError as in `read_fits`."""
    known = read_fits(path)
    entry = {**fit.to_dict(features), "games": games, "explained": round(explained, 3)}
    entry["weights"] = {
        side: {name: float(f"{weight:.6g}") for name, weight in row.items()} for side, row in entry["weights"].items()
    }
    places = [number for number, other in enumerate(known) if other["params"] == entry["params"]]
    if places:
        known[places[0]] = entry
    else:
        known.append(entry)
    write_whole(path, json.dumps({"fits": known}, indent=2) + "\n")
