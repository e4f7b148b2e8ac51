"""Test policy folders: saving, loading, and one-line errors for invalid ones."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import edge_envs
from agents.networks import Architecture, Convolutional, Perceptron
from agents.players.policy import PolicyAgent, ValuedPolicy
from edge_envs import Game
from edge_envs.core.loops.seat_codes import STAY
from edge_envs.envs.seat_lanes import SeatLanes
from edge_envs.games.over_the_edge.map.charts import load_map
from tests.agents.players import untrained, untrained_with_values
from tests.programs import ROOT

Change = Callable[[dict[str, Any]], Any]


def observations_of(game: Game) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    table = SeatLanes(game, 50, "random", 0, "raise", STAY)
    table.reset(0)
    return table.observation, table.action_mask


@pytest.mark.parametrize(
    "architecture",
    [
        Perceptron(),
        Perceptron(features="own", hidden=[16, 8], activation="relu"),
        Perceptron(hidden=[4], activation="silu"),
    ],
)
def test_policy_survives_save_and_load(falling_off: Game, tmp_path: Path, architecture: Architecture) -> None:
    policy = untrained(falling_off, architecture)
    policy.save(tmp_path / "some" / "policy")
    loaded = PolicyAgent.load(tmp_path / "some" / "policy")
    assert loaded.game == falling_off
    assert loaded.architecture == architecture
    rng = np.random.default_rng(0)
    observations, masks = observations_of(falling_off)
    arguments = (observations, masks, None, np.zeros(len(masks), np.int64), rng)
    assert np.array_equal(loaded.act(*arguments), policy.act(*arguments))


def test_policy_folder_contains_json_and_safetensors(policy_folder: Path) -> None:
    assert {path.name for path in policy_folder.iterdir()} == {"policy.json", "policy.safetensors"}
    d = json.loads((policy_folder / "policy.json").read_text(encoding="utf-8"))
    assert (d["game"], d["version"], d["params"]["num_players"]) == ("falling_off", 0, 2)
    assert d["architecture"] == {
        "kind": "perceptron",
        "features": "plain",
        "hidden": [8],
        "activation": "tanh",
        "hint_weight": 0.0,
        "heuristic_weights": {},
        "hint_values": "",
    }
    assert "head.weight" in load_file(policy_folder / "policy.safetensors")


def test_saved_architecture_without_a_kind_is_a_perceptron(policy_folder: Path) -> None:
    """Files of version 0.1.0 have no kind."""
    path = policy_folder / "policy.json"
    d = json.loads(path.read_text(encoding="utf-8"))
    del d["architecture"]["kind"]
    path.write_text(json.dumps(d), encoding="utf-8")
    assert PolicyAgent.load(policy_folder).architecture == Perceptron(hidden=[8])


CONVOLUTIONS = {
    "beyond_maps": Convolutional(features="own", channels=4, blocks=2),
    "beyond_maps with hints": Convolutional(features="own", channels=4, blocks=1, hint_weight=3.0),
    "tic_tac_toe": Convolutional(channels=4, blocks=1),
    "tic_tac_toe with hints": Convolutional(channels=4, blocks=1, hint_weight=3.0),
}


@pytest.mark.parametrize("case", CONVOLUTIONS)
def test_convolutional_policy_survives_save_and_load(tmp_path: Path, case: str) -> None:
    game = edge_envs.load_game(case.split()[0])
    policy = untrained(game, CONVOLUTIONS[case])
    policy.save(tmp_path)
    loaded = PolicyAgent.load(tmp_path)
    assert (loaded.game, loaded.architecture) == (game, CONVOLUTIONS[case])
    observations, masks = observations_of(game)
    arguments = (observations, masks, None, np.zeros(len(masks), np.int64), np.random.default_rng(0))
    actions = loaded.act(*arguments)
    assert np.array_equal(actions, policy.act(*arguments))
    assert masks[np.arange(len(masks)), actions].all()


def test_save_overwrites_an_older_policy(falling_off: Game, policy_folder: Path) -> None:
    policy = untrained(falling_off, Perceptron(hidden=[4]))
    policy.save(policy_folder)
    assert PolicyAgent.load(policy_folder).architecture == Perceptron(hidden=[4])
    assert len(list(policy_folder.iterdir())) == 2


def test_policy_samples_or_acts_greedily(falling_off: Game) -> None:
    policy = untrained(falling_off)
    observations, masks = observations_of(falling_off)
    arguments = (observations, masks, None, np.zeros(len(masks), np.int64))
    rng = np.random.default_rng(0)
    assert np.array_equal(policy.act(*arguments, rng), policy.act(*arguments, rng))
    policy.greedy = False
    assert not np.array_equal(policy.act(*arguments, rng), policy.act(*arguments, rng))


def test_policy_accepts_other_rules_of_the_same_size(policy_folder: Path) -> None:
    playing_on = edge_envs.load_game("falling_off", play_on=True)
    assert PolicyAgent.load(policy_folder, playing_on).game == playing_on


@pytest.mark.parametrize(
    "game",
    [
        (
            "falling_off",
            {"num_players": 3},
            "made for num_players=2 instead of this game's num_players=3; its game is --game falling_off$",
        ),
        ("kuhn", {}, "made for the game 'falling_off'; it cannot play 'kuhn'$"),
    ],
)
def test_policy_rejects_another_game(policy_folder: Path, game: tuple[str, dict[str, Any], str]) -> None:
    other = edge_envs.load_game(game[0], **game[1])
    with pytest.raises(ValueError, match=game[2]) as error:
        PolicyAgent.load(policy_folder, other)
    assert str(error.value).startswith(f"{policy_folder / 'policy.json'}: made for ")


BAY = json.loads((ROOT / "tests" / "games" / "over_the_edge" / "bay.json").read_text(encoding="utf-8"))
PARTED = {**BAY, "barriers": []}
"""A map with the dimensions of the bay, but different steps."""


@pytest.mark.parametrize("hint_weight", [0.0, 2.0])
def test_convolutional_policy_transfers_to_another_board_size(hint_weight: float) -> None:
    small, large = (edge_envs.load_game("beyond_maps", size=size) for size in (5, 7))
    policy = untrained(small, Convolutional(features="own", channels=8, blocks=1, hint_weight=hint_weight))
    moved = policy.moved_to(large)
    assert moved.game == large
    assert all(torch.equal(moved.network.state_dict()[name], t) for name, t in policy.network.state_dict().items())
    observations, masks = observations_of(large)
    actions = moved.act(observations, masks, None, np.zeros(len(masks), np.int64), np.random.default_rng(0))
    assert masks[np.arange(len(actions)), actions].all()


def test_policy_transfer_rejects_incompatible_games(falling_off: Game) -> None:
    policy = untrained(falling_off, Perceptron())
    with pytest.raises(ValueError, match=r"made for num_players=2 instead of this game's num_players=3: .* shape"):
        policy.moved_to(edge_envs.load_game("falling_off", num_players=3))
    with pytest.raises(ValueError, match="made for the game 'falling_off'; it cannot play 'beyond_maps'"):
        policy.moved_to(edge_envs.load_game("beyond_maps"))


@pytest.fixture
def pilot_of_the_bay(tmp_path: Path) -> Path:
    """Save a small untrained policy for the bay."""
    untrained(edge_envs.load_game("over_the_edge", map=BAY)).save(tmp_path / "bay")
    return tmp_path / "bay"


def test_policy_accepts_other_rules_on_its_map(pilot_of_the_bay: Path) -> None:
    game = edge_envs.load_game("over_the_edge", map=BAY, max_turns=60, boarding=False)
    assert PolicyAgent.load(pilot_of_the_bay, game).game == game


def test_policy_rejects_another_map_of_the_same_sizes(pilot_of_the_bay: Path) -> None:
    game = edge_envs.load_game("over_the_edge", map=PARTED)
    assert game.observation_shape == edge_envs.load_game("over_the_edge", map=BAY).observation_shape
    with pytest.raises(ValueError, match=r"made for map=<map 'bay'> instead of this game's map=<map 'bay'>; "):
        PolicyAgent.load(pilot_of_the_bay, game)


def test_policy_accepts_its_map_by_name_and_as_a_dict(tmp_path: Path) -> None:
    by_name = edge_envs.load_game("over_the_edge", map="pond")
    as_dict = edge_envs.load_game("over_the_edge", map=load_map("pond").source)
    for number, (own, game) in enumerate([(by_name, as_dict), (as_dict, by_name)]):
        untrained(own).save(tmp_path / str(number))
        assert PolicyAgent.load(tmp_path / str(number), game).game == game


CHANGES: dict[str, tuple[Change, str]] = {
    "another format": (lambda d: d.update(format="edge_envs policy 2"), "format: "),
    "an extra key": (lambda d: d.update(author="me"), "author: Extra inputs"),
    "an extra key within": (lambda d: d["architecture"].update(depth=3), r"architecture\.depth: Extra inputs"),
    "a missing key": (lambda d: d.pop("version"), "version: Field required"),
    "a version that is not a number": (lambda d: d.update(version=False), "version: Input should be a valid integer"),
    "a width that is not a number": (lambda d: d["architecture"].update(hidden=[True]), r"architecture\.hidden\.0: "),
    "an unknown game": (lambda d: d.update(game="chess"), "unknown game 'chess'"),
    "another version": (lambda d: d.update(version=7), "version 7 of falling_off; this is version 0"),
    "an unknown parameter": (lambda d: d["params"].update(speed=1), "unknown parameter 'speed'"),
    "a parameter called name": (lambda d: d["params"].update(name="kuhn"), "unknown parameter 'name'"),
    "an impossible parameter": (lambda d: d["params"].update(num_players=9), "invalid num_players=9: expected"),
    "unknown features": (lambda d: d["architecture"].update(features="magic"), "architecture.features"),
    "features of another game": (
        lambda d: d.update(game="kuhn", params={}, architecture={"features": "own"}),
        "the game kuhn has no game-specific vectors",
    ),
    "no layers": (lambda d: d["architecture"].update(hidden=[]), "architecture.hidden"),
    "an empty layer": (lambda d: d["architecture"].update(hidden=[0]), r"architecture\.hidden\.0"),
    "a huge layer": (lambda d: d["architecture"].update(hidden=[10**9]), r"architecture\.hidden\.0"),
    "an architecture that is none": (lambda d: d.update(architecture=3), "architecture: Input should be"),
    "an unknown kind": (lambda d: d["architecture"].update(kind="oracle"), "architecture: Input tag 'oracle'"),
    "a key of another kind": (
        lambda d: d["architecture"].update(kind="convolutional"),
        r"architecture\.hidden: Extra inputs are not permitted",
    ),
    "convolutions without a board": (
        lambda d: d.update(architecture={"kind": "convolutional"}),
        "plane features need an observation of planes, which falling_off does not have",
    ),
    "a map that is a path": (
        lambda d: d.update(game="over_the_edge", params={"map": "/dev/zero"}),
        "map: '/dev/zero' does not ship with the game, and files are not opened here",
    ),
    "convolutions of another game": (
        lambda d: d.update(architecture={"kind": "convolutional", "features": "own"}),
        "the game falling_off has no game-specific planes",
    ),
    "hints of a game that gives none": (
        lambda d: d.update(game="kuhn", params={}, architecture={"hint_weight": 1}),
        "kuhn declares no VALUES, which hints need: expected hint_weight = 0",
    ),
    "weights of a heuristic that nobody asks": (
        lambda d: d["architecture"].update(heuristic_weights={"storm": 1}),
        "heuristic_weights need hints: expected hint_weight > 0",
    ),
    "an unknown weight of a heuristic": (
        lambda d: d["architecture"].update(hint_weight=1, heuristic_weights={"speed": 1}),
        r"unknown weight 'speed' \(choose from storm",
    ),
    "too many channels": (
        lambda d: d.update(architecture={"kind": "convolutional", "channels": 10**9}),
        r"architecture\.channels: Input should be less",
    ),
    "too many blocks": (
        lambda d: d.update(architecture={"kind": "convolutional", "blocks": 10**9}),
        r"architecture\.blocks: Input should be less",
    ),
    "an unknown activation": (lambda d: d["architecture"].update(activation="spam"), "architecture.activation"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_invalid_description_is_rejected(policy_folder: Path, case: str) -> None:
    change, message = CHANGES[case]
    path = policy_folder / "policy.json"
    d = json.loads(path.read_text(encoding="utf-8"))
    change(d)
    path.write_text(json.dumps(d), encoding="utf-8")
    assert_load_fails(policy_folder, "policy.json", message)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"game": 1}', b"[" * 100_000])
def test_corrupt_description_is_rejected(policy_folder: Path, content: bytes) -> None:
    (policy_folder / "policy.json").write_bytes(content)
    assert_load_fails(policy_folder, "policy.json")


@pytest.mark.parametrize("name", ["policy.json", "policy.safetensors"])
def test_a_missing_file_is_named(policy_folder: Path, name: str) -> None:
    (policy_folder / name).unlink()
    assert_load_fails(policy_folder, name)


def test_folder_in_place_of_a_file_is_rejected(policy_folder: Path) -> None:
    (policy_folder / "policy.json").unlink()
    (policy_folder / "policy.json").mkdir()
    assert_load_fails(policy_folder, "policy.json", "Is a directory")


def corruptions(weights: bytes) -> dict[str, bytes]:
    return {
        "empty": b"",
        "garbage": b"x" * len(weights),
        "half": weights[: len(weights) // 2],
        "header only": weights[:20],
        "a byte short": weights[:-1],
        "a byte long": weights + b"x",
        "a huge header": b"\xff" * 8 + weights[8:],
        "a broken header": weights[:9] + b"!" + weights[10:],
    }


@pytest.mark.parametrize("case", corruptions(b""))
def test_corrupt_weights_are_rejected(policy_folder: Path, case: str) -> None:
    path = policy_folder / "policy.safetensors"
    path.write_bytes(corruptions(path.read_bytes())[case])
    assert_load_fails(policy_folder, "policy.safetensors", "cannot be read as this policy's weights")


Weights = dict[str, torch.Tensor]
WRONG_WEIGHTS: dict[str, tuple[Callable[[Weights], Any], str]] = {
    "one missing": (lambda w: w.pop("head.bias"), "head.bias"),
    "one more": (lambda w: w.update(tail=torch.zeros(3)), "tail"),
    "another shape": (lambda w: w.update({"head.bias": torch.zeros(3)}), "head.bias"),
    "not a number": (lambda w: w["head.bias"].fill_(torch.nan), "not all weights are finite"),
    "another type": (
        lambda w: w.update({"head.bias": w["head.bias"].double()}),
        r"head\.bias must be of type torch\.float32, not torch\.float64",
    ),
}


@pytest.mark.parametrize("case", WRONG_WEIGHTS)
def test_weights_of_another_network_are_rejected(policy_folder: Path, case: str) -> None:
    change, message = WRONG_WEIGHTS[case]
    path = policy_folder / "policy.safetensors"
    weights = load_file(path)
    change(weights)
    save_file(weights, path)
    assert_load_fails(policy_folder, "policy.safetensors", message)


def test_missing_weights_of_a_huge_network_are_detected_quickly(policy_folder: Path) -> None:
    path = policy_folder / "policy.json"
    d = json.loads(path.read_text(encoding="utf-8"))
    d["architecture"]["hidden"] = [4096] * 16
    path.write_text(json.dumps(d), encoding="utf-8")
    started = time.process_time()
    assert_load_fails(policy_folder, "policy.safetensors", r"body\.0\.weight")
    assert time.process_time() - started < 5.0


def test_loaded_network_is_on_the_cpu_and_trainable(policy_folder: Path) -> None:
    network = PolicyAgent.load(policy_folder).network
    assert {tensor.device.type for tensor in [*network.parameters(), *network.buffers()]} == {"cpu"}
    assert all(weights.requires_grad for weights in network.parameters())


OTHER_CONVOLUTIONS: dict[str, tuple[Change, str]] = {
    "wider": (lambda d: d["architecture"].update(channels=8), "first.weight"),
    "deeper": (lambda d: d["architecture"].update(blocks=2), "blocks.1"),
    "with other planes": (lambda d: d["architecture"].update(features="own", hint_weight=1.0), "hint_weights"),
}


@pytest.mark.parametrize("case", OTHER_CONVOLUTIONS)
def test_weights_of_another_convolutional_network_are_rejected(tmp_path: Path, case: str) -> None:
    change, message = OTHER_CONVOLUTIONS[case]
    untrained(edge_envs.load_game("beyond_maps", size=5), Convolutional(channels=4, blocks=1)).save(tmp_path)
    path = tmp_path / "policy.json"
    d = json.loads(path.read_text(encoding="utf-8"))
    change(d)
    path.write_text(json.dumps(d), encoding="utf-8")
    assert_load_fails(tmp_path, "policy.safetensors", message)


# Values


@pytest.mark.parametrize("players", [2, 3])
def test_policy_with_values_survives_save_and_load(players: int, tmp_path: Path) -> None:
    policy = untrained_with_values(edge_envs.load_game("falling_off", num_players=players))
    policy.save(tmp_path)
    loaded = PolicyAgent.load(tmp_path)
    assert isinstance(loaded, ValuedPolicy)
    arguments = observations_of(policy.game)
    for answer, expected in zip(loaded.answers(*arguments), policy.answers(*arguments), strict=True):
        np.testing.assert_allclose(answer, expected, rtol=1e-5, atol=1e-6)  # depends on memory alignment
    probabilities, values = loaded.answers(*arguments)
    assert np.array_equal(probabilities, loaded.probabilities(*arguments))
    assert values.shape == (len(probabilities), players)
    if players == 2:  # zero-sum
        assert np.array_equal(values[:, 1], -values[:, 0])


@pytest.mark.parametrize("alone", [False, True])
def test_learned_alone_is_saved(alone: bool, tmp_path: Path) -> None:
    policy = untrained_with_values(edge_envs.load_game("falling_off"))
    policy.learned_alone = alone
    policy.save(tmp_path)
    loaded = PolicyAgent.load(tmp_path)
    assert isinstance(loaded, ValuedPolicy)
    assert loaded.learned_alone is alone


def test_policy_without_a_values_key_has_no_values(policy_folder: Path) -> None:
    path = policy_folder / "policy.json"
    d = json.loads(path.read_text(encoding="utf-8"))
    assert d.pop("values") is False
    path.write_text(json.dumps(d), encoding="utf-8")
    assert not isinstance(PolicyAgent.load(policy_folder), ValuedPolicy)


@pytest.mark.parametrize("promised", [True, False])
def test_values_key_must_match_the_weights(promised: bool, tmp_path: Path) -> None:
    game = edge_envs.load_game("falling_off")
    (untrained if promised else untrained_with_values)(game).save(tmp_path)
    d = json.loads((tmp_path / "policy.json").read_text(encoding="utf-8"))
    (tmp_path / "policy.json").write_text(json.dumps({**d, "values": promised}), encoding="utf-8")
    assert_load_fails(tmp_path, "policy.safetensors", r"head\.weight")


def test_non_finite_critic_weights_are_rejected(tmp_path: Path) -> None:
    untrained_with_values(edge_envs.load_game("falling_off")).save(tmp_path)
    path = tmp_path / "policy.safetensors"
    weights = load_file(path)
    weights["critic.head.bias"].fill_(torch.nan)
    save_file(weights, path)
    assert_load_fails(tmp_path, "policy.safetensors", "not all weights are finite")


def assert_load_fails(folder: Path, file: str, message: str | None = None) -> None:
    """Check that loading fails with a one-line error that starts with the path of the invalid file."""
    with pytest.raises(ValueError, match=message) as raised:
        PolicyAgent.load(folder)
    assert str(raised.value).startswith(f"{folder / file}: ")
    assert len(str(raised.value).splitlines()) == 1
