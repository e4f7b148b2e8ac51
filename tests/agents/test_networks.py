"""Networks of every kind: shapes, how they begin, what they are shown, and that nothing of it is lost on the way."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from pydantic import TypeAdapter, ValidationError
from torch import nn

import agents.features.appraisals
import agents.features.beyond_maps
from agents.features import Features, VectorView
from agents.features.appraisals import Appraisals
from agents.features.beyond_maps import GREAT, WORST, appraise
from agents.features.hints import hints_from
from agents.features.plain import PlainFeatures
from agents.networks import KINDS, Architecture, Convolutional, Perceptron
from agents.networks.convolutional import Block, ConvolutionalNetwork
from agents.policy import PolicyAgent
from edge_envs import Game, load_game, vector_env
from edge_envs.core.game import Array

SMALL = {"size": 5, "max_turns": 40}
AnyOf = Perceptron | Convolutional


class LastSquareFirst(PlainFeatures):
    """Of `tic_tac_toe`: an empty square is the better the later it comes. Rows are groups."""

    name = "last_square_first"
    can_hint = True

    def __init__(self, game: Game, hints: bool) -> None:
        super().__init__(game, hints)
        self.action_groups = torch.arange(9).div(3, rounding_mode="floor")

    def forward(self, observations: torch.Tensor) -> VectorView:
        view = super().forward(observations)
        if not self.hints:
            return view
        hints, _ = hints_from(torch.arange(9.0).where(empty_squares(observations), -torch.inf), 10.0)
        return VectorView(view.vectors, hints)


class HintedPerceptron(Perceptron):
    """With hints of the last square first."""

    def make_features(self, game: Game) -> Features:
        return LastSquareFirst(game, hints=self.hint_weight > 0)


def empty_squares(observations: torch.Tensor) -> torch.Tensor:
    """The legal actions (B, 9) of `tic_tac_toe`."""
    return observations[:, 2].flatten(1) > 0


CASES: list[tuple[str, dict[str, Any], AnyOf]] = [
    ("falling_off", {}, Perceptron(features="falling_off", hidden=[8, 4])),
    ("kuhn", {}, Perceptron(hidden=[4])),
    ("beyond_maps", SMALL, Perceptron(hidden=[4])),
    ("tic_tac_toe", {}, HintedPerceptron(hidden=[4], hint_weight=0.5)),
    ("over_the_edge", {"map": "pond"}, Perceptron(features="over_the_edge", hidden=[4])),
    ("over_the_edge", {"map": "pond", "num_players": 3}, Perceptron(features="over_the_edge", hint_weight=0.5)),
    ("ghost_ship", {"creation": "random"}, Perceptron(features="ghost_ship", hidden=[4])),
    ("ghost_ship", {"num_players": 3}, Perceptron(features="ghost_ship", hidden=[4], hint_weight=0.5)),
    ("beyond_maps", SMALL, Convolutional(features="beyond_maps", channels=4, blocks=2)),
    ("beyond_maps", SMALL, Convolutional(features="beyond_maps", channels=4, blocks=1, hint_weight=0.5)),
    ("beyond_maps", SMALL, Convolutional(features="planes", channels=4, blocks=0)),
    ("tic_tac_toe", {}, Convolutional(channels=4, blocks=1)),
]
each_network = pytest.mark.parametrize(("name", "params", "architecture"), CASES)


@pytest.fixture
def beyond_maps() -> Game:
    return load_game("beyond_maps", **SMALL)


def random_observations(game: Game, steps: int = 12, lanes: int = 8) -> torch.Tensor:
    """Of players to act in games under way."""
    rng = np.random.default_rng(0)
    env = vector_env(game.name, num_envs=lanes, **game.params)
    batch = env.reset(seed=0)
    seen = []
    for _ in range(steps):
        seen.append(batch.observation.copy())
        batch = env.step((rng.random(batch.action_mask.shape) * batch.action_mask).argmax(axis=1))
    env.close()
    return torch.from_numpy(np.concatenate(seen))


def shaken(network: nn.Module) -> Any:
    """The network with weights that are nowhere zero."""
    torch.manual_seed(0)
    with torch.no_grad():
        for weights in network.parameters():
            weights.add_(torch.randn_like(weights) * 0.1)
    return network.eval()


@each_network
def test_a_network_has_a_logit_per_action_and_its_critic_a_value(
    name: str, params: dict[str, Any], architecture: AnyOf
) -> None:
    game = load_game(name, **params)
    network = shaken(architecture.make_network(game))
    observations = random_observations(game)
    encoding = network.encode(observations)
    logits, values = network.logits(encoding), network.make_critic()(encoding)
    assert logits.shape == (len(observations), game.num_distinct_actions)
    assert values.shape == (len(observations),)
    assert (logits.dtype, values.dtype) == (torch.float32, torch.float32)
    assert torch.equal(network(observations), logits)
    assert torch.isfinite(logits).all()


@each_network
def test_rows_of_a_batch_do_not_depend_on_each_other(name: str, params: dict[str, Any], architecture: AnyOf) -> None:
    game = load_game(name, **params)
    network = shaken(architecture.make_network(game))
    observations = random_observations(game)
    alone = torch.cat([network(observation[None]) for observation in observations])
    torch.testing.assert_close(network(observations), alone, rtol=1e-4, atol=1e-4)


@each_network
def test_every_weight_learns(name: str, params: dict[str, Any], architecture: AnyOf) -> None:
    game = load_game(name, **params)
    network = shaken(architecture.make_network(game))
    critic = shaken(network.make_critic())
    encoding = network.encode(random_observations(game))
    logits = network.logits(encoding)
    (logits.log_softmax(1)[:, 0].sum() + critic(encoding).square().sum()).backward()
    for part in (network, critic):
        for key, weights in part.named_parameters():
            assert weights.grad is not None, key
            assert weights.grad.abs().max() > 0, key


@each_network
def test_a_network_begins_undecided(name: str, params: dict[str, Any], architecture: AnyOf) -> None:
    game = load_game(name, **params)
    architecture = architecture.model_copy(update={"hint_weight": 0.0})  # hints are there to decide
    probabilities = architecture.make_network(game)(random_observations(game)).softmax(1)
    assert (probabilities * game.num_distinct_actions - 1).abs().max() < 0.5


def layers_of(module: nn.Module) -> Iterator[tuple[str, nn.Linear | nn.Conv2d]]:
    for name, layer in module.named_modules():
        if isinstance(layer, nn.Linear | nn.Conv2d):
            yield name, layer


@each_network
def test_layers_begin_orthogonal_and_without_bias(name: str, params: dict[str, Any], architecture: AnyOf) -> None:
    """The gains are those of Stable-Baselines3; a block begins as the identity."""
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


def test_a_block_begins_as_the_identity() -> None:
    x = torch.randn(3, 4, 5, 5)
    assert torch.equal(Block(4)(x), x)


def test_a_block_sees_the_whole_board() -> None:
    block = shaken(Block(4))
    x = torch.randn(1, 4, 18, 18)
    changed = x.clone()
    changed[:, :, 17, 17] += 100.0
    assert (block(x) - block(changed))[:, :, 0, 0].abs().min() > 0


def test_without_planes_there_are_no_convolutions() -> None:
    for name in ("falling_off", "kuhn"):
        with pytest.raises(ValueError, match=f"features planes do not fit the game {name}: it has no planes"):
            Convolutional().make_network(load_game(name))


def test_features_of_a_game_fit_no_other() -> None:
    with pytest.raises(ValueError, match="features beyond_maps do not fit the game tic_tac_toe"):
        Convolutional(features="beyond_maps").make_network(load_game("tic_tac_toe"))


def test_planes_are_scaled_to_one_and_lie_as_they_are(beyond_maps: Game) -> None:
    high = torch.from_numpy(beyond_maps.observation_bounds[1].copy())[None]
    view = Convolutional().make_features(beyond_maps)(high)
    assert torch.equal(view.planes, torch.ones(1, *beyond_maps.observation_shape))
    assert view.hints is None


def test_the_first_actions_are_planes_of_the_board_and_the_rest_are_not(beyond_maps: Game) -> None:
    """A square's own logits follow from the square, in the order of the ids."""
    network = Convolutional(channels=4, blocks=0).make_network(beyond_maps)
    board, cells = torch.zeros(1, 4, 5, 5), 25
    board[0, :, 1, 3] = 1.0  # d2
    view = network.features(torch.zeros(1, *beyond_maps.observation_shape))
    logits = network.logits(type(network.encode(torch.zeros(1, 14, 5, 5)))(view, board, torch.zeros(1, 8)))
    touched = logits[0].nonzero().flatten().tolist()
    assert touched == [plane * cells + 8 for plane in range(6)]


# Hints


@pytest.mark.parametrize(
    ("name", "architecture", "features"),
    [
        ("beyond_maps", Convolutional(hint_weight=1.0), "planes"),
        ("beyond_maps", Perceptron(hint_weight=1.0), "plain"),
        ("falling_off", Perceptron(features="falling_off", hint_weight=0.1), "falling_off"),
    ],
)
def test_features_without_hints_refuse_a_weight_of_hints(name: str, architecture: AnyOf, features: str) -> None:
    with pytest.raises(ValueError, match=f"^the features {features} have no hints: hint_weight must be 0$"):
        architecture.make_network(load_game(name))


def test_a_hint_is_what_an_action_loses_against_the_best() -> None:
    nothing = -torch.inf
    promises = torch.tensor([[3.0, 1.0, nothing, -9.0], [-50.0, nothing, -50.5, -54.0], [nothing] * 4])
    hints, best = hints_from(promises, 4.0)
    assert hints.tolist() == [[0.0, -0.5, -1.0, -1.0], [0.0, -1.0, -0.125, -1.0], [-1.0] * 4]
    assert best[:2].tolist() == [[3.0], [-50.0]]
    assert torch.isfinite(best).all()


def some_promises(game: Game, observations: Array, promises: Array) -> None:
    """Another number for each action, and for each way in which a board of 5×5 lies."""
    assert observations.dtype == np.int8
    land = (observations[:, 0] * np.arange(25).reshape(5, 5)).sum(axis=(1, 2)) + 1.0
    promises[:] = land[:, None] * np.arange(game.num_distinct_actions, 0, -1) / 1000


def hinted(game: Game, monkeypatch: pytest.MonkeyPatch, weight: float) -> ConvolutionalNetwork:
    monkeypatch.setattr(agents.features.beyond_maps, "appraise", some_promises)
    return Convolutional(features="beyond_maps", channels=4, blocks=1, hint_weight=weight).make_network(game)


def test_hints_are_added_to_the_logits_of_their_actions(beyond_maps: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    network = hinted(beyond_maps, monkeypatch, 2.0)
    assert network.others_head is not None
    assert network.hint_weights is not None
    nn.init.zeros_(network.planes_head.weight)
    nn.init.zeros_(network.others_head.weight)
    observations = random_observations(beyond_maps)
    view = network.features(observations)
    torch.testing.assert_close(network(observations), view.to_game(2.0 * view.hints))
    with torch.no_grad():
        network.hint_weights[:] = torch.arange(7.0)
    weights = torch.arange(7.0).repeat_interleave(torch.tensor([25] * 6 + [1]))
    torch.testing.assert_close(network(observations), view.to_game(weights * view.hints))


def test_the_heuristic_looks_at_the_board_as_the_learner_lays_it(
    beyond_maps: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    features = hinted(beyond_maps, monkeypatch, 1.0).features
    view = features(random_observations(beyond_maps))
    high = torch.from_numpy(beyond_maps.observation_bounds[1].copy())
    laid = (view.planes[:, :14] * high).round().to(torch.int8).numpy()
    promises = torch.from_numpy(Appraisals(beyond_maps, some_promises)(laid))
    best = promises.max(dim=1, keepdim=True).values
    assert view.hints is not None
    torch.testing.assert_close(view.hints, (promises - best).clamp(min=-WORST) / WORST)
    torch.testing.assert_close(view.planes[:, 14], torch.tanh(best / GREAT)[:, :, None].expand(-1, 5, 5))


def test_hints_are_the_losses_that_the_heuristic_sees(beyond_maps: Game) -> None:
    network = Convolutional(features="beyond_maps", channels=4, blocks=1, hint_weight=1.0).make_network(beyond_maps)
    rng, state = np.random.default_rng(0), beyond_maps.new_initial_state(seed=0)
    while not state.is_terminal():
        view = network.features(torch.from_numpy(state.observation_tensor(state.current_player())[None]))
        hints, legal = view.to_game(view.hints)[0].numpy(), state.legal_actions()
        assert hints.max() == hints[legal].max() == 0.0
        assert set(np.flatnonzero(hints > -1.0)) <= set(legal)
        state.apply_action(int(rng.choice(legal)))
    other = network.features(torch.from_numpy(state.observation_tensor(0)[None]))
    assert torch.isfinite(other.planes).all()
    assert torch.isfinite(other.hints).all()


def test_what_was_asked_before_is_remembered_and_is_no_part_of_a_copy(beyond_maps: Game) -> None:
    asked: list[int] = []

    def counted(game: Game, observations: Array, promises: Array) -> None:
        asked.append(len(observations))
        appraise(game, observations, promises)

    appraisals = Appraisals(beyond_maps, counted)
    observations = random_observations(beyond_maps).numpy()
    first = appraisals(np.concatenate([observations, observations]))
    assert np.array_equal(first, np.concatenate([appraisals(observations)] * 2))
    different = len(np.unique(observations, axis=0))
    assert asked == [different, 0]
    again = copy.deepcopy(appraisals)(observations)
    assert np.array_equal(again, first[: len(again)])
    assert asked == [different, 0, different]


def test_who_remembers_too_much_forgets_it_all(beyond_maps: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    observations = random_observations(beyond_maps).numpy()
    everything = Appraisals(beyond_maps, some_promises)(observations)
    monkeypatch.setattr(agents.features.appraisals, "MOST_REMEMBERED", 10)
    appraisals = Appraisals(beyond_maps, some_promises)
    for start in range(0, len(observations), 8):
        assert np.array_equal(appraisals(observations[start : start + 8]), everything[start : start + 8])
        assert len(appraisals._known) <= 18


def test_hints_are_planes_among_the_others(beyond_maps: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    network = hinted(beyond_maps, monkeypatch, 1.0)
    seen: list[torch.Tensor] = []
    network.first.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    observations = random_observations(beyond_maps)
    network(observations)
    (planes,) = seen
    view = network.features(observations)
    assert view.hints is not None
    assert planes.shape == (len(observations), 15 + 7, 5, 5)
    assert torch.equal(planes[:, :15], view.planes)
    assert torch.equal(planes[:, 15:21].flatten(1), view.hints[:, :150])
    assert torch.equal(planes[:, 21], view.hints[:, 150, None, None].expand(-1, 5, 5))


def test_hints_carry_no_gradient_but_their_weights_learn(beyond_maps: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    network = hinted(beyond_maps, monkeypatch, 1.0)
    encoding = network.encode(random_observations(beyond_maps))
    assert encoding.view.hints is not None
    assert not encoding.view.hints.requires_grad
    loss: Any = network.logits(encoding).log_softmax(1)[:, 5].sum()
    loss.backward()
    assert network.hint_weights is not None
    assert network.hint_weights.grad is not None
    assert network.hint_weights.grad.abs().min() > 0


def test_without_a_weight_no_hints_are_asked_for(beyond_maps: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(game: Game, observations: Array, promises: Array) -> None:
        raise AssertionError("nobody should ask")

    monkeypatch.setattr(agents.features.beyond_maps, "appraise", ask)
    network = Convolutional(features="beyond_maps", channels=4, blocks=1).make_network(beyond_maps)
    network(random_observations(beyond_maps))
    assert network.first.in_channels == 14
    assert network.hint_weights is None


# Hints of perceptrons


def test_a_perceptron_with_much_weight_on_hints_begins_with_the_best_hint() -> None:
    game = load_game("tic_tac_toe")
    observations = random_observations(game)
    last = 8 - empty_squares(observations).flip(1).float().argmax(1)
    network = HintedPerceptron(hint_weight=12.0).make_network(game)
    assert torch.equal(network(observations).argmax(1), last)
    assert not torch.equal(HintedPerceptron().make_network(game)(observations).argmax(1), last)


def test_a_perceptron_weighs_the_hints_of_each_group_of_actions() -> None:
    game = load_game("tic_tac_toe")
    network = HintedPerceptron(hint_weight=2.0).make_network(game)
    nn.init.zeros_(network.head.weight)
    observations = random_observations(game)
    hints = network.features(observations).hints
    torch.testing.assert_close(network(observations), 2.0 * hints)
    assert network.hint_weights is not None
    with torch.no_grad():
        network.hint_weights[:] = torch.arange(3.0)
    weights = torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
    torch.testing.assert_close(network(observations), weights * hints)


def test_without_a_weight_a_perceptron_has_no_hints() -> None:
    network = HintedPerceptron().make_network(load_game("tic_tac_toe"))
    assert network.hint_weights is None
    assert network.encode(random_observations(load_game("tic_tac_toe"))).hints is None


def test_the_critic_of_a_perceptron_sees_no_hints() -> None:
    game = load_game("tic_tac_toe")
    network = HintedPerceptron(hint_weight=1.0).make_network(game)
    critic, view = shaken(network.make_critic()), network.encode(random_observations(game))
    assert view.hints is not None
    assert torch.equal(critic(view), critic(VectorView(view.vectors, view.hints + 1.0)))
    assert torch.equal(critic(view), critic(VectorView(view.vectors)))


class TemptingOccupiedSquares(LastSquareFirst):
    """With hints of illegal actions that are better than all others."""

    def forward(self, observations: torch.Tensor) -> VectorView:
        view = super().forward(observations)
        assert view.hints is not None
        return VectorView(view.vectors, view.hints.where(empty_squares(observations), 5.0))


@pytest.mark.parametrize("greedy", [True, False])
def test_hints_of_illegal_actions_do_not_matter(greedy: bool) -> None:
    game, architecture = load_game("tic_tac_toe"), HintedPerceptron(hint_weight=12.0)
    policy = PolicyAgent(architecture.make_network(game), game, architecture)
    tempted = PolicyAgent(copy.deepcopy(policy.network), game, architecture)
    tempted.network.features = TemptingOccupiedSquares(game, hints=True)
    observations = random_observations(game)
    masks = empty_squares(observations).numpy()
    asked = (observations.numpy(), masks, None, np.zeros(len(masks), np.int64))
    policy.greedy = tempted.greedy = greedy
    chosen = policy.act(*asked, np.random.default_rng(0))
    assert np.array_equal(chosen, tempted.act(*asked, np.random.default_rng(0)))
    assert masks[np.arange(len(masks)), chosen].all()


# Descriptions


def test_an_architecture_that_does_not_say_its_kind_is_a_perceptron() -> None:
    architecture: Any = TypeAdapter(Architecture).validate_python({"hidden": [3]})
    assert architecture == Perceptron(hidden=[3])


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_told_by_its_name(kind: str) -> None:
    architecture = TypeAdapter(Architecture).validate_python({"kind": kind})
    assert isinstance(architecture, KINDS[kind])
    assert TypeAdapter(Architecture).validate_json(architecture.model_dump_json()) == architecture


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("channels", 0), ("channels", 513), ("channels", "many"), ("blocks", -1), ("blocks", 41), ("blocks", 1.5),
        ("hint_weight", -0.1), ("hint_weight", 101), ("hint_weight", float("nan")), ("hint_weight", float("inf")),
        ("features", "plain"), ("hidden", [8]),
    ],
)  # fmt: skip
def test_impossible_convolutions_are_refused(key: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=key):
        Convolutional.model_validate({key: value})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hint_weight", -0.1), ("hint_weight", 101), ("hint_weight", float("nan")), ("hint_weight", float("inf")),
        ("hint_weight", "much"), ("features", "planes"), ("features", "beyond_maps"), ("channels", 8),
    ],
)  # fmt: skip
def test_impossible_perceptrons_are_refused(key: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=key):
        Perceptron.model_validate({key: value})
