"""`Prover`: claims about the positions of a game, their exact values, and the table that both use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.game import Game
from edge_envs.core.nodes import TERMINAL
from edge_envs.core.solving.df_pn import ProofKernels, search_of, turns_of, workspace
from edge_envs.core.solving.proof_table import blank_table, put_rows
from edge_envs.core.spec import Array, Record, Records

PROVEN, REFUTED, OPEN, STUCK = 1, 0, -1, -2
"""The status of a claim. `STUCK`: not proven, but only because positions repeat or turns are limited."""

NO_LIMIT = 1 << 62
MOST_TURNS = 250
"""The depth limit of every proof, in turns."""
SHORT = 9
"""With at most this many turns left, claims are limited from the start."""
_FIRST_EFFORT, _GROWTH, _MOST_EFFORT = 10_000, 1.5, 10_000_000  # positions


class Claim(NamedTuple):
    """The claim that a player forces a return of at least `least`.

    `limited` claims are about the game with its limit on turns; others require the return before the limit matters.
    """

    player: int
    least: float
    limited: bool

    @property
    def opposite(self) -> Claim:
        """The claim of the other player that holds if this one does not. Returns are -1, 0 and 1."""
        return Claim(1 - self.player, 1.0 - self.least, self.limited)

    def __str__(self) -> str:
        what = "wins" if self.least > 0 else "does not lose"
        return f"player {self.player} {what}"


class ProofResult(NamedTuple):
    """The result of a search.

    | field | meaning |
    |---|---|
    | `status` | `PROVEN`, `REFUTED`, `STUCK` or `OPEN` |
    | `action` | the action that settled the claim, or -1 |
    | `turns` | the number of turns in which the claim is carried out |
    | `proof`, `disproof` | the proof and disproof numbers of the position |
    | `positions` | how many positions the search visited |
    """

    status: int
    action: int
    turns: int
    proof: int
    disproof: int
    positions: int


class Prover:
    """Prove claims about a game, and keep the results in `table`.

    Several threads may use a prover; they wait for each other. A copy starts with an empty table.
    """

    def __init__(self, game: Game, kernels: ProofKernels, slots: int = 1 << 22) -> None:
        """Create a prover.

        Args:
            game: A deterministic game of two players whose returns are -1, 0 and 1, all paid at the end.
            kernels: The game's kernels for proofs.
            slots: The number of rows of the table, a power of two.
        """
        self.game = game
        self.table = blank_table(slots)
        self.positions = 0
        """The number of positions visited by all searches."""
        self._kernels, self._proof_kernels = game.compiled.kernels, kernels
        self._search = search_of(game.type, kernels)
        turns = min(MOST_TURNS, game.params.get("max_turns", MOST_TURNS))
        self._work = workspace(game, depth=kernels.decisions(game.params) * turns + 3)
        self._lock = threading.Lock()  # guards the workspace and the table

    def settle(self, record: Record, claim: Claim, nodes: int = NO_LIMIT) -> ProofResult:
        """Search for a proof or a refutation of a claim about a decision, visiting about `nodes` positions at most."""
        work = self._work
        with self._lock:
            work.states[0] = record
            self._search(work, self.table, claim.player, float(claim.least), claim.limited, nodes)
            proof, disproof, action = map(int, work.result)
            positions = int(work.visited[0])
            self.positions += positions
        turns = turns_of(max(proof, disproof))
        if proof > 0 and disproof > 0:
            return ProofResult(OPEN, -1, 0, proof, disproof, positions)
        if claim.limited or turns <= self.turns_left(record):
            stuck = max(proof, disproof) & 1
            status = PROVEN if proof == 0 else STUCK if stuck else REFUTED
        else:
            status = STUCK  # it would take more turns than are left
        return ProofResult(status, action, turns, proof, disproof, positions)

    def value(self, record: Record, progress: Callable[[float], None] | None = None) -> float:
        """Return the exact return of player 0 under optimal play from any position, however long that takes.

        Args:
            record: The position.
            progress: Called with the estimated fraction that is done.

        Raises:
            ValueError: if more than `MOST_TURNS` turns matter.
        """
        if self._kernels.current_player(record) == TERMINAL:
            rewards = np.empty(self.game.num_players)
            self._kernels.rewards(record, rewards)
            return float(rewards[0])
        search = ValueSearch(self, record)
        for _ in search.steps():
            if progress:
                progress(1.0 - 0.9 ** (search.positions / 1e6))
        return search.value

    def rows(self, most: int) -> Array:
        """Return the rows of the table with the most work, at most `most` of them."""
        with self._lock:
            work = self.table[:, 3].astype(np.uint32)  # the low half
            least = 1
            while np.count_nonzero(work >= least) > most:
                least *= 2
            return self.table[work >= least]

    def take_rows(self, rows: Array) -> None:
        """Store rows of another table in this one."""
        with self._lock:
            put_rows(self.table, rows)

    def turns_left(self, record: Record) -> int:
        """Return the number of turns that may still end, the current one included."""
        return int(self._proof_kernels.turns_left(record))

    def acting(self, record: Record) -> int:
        """Return the player to act in a position, or TERMINAL."""
        return int(self._kernels.current_player(record))

    def action_values(self, record: Record, out: Array) -> None:
        """Fill `out` (num_distinct_actions,) with the exact return of the player to act after each action.

        Illegal actions get NaN.
        """
        kernels, acting = self._kernels, self._kernels.current_player(record)
        mask = np.empty(self.game.num_distinct_actions, np.int8)
        kernels.legal_action_mask(record, mask)
        out[:] = np.nan
        following: Records = self.game.new_records(1)
        for action in np.flatnonzero(mask):
            following[0] = record
            kernels.apply(following[0], action)
            value = self.value(following[0])
            out[action] = value if acting == 0 else -value

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self._proof_kernels, len(self.table))


class ValueSearch:
    """Determine the value of a decision by two questions: does player 0 win, and does player 1?

    Iterative deepening by effort: the search continues with the question that seems easier to answer with yes, and the
    number of positions per step grows. If a question is stuck because positions repeat, the opposite claim of the other
    player is searched, and finally the claim with the limit on turns.
    """

    def __init__(self, prover: Prover, record: Record) -> None:
        self.prover, self.record = prover, record
        self.short = prover.turns_left(record) <= SHORT
        self.wins: list[bool | None] = [None, None]
        """Whether each player wins; None while unknown."""
        self.stages = [0, 0]
        """How often each question has been stuck."""
        self.numbers = [(1, 1), (1, 1)]
        """The proof and disproof numbers of each question's claim."""
        self.effort = _FIRST_EFFORT
        self.positions = 0

    def claim(self, player: int) -> Claim:
        """Return the claim that decides, or has decided, whether a player wins."""
        claim = Claim(player, 1.0, False)
        claims = [claim._replace(limited=True)] if self.short else [claim, claim.opposite, claim._replace(limited=True)]
        return claims[self.stages[player]]

    @property
    def low(self) -> float:
        """The lower bound of player 0's return."""
        return 1.0 if self.wins[0] else 0.0 if self.wins[1] is False else -1.0

    @property
    def high(self) -> float:
        """The upper bound of player 0's return."""
        return -1.0 if self.wins[1] else 0.0 if self.wins[0] is False else 1.0

    @property
    def value(self) -> float:
        """The exact return of player 0.

        Raises:
            ValueError: if it is not known yet.
        """
        if self.low < self.high:
            raise ValueError("the value is not known yet")
        return self.low

    def steps(self) -> Iterator[tuple[Claim, ProofResult]]:
        """Search until the value is known, and yield the claim and the result of each step."""
        while self.low < self.high:
            player = self._next()
            claim = self.claim(player)
            result = self.prover.settle(self.record, claim, self.effort)
            self.positions += result.positions
            self.numbers[player] = (result.proof, result.disproof)
            self._record(player, claim, result.status)
            yield claim, result
            self.effort = min(int(self.effort * _GROWTH), _MOST_EFFORT)

    def proofs(self) -> list[tuple[int, float, Claim]]:
        """Return (player, least return, settled claim) for each player who secures a win or, in a draw, no loss.

        A decided game has one entry, the winner's. A draw has two.
        """
        value = self.value
        if value != 0.0:
            winner = 0 if value > 0 else 1
            return [(winner, 1.0, self.claim(winner))]
        return [(player, 0.0, self.claim(1 - player)) for player in (0, 1)]

    def _next(self) -> int:
        """Return the open question's player who is more likely to win; the player to act in a tie."""
        acting = self.prover.acting(self.record)
        return min((player for player in (acting, 1 - acting) if self.wins[player] is None), key=self._work_ratio)

    def _work_ratio(self, player: int) -> float:
        """Return the estimated work to prove that a player wins, relative to the work to refute it."""
        proof, disproof = self.numbers[player]
        return proof / disproof if self.claim(player).player == player else disproof / proof

    def _record(self, player: int, claim: Claim, status: int) -> None:
        """Record the status of a player's current claim."""
        if status in (PROVEN, REFUTED):
            self.wins[player] = (status == PROVEN) == (claim.player == player)
        elif status == STUCK:
            if claim.limited:
                raise ValueError(f"more than {MOST_TURNS} turns matter, and no search looks further ahead")
            self.stages[player] += 1
            self.numbers[player] = (1, 1)


class ProvenSolution:
    """The exact solution of a game, proven on demand: the start at once, other positions when they are requested.

    It implements `edge_envs.core.solver.Solution`.
    """

    error_bound = 0.0

    def __init__(
        self, game: Game, kernels: ProofKernels, progress: Callable[[float], None] | None = None, slots: int = 1 << 22
    ) -> None:
        """Solve the start.

        Args:
            game: A game as `Prover` requires it.
            kernels: The game's kernels for proofs.
            progress: Called with the estimated fraction that is done.
            slots: The number of rows of the table, a power of two.
        """
        self.game = game
        self.prover = Prover(game, kernels, slots)
        self.start = ValueSearch(self.prover, start_of(game)[0])
        for _ in self.start.steps():
            if progress:
                progress(1.0 - 0.9 ** (self.start.positions / 1e6))
        if progress:
            progress(1.0)
        self.positions = self.prover.positions
        """The number of positions visited to solve the start."""

    @property
    def start_value(self) -> float:
        """The return of player 0 under optimal play."""
        return self.start.value

    @property
    def first_player_win_probability(self) -> float:
        """The win probability of player 0 under optimal play, a draw counting half."""
        return (1.0 + self.start_value) / 2

    def decision_values(self, states: Records, out: Array) -> None:
        """Fill `out` (k, num_distinct_actions) with win probabilities, see `Solution.decision_values`."""
        for state, row in zip(states, out, strict=True):
            self.prover.action_values(state, row)
        out += 1.0
        out /= 2.0


def start_of(game: Game) -> Records:
    """Return an array of one record: the start of a game without chance."""
    records = game.new_records(1)
    game.compiled.kernels.new_game(records[0])
    return records
