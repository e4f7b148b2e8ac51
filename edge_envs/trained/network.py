"""Policy networks that are perceptrons without hints, played by a kernel.

A policy has one logit per action of its features, computed from the features directly and through the hidden layers,
as `agents.networks.perceptron` trains it. The agent plays the legal action with the greatest logit. Weights may be
float32 or float16; those of a critic are ignored.
"""

from __future__ import annotations

import functools
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.checks.files import read_object, read_tensors
from edge_envs.core.compiled import compiled_game
from edge_envs.core.errors import in_short
from edge_envs.core.features import PlainFeatures, VectorFeatures
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.loops.seat_loops import SeatDecider
from edge_envs.core.opponent import Generator, check_views
from edge_envs.core.spec import Array, Records
from edge_envs.policies import check_description, check_fit, check_keys, game_of_policy, integer_in
from edge_envs.trained.kernels import ACTIVATIONS, choose_action
from edge_envs.trained.turns import decorator_of

KIND = "perceptron"
"""The kind of the architecture."""
MOST_LAYERS, MOST_WIDTH = 16, 4096
_KEYS = ("kind", "features", "hidden", "activation", "hint_weight", "heuristic_weights")


class NetworkMemory(NamedTuple):
    """A perceptron and its scratch memory, for L hidden layers, V features and K actions of the features.

    | array | content |
    |---|---|
    | `widths` | (L + 1,) V, and the widths of the hidden layers |
    | `weights` | float32, per hidden layer the weights (from, to), then the biases (to,) |
    | `activation` | (1,) its number in `ACTIVATIONS` |
    | `head` | float32 (K, V + width), the weights of the logits |
    | `head_biases` | float32 (K,) |
    | `tables`, `actions` | see `CompiledVectors` |
    | `vector` | float32 (V,) the features, scratch |
    | `units` | float32 (2, width) activations of two layers, scratch |
    | `observation`, `mask` | scratch |
    """

    widths: Any
    weights: Any
    activation: Any
    head: Any
    head_biases: Any
    tables: Any
    actions: Any
    vector: Any
    units: Any
    observation: Any
    mask: Any


class NetworkAgent:
    """Play the legal action with the greatest logit. Threads may share an agent; a lock serializes their calls.

    Args:
        game: The game to play.
        features: The features that the network reads.
        weights: The arrays of the policy file.
        activation: The name of the activation function.
        name: The name of the agent.
    """

    needs_states = False

    def __init__(
        self, game: Game, features: VectorFeatures, weights: dict[str, Array], activation: str, name: str = "network"
    ) -> None:
        self.game, self.name = game, name
        self._features, self._weights, self._activation = features, weights, activation
        self._vectors = features.compiled()
        self._memory, self._lock = self.new_memory(1), threading.Lock()
        self._loop = _loops(game.type, self._vectors.fill)[0]

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return legal actions (k,) of the seats to act."""
        check_views(self.game, action_masks, observations)
        actions = np.empty(len(observations), np.int64)
        observations = np.ascontiguousarray(observations, self.game.observation_dtype)
        with self._lock:
            self._loop(observations, action_masks, self._memory, actions)
        return actions

    def logits(self, observation: Array) -> Array:
        """Return the logits (num_distinct_actions,) of an observation, float32.

        Raises:
            ValueError: if the observation has another shape.
        """
        self.game.check_observations(np.asarray(observation)[None])
        observation = np.ascontiguousarray(observation, self.game.observation_dtype)
        with self._lock:
            memory = self._memory
            return np.array([
                _loops(self.game.type, self._vectors.fill)[2](observation, memory, action)
                for action in range(self.game.num_distinct_actions)
            ])  # fmt: skip

    def decider(self) -> SeatDecider:
        """Return the kernel that decides inside compiled loops."""
        decider: SeatDecider = _loops(self.game.type, self._vectors.fill)[1]
        return decider

    def new_memory(self, lanes: int) -> NetworkMemory:
        """Allocate the memory of the kernel, which is the same for any number of lanes."""
        weights, vectors = self._weights, self._vectors
        layers = [name for name in weights if name.startswith("body.") and name.endswith(".weight")]
        flat = [np.zeros(0, np.float32)]
        for name in layers:
            flat += [weights[name].T.ravel(), weights[name.replace("weight", "bias")]]
        widths = [self._features.size, *(len(weights[name]) for name in layers)]
        return NetworkMemory(
            widths=np.array(widths, np.int64),
            weights=np.concatenate(flat).astype(np.float32),
            activation=np.array([ACTIVATIONS.index(self._activation)]),
            head=np.ascontiguousarray(weights["head.weight"], np.float32),
            head_biases=weights["head.bias"].astype(np.float32),
            tables=vectors.tables,
            actions=vectors.actions,
            vector=np.zeros(self._features.size, np.float32),
            units=np.zeros((2, max(widths)), np.float32),
            observation=np.zeros(self.game.observation_shape, self.game.observation_dtype),
            mask=np.zeros(self.game.num_distinct_actions, np.int8),
        )

    @classmethod
    def load(cls, folder: str | Path, game: Game | None = None) -> NetworkAgent:
        """Load a policy folder.

        Args:
            folder: The folder with `policy.json` and `policy.safetensors`.
            game: The game to play; None for the one that the policy was made for.

        Raises:
            ValueError: if the folder cannot be read, does not fit `game`, or holds another kind of policy.
        """
        path = Path(folder) / "policy.json"
        data = read_object(path)
        try:
            heuristic = check_description(data, KIND, ("values", "learned_alone"))
            own = game_of_policy(data["game"], data["params"], data["version"], heuristic)
            if game is not None:
                check_fit(own, game)
            features, hidden, activation = _read_architecture(data["architecture"], own)
            _check_compiled(features, own)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        weights = _read_weights(Path(folder) / "policy.safetensors", features, hidden)
        return cls((game or own).with_heuristic(heuristic), features, weights, activation, Path(folder).as_posix())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self._features, self._weights, self._activation, self.name)


def _check_compiled(features: VectorFeatures, game: Game) -> None:
    try:
        features.compiled()
    except ValueError:
        raise ValueError(
            f"architecture.features: the features own of {game.name} need PyTorch and a clone; policies with "
            "network.features: plain need neither"
        ) from None


def _read_architecture(data: dict[str, Any], game: Game) -> tuple[VectorFeatures, list[int], str]:
    """Return the features, the widths of the hidden layers and the activation."""
    check_keys(data, _KEYS, "architecture.")
    hidden, activation, features = data.get("hidden"), data.get("activation", "tanh"), data.get("features", "plain")
    if data.get("hint_weight", 0.0) != 0.0:
        raise ValueError("architecture.hint_weight: a policy that needs hints cannot play without PyTorch")
    if not isinstance(hidden, list) or not 1 <= len(hidden) <= MOST_LAYERS:
        raise ValueError(f"architecture.hidden: expected a list of 1 to {MOST_LAYERS} integers")
    if activation not in ACTIVATIONS:
        raise ValueError(f"architecture.activation: expected {', '.join(ACTIVATIONS)}, not {in_short(activation)}")
    if features not in ("plain", "own"):
        raise ValueError(f"architecture.features: expected plain or own, not {in_short(features)}")
    widths = [integer_in(width, 1, MOST_WIDTH, "architecture.hidden") for width in hidden]
    kind: type[VectorFeatures] | None = PlainFeatures
    if features == "own":
        kind = getattr(game.type.module("features"), "VECTORS", None) if game.type.has_module("features") else None
    if kind is None:
        raise ValueError(f"architecture.features: {game.name} has no game-specific vectors")
    return kind(game), widths, activation


def _read_weights(path: Path, features: VectorFeatures, hidden: list[int]) -> dict[str, Array]:
    """Read the actor's weights; ValueError if they do not fit or are not finite."""
    shapes: dict[str, tuple[int, ...]] = {}
    size = features.size
    for number, width in enumerate(hidden):
        shapes |= {f"body.{2 * number}.weight": (width, size), f"body.{2 * number}.bias": (width,)}
        size = width
    shapes |= {
        "head.weight": (features.num_actions, features.size + size),
        "head.bias": (features.num_actions,),
    }
    try:
        read = read_tensors(path, 8 * 2 * sum(int(np.prod(shape)) for shape in shapes.values()) + 2**20)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        raise ValueError(f"{path}: cannot be read as this policy's weights ({why})") from None
    read = {name: array for name, array in read.items() if not name.startswith("critic.")}
    if {name: array.shape for name, array in read.items()} != shapes:
        raise ValueError(f"{path}: cannot be read as this policy's weights: names or shapes differ")
    for name, array in read.items():
        if array.dtype not in (np.float32, np.float16) or not np.isfinite(array).all():
            raise ValueError(f"{path}: {name}: expected finite numbers of type float32 or float16")
    return {name: read[name] for name in shapes}


@functools.cache
def _loops(game_type: GameType, fill: Any) -> tuple[Any, SeatDecider, Any]:
    """Return the loop over observations, the decider, and the kernel that computes one logit."""
    kernels = compiled_game(game_type).kernels
    compiled = decorator_of(game_type)
    observe, current_player, legal_action_mask = kernels.observe, kernels.current_player, kernels.legal_action_mask

    @compiled
    def choose(observations, masks, memory, actions):
        for i in range(observations.shape[0]):
            row = fill(observations[i], memory.tables, memory.vector)
            actions[i] = choose_action(row, masks[i], memory, -1)[0]

    @compiled
    def decide(state, i, memory):
        observe(state, current_player(state), memory.observation)
        legal_action_mask(state, memory.mask)
        row = fill(memory.observation, memory.tables, memory.vector)
        return choose_action(row, memory.mask, memory, -1)[0]

    @compiled
    def logit(observation, memory, action):
        row = fill(observation, memory.tables, memory.vector)
        return choose_action(row, memory.mask, memory, action)[1]

    return choose, SeatDecider(decide, compiled), logit
