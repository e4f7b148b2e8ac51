"""Test fitted values: games, fits, files, and the program that writes them."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from agents import fit
from agents.fitting.leaf_values import add_fit, collect, fit_values
from edge_envs import Game
from edge_envs.search.fitted import Fit, feature_names, fit_file, fits_of, pool, read_fit
from edge_envs.search.samples import POSITIONS, Samples, play_samples
from tests.contract.cases import case_name, plain_games
from tests.programs import Here
from tests.toy import TOYS

valued = [game for game in plain_games() if game.type.values is not None]
each_valued = pytest.mark.parametrize("game", valued, ids=case_name)


@each_valued
def test_samples_are_features_at_starts_of_turns_and_returns(game: Game) -> None:
    samples, again = play_samples(game, 3, 6), play_samples(game, 3, 6)
    assert np.array_equal(samples.features, again.features)
    assert len(samples) <= 6 * POSITIONS
    assert samples.features.shape[1:] == (game.num_players, len(feature_names(game.type)))
    assert np.isfinite(samples.features).all()
    assert (samples.returns >= game.min_utility - 1e-9).all()
    assert (samples.returns <= game.max_utility + 1e-9).all()
    if game.utility_sum is not None:
        assert samples.returns.sum(axis=1) == pytest.approx(game.utility_sum)


@each_valued
def test_games_do_not_depend_on_the_number_of_games(game: Game) -> None:
    both, first, second = play_samples(game, 0, 4), play_samples(game, 0, 2), play_samples(game, 2, 2)
    assert np.array_equal(both.features, (first + second).features)
    assert np.array_equal(both.returns, (first + second).returns)


def test_a_fit_recovers_the_weights_behind_the_returns() -> None:
    game = edge_envs.load_game("falling_off", num_players=3)
    rng = np.random.default_rng(0)
    features = rng.normal(size=(4000, 3, len(feature_names(game.type))))
    features[:, :, 3] = 1.0
    powers = np.exp(2.0 * features[:, :, 0] - np.array([0.5, 0.0, 0.0]))
    returns = game.max_utility - 3 * game.max_utility * powers / powers.sum(axis=1, keepdims=True)
    fitted, explained = fit_values(game, Samples(features, returns), cut=3)
    assert explained > 0.95
    assert fitted.cut == 3
    assert fitted.weights[:, 0] == pytest.approx(2.0, rel=0.1)
    assert fitted.weights[:, 1:3] == pytest.approx(0.0, abs=0.1)
    assert fitted.weights[0, -1] - fitted.weights[1, -1] == pytest.approx(-0.5, abs=0.15)


@pytest.mark.parametrize(
    ("name", "params", "expected"),
    [
        ("falling_off", {}, (-1.0, 2.0)),
        ("falling_off", {"num_players": 3}, (0.5, -1.5)),  # one of three loses
        ("falling_off", {"num_players": 4}, (1 / 3, -4 / 3)),
        ("over_the_edge", {"num_players": 4}, (-1 / 3, 4 / 3)),  # one of four wins
    ],
)
def test_pool_depends_on_a_sole_winner_or_loser(name: str, params: Any, expected: tuple[float, float]) -> None:
    game = edge_envs.load_game(name, **params)
    fit = read_fit(game)
    assert fit is not None
    assert pool(game, fit) == pytest.approx(expected)
    of_two = replace(fit, params={"num_players": 2})  # they share a gain
    assert pool(game, of_two) == (game.min_utility, -game.num_players * game.min_utility)


def test_an_interrupted_run_resumes(tmp_path: Path) -> None:
    game, kept = edge_envs.load_game("falling_off"), tmp_path / "games.npz"
    counts: list[int] = []
    collect(game, 20, 0, 10, kept, counts.append)
    samples, games = collect(game, 30, 0, 10, kept, counts.append)
    assert games == 30
    assert counts == [0, 10, 20, 20, 30]
    assert np.array_equal(samples.features, play_samples(game, 0, 30).features)
    more, games = collect(game, 10, 0, 10, kept, lambda done: None)
    assert (len(more), games) == (len(samples), 30)  # all stored games
    with pytest.raises(ValueError, match=r"games.npz holds games of .*falling_off"):
        collect(edge_envs.load_game("falling_off", num_players=3), 30, 0, 10, kept, counts.append)


def test_a_file_has_one_fit_for_each_set_of_parameters(tmp_path: Path) -> None:
    path, names = tmp_path / "search.json", ["a"]
    for players, weight in ((2, 1.0), (3, 2.0), (2, 3.0)):
        add_fit(path, Fit({"num_players": players}, np.full((2, 2), weight), 1, 0.0), names, games=10, explained=0.5)
    entries = json.loads(path.read_text())["fits"]
    fits = [Fit.from_dict(entry, names) for entry in entries]
    assert [(one.params["num_players"], one.weights[0, 0]) for one in fits] == [(2, 3.0), (3, 2.0)]
    with pytest.raises(ValueError, match="fitted to other features"):
        Fit.from_dict(entries[0], ["b"])


@pytest.mark.parametrize("name", [name for name in edge_envs.GAMES if name not in TOYS])
def test_the_shipped_fits_use_the_games_features(name: str) -> None:
    game_type = edge_envs.GAMES[name]
    assert fit_file(game_type).is_file()
    for one in fits_of(game_type):
        game = Game(game_type, one.params)
        assert one.params == game.params_dict()
        assert read_fit(game) is one
        assert np.isfinite(one.weights).all()


def test_the_fit_with_the_closest_parameters_is_used() -> None:
    small, big = (edge_envs.load_game("beyond_maps", size=size) for size in (8, 12))
    odd = edge_envs.load_game("beyond_maps", size=8, dice=True)
    assert read_fit(odd) is read_fit(small)
    assert read_fit(big) is not read_fit(small)


def test_a_fit_for_the_same_kind_of_utility_takes_precedence(monkeypatch: pytest.MonkeyPatch) -> None:
    game = edge_envs.load_game("falling_off")  # two players share a gain, three a loss
    fits = [Fit({**game.params, "num_players": 3}, np.zeros((2, 1)), 1, 0.0), Fit({}, np.zeros((2, 1)), 1, 0.0)]
    monkeypatch.setattr("edge_envs.search.fitted.fits_of", lambda game_type: fits)
    assert read_fit(game) is fits[1]
    assert read_fit(edge_envs.load_game("falling_off", num_players=3)) is fits[0]


def test_fit_program_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, here = tmp_path / "search.json", Here(capsys)
    done = here(fit.main, "--game", "falling_off", "--games", "40", "--out", out, "--cut", "3")
    assert done.code == 0, done
    assert "of 40 games" in done.out
    assert "kuhn declares no VALUES, so there is nothing to fit" in here.fails(fit.main, "--game", "kuhn")
    assert json.loads(out.read_text())["fits"][0]["cut"] == 3


def test_an_invalid_output_file_is_rejected_before_any_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.fitting.leaf_values.play_samples", None)  # no game is played
    here, file = Here(capsys), tmp_path / "file"
    arguments = ("--game", "falling_off", "--games", "40")
    for content in ("{}", "[]", '{"fits": [1]}', '{"fits": {}}', "{"):
        file.write_text(content, encoding="utf-8")
        assert f"{file}: not " in here.fails(fit.main, *arguments, "--out", file)
        assert file.read_text(encoding="utf-8") == content
    gone = tmp_path / "gone" / "search.json"
    assert f"{gone.parent}: no such folder" in here.fails(fit.main, *arguments, "--out", gone)


def test_damaged_files_of_games_are_rejected(tmp_path: Path) -> None:
    game, kept = edge_envs.load_game("falling_off"), tmp_path / "games.npz"
    collect(game, 10, 0, 10, kept, lambda done: None)
    whole = kept.read_bytes()
    with np.load(kept) as stored:
        arrays = dict(stored)
    others = io.BytesIO()
    np.savez(others, values=np.arange(3))
    short = io.BytesIO()
    np.savez(short, **{**arrays, "returns": arrays["returns"][1:]})
    plain = io.BytesIO()
    np.save(plain, np.arange(3))
    damaged = [whole[: len(whole) // 2], b"", b"nonsense", others.getvalue(), short.getvalue(), plain.getvalue()]
    for content in damaged:
        kept.write_bytes(content)
        with pytest.raises(ValueError, match=r"games.npz: not a file of --keep \(.*\); name another file") as refused:
            collect(game, 20, 0, 10, kept, lambda done: None)
        assert "\n" not in str(refused.value)


def test_an_invalid_cut_is_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "search.json"
    done = Here(capsys)(fit.main, "--game", "falling_off", "--games", "40", "--out", out, "--cut", "9" * 20)
    assert done.code == 2
    assert "--cut" in done.err
    assert not out.exists()


def test_a_game_without_values_is_rejected() -> None:
    with pytest.raises(ValueError, match="kuhn declares no VALUES, so there is nothing to fit"):
        collect(edge_envs.load_game("kuhn"), 10, 0, 10, None, lambda done: None)
