"""Self-play that learns the weights of an n-tuple network by TD(λ) over positions after decisions.

A *step* is the position after the decisions of a player (an *afterstate*) with its value: a share of the win for every
player. The expected value of the next step follows from a search of the next turn. Their difference is the
temporal-difference error; the target of a step is its value plus the errors from there on, weighted by powers of λ, up
to a random decision (Watkins 1989) or the end of the game. After each game, the weights of all tuples of each step move
towards its target, together with the weights of all positions symmetric to it. All weights have the same step size,
which `agents.tuples` anneals, instead of one for each weight by temporal coherence (Bagheri, Thill & Konen 2016).

Against earlier weights, one seat, drawn for each game, learns from its own steps. The others search with the earlier
weights; the expected value of their turns is the learner's value of the position after them.

Against the heuristic, one seat, drawn for each game, learns too. Its steps follow each other: the decisions of the
heuristic in between are part of the environment, so the values are those of games against the heuristic.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import kernel_of, lean_kernel
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.kernels.rng import below, draw_at, unit
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Array
from edge_envs.ntuple.agent import LEAD, SCORE_WEIGHT
from edge_envs.ntuple.network import Network, layout_of
from edge_envs.ntuple.reply_search import search_turns
from edge_envs.ntuple.scores import score_of
from edge_envs.ntuple.turn_search import (
    EVALUATED,
    cells_kernel,
    new_settings,
    new_turn_search,
    shares_of_rewards,
    shares_of_scores,
    turn_kernel,
    views_of,
)
from edge_envs.ntuple.updates import change_score, table_modes

LEARNING = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("step_size", np.float64),
                ("decay", np.float64),  # λ
                ("random_moves", np.float64),  # ε: probability that a step starts with a random decision
                ("random_turns", np.int64),  # maximum number of uniformly random turns at the start of a game
                ("discount", np.float64),
                ("lead", np.int64),  # the cell with the lead, if there is a discount
                ("no_lead", np.int64),  # its value for a lead of 0
                ("recompute", np.int64),  # whether values are computed again before weights change
                ("learner", np.int64),  # the only seat that learns; -1: all seats learn
                ("heuristic", np.int64),  # whether the other seats are played by the heuristic
            ],
            align=True,
        ),
    )
)


class Steps(NamedTuple):
    """Buffer of the steps of one game: L steps, V views of C cells, and P players.

    | array | content |
    |---|---|
    | `cells` | int16 (L, V, C + 1) |
    | `owners` | (L,) the player who decided |
    | `values` | (L, P) values when the step was made |
    | `expected` | (L, P) the expected values of the next step |
    | `linked` | (L,) whether the next decision was the best one |
    | `scratch` | int16 (C + 1,) |
    | `last` | int64 (W,) the number of the last change of each weight |
    | `number` | (1,) the number of changes |
    | `modes` | (T,) see `table_modes` |
    | `errors` | (2,) the sum of squared temporal-difference errors, and their number |
    """

    cells: Any
    owners: Any
    values: Any
    expected: Any
    linked: Any
    scratch: Any
    last: Any
    number: Any
    modes: Any
    errors: Any


def new_steps(
    game: Game, network: Network, most_steps: int, linear: Sequence[str] = (), fixed: Sequence[str] = ()
) -> Steps:
    """Allocate the buffer; for `linear` and `fixed` see `table_modes`."""
    cells, players = network.is_place.shape[0] + 1, game.num_players
    return Steps(
        cells=np.full((most_steps, views_of(players), cells), network.outside[0], np.int16),
        owners=np.zeros(most_steps, np.int64),
        values=np.zeros((most_steps, players)),
        expected=np.zeros((most_steps, players)),
        linked=np.zeros(most_steps, np.bool_),
        scratch=np.full(cells, network.outside[0], np.int16),
        last=np.zeros(network.size[0], np.int64),
        number=np.zeros(1, np.int64),
        modes=table_modes(layout_of(game), network, linear, fixed),
        errors=np.zeros(2),
    )


class SelfPlay:
    """Play games of self-play and learn from them. The result depends only on the weights and on `word`.

    Args:
        game: The game.
        network: The network.
        word: uint64 (1,), the random generator; it advances.
        most_steps: The number of steps after which a game is truncated.
        linear: Cells whose tables are linear; see `edge_envs.ntuple.updates.table_modes`.
        fixed: Cells whose tables do not change.

    Raises:
        ValueError: if the game declares no cells, or a linear or fixed table is not possible, see `table_modes`.
    """

    def __init__(
        self,
        game: Game,
        network: Network,
        word: Array,
        most_steps: int,
        linear: Sequence[str] = (),
        fixed: Sequence[str] = (),
    ) -> None:
        layout_of(game)
        self.game, self.network, self.word = game, network, word
        self._state = game.new_records(1)
        self._memory, self._replies = new_turn_search(game, network), new_turn_search(game, network)
        self._scores = np.zeros(views_of(game.num_players))
        self._steps = new_steps(game, network, most_steps, linear, fixed)
        self._learning = np.zeros(1, LEARNING)

    def learn(
        self,
        weights: Array,
        games: int,
        *,
        step_size: float,
        trace: float,
        random_moves: float,
        random_turns: int,
        beam: int,
        depth: int,
        replies: int = 0,
        discount: float = 1.0,
        recompute: bool = False,
        earlier: Array | None = None,
        heuristic: bool = False,
    ) -> tuple[int, int, float]:
        """Play games and learn from each of them.

        Args:
            weights: float32 (W,), changed in place.
            games: The number of games.
            step_size: The change of a score for an error of 1.
            trace: λ, from 0 to 1.
            random_moves: ε, the probability that a step starts with a uniformly random decision.
            random_turns: The maximum number of random turns at the start of a game.
            beam: Open positions of a layer that are searched further.
            depth: Layers of the search.
            replies: The number of the best own turns that are evaluated by the reply to them.
            discount: The probability that a game continues after a step. A game that does not is worth what its leads
                in score are worth to the agent `turns:K:score`.
            recompute: Whether the value of a step is computed again before weights change, after the changes for later
                steps of the game. Without, changes for many steps with the same weights add up.
            earlier: float32 (W,), earlier weights for all seats but one; None if all seats learn.
            heuristic: Whether the heuristic plays all seats but one, instead of earlier weights.

        Returns:
            The numbers of steps (without decisions of the heuristic) and of evaluated positions, and the root mean
            square of the temporal-difference errors.
        """
        learning = self._learning[0]
        learning.step_size, learning.decay, learning.discount = step_size, trace, discount
        learning.recompute = recompute
        if discount < 1.0:
            learning.lead, learning.no_lead = lead_cell(self.game)
        learning.random_moves, learning.random_turns = random_moves, random_turns
        settings, counts = new_settings(self.game, beam, depth, replies), np.zeros(2, np.int64)
        if len(self._memory.leaf_values) != max(replies, 1):  # a search keeps no more leaves than it needs
            self._memory = new_turn_search(self.game, self.network, max(replies, 1))
        learning.learner = -1 if earlier is None and not heuristic else 0
        learning.heuristic = heuristic
        self_play_of(self.game.type, heuristic)(
            self._state, games, self.word, learning, settings[0], self._memory, self._replies, self._steps,
            self.network, weights, weights if earlier is None else earlier, self._scores, counts,
        )  # fmt: skip
        total, number = self._steps.errors
        self._steps.errors[:] = 0.0
        return int(counts[0]), int(counts[1]), float(np.sqrt(total / max(number, 1.0)))


def lead_cell(game: Game) -> tuple[int, int]:
    """Return the number of the cell with the lead, and its value for a lead of 0.

    Raises:
        ValueError: if the game has no such cell.
    """
    layout = game.type.cell_layout(game.params)
    if layout is None or all(field.name != LEAD for field in layout.fields):
        raise ValueError(f"{game.name} has no cell {LEAD!r}, which a discount needs")
    return layout.start(LEAD), layout.field(LEAD).values // 2


@functools.cache
def self_play_of(game_type: GameType, with_heuristic: bool) -> Any:
    """Return the compiled loop of a game."""
    return self_play_loop(compiled_game(game_type).kernels, game_type.folder, with_heuristic)


def self_play_loop(kernels: CompleteKernels, folder: Path, with_heuristic: bool) -> Any:
    """Build the loop `play(states, games, word, learning, settings, memory, replies, steps, network, ...)`.

    The heuristic is only compiled with `with_heuristic`.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    current_player, apply, sample_chance = kernels.current_player, kernels.apply, kernels.sample_chance
    heuristic = kernels.heuristic
    rewards_of, learn = kernels.rewards, learn_game(folder)
    open_game, play_turn = _open_game(kernels, folder), _play_turn(kernels, folder)

    @compiled
    def play(
        states, games, word, learning, settings, memory, replies, steps, network, weights, earlier, scores, counts
    ):
        state = states[0]
        for _ in range(games):
            open_game(state, word, learning, memory.tree.mask)
            if learning.learner >= 0:
                learning.learner = below(draw_at(word, 0), memory.values.shape[0])
            count = 0
            while count < steps.owners.shape[0]:
                player = current_player(state)
                if player == TERMINAL:
                    break
                if player == CHANCE:
                    apply(state, sample_chance(state))
                    if current_player(state) == TERMINAL and count > 0:
                        rewards_of(state, memory.rewards)
                        shares_of_rewards(memory.rewards, settings, steps.expected[count - 1])
                    continue
                is_learner = learning.learner < 0 or player == learning.learner
                if with_heuristic and learning.heuristic and not is_learner:
                    apply(state, heuristic(state))
                    if current_player(state) == TERMINAL and count > 0:
                        rewards_of(state, memory.rewards)
                        shares_of_rewards(memory.rewards, settings, steps.expected[count - 1])
                    continue
                acting = weights if is_learner else earlier
                count = play_turn(
                    state, count, word, learning, settings, memory, replies, steps, network, weights, acting, scores
                )
                counts[0] += 1
            if count == steps.owners.shape[0] and current_player(state) != TERMINAL:  # truncated
                for p in range(memory.values.shape[0]):
                    steps.expected[count - 1, p] = steps.values[count - 1, p]
            learn(count, learning, steps, network, weights, scores, memory.values)
        counts[1] += memory.counts[EVALUATED] + replies.counts[EVALUATED]
        memory.counts[EVALUATED] = replies.counts[EVALUATED] = 0

    return play


def _open_game(kernels: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    current_player, apply, sample_chance = kernels.current_player, kernels.apply, kernels.sample_chance
    new_game, random_action, turn_of = kernels.new_game, kernels.random_action, turn_kernel(kernels)

    @compiled
    def open_game(state, word, learning, mask):
        """Start a game with random turns."""
        new_game(state)
        state.rng = draw_at(word, 0)
        for _ in range(below(draw_at(word, 0), learning.random_turns + 1)):
            while current_player(state) == CHANCE:
                apply(state, sample_chance(state))
            turn, owner = turn_of(state), current_player(state)
            while current_player(state) != TERMINAL and turn_of(state) == turn:
                if current_player(state) not in (owner, CHANCE):
                    break
                if current_player(state) == CHANCE:
                    apply(state, sample_chance(state))
                else:
                    apply(state, random_action(state, draw_at(word, 0), mask))
            if current_player(state) == TERMINAL:
                new_game(state)

    return open_game


def _play_turn(kernels: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    current_player, apply, turn_of = kernels.current_player, kernels.apply, turn_kernel(kernels)
    random_action, search, cells = kernels.random_action, search_turns(kernels, folder), cells_kernel(kernels, folder)
    rewards_of = kernels.rewards

    @compiled
    def add_step(state, owner, count, steps, network, weights, scores, cell_memory):
        """Store the position after the decisions of a player, with its value."""
        views = steps.cells.shape[1]
        for view in range(views):
            out = steps.cells[count, view]
            cells(state, owner if views == 1 else view, cell_memory, out)
            scores[view] = score_of(network, weights, out)
        steps.owners[count], steps.linked[count] = owner, False
        shares_of_scores(scores, owner, steps.values[count])

    @compiled
    def play_turn(state, count, word, learning, settings, memory, replies, steps, network, weights, acting, scores):
        """Play the decisions to the best leaf by the weights `acting`, perhaps after a random one.

        Return the new number of steps.
        """
        owner, turn = current_player(state), turn_of(state)
        is_learner = learning.learner < 0 or owner == learning.learner
        search(state, settings, memory, replies, network, acting)
        if count > 0:
            for p in range(memory.values.shape[0]):
                steps.expected[count - 1, p] = memory.leaf_values[0, p]
        follows = True
        if learning.random_moves > 0.0 and unit(draw_at(word, 0)) < learning.random_moves:
            apply(state, random_action(state, draw_at(word, 0), memory.tree.mask))
            follows = current_player(state) == owner and turn_of(state) == turn
            if follows:
                search(state, settings, memory, replies, network, acting)
        elif count > 0:
            steps.linked[count - 1] = True
        if follows:
            for k in range(memory.leaf_lengths[0]):
                if k > 0 and (current_player(state) != owner or turn_of(state) != turn):
                    break
                apply(state, memory.leaf_paths[0, k])
        if current_player(state) == TERMINAL:
            if not is_learner and count > 0:
                rewards_of(state, memory.rewards)
                shares_of_rewards(memory.rewards, settings, steps.expected[count - 1])
            return count
        add_step(state, owner, count, steps, network, weights, scores, memory.tree.cell_memory[0])
        if not is_learner and count > 0:
            for p in range(memory.values.shape[0]):
                steps.expected[count - 1, p] = steps.values[count, p]
        return count + 1

    return play_turn


@lean_kernel
def shares_of_leads(steps, step, learning, scores, shares):
    """Fill `shares` (P,) with what the leads in score of a step are worth; `scores` (V,) is scratch."""
    for view in range(scores.shape[0]):
        scores[view] = SCORE_WEIGHT * (np.int64(steps.cells[step, view, learning.lead]) - learning.no_lead)
    shares_of_scores(scores, steps.owners[step], shares)


def learn_game(folder: Path) -> Any:
    """Build the kernel `learn(count, learning, steps, network, weights, scores, shares)` that learns from a game.

    `scores` (V,) and `shares` (P,) are scratch.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)

    @compiled
    def learn(count, learning, steps, network, weights, scores, shares):
        players, views = steps.values.shape[1], steps.cells.shape[1]
        values, targets = steps.values, steps.expected  # targets replace the expected values
        for step in range(count - 1, -1, -1):
            for p in range(players):
                steps.errors[0] += (targets[step, p] - values[step, p]) ** 2
            steps.errors[1] += players
            if steps.linked[step] and step + 1 < count:
                for p in range(players):
                    targets[step, p] += learning.decay * (targets[step + 1, p] - targets[step, p])
            if learning.discount < 1.0:
                shares_of_leads(steps, step, learning, scores, shares)
                for p in range(players):
                    targets[step, p] += (1.0 - learning.discount) * (shares[p] - targets[step, p])
            if learning.learner >= 0 and steps.owners[step] != learning.learner:
                continue
            if learning.recompute:
                for view in range(views):
                    scores[view] = score_of(network, weights, steps.cells[step, view])
                shares_of_scores(scores, steps.owners[step], shares)
                for p in range(players):
                    values[step, p] = shares[p]
            for view in range(views):
                p = steps.owners[step] if views == 1 else view
                error = targets[step, p] - values[step, p]
                steps.number[0] += 1
                change_score(
                    network,
                    weights,
                    steps.cells[step, view],
                    steps.scratch,
                    steps.last,
                    steps.number[0],
                    learning.step_size * error,
                    steps.modes,
                )

    return learn
