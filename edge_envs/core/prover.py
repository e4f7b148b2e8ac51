"""A `Prover` of one game: claims about its positions, their exact values, and the table that both come from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edge_envs.core.nodes import TERMINAL
from edge_envs.core.proofs import OPEN, PROVEN, REFUTED, STUCK, Desk, Hints, blank_table, turns_of

if TYPE_CHECKING:
    from edge_envs.core.game import Array, Game, Record, Records

NO_LIMIT = 1 << 62
MOST_TURNS = 250
"""No proof looks further ahead."""
SHORT = 9
"""With so many turns left the limit is looked at from the first."""
_FIRST_EFFORT, _GROWTH, _MOST_EFFORT = 10_000, 1.5, 10_000_000  # positions


class Claim(NamedTuple):
    """That a player gets at least so much; `limited`: with the limit on turns as it is, else before it matters."""

    player: int
    least: float
    limited: bool

    @property
    def opposite(self) -> Claim:
        """What holds if this claim does not: the other player gets at least so much. Returns are -1, 0 and 1."""
        return Claim(1 - self.player, 1.0 - self.least, self.limited)

    def __str__(self) -> str:
        what = "wins" if self.least > 0 else "does not lose"
        return f"player {self.player} {what}"


class Answer(NamedTuple):
    """What a search found.

    `status` is PROVEN, REFUTED, STUCK or OPEN, `action` the one that settled it or -1, `turns` those within which it is
    carried out, `proof` and `disproof` the numbers of the position, `positions` how many were looked at.
    """

    status: int
    action: int
    turns: int
    proof: int
    disproof: int
    positions: int


class Prover:
    """Proves claims about a game, and remembers in `table` what it finds on the way.

    It may be used by several threads; they wait for each other. A copy begins with an empty table.
    """

    def __init__(self, game: Game, hints: Hints, slots: int = 1 << 22) -> None:
        """For a game of two players without chance whose returns are -1, 0 and 1, all paid at the end."""
        self.game = game
        self.table = blank_table(slots)
        self.positions = 0
        """How many positions all searches have looked at."""
        self._kernels, self._hints = game.type.kernels, hints
        self._compiled = game.type.prover_search(hints)
        turns = min(MOST_TURNS, game.params.get("max_turns", MOST_TURNS))
        depth, actions = hints.decisions(game.params) * turns + 3, game.num_distinct_actions
        self._desk = Desk(
            game.new_records(depth),
            np.zeros((depth, 2), np.uint64),
            np.zeros((depth, 6), np.int64),
            np.zeros((depth, actions, 6), np.int64),
            np.zeros((depth, actions, 2), np.uint64),
            np.zeros(actions, np.int8),
            np.zeros(actions, np.int8),
            np.zeros(game.num_players),
            np.zeros(1, np.int64),
            np.zeros(3, np.int64),
        )
        self._lock = threading.Lock()  # of the desk and the table

    def settle(self, record: Record, claim: Claim, nodes: int = NO_LIMIT) -> Answer:
        """Whether a claim about a decision holds, looking at no more than about so many positions more."""
        desk = self._desk
        with self._lock:
            desk.states[0] = record
            self._compiled.search(desk, self.table, claim.player, float(claim.least), claim.limited, nodes)
            proof, disproof, action = map(int, desk.answer)
            positions = int(desk.tally[0])
            self.positions += positions
        turns = turns_of(max(proof, disproof))
        if proof > 0 and disproof > 0:
            return Answer(OPEN, -1, 0, proof, disproof, positions)
        if claim.limited or turns <= self.turns_left(record):
            stuck = max(proof, disproof) & 1
            status = PROVEN if proof == 0 else STUCK if stuck else REFUTED
        else:
            status = STUCK  # it would take more turns than are left
        return Answer(status, action, turns, proof, disproof, positions)

    def value(self, record: Record, progress: Callable[[float], None] | None = None) -> float:
        """The exact return of player 0 with best play on both sides, from any position; it takes what it takes.

        ValueError if more turns matter than a search looks ahead.
        """
        if self._kernels.current_player(record) == TERMINAL:
            rewards = np.empty(self.game.num_players)
            self._kernels.rewards(record, rewards)
            return float(rewards[0])
        inquiry = Inquiry(self, record)
        for _ in inquiry.steps():
            if progress:
                progress(1.0 - 0.9 ** (inquiry.positions / 1e6))
        return inquiry.value

    def rows(self, most: int) -> Array:
        """The rows of the table that took most work, no more than so many."""
        with self._lock:
            work = self.table[:, 3].astype(np.uint32)  # the low half
            least = 1
            while np.count_nonzero(work >= least) > most:
                least *= 2
            return self.table[work >= least]

    def take_rows(self, rows: Array) -> None:
        """Put rows of another table into this one."""
        with self._lock:
            self._compiled.put_all(self.table, rows)

    def turns_left(self, record: Record) -> int:
        """The turns that may still end, the one of the position included."""
        return int(self._hints.turns_left(record))

    def acting(self, record: Record) -> int:
        """Who decides in a position; TERMINAL at the end."""
        return int(self._kernels.current_player(record))

    def action_values(self, record: Record, out: Array) -> None:
        """Fill `out` with the exact return of the player to act after each action; NaN where one is not legal."""
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
        return type(self), (self.game, self._hints, len(self.table))


class Inquiry:
    """What is the value of a decision? Asked as: does player 0 win, and does player 1?

    The search goes after the one that seems more likely, with rising effort. A question that is stuck for positions
    that come back is asked the other way round, and at last with the limit on turns.
    """

    def __init__(self, prover: Prover, record: Record) -> None:
        self.prover, self.record = prover, record
        self.short = prover.turns_left(record) <= SHORT
        self.wins: list[bool | None] = [None, None]
        """Whether each player wins, None as long as it is not known."""
        self.stages = [0, 0]
        """How often each question has been stuck."""
        self.numbers = [(1, 1), (1, 1)]
        """The proof and disproof numbers of the claim of each question."""
        self.effort = _FIRST_EFFORT
        self.positions = 0

    def claim(self, player: int) -> Claim:
        """The claim that decides, or has decided, whether a player wins."""
        claim = Claim(player, 1.0, False)
        claims = [claim._replace(limited=True)] if self.short else [claim, claim.opposite, claim._replace(limited=True)]
        return claims[self.stages[player]]

    @property
    def low(self) -> float:
        """What player 0 gets at least."""
        return 1.0 if self.wins[0] else 0.0 if self.wins[1] is False else -1.0

    @property
    def high(self) -> float:
        """What player 0 gets at most."""
        return -1.0 if self.wins[1] else 0.0 if self.wins[0] is False else 1.0

    @property
    def value(self) -> float:
        """The exact return of player 0; ValueError if it is not known yet."""
        if self.low < self.high:
            raise ValueError("the value is not known yet")
        return self.low

    def steps(self) -> Iterator[tuple[Claim, Answer]]:
        """Search on until the value is known; after each step what was asked and found."""
        while self.low < self.high:
            player = self._next()
            claim = self.claim(player)
            answer = self.prover.settle(self.record, claim, self.effort)
            self.positions += answer.positions
            self.numbers[player] = (answer.proof, answer.disproof)
            self._note(player, claim, answer.status)
            yield claim, answer
            self.effort = min(int(self.effort * _GROWTH), _MOST_EFFORT)

    def proofs(self) -> list[tuple[int, float, Claim]]:
        """Who gets at least how much, and the claim that is settled so; one of the winner, or in a draw two."""
        value = self.value
        if value != 0.0:
            winner = 0 if value > 0 else 1
            return [(winner, 1.0, self.claim(winner))]
        return [(player, 0.0, self.claim(1 - player)) for player in (0, 1)]

    def _next(self) -> int:
        """The player who is more likely to win, of those of whom it is not known; the one to act if none is."""
        acting = self.prover.acting(self.record)
        return min((player for player in (acting, 1 - acting) if self.wins[player] is None), key=self._doubt)

    def _doubt(self, player: int) -> float:
        proof, disproof = self.numbers[player]
        return proof / disproof if self.claim(player).player == player else disproof / proof

    def _note(self, player: int, claim: Claim, status: int) -> None:
        if status in (PROVEN, REFUTED):
            self.wins[player] = (status == PROVEN) == (claim.player == player)
        elif status == STUCK:
            if claim.limited:
                raise ValueError(f"more than {MOST_TURNS} turns matter, and no search looks further ahead")
            self.stages[player] += 1
            self.numbers[player] = (1, 1)


class ProvenSolution:
    """The exact solution of a game, proven on demand: the start at once, other positions when they are asked for.

    It is what `edge_envs.core.solve.Solution` asks for.
    """

    error_bound = 0.0

    def __init__(
        self, game: Game, hints: Hints, progress: Callable[[float], None] | None = None, slots: int = 1 << 22
    ) -> None:
        """Solve the start; `progress` is called with the fraction that is done, which is a guess."""
        self.game = game
        self.prover = Prover(game, hints, slots)
        self.start = Inquiry(self.prover, start_of(game)[0])
        for _ in self.start.steps():
            if progress:
                progress(1.0 - 0.9 ** (self.start.positions / 1e6))
        if progress:
            progress(1.0)
        self.positions = self.prover.positions
        """How many positions were looked at to solve the start."""

    @property
    def start_value(self) -> float:
        """The return of player 0 with best play on both sides."""
        return self.start.value

    @property
    def first_player_win_probability(self) -> float:
        """The value of the start to player 0, a draw counting half."""
        return (1.0 + self.start_value) / 2

    def decision_values(self, states: Records, out: Array) -> None:
        """Fill `out` (k, num_distinct_actions) as `Solution` says, a draw counting half."""
        for state, row in zip(states, out, strict=True):
            self.prover.action_values(state, row)
        out += 1.0
        out /= 2.0


def start_of(game: Game) -> Records:
    """An array of one record, the start of a game without chance."""
    records = game.new_records(1)
    game.type.kernels.new_game(records[0])
    return records
