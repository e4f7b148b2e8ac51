"""Agents `turns`, which search whole turns by the values of an n-tuple network or the lead in score, and `search`."""

from __future__ import annotations

import dataclasses
import functools
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.cells import NO_MEMORY, CellField, CellLayout
from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import kernel_of
from edge_envs.core.errors import in_short
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.opponent import check_shown
from edge_envs.core.spec import Array, Records
from edge_envs.ntuple.network import Network, TupleSpec, new_network
from edge_envs.ntuple.policy import read_tuples
from edge_envs.ntuple.reply_search import new_answered, search_three_turns, search_turns
from edge_envs.ntuple.tree_search import MacroSearcher
from edge_envs.ntuple.turn_search import (
    MAX_LEAVES,
    TurnSearch,
    new_settings,
    new_turn_search,
)
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget

SCORE = "score"
"""The name of the value without learning, as in `turns:16:score`."""
REPLIES = 16
LEAD = "lead"
MOST_LEAD = 1000
SCORE_WEIGHT = 0.05
"""The logit of a share of the win for a lead of one."""
SCORE_BEAM = 64


class TurnsAgent:
    """Choose the first action of the turn with the greatest value at its end; see `edge_envs.ntuple.reply_search`.

    The same state record always gives the same action. Threads may share an agent; a lock serializes their calls.

    Args:
        game: The game to play.
        network: The tuples.
        weights: float32 (W,).
        beam: The number of open positions of a layer that are searched further.
        depth: The number of layers: how often the continuations of open positions are listed.
        replies: The number of the best own turns that are evaluated again, by a search of the next player's turn with
            the same beam; 0 for none.
        answers: The number of the best replies to each of them that are evaluated by the best turn after them; 0 for
            none.
        name: The name of the agent.
    """

    needs_states = True

    def __init__(
        self,
        game: Game,
        network: Network,
        weights: Array,
        *,
        beam: int,
        depth: int,
        replies: int = 0,
        answers: int = 0,
        name: str = "turns",
    ) -> None:
        if np.shape(weights) != (int(network.size[0]),):
            raise ValueError(f"weights: shape {np.shape(weights)} is not ({int(network.size[0])},) as in the network")
        self.game, self.network, self.weights, self.name = game, network, weights, name
        self.beam, self.depth, self.replies, self.answers = beam, depth, replies, answers
        self._settings, self._exact = (new_settings(game, beam, depth, replies, exact) for exact in (False, True))
        self._memory = new_turn_search(game, network, max(replies, 1))
        self._firsts = np.zeros((max(replies, 1), game.num_distinct_actions), np.uint8)
        self._replies = new_answered(game, network, answers, depth) if answers else new_turn_search(game, network)
        self.remembers = self._memory.tree.cell_memory.dtype != NO_MEMORY
        self._loop = self._compiled()
        self._lock = threading.Lock()

    def act(
        self,
        observations: Array,
        action_masks: Array,
        states: Records | None,
        players: Array,
        rng: np.random.Generator,
    ) -> Array:
        """Choose legal actions (k,) for the seats to act in the state records `states` (k,)."""
        return self._search(check_shown(self.game, action_masks, states), self._settings, self._memory)[0]

    def action_values(self, states: Records) -> Array:
        """Return the expected return after each action for the seats to act.

        Every turn is evaluated to the end, without killer moves. In a search of three turns, another action than that
        of `act` may therefore have the best value. If several first decisions lead to the same position within a turn,
        only one of them gets the values of the turns from there.

        Args:
            states: State records (k,) at decisions.

        Returns:
            float64 (k, num_distinct_actions), NaN for illegal actions and those that were not searched to the end.
        """
        self.game.check_decisions(states)
        return self._search(states, self._exact, self._memory._replace(leaf_firsts=self._firsts))[1]

    @classmethod
    def load(
        cls, folder: str | Path, game: Game | None = None, replies: int | None = None, answers: int = 0
    ) -> TurnsAgent:
        """Load the policy of an n-tuple network; see `edge_envs.ntuple.policy`.

        Args:
            folder: The folder of the policy.
            game: The game to play; None for the one that the policy was made for.
            replies: The number of the best own turns that are evaluated by the reply to them; None for that of the
                policy.
            answers: The number of replies that are evaluated by the turn after them, see `TurnsAgent`.

        Raises:
            ValueError: if the folder is invalid, or does not fit `game`.
        """
        policy, name = read_tuples(folder, game), Path(folder).as_posix()
        if replies is None:
            replies = policy.replies
        else:
            name = f"turns:{in_numbers(replies, answers)}:{name}"
        return TurnsAgent(
            policy.game,
            policy.network,
            policy.weights,
            beam=policy.beam,
            depth=policy.depth,
            replies=replies,
            answers=answers,
            name=name,
        )

    def searcher(self, budget: Budget) -> MacroSearcher:
        """Return a tree search with these values; see `edge_envs.ntuple.tree_search`."""
        return MacroSearcher(self.game, budget, self.network, self.weights, beam=self.beam, depth=self.depth)

    def _compiled(self) -> Any:
        return _loop(self.game.type, bool(self.answers))

    def _search(self, states: Records, settings: Any, memory: TurnSearch) -> tuple[Array, Array]:
        actions, values = np.empty(len(states), np.int64), np.empty((len(states), self.game.num_distinct_actions))
        with self._lock:
            self._loop(states, settings[0], memory, self._replies, self.network, self.weights, actions, values)
        return actions, values

    def __reduce__(self) -> tuple[Any, ...]:
        numbers: dict[str, Any] = {"beam": self.beam, "depth": self.depth, "replies": self.replies}
        options = {**numbers, "answers": self.answers, "name": self.name}
        return functools.partial(type(self), **options), (self.game, self.network, self.weights)


class ScoreTurnsAgent(TurnsAgent):
    """Choose whole turns by the lead in score, without learning: the yardstick `turns:K:score`.

    Args:
        game: A game with a score.
        replies: The number of the best own turns that are evaluated by the reply to them; 0 for none.
        answers: The number of replies that are evaluated by the turn after them, see `TurnsAgent`.
        name: The name of the agent.

    Raises:
        ValueError: if the game has no score, or no fixed sum of returns.
    """

    def __init__(self, game: Game, replies: int = REPLIES, answers: int = 0, name: str = "") -> None:
        numbers = in_numbers(replies, answers)
        if not game.type.has_score:
            raise ValueError(f"turns:{numbers}:{SCORE} compares scores, but {game.name} has no kernel `score`")
        layout = game.type.cell_layout(game.params)
        self._reads_cells = layout is not None and any(field.name == LEAD for field in layout.fields)
        if layout is None or not self._reads_cells:
            layout = CellLayout((CellField(LEAD, 2 * MOST_LEAD + 1, f"lead in score, clipped to ±{MOST_LEAD}"),))
        network = new_network(layout, [TupleSpec(cells=(LEAD,))])
        weights = score_weights(layout, network)
        super().__init__(
            game,
            network,
            weights,
            beam=SCORE_BEAM,
            depth=8,
            replies=replies,
            answers=answers,
            name=name or f"turns:{numbers}:{SCORE}",
        )

    @classmethod
    def from_text(cls, text: str, game: Game) -> TurnsAgent:
        """Create the agent from the part of its name behind the first colon: `16:score`, `16`, `16x8` or `16:FOLDER`.

        Raises:
            ValueError: if `text` is invalid, or the game has no score, or the policy in the folder does not fit it.
        """
        replies, answers, folder = _parse(text)
        return TurnsAgent.load(folder, game, replies, answers) if folder else cls(game, replies, answers)

    @staticmethod
    def check_text(text: str) -> None:
        """Raise ValueError unless a string has numbers of turns, perhaps with `:score` or the folder of a policy."""
        folder = _parse(text)[2]
        if folder and not Path(folder).is_dir():
            raise ValueError(f"{folder} is not a policy folder")

    def _compiled(self) -> Any:
        game, three = self.game, bool(self.answers)
        return _loop(game.type, three) if self._reads_cells else _score_loop(game.type, game.num_players, three)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.replies, self.answers, self.name)


def score_weights(layout: CellLayout, network: Network) -> Array:
    """Return weights float32 (W,) with which tuples of the cell `lead` alone make the values of `turns:K:score`."""
    weights = np.zeros(network.size[0], np.float32)
    cell, values = layout.start(LEAD), layout.field(LEAD).values
    for first, count, around, base, _ in network.tuples:
        if count == 1 and around < 0 and network.members[first] == cell:
            weights[base : base + values] = SCORE_WEIGHT * (np.arange(values) - values // 2)
    return weights


class NamedSearchAgent(SearchAgent):
    """A tree search whose name may end with the folder of an n-tuple network's policy: `search:200:FOLDER`."""

    @classmethod
    def from_text(cls, text: str, game: Game) -> SearchAgent:
        """Create the agent from the part of its name behind the first colon: `200`, `50ms` or `200:FOLDER`.

        Raises:
            ValueError: if `text` is invalid, or the policy in the folder does not fit the game.
        """
        cls.check_text(text)
        budget, _, folder = text.partition(":")
        return cls(game, Budget.parse(budget), TurnsAgent.load(folder, game) if folder else None)

    @staticmethod
    def check_text(text: str) -> None:
        """Raise ValueError unless a string is a budget, perhaps with the folder of a policy."""
        budget, _, folder = text.partition(":")
        Budget.parse(budget if folder else text)
        if folder and not Path(folder).is_dir():
            raise ValueError(f"{folder} is not a policy folder")


def in_numbers(replies: int, answers: int) -> str:
    """Return the numbers in the name of an agent: `16`, or `16x8` with answers."""
    return f"{replies}x{answers}" if answers else str(replies)


def numbers_of(text: str) -> tuple[int, int]:
    """Return the numbers of replies and of answers in `16` or `16x8`.

    Raises:
        ValueError: if the text is something else, or a number is out of range.
    """
    numbers = [int(word) if re.fullmatch("[0-9]{1,4}", word) else -1 for word in text.split("x")]
    if len(numbers) > 2 or not all(len(numbers) - 1 <= number <= MAX_LEAVES for number in numbers):
        raise ValueError(
            f"expected 0 to {MAX_LEAVES} turns, as in turns:16:{SCORE}, or turns and replies to each, from 1 to "
            f"{MAX_LEAVES}, as in turns:16x8:{SCORE}, not {in_short(text)}"
        )
    return numbers[0], numbers[1] if len(numbers) == 2 else 0


def _parse(text: str) -> tuple[int, int, str]:
    """Return the numbers in `K`, `K:score`, `KxM:score` or `K:FOLDER`, and the folder or ""."""
    numbers, colon, rest = text.partition(":")
    if colon and not rest:
        raise ValueError(f"expected {SCORE} or the folder of a policy after {in_short(text)}")
    return *numbers_of(numbers), "" if rest == SCORE else rest


@functools.cache
def _loop(game_type: GameType, three: bool) -> Any:
    return turns_loop(compiled_game(game_type).kernels, game_type.folder, three)


@functools.cache
def _score_loop(game_type: GameType, players: int, three: bool) -> Any:
    return turns_loop(_score_rules(game_type, players), game_type.folder, three)


def _score_rules(game_type: GameType, players: int) -> CompleteKernels:
    """Return the kernels of a game with the lead in score as its only cell."""
    kernels = compiled_game(game_type).kernels
    score = kernels.score

    @kernel_of(game_type.folder, also=Path(__file__).resolve().parent)
    def lead(state, viewer, out):
        """Write the lead over the best other player, clipped."""
        others = -np.inf
        for other in range(players):
            if other != viewer:
                others = max(others, np.float64(score(state, other)))
        ahead = np.round(score(state, viewer) - others)
        out[0] = np.int16(min(max(ahead, -MOST_LEAD), MOST_LEAD) + MOST_LEAD)

    return dataclasses.replace(kernels, cells=lead, cells_with=None, turns=None)


def turns_loop(kernels: CompleteKernels, folder: Path, three: bool = False) -> Any:
    """Build the loop `choose(states, settings, memory, replies, network, weights, actions, values)` over records (N,).

    With `three` it searches three turns, and `replies` is the memory `Answered`. It fills `actions` (N,) with the best
    actions and `values` (N, A) with the expected returns of the players to act.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    search = search_three_turns(kernels, folder) if three else search_turns(kernels, folder)

    @compiled
    def choose(states, settings, memory, replies, network, weights, actions, values):
        for i in range(states.shape[0]):
            search(states[i], settings, memory, replies, network, weights)
            actions[i] = memory.leaf_paths[0, 0]
            for action in range(values.shape[1]):
                values[i, action] = settings.lowest + settings.shared * memory.first_values[action]

    return choose
