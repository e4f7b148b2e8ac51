"""Test networks of every kind: shapes, initialization, features and hints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from pydantic import TypeAdapter, ValidationError
from torch import nn

import edge_envs.core.features
from agents.networks import KINDS, Architecture, Convolutional, Perceptron
from agents.networks.convolutional import Block, ConvolutionalNetwork
from agents.networks.features import to_game
from agents.players.policy import PolicyAgent
from edge_envs import Game, load_game, vector_env
from edge_envs.core.features import Estimates, ObservedValues, VectorView, hints_of
from edge_envs.core.spec import Array

SMALL = {"size": 5, "max_turns": 40}
AnyOf = Perceptron | Convolutional


class RowsOfSquares:
    """A descriptor that groups the actions of `tic_tac_toe` by rows and ignores assignments."""

    def __get__(self, instance: Any, owner: Any) -> Array:
        return np.arange(9) // 3

    def __set__(self, instance: Any, value: Any) -> None:
        """Ignore the value."""


def empty_squares(observations: torch.Tensor) -> torch.Tensor:
    """Return the legal actions (B, 9) of `tic_tac_toe`."""
    return observations[:, 2].flatten(1) > 0


CASES: list[tuple[str, dict[str, Any], AnyOf]] = [
    ("falling_off", {}, Perceptron(features="own", hidden=[8, 4])),
    ("kuhn", {}, Perceptron(hidden=[4])),
    ("beyond_maps", SMALL, Perceptron(hidden=[4])),
    ("tic_tac_toe", {}, Perceptron(hidden=[4], hint_weight=0.5)),
    ("over_the_edge", {"map": "pond"}, Perceptron(features="own", hidden=[4])),
    ("over_the_edge", {"map": "pond", "num_players": 3}, Perceptron(features="own", hint_weight=0.5)),
    ("ghost_ship", {"creation": "random"}, Perceptron(features="own", hidden=[4])),
    ("ghost_ship", {"num_players": 3}, Perceptron(features="own", hidden=[4], hint_weight=0.5)),
    ("beyond_maps", SMALL, Convolutional(features="own", channels=4, blocks=2)),
    ("beyond_maps", SMALL, Convolutional(features="own", channels=4, blocks=1, hint_weight=0.5)),
    ("beyond_maps", SMALL, Convolutional(features="plain", channels=4, blocks=0)),
    ("tic_tac_toe", {}, Convolutional(channels=4, blocks=1)),
]
each_network = pytest.mark.parametrize(("name", "params", "architecture"), CASES)


@pytest.fixture
def beyond_maps() -> Game:
    return load_game("beyond_maps", **SMALL)


def random_observations(game: Game, steps: int = 12, lanes: int = 8) -> torch.Tensor:
    """Return the observations of the players to act in random games."""
    rng = np.random.default_rng(0)
    env = vector_env(game.name, num_envs=lanes, **game.params)
    batch = env.reset(seed=0)
    seen = []
    for _ in range(steps):
        seen.append(batch.observation.copy())
        batch = env.step((rng.random(batch.action_mask.shape) * batch.action_mask).argmax(axis=1))
    env.close()
    return torch.from_numpy(np.concatenate(seen))


def perturbed(network: nn.Module) -> Any:
    """Add noise to all weights, so that none is zero; return the network in evaluation mode."""
    torch.manual_seed(0)
    with torch.no_grad():
        for weights in network.parameters():
            weights.add_(torch.randn_like(weights) * 0.1)
    return network.eval()


@each_network
def test_network_outputs_a_logit_per_action_and_a_value(name: str, params: dict[str, Any], architecture: AnyOf) -> None:
    game = load_game(name, **params)
    network = perturbed(architecture.make_network(game))
    observations = random_observations(game)
    encoding = network.encode(observations)
    logits, values = network.logits(encoding), network.make_critic()(encoding)
    assert logits.shape == (len(observations), game.num_distinct_actions)
    assert values.shape == (len(observations),)
    assert (logits.dtype, values.dtype) == (torch.float32, torch.float32)
    assert torch.equal(network(observations), logits)
    assert torch.isfinite(logits).all()


@each_network
def test_batch_rows_are_independent(name: str, params: dict[str, Any], architecture: AnyOf) -> None:
    game = load_game(name, **params)
    network = perturbed(architecture.make_network(game))
    observations = random_observations(game)
    alone = torch.cat([network(observation[None]) for observation in observations])
    torch.testing.assert_close(network(observations), alone, rtol=1e-4, atol=1e-4)


@each_network
def test_logits_of_listed_actions_match_the_full_logits(name: str, params: dict[str, Any], architecture: AnyOf) -> None:
    game = load_game(name, **params)
    network = perturbed(architecture.make_network(game))
    observations = random_observations(game)
    masks = np.random.default_rng(0).random((len(observations), game.num_distinct_actions)) < 0.1
    masks[0] = False
    view = network.layer(observations, masks)
    logits = network.logits(network.encode_view(view))
    assert logits.shape == view.legal.shape == (len(observations), masks.sum(axis=1).max())
    assert torch.equal(logits[view.legal >= 0], network(observations)[torch.from_numpy(masks)])


@each_network
def test_every_weight_has_a_gradient(name: str, params: dict[str, Any], architecture: AnyOf) -> None:
    game = load_game(name, **params)
    network = perturbed(architecture.make_network(game))
    critic = perturbed(network.make_critic())
    encoding = network.encode(random_observations(game))
    logits = network.logits(encoding)
    (logits.log_softmax(1)[:, 0].sum() + critic(encoding).square().sum()).backward()
    for part in (network, critic):
        for key, weights in part.named_parameters():
            assert weights.grad is not None, key
            assert weights.grad.abs().max() > 0, key


@each_network
def test_initial_policy_is_nearly_uniform(name: str, params: dict[str, Any], architecture: AnyOf) -> None:
    game = load_game(name, **params)
    architecture = architecture.model_copy(update={"hint_weight": 0.0})  # hints would make it decided
    probabilities = architecture.make_network(game)(random_observations(game)).softmax(1)
    assert (probabilities * game.num_distinct_actions - 1).abs().max() < 0.5


def layers_of(module: nn.Module) -> Iterator[tuple[str, nn.Linear | nn.Conv2d]]:
    for name, layer in module.named_modules():
        if isinstance(layer, nn.Linear | nn.Conv2d):
            yield name, layer


@each_network
def test_initial_weights_are_orthogonal_and_biases_zero(name: str, params: dict[str, Any], architecture: AnyOf) -> None:
    """The gains match Stable-Baselines3; a residual block is initially the identity."""
    network = architecture.make_network(load_game(name, **params))
    critic = network.make_critic()
    named = [*layers_of(network), *((f"critic.{key}", layer) for key, layer in layers_of(critic))]
    assert len(named) > 3
    for key, layer in named:
        gain = {"head": 1.0 if key.startswith("critic") else 0.01, "planes_head": 0.01, "others_head": 0.01,
                "second": 0.0, "overall": 0.0}.get(key.split(".")[-1], 2**0.5)  # fmt: skip
        matrix = layer.weight.flatten(1)
        short = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
        torch.testing.assert_close(short @ short.T, gain**2 * torch.eye(len(short)), rtol=1e-4, atol=1e-5)
        assert layer.bias is not None
        assert not layer.bias.any(), key


# Convolutions


def test_residual_block_is_initially_the_identity() -> None:
    x = torch.randn(3, 4, 5, 5)
    assert torch.equal(Block(4)(x), x)


def test_residual_block_has_a_global_receptive_field() -> None:
    block = perturbed(Block(4))
    x = torch.randn(1, 4, 18, 18)
    changed = x.clone()
    changed[:, :, 17, 17] += 100.0
    assert (block(x) - block(changed))[:, :, 0, 0].abs().min() > 0


def test_convolutional_network_requires_planes() -> None:
    for name in ("falling_off", "kuhn"):
        with pytest.raises(
            ValueError, match=f"plane features need an observation of planes, which {name} does not have"
        ):
            Convolutional().make_network(load_game(name))


def test_own_features_are_rejected_for_games_without_them() -> None:
    with pytest.raises(ValueError, match="the game tic_tac_toe has no game-specific planes: features must be plain"):
        Convolutional(features="own").make_network(load_game("tic_tac_toe"))
    with pytest.raises(ValueError, match="the game beyond_maps has no game-specific vectors: features must be plain"):
        Perceptron(features="own").make_network(load_game("beyond_maps", **SMALL))


def test_planes_are_scaled_to_one_and_keep_their_layout(beyond_maps: Game) -> None:
    high = beyond_maps.observation_bounds[1][None]
    view = Convolutional().make_features(beyond_maps)(high)
    assert np.array_equal(view.planes, np.ones((1, *beyond_maps.observation_shape)))
    assert view.hints is None


def test_logits_of_the_first_actions_are_board_planes(beyond_maps: Game) -> None:
    """The logits of a square depend on its features, in the order of the action ids."""
    network = Convolutional(channels=4, blocks=0).make_network(beyond_maps)
    board, cells = torch.zeros(1, 4, 5, 5), 25
    board[0, :, 1, 3] = 1.0  # d2
    view = network.layer(torch.zeros(1, *beyond_maps.observation_shape))
    logits = network.logits(type(network.encode(torch.zeros(1, 14, 5, 5)))(view, board, torch.zeros(1, 8)))
    touched = logits[0].nonzero().flatten().tolist()
    assert touched == [plane * cells + 8 for plane in range(6)]


# Hints


@pytest.mark.parametrize("architecture", [Convolutional(hint_weight=1.0), Perceptron(hint_weight=1.0)])
def test_hints_require_declared_values(architecture: AnyOf) -> None:
    with pytest.raises(ValueError, match=r"^kuhn declares no VALUES, which hints need: expected hint_weight = 0$"):
        architecture.make_network(load_game("kuhn"))


def test_hint_is_the_value_gap_to_the_best_action() -> None:
    nothing = -np.inf
    values = np.array([[3.0, 1.0, nothing, -9.0], [-50.0, nothing, -50.5, -54.0], [nothing] * 4], np.float32)
    hints, best = hints_of(values, 4.0)
    assert hints.tolist() == [[0.0, -0.5, -1.0, -1.0], [0.0, -1.0, -0.125, -1.0], [-1.0] * 4]
    assert best[:2].tolist() == [[3.0], [-50.0]]
    assert np.isfinite(best).all()


def network_with_hints(game: Game, weight: float) -> ConvolutionalNetwork:
    return Convolutional(features="own", channels=4, blocks=1, hint_weight=weight).make_network(game)


def test_hints_are_added_to_the_logits_of_their_actions(beyond_maps: Game) -> None:
    network = network_with_hints(beyond_maps, 2.0)
    assert network.others_head is not None
    assert network.hint_weights is not None
    nn.init.zeros_(network.planes_head.weight)
    nn.init.zeros_(network.others_head.weight)
    observations = random_observations(beyond_maps)
    view = network.layer(observations)
    torch.testing.assert_close(network(observations), to_game(view, 2.0 * view.hints))
    with torch.no_grad():
        network.hint_weights[:] = torch.arange(7.0)
    weights = torch.arange(7.0).repeat_interleave(torch.tensor([25] * 6 + [1]))
    torch.testing.assert_close(network(observations), to_game(view, weights * view.hints))


def hint_batch_sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the batch size of each call of `ObservedValues` from now on."""
    sizes: list[int] = []
    call = ObservedValues.__call__

    def counted(self: ObservedValues, observations: Array) -> Estimates:
        sizes.append(len(observations))
        return call(self, observations)

    monkeypatch.setattr(ObservedValues, "__call__", counted)
    return sizes


def test_hints_are_additional_input_planes(beyond_maps: Game) -> None:
    network = network_with_hints(beyond_maps, 1.0)
    seen: list[torch.Tensor] = []
    network.first.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    observations = random_observations(beyond_maps)
    network(observations)
    (planes,) = seen
    view = network.layer(observations)
    assert view.hints is not None
    assert planes.shape == (len(observations), 15 + 7, 5, 5)
    assert torch.equal(planes[:, :15], view.planes)
    assert torch.equal(planes[:, 15:21].flatten(1), view.hints[:, :150])
    assert torch.equal(planes[:, 21], view.hints[:, 150, None, None].expand(-1, 5, 5))


def test_hints_carry_no_gradient_but_hint_weights_do(beyond_maps: Game) -> None:
    network = network_with_hints(beyond_maps, 1.0)
    encoding = network.encode(random_observations(beyond_maps))
    assert encoding.view.hints is not None
    assert not encoding.view.hints.requires_grad
    loss: Any = network.logits(encoding).log_softmax(1)[:, 5].sum()
    loss.backward()
    assert network.hint_weights is not None
    assert network.hint_weights.grad is not None
    assert network.hint_weights.grad.abs().min() > 0


def test_hints_are_not_computed_without_a_weight(beyond_maps: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = hint_batch_sizes(monkeypatch)
    network = Convolutional(features="own", channels=4, blocks=1).make_network(beyond_maps)
    network(random_observations(beyond_maps))
    assert sizes == []
    assert network.first.in_channels == 14
    assert network.hint_weights is None


# Hints of perceptrons


def test_perceptron_with_a_large_hint_weight_initially_follows_the_best_hint() -> None:
    game = load_game("tic_tac_toe")
    observations = random_observations(game)
    hints = torch.from_numpy(ObservedValues(game)(observations.numpy()).hints)
    best = hints.argmax(1)
    network = Perceptron(hint_weight=100.0).make_network(game)
    assert torch.equal(network(observations).argmax(1), best)
    assert not torch.equal(Perceptron().make_network(game)(observations).argmax(1), best)


def test_perceptron_has_a_hint_weight_per_action_group(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("tic_tac_toe")
    monkeypatch.setattr(edge_envs.core.features.PlainFeatures, "action_groups", RowsOfSquares(), raising=False)
    network = Perceptron(hint_weight=2.0).make_network(game)
    nn.init.zeros_(network.head.weight)
    observations = random_observations(game)
    hints = network.layer(observations).hints
    torch.testing.assert_close(network(observations), 2.0 * hints)
    assert network.hint_weights is not None
    with torch.no_grad():
        network.hint_weights[:] = torch.arange(3.0)
    weights = torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
    torch.testing.assert_close(network(observations), weights * hints)


def test_perceptron_without_a_hint_weight_has_no_hints() -> None:
    network = Perceptron().make_network(load_game("tic_tac_toe"))
    assert network.hint_weights is None
    assert network.encode(random_observations(load_game("tic_tac_toe"))).hints is None


def test_perceptron_critic_ignores_hints() -> None:
    game = load_game("tic_tac_toe")
    network = Perceptron(hint_weight=1.0).make_network(game)
    critic, view = perturbed(network.make_critic()), network.encode(random_observations(game))
    assert view.hints is not None
    assert torch.equal(critic(view), critic(VectorView(view.vectors, view.hints + 1.0)))
    assert torch.equal(critic(view), critic(VectorView(view.vectors)))


@pytest.mark.parametrize("greedy", [True, False])
def test_hints_of_illegal_actions_are_ignored(greedy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    game, architecture = load_game("tic_tac_toe"), Perceptron(hint_weight=12.0)
    policy = PolicyAgent(architecture.make_network(game), game, architecture)
    observations = random_observations(game)
    masks = empty_squares(observations).numpy()
    arguments = (observations.numpy(), masks, None, np.zeros(len(masks), np.int64))
    policy.greedy = greedy
    chosen = policy.act(*arguments, np.random.default_rng(0))
    plain = edge_envs.core.features.PlainFeatures.__call__

    def tempting(features: Any, seen: Array) -> VectorView:
        view = plain(features, seen)
        return VectorView(view.vectors, np.where(masks, view.hints, np.float32(5.0)))

    monkeypatch.setattr(edge_envs.core.features.PlainFeatures, "__call__", tempting)
    assert np.array_equal(chosen, policy.act(*arguments, np.random.default_rng(0)))
    assert masks[np.arange(len(masks)), chosen].all()


# Descriptions


def test_architecture_kind_defaults_to_perceptron() -> None:
    architecture: Any = TypeAdapter(Architecture).validate_python({"hidden": [3]})
    assert architecture == Perceptron(hidden=[3])


@pytest.mark.parametrize("kind", KINDS)
def test_architecture_kind_is_selected_by_name(kind: str) -> None:
    architecture = TypeAdapter(Architecture).validate_python({"kind": kind})
    assert isinstance(architecture, KINDS[kind])
    assert TypeAdapter(Architecture).validate_json(architecture.model_dump_json()) == architecture


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("channels", 0), ("channels", 513), ("channels", "many"), ("blocks", -1), ("blocks", 41), ("blocks", 1.5),
        ("hint_weight", -0.1), ("hint_weight", 101), ("hint_weight", float("nan")), ("hint_weight", float("inf")),
        ("features", "planes"), ("hidden", [8]),
    ],
)  # fmt: skip
def test_invalid_convolutional_settings_are_rejected(key: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=key):
        Convolutional.model_validate({key: value})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hint_weight", -0.1), ("hint_weight", 101), ("hint_weight", float("nan")), ("hint_weight", float("inf")),
        ("hint_weight", "much"), ("features", "planes"), ("features", "beyond_maps"), ("channels", 8),
    ],
)  # fmt: skip
def test_invalid_perceptron_settings_are_rejected(key: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=key):
        Perceptron.model_validate({key: value})
