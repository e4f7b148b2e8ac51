"""What happens in `over_the_edge` beyond the texts of actions, and how it ended, in sentences.

`_Voyage` plays a transition once more, in plain Python and in the order of `rules.apply`, and tells of each thing that
happens on the way: sets that act, drifts, falls, skipped turns, the deck made anew.
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
    KINDS,
    LOYAL_CREW,
    MUTINY,
    NUM_KINDS,
    SCURVY,
    SET,
    SEVERE_DAMAGE,
    STORMY_SEAS,
    counts_of,
)
from edge_envs.games.over_the_edge.state import (
    ANSWER,
    BOARD,
    DEAL,
    DISCARD,
    DRAW,
    END_TURN,
    GIVE,
    HAND,
    HOME,
    NOTHING,
    PLAY,
    REFILL,
    SECOND_STEP,
    SETS,
    TAKE,
    TRIM,
    is_by_limit,
)

_DRIFTS = (SCURVY, STORMY_SEAS, SEVERE_DAMAGE)
Telling = Generator[str, None, bool]
"""Sentences, and at last whether the turn ends."""


def result(record: Record) -> str:
    """Say who came home, or why nobody did."""
    if record.winner >= 0:
        chart, home = map_of(record), int(record.home[record.winner])
        when = f"in turn {record.turn + 1} of {record.max_turns}"
        return f"Player {record.winner} wins: home in {chart.spaces[home].port} from round the world {when}."
    if is_by_limit(record):
        return f"Nobody wins: no ship has come home in {record.max_turns} turns."
    return "Nobody wins: all ships have gone over the edge."


def events(before: Record, action: int, after: Record) -> list[str]:
    """Tell of all that happens without a decision, and of cards that change hands."""
    return list(_Voyage(before, int(after.winner)).apply(action))


def subject(record: Record) -> int:
    """Return the player who draws."""
    return int(record.turn_player)


class _Voyage:
    """A position that goes on by one transition."""

    def __init__(self, record: Record, winner: int) -> None:
        """Copy a position; `winner` is who has won after the transition, or -1."""
        self.record, self.chart, self.winner = record, map_of(record), winner
        self.players = range(int(record.num_players))
        self.hands = [counts_of(hand) for hand in record.hands]
        self.deck, self.discards = counts_of(record.deck), counts_of(record.discards)
        self.space, self.home, self.skip = record.space.tolist(), record.home.tolist(), record.skip.tolist()
        self.player, self.turn, self.then = int(record.turn_player), int(record.turn), int(record.then)
        self.over = False

    def apply(self, action: int) -> Iterator[str]:
        """Tell of a transition."""
        if (yield from self._do(action)):
            yield from self._next_turn()

    def _do(self, action: int) -> Telling:
        phase, player = int(self.record.phase), self.player
        other = action - len(self.chart.ports) - NUM_KINDS - 3 * len(self.chart.spaces)  # the id within `actions`
        if phase in (DRAW, REFILL, DEAL):
            self.deck[action] -= 1
            self.hands[player][action] += 1
            follow = {DRAW: self._drawn, REFILL: self._fill_up, DEAL: self._deal}[phase]
            return (yield from follow())
        if phase in (DISCARD, TRIM):
            self._lay_off(player, action - len(self.chart.ports), 1)
            if phase == TRIM and sum(self.hands[player]) == HAND:
                return (yield from self._draw_one())
            return False
        if phase == HOME:
            self.home[player] = self.space[player] = self.chart.ports[action]
            if player + 1 < len(self.players):
                return False
            self.player = 0
            return (yield from self._deal())
        if phase == SETS:
            yield from self._act(int(self.record.decider), other - actions.FIRST_SET)
            return (yield from self._look())
        if phase in (BOARD, TAKE, GIVE, ANSWER):
            return (yield from self._board(phase, other))
        return (yield from self._sail(action, other))

    def _sail(self, action: int, other: int) -> Telling:
        """Tell of a step, of `calm`, or of `wait`."""
        player = self.player
        if other == actions.CALM:
            self._lay_off(player, DEAD_CALM, SET)
            self._lay_off(player, STORMY_SEAS, 1)
            yield f"Player {player} discards three {KINDS[DEAD_CALM]} and one {KINDS[STORMY_SEAS]}."
        if other >= 0:
            return True
        card, space = divmod(action - len(self.chart.ports) - NUM_KINDS, len(self.chart.spaces))
        if card < 2:
            self._lay_off(player, (FAIR_WEATHER, FAVORABLE_WINDS)[card], 1)
        self.then = SECOND_STEP if card == 1 else END_TURN
        yield from self._enter(player, space)
        if self.over or self._may_board():
            return False
        return (yield from self._look())

    def _enter(self, player: int, space: int) -> Iterator[str]:
        self.space[player] = space
        if space == self.home[player] and player == self.winner:
            self.over = True
            yield f"Player {player} is home in {self.chart.spaces[space].port} from round the world!"

    # Cards

    def _lay_off(self, player: int, kind: int, count: int) -> None:
        self.hands[player][kind] -= count
        self.discards[kind] += count

    def _can_draw(self) -> Telling:
        """Tell of discards that become the deck; whether there is a card to draw."""
        if not any(self.deck) and any(self.discards):
            self.deck, self.discards = self.discards, [0] * NUM_KINDS
            cards = sum(self.deck)
            yield f"The deck is empty: the {cards} discards are shuffled and become the deck."
        return any(self.deck)

    def _deal(self) -> Telling:
        if sum(self.hands[self.player]) == HAND:
            self.player += 1
        if self.player < len(self.players) and (yield from self._can_draw()):
            return False
        self.player = 0
        return (yield from self._begin_turn())

    def _fill_up(self) -> Telling:
        if sum(self.hands[self.player]) < HAND and (yield from self._can_draw()):
            return False
        return (yield from self._draw_one())

    def _draw_one(self) -> Telling:
        if (yield from self._can_draw()):
            return False
        yield f"There is no card for player {self.player} to draw."
        return (yield from self._drawn())

    def _drawn(self) -> Telling:
        if not self._is_at_sea(self.player):
            return False
        self.then = PLAY
        return (yield from self._look())

    # Turns

    def _begin_turn(self) -> Telling:
        if self._is_at_sea(self.player):
            return (yield from self._draw_one())
        if sum(self.hands[self.player]) > HAND:
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
                yield f"Player {self.player} ran aground and skips this turn."
            elif not (yield from self._begin_turn()) or self.over:
                return
            self.turn += 1

    # Sets of three

    def _is_at_sea(self, player: int) -> bool:
        return self.space[player] >= 0 and self.space[player] not in self.chart.ports

    def _acting(self, player: int) -> list[int]:
        hand = self.hands[player]
        kinds = _DRIFTS if hand[LOYAL_CREW] else (MUTINY, *_DRIFTS)
        return [kind for kind in kinds if hand[kind] >= SET]

    def _look(self) -> Telling:
        """Tell of all sets that act, up to one that its owner names."""
        for step in self.players:
            player = (self.player + step) % len(self.players)
            while not self.over and self._is_at_sea(player) and (acting := self._acting(player)):
                if len(acting) > 1:
                    return False
                yield from self._act(player, acting[0])
        return not self.over and self.then == END_TURN

    def _act(self, player: int, kind: int) -> Iterator[str]:
        """Tell of a set of three, and of what is lost by it in the turn player's turn."""
        self._lay_off(player, kind, SET)
        three, home = f"Three {KINDS[kind]} of player {player} act", self.home[player]
        target = home if kind == MUTINY else self.chart.edgeward[self.space[player]]
        if kind == MUTINY:
            self.space[player] = home
            yield f"{three}: a mutiny! The ship is back home in {self.chart.spaces[home].port}, with winding 0."
        elif target == AGROUND:
            self.skip[player] += 1
            yield f"{three}: the ship runs aground on land and will skip a turn."
        elif target == OVER_THE_EDGE:
            yield f"{three}: the ship drifts over the edge and is lost."
            yield from self._fall(player)
        else:
            port = self.chart.spaces[target].port
            yield f"{three}: the ship drifts to {self.chart.spaces[target].id}{f', the port {port}' if port else ''}."
            yield from self._enter(player, target)
        if player == self.player and self.then != END_TURN:
            lost = "turn ends" if self.then == PLAY else "second step is lost"
            self.then = END_TURN
            if not self.over:
                yield f"Player {player}'s {lost}."

    def _fall(self, player: int) -> Iterator[str]:
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

    def _board(self, phase: int, other: int) -> Telling:
        """Tell of cards that change hands, or do not."""
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
            yield f"Player {player} takes {KINDS[taken]} from player {target} and gives {KINDS[given]} for it."
        elif phase == ANSWER:
            yield f"Player {target} refuses with three {KINDS[LOYAL_CREW]}: no cards change hands."
        return (yield from self._look())
