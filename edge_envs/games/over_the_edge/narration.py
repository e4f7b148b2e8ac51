"""Describe the events of `over_the_edge` beyond the actions, and the result, in sentences.

`_Transition` replays a transition in plain Python, in the order of `rules.apply`, and describes each event: sets that
take effect, drifts, falls, missed turns, and discards that become the deck.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from edge_envs.core.spec import Record
from edge_envs.games.over_the_edge import actions
from edge_envs.games.over_the_edge.map.atlas import map_of
from edge_envs.games.over_the_edge.map.charts import AGROUND, OVER_THE_EDGE
from edge_envs.games.over_the_edge.pieces.cards import (
    DEAD_CALM,
    FAIR_WEATHER,
    FAVORABLE_WINDS,
    LOYAL_CREW,
    MUTINY,
    SCURVY,
    SET,
    SEVERE_DAMAGE,
    STORMY_SEAS,
    counts_of,
)
from edge_envs.games.over_the_edge.pieces.deck import KINDS, NUM_KINDS
from edge_envs.games.over_the_edge.state import (
    ANSWER,
    BOARD,
    DEAL,
    DISCARD,
    DRAW,
    END_TURN,
    GIVE,
    HOME,
    MAP,
    NOTHING,
    PLAY,
    REFILL,
    SECOND_STEP,
    SETS,
    TAKE,
    TRIM,
    has_fallen,
    is_by_limit,
    winding_of,
)

_DRIFTS = (SCURVY, STORMY_SEAS, SEVERE_DAMAGE)
Narration = Generator[str, None, bool]
"""Yield sentences, and return whether the turn ends."""


def result(record: Record) -> str:
    """Return a sentence that says who came home, or why nobody did."""
    if record.winner >= 0:
        chart, home = map_of(record), int(record.home[record.winner])
        when = f"in turn {record.turn + 1} of {record.max_turns}"
        port = chart.spaces[home].port
        return f"Player {record.winner} wins: home in {port} after sailing round the world, {when}."
    if is_by_limit(record):
        return f"Nobody wins: no ship came home in {record.max_turns} turns."
    return "Nobody wins: all ships have gone over the edge."


def scores(record: Record) -> dict[str, list[str]]:
    """Return how far round the world each ship sailed, in rounds, and where it ended."""
    chart, players = map_of(record), range(int(record.num_players))
    return {
        "rounds sailed": [f"{float(winding_of(record, player) / chart.sectors):+.2f}" for player in players],
        "ship": [_last_place(record, player) for player in players],
    }


def _last_place(record: Record, player: int) -> str:
    if has_fallen(record, player):
        return "over the edge"
    space = int(record.space[player])
    if space < 0:
        return "never sailed"
    here = map_of(record).spaces[space]
    return f"{'home in ' if record.winner == player else 'at '}{here.port or here.id}"


def events(before: Record, action: int, after: Record) -> list[str]:
    """Return sentences about all that happened without a decision, and about cards that changed hands."""
    return list(_Transition(before, int(after.winner)).apply(action))


def subject(record: Record) -> int | None:
    """Return the player who draws a card, or None before the map is drawn."""
    return None if record.phase == MAP else int(record.turn_player)


class _Transition:
    """Replay one transition from a position."""

    def __init__(self, record: Record, winner: int) -> None:
        """Copy a position; `winner` is the winner after the transition, or -1."""
        self.record, self.chart, self.winner = record, map_of(record), winner
        self.players = range(int(record.num_players))
        self.hand_size = int(record.hand_size)
        self.hands = [counts_of(hand) for hand in record.hands]
        self.deck, self.discards = counts_of(record.deck), counts_of(record.discards)
        self.space, self.home, self.skip = record.space.tolist(), record.home.tolist(), record.skip.tolist()
        self.player, self.turn, self.then = int(record.turn_player), int(record.turn), int(record.then)
        self.over = False

    def apply(self, action: int) -> Iterator[str]:
        """Describe the transition."""
        if (yield from self._narrate_action(action)):
            yield from self._next_turn()

    def _narrate_action(self, action: int) -> Narration:
        phase, player = int(self.record.phase), self.player
        other = action - len(self.chart.ports) - NUM_KINDS - 3 * len(self.chart.spaces)  # the id within `actions`
        if phase == MAP:
            return False
        if phase in (DRAW, REFILL, DEAL):
            self.deck[action] -= 1
            self.hands[player][action] += 1
            follow = {DRAW: self._after_draw, REFILL: self._fill_up, DEAL: self._deal}[phase]
            return (yield from follow())
        if phase in (DISCARD, TRIM):
            self._discard(player, action - len(self.chart.ports), 1)
            if phase == TRIM and sum(self.hands[player]) == self.hand_size:
                return (yield from self._draw_one())
            return False
        if phase == HOME:
            self.home[player] = self.space[player] = self.chart.ports[action]
            if player + 1 < len(self.players):
                return False
            self.player = 0
            return (yield from self._deal())
        if phase == SETS:
            if other == actions.CALM:
                yield from self._save(int(self.record.decider))
            else:
                yield from self._resolve_set(int(self.record.decider), other - actions.FIRST_SET)
            return (yield from self._check_sets())
        if phase in (BOARD, TAKE, GIVE, ANSWER):
            return (yield from self._board(phase, other))
        return (yield from self._sail(action, other))

    def _sail(self, action: int, other: int) -> Narration:
        """Describe a step, `calm`, or `wait`."""
        player = self.player
        if other == actions.CALM:
            yield self._calm(player)
        if other >= 0:
            return True
        card, space = divmod(action - len(self.chart.ports) - NUM_KINDS, len(self.chart.spaces))
        if card < 2:
            self._discard(player, (FAIR_WEATHER, FAVORABLE_WINDS)[card], 1)
        self.then = SECOND_STEP if card == 1 else END_TURN
        yield from self._enter_space(player, space)
        if self.over or self._may_board():
            return False
        return (yield from self._check_sets())

    def _calm(self, player: int) -> str:
        self._discard(player, DEAD_CALM, SET)
        self._discard(player, STORMY_SEAS, 1)
        return f"Player {player} discards three {KINDS[DEAD_CALM]} and one {KINDS[STORMY_SEAS]}."

    def _enter_space(self, player: int, space: int) -> Iterator[str]:
        self.space[player] = space
        if space == self.home[player] and player == self.winner:
            self.over = True
            yield f"Player {player} is home in {self.chart.spaces[space].port} after sailing round the world!"

    # Cards

    def _discard(self, player: int, kind: int, count: int) -> None:
        self.hands[player][kind] -= count
        self.discards[kind] += count

    def _can_draw(self) -> Narration:
        """Describe discards that become the deck, and return whether there is a card to draw."""
        if not any(self.deck) and any(self.discards):
            self.deck, self.discards = self.discards, [0] * NUM_KINDS
            cards = sum(self.deck)
            yield f"The deck is empty: the {cards} discards are shuffled and become the deck."
        return any(self.deck)

    def _deal(self) -> Narration:
        if sum(self.hands[self.player]) == self.hand_size:
            self.player += 1
        if self.player < len(self.players) and (yield from self._can_draw()):
            return False
        self.player = 0
        return (yield from self._begin_turn())

    def _fill_up(self) -> Narration:
        if sum(self.hands[self.player]) < self.hand_size and (yield from self._can_draw()):
            return False
        return (yield from self._draw_one())

    def _draw_one(self) -> Narration:
        if (yield from self._can_draw()):
            return False
        yield f"There is no card for player {self.player} to draw."
        return (yield from self._after_draw())

    def _after_draw(self) -> Narration:
        if not self._is_at_sea(self.player):
            return False
        self.then = PLAY
        return (yield from self._check_sets())

    # Turns

    def _begin_turn(self) -> Narration:
        if self._is_at_sea(self.player):
            return (yield from self._draw_one())
        if sum(self.hands[self.player]) > self.hand_size:
            return False
        return (yield from self._fill_up())

    def _next_turn(self) -> Iterator[str]:
        self.turn += 1
        while self.turn < self.record.max_turns:
            self.then = NOTHING
            self.player = (self.player + 1) % len(self.players)
            while self.space[self.player] < 0:
                self.player = (self.player + 1) % len(self.players)
            if self.skip[self.player] > 0:
                self.skip[self.player] -= 1
                yield f"Player {self.player} ran aground and misses this turn."
            elif not (yield from self._begin_turn()) or self.over:
                return
            self.turn += 1

    # Sets of three

    def _is_at_sea(self, player: int) -> bool:
        return self.space[player] >= 0 and self.space[player] not in self.chart.ports

    def _acting_kinds(self, player: int) -> list[int]:
        hand = self.hands[player]
        kinds = _DRIFTS if hand[LOYAL_CREW] else (MUTINY, *_DRIFTS)
        return [kind for kind in kinds if hand[kind] >= SET]

    def _can_save(self, player: int) -> bool:
        hand = self.hands[player]
        return bool(self.record.calm_saves) and hand[STORMY_SEAS] >= SET and hand[DEAD_CALM] >= SET

    def _check_sets(self) -> Narration:
        """Describe all sets that take effect, until an owner has to choose one."""
        for step in self.players:
            player = (self.player + step) % len(self.players)
            while not self.over and self._is_at_sea(player) and (acting := self._acting_kinds(player)):
                if len(acting) > 1 or self._can_save(player):
                    return False
                yield from self._resolve_set(player, acting[0])
        return not self.over and self.then == END_TURN

    def _resolve_set(self, player: int, kind: int) -> Iterator[str]:
        """Describe a set of three, and what the turn player loses if it is a set of the turn player."""
        self._discard(player, kind, SET)
        three, home = f"Three {KINDS[kind]} of player {player} take effect", self.home[player]
        target = home if kind == MUTINY else self.chart.drift_targets[self.space[player]]
        if kind == MUTINY:
            self.space[player] = home
            yield f"{three}: a mutiny! The ship is back home in {self.chart.spaces[home].port}, with winding 0."
        elif target == AGROUND:
            self.skip[player] += 1
            yield f"{three}: the ship runs aground and will miss a turn."
        elif target == OVER_THE_EDGE:
            yield f"{three}: the ship drifts over the edge and is lost."
            yield from self._lose_ship(player)
        else:
            port = self.chart.spaces[target].port
            yield f"{three}: the ship drifts to {self.chart.spaces[target].id}{f', the port {port}' if port else ''}."
            yield from self._enter_space(player, target)
        yield from self._end_of_turn(player)

    def _save(self, player: int) -> Iterator[str]:
        """Describe the discard that saves a ship from a drift."""
        yield f"{self._calm(player)} The ship does not drift."
        yield from self._end_of_turn(player)

    def _end_of_turn(self, player: int) -> Iterator[str]:
        """Describe what the turn player loses after a set of a player."""
        if player == self.player and self.then != END_TURN:
            lost = "turn ends" if self.then == PLAY else "second step is lost"
            self.then = END_TURN
            if not self.over:
                yield f"Player {player}'s {lost}."

    def _lose_ship(self, player: int) -> Iterator[str]:
        if cards := sum(self.hands[player]):
            yield f"Its last {'card is' if cards == 1 else f'{cards} cards are'} discarded."
        self.discards = [one + other for one, other in zip(self.discards, self.hands[player], strict=True)]
        self.hands[player] = [0] * NUM_KINDS
        self.space[player], self.skip[player] = -1, 0
        self.over = all(self.space[other] < 0 for other in self.players)

    # Boarding

    def _may_board(self) -> bool:
        own, space = self.player, self.space[self.player]
        if not self.record.boarding or not any(self.hands[own]) or not self._is_at_sea(own):
            return False
        return any(p != own and self.space[p] == space and any(self.hands[p]) for p in self.players)

    def _board(self, phase: int, other: int) -> Narration:
        """Describe an exchange of cards or its refusal."""
        player, target = self.player, int(self.record.target)
        if (phase == BOARD and other != actions.NO_BOARDING) or phase == TAKE:
            return False
        if phase == GIVE and self.hands[target][LOYAL_CREW] >= SET:
            return False
        if phase == GIVE or (phase == ANSWER and other == actions.ACCEPT):
            taken = int(self.record.taken)
            given = other - actions.FIRST_GIVE if phase == GIVE else int(self.record.given)
            for hand, kind, count in ((player, taken, 1), (player, given, -1), (target, given, 1), (target, taken, -1)):
                self.hands[hand][kind] += count
            yield f"Player {player} takes {KINDS[taken]} from player {target} and gives {KINDS[given]} in exchange."
        elif phase == ANSWER:
            yield f"Player {target} refuses with three {KINDS[LOYAL_CREW]}: no cards change hands."
        return (yield from self._check_sets())
