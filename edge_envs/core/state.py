"""`State`: one position of a game, with an API like OpenSpiel's."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs.core.checks.integers import MOST_IDS, action_of, integer_of
from edge_envs.core.checks.seeds import check_seed, fresh_seed
from edge_envs.core.errors import IllegalActionError, in_short
from edge_envs.core.game import Game
from edge_envs.core.information_state import Memory, Moment, Past
from edge_envs.core.kernels.rng import chance_word
from edge_envs.core.loops.views import ILLEGAL
from edge_envs.core.nodes import CHANCE, REVEALED, TERMINAL
from edge_envs.core.spec import Array, Record, Records

if TYPE_CHECKING:
    from edge_envs.core.loops.value_loops import ValueLoops

_OWN = ("_records", "_first", "_mask", "_probabilities", "_rewards", "_returns", "_history")  # what a copy copies


class State:
    """One position. Made by `Game.new_initial_state` or `Game.state_from_dict`; changed by `apply_action` alone."""

    def __init__(self, game: Game, records: Records, seed: int | None, set_up: bool = False) -> None:
        """Take over an array of one state record; `set_up` says that it is no beginning of a game."""
        self.game = game
        self.seed = seed
        self._records = records
        self._record: Record = records[0]
        self._loops = game.compiled.loops
        self._set_up = set_up
        self._first = records.copy()
        self._past: Past | None = None
        self._history: list[tuple[int, int]] = []
        self._memories: dict[tuple[int | None, bool], Memory] = {}
        self._mask = np.zeros(game.num_distinct_actions, np.int8)
        self._probabilities = np.zeros(max(game.max_chance_outcomes, 1), np.float64)
        self._rewards = np.zeros(game.num_players, np.float64)
        self._player = int(self._loops.to_act(records, self._rewards))
        if self._player != TERMINAL:
            self._rewards[:] = 0.0
        self._returns = self._rewards.copy()

    @classmethod
    def initial(cls, game: Game, seed: int | None = None) -> State:
        """The start of a game; see `Game.new_initial_state`."""
        seed = fresh_seed() if seed is None else check_seed(seed)
        records = game.new_records(1)
        game.compiled.loops.new_games(records)
        records["rng"] = chance_word(np.uint64(seed))
        return cls(game, records, seed)

    @classmethod
    def from_dict(cls, game: Game, d: Mapping[str, Any], seed: int | None = None) -> State:
        """A position set up from JSON; see `Game.state_from_dict`."""
        seed = fresh_seed() if seed is None else check_seed(seed)
        records = game.records_from_dict(d)
        records["rng"] = chance_word(np.uint64(seed))
        return cls(game, records, seed, set_up=True)

    @classmethod
    def of_records(cls, game: Game, records: Records) -> State:
        """A position taken out of an environment: a copy of an array of one state record."""
        return cls(game, records.copy(), None, set_up=True)

    def current_player(self) -> int:
        """The seat to act, `CHANCE` (-1) or `TERMINAL` (-4)."""
        return self._player

    def is_chance_node(self) -> bool:
        """Whether nature is to act."""
        return self._player == CHANCE

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._player == TERMINAL

    def legal_actions(self) -> list[int]:
        """Sorted ids of the legal actions; at a chance node the outcomes of positive probability; [] at the end."""
        if self.is_chance_node():
            return [outcome for outcome, _ in self.chance_outcomes()]
        return self.legal_action_mask().nonzero()[0].tolist()

    def legal_action_mask(self) -> Array:
        """A fresh int8 array (num_distinct_actions,): 1 where legal; all zero at chance and terminal nodes."""
        mask = np.zeros(self.game.num_distinct_actions, np.int8)
        if self._player >= 0:
            self._loops.legal(self._records, mask)
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of positive probability with it; ValueError where nature is not to act."""
        self._check_chance()
        self._loops.probabilities(self._records, self._probabilities)
        return [(outcome, p) for outcome, p in enumerate(self._probabilities.tolist()) if p > 0.0]

    def apply_action(self, action: int) -> None:
        """Apply a decision or, at a chance node, an outcome; IllegalActionError leaves the state unchanged."""
        number = action if type(action) is int else action_of(action)  # this is called millions of times
        if not 0 <= number < MOST_IDS:
            raise self._illegal(action)
        player = int(self._loops.transition(self._records, number, self._mask, self._probabilities, self._rewards))
        if player == ILLEGAL:
            raise self._illegal(number)
        self._returns += self._rewards
        self._history.append((self._player, number))
        self._player = player

    def _illegal(self, action: object) -> IllegalActionError:
        if self.is_terminal():
            return IllegalActionError(f"{in_short(action)} is not possible: the game is over")
        node = "outcome" if self.is_chance_node() else "action"
        return IllegalActionError(f"{in_short(action)} is no legal {node} here; possible are {self._possible()}")

    def _possible(self) -> str:
        possible = [f"{a} ({self.game.action_to_string(self._record, a)})" for a in self.legal_actions()]
        return ", ".join(possible[:20]) + (f" and {len(possible) - 20} more" if len(possible) > 20 else "")

    def sample_chance(self, rng: np.random.Generator | None = None) -> int:
        """One outcome: from the state's own word, which moves on, or from a numpy Generator."""
        self._check_chance()
        if rng is None:
            return int(self._loops.sample(self._records))
        outcomes, probabilities = zip(*self.chance_outcomes(), strict=True)
        return outcomes[int(np.searchsorted(np.cumsum(probabilities[:-1]), rng.random(), side="right"))]

    def _check_chance(self) -> None:
        if not self.is_chance_node():
            raise ValueError("this is no chance node")

    def rewards(self) -> list[float]:
        """The rewards of the last transition, one per player."""
        return self._rewards.tolist()

    def returns(self) -> list[float]:
        """The rewards summed since the position was made, one per player."""
        return self._returns.tolist()

    def result(self) -> str:
        """Say who won, by how much and why, in one or two sentences.

        Raises:
            ValueError: if the game is not over.
        """
        if not self.is_terminal():
            raise ValueError("there is no result yet: the game is not over")
        return self.game.result(self._record)

    def observation_tensor(self, player: int) -> Array:
        """A fresh array of the game's observation shape and dtype: what `player` sees, at any node."""
        out = np.empty(self.game.observation_shape, self.game.observation_dtype)
        self._loops.view(self._records, self._check_player(player), out)
        return out

    def observation_string(self, player: int) -> str:
        """What `player` sees now, as text."""
        return self.game.picture(self._record, self._check_player(player))

    def information_state_string(self, player: int) -> str:
        """What `player` sees and remembers, as text; equal to `observation_string` in perfect-information games.

        The memory begins with what was private to the player where this state began. It goes on with the text of each
        transition as the player saw it, and what was private to the player then, wherever that has changed. At the end
        of a game nothing is hidden: the memory is then the history in open. See `resample` for a state that came from
        there.
        """
        seen = self.observation_string(player)
        if self.game.perfect_information:
            return seen
        lines = [seen]
        for moment in self._moments(self._check_player(player)):
            lines += [*([] if moment.text is None else [moment.text]), *moment.private]
        return "\n".join(lines)

    def _moments(self, viewer: int | None) -> list[Moment]:
        key = viewer, self.is_terminal()
        if key not in self._memories:
            self._memories[key] = Memory(self.game, self._first, viewer, self._past, revealed=self.is_terminal())
        return self._memories[key].after(self._history)

    def _check_player(self, player: int) -> int:
        number = integer_of(player)
        if number is None or not 0 <= number < self.game.num_players:
            raise ValueError(f"player {in_short(player)} does not exist; players are 0..{self.game.num_players - 1}")
        return number

    def heuristic_action(self) -> int:
        """The action of the game's heuristic player; changes nothing. ValueError at chance and terminal nodes."""
        if self._player < 0:
            raise ValueError("the heuristic decides for players only: this is a chance node or the end")
        actions = np.empty(1, np.int64)
        self._loops.heuristic_actions(self._records.copy(), actions)
        return int(actions[0])

    def action_values(self, weights: Mapping[str, float] | None = None) -> Array:
        """What the game's built-in player thinks that each action is worth to the player to act, from what that knows.

        A fresh float64 array (num_distinct_actions,) in the unit of `game.type.values`; -inf where an action is illegal
        or not considered. `weights` exchanges some by which the player weighs. ValueError for a game that does not tell
        what actions are worth, for weights that do not exist or are out of range, and where nobody decides.
        """
        loops, declared = self._value_loops(weights)
        if self._player < 0:
            raise ValueError("actions have values at decisions only: this is a chance node or the end")
        values = np.empty((1, self.game.num_distinct_actions))
        loops.action_values(self._records.copy(), declared, values)
        return values[0]

    def position_features(self, viewer: int, weights: Mapping[str, float] | None = None) -> Array:
        """Numbers about each player's position that mean the same in all positions, as far as `viewer` knows.

        A fresh float64 array (num_players, F), the viewer first, then in turn order; `game.type.values.features` says
        what they are. At any node. Raises ValueError as `action_values` does.
        """
        loops, declared = self._value_loops(weights)
        viewers = np.array([self._check_player(viewer)])
        names = self.game.type.values.features if self.game.type.values else ()
        features = np.empty((1, self.game.num_players, len(names)))
        loops.features(self._records.copy(), viewers, declared, features)
        return features[0]

    def _value_loops(self, weights: Mapping[str, float] | None) -> tuple[ValueLoops, Array]:
        loops, values = self.game.compiled.value_loops, self.game.type.values
        assert values is not None  # or there would be no loops
        return loops, values.weights_with(weights)

    def resample(self, player: int, rng: np.random.Generator) -> State:
        """A new State that agrees with all that `player` has seen: hidden parts and the generator's word are fresh.

        `player` remembers there what it remembers here: `information_state_string(player)` and
        `history_strings(player)` are the same, also after moves that look the same, and when resampled again. The
        other seats remember what was public, and what is private to them in the new position. `history` begins anew.
        At the end of a game nothing is hidden, so the position stays as it is.
        """
        player = self._check_player(player)
        records = self._records.copy()
        word = rng.integers(2**63, dtype=np.uint64)
        if self.is_terminal():
            records["rng"] = word
        else:
            self._loops.determinize(records[0], player, word)
        other = State.of_records(self.game, records)
        other._past = Past(player, tuple(self._moments(player)), tuple(self._moments(None)))
        other._rewards[:], other._returns[:] = self._rewards, self._returns
        return other

    def action_to_string(self, action: int, *, check: bool = True) -> str:
        """The text of an action or, at a chance node, an outcome that is legal here; else IllegalActionError.

        With `check=False` an id that is not legal here has a text too, such as `action 7` or `outcome 7`; then only
        what is no id of the game is a ValueError.
        """
        number = action_of(action)
        if number in self.legal_actions():
            return self.game.action_to_string(self._record, number)
        if check:
            raise self._illegal(action)
        word, size = "action", self.game.num_distinct_actions
        if self.is_chance_node():
            word, size = "outcome", self.game.max_chance_outcomes
        if not 0 <= number < size:
            raise ValueError(f"{in_short(action)} is no {word} of this game; they are numbered 0..{size - 1}")
        return f"{word} {number}"

    def string_to_action(self, text: str) -> int:
        """The id of a text that is legal at this node; IllegalActionError otherwise."""
        for action in self.legal_actions():
            if self.game.action_to_string(self._record, action) == text:
                return action
        if self.is_terminal():
            raise self._illegal(text)
        raise IllegalActionError(f"{in_short(text)} is not legal here; possible are {self._possible()}")

    def history(self) -> list[tuple[int, int]]:
        """(player or CHANCE, id) of every transition since the position was made."""
        return list(self._history)

    def history_strings(self, player: int | None = None) -> list[str]:
        """Tell the history, one string for each transition, as `player` (None: the public) may see it.

        A string names who acted, then the text of the action, then what happened beyond it, in full sentences:
        `player 0: keep. No sum moves a pawn: a storm! Player 0 owes two more turns.` Where chance acts, the player who
        rolls, draws or spins is named. Once the game is over nothing is hidden from anybody. See `resample` for what
        comes before the first transition.
        """
        moments = self._moments(None if player is None else self._check_player(player))
        return [moment.text for moment in moments if moment.text is not None]

    def latest_events(self, player: int | None = None) -> list[str]:
        """Tell what the last decision, and chance since then, brought about beyond the actions themselves.

        The sentences are those of `history_strings`, as `player` (None: the public) may see them.
        """
        since = next((n for n, (seat, _) in enumerate(reversed(self._history), 1) if seat >= 0), len(self._history))
        moments = self._moments(None if player is None else self._check_player(player))
        return [event for moment in moments[len(moments) - since :] for event in moment.events]

    def svg(
        self,
        player: int | None = None,
        *,
        theme: str = "light",
        outlines: bool = False,
        targets: bool = False,
        clicks: bool = False,
    ) -> str:
        """What is public in this position, or what `player` sees of it, as a drawing in SVG.

        A ring marks what the last decision touched, and a line of text tells the `latest_events`. With `targets` other
        rings mark what the player to act may choose first, where that player is the viewer or nothing is hidden; with
        `clicks` all places of its `ways` get elements for clicks then. `theme` is `light` or `dark`. `outlines` draws
        letters as shapes, for readers without fonts. ValueError if there is no such player or theme.
        """
        viewer = None if player is None else self._check_player(player)
        shown = self.game.perfect_information or viewer == self._player
        ways = self.ways() if (targets or clicks) and shown else {}
        return self.game.svg(
            self._record,
            viewer,
            last=self._touched(viewer),
            caption=" ".join(self.latest_events(viewer)),
            keys={key for way in ways.values() for key in way} if clicks else (),
            marked={way[0] for way in ways.values()} if targets else (),
            theme=theme,
            outlines=outlines,
        )

    def ways(self) -> dict[int, tuple[str, ...]]:
        """For each legal action the keys of the places that are clicked for it, see `Game.ways`; {} if none decides."""
        return self.game.ways(self._record) if self._player >= 0 else {}

    def task(self) -> str:
        """In one sentence what the player to act is to do, and where to click for it; ValueError if none decides."""
        if self._player < 0:
            raise ValueError("nobody is to decide here")
        return self.game.task(self._record)

    def _touched(self, viewer: int | None) -> tuple[str, ...]:
        """The keys of the last decision: the position before it tells them."""
        decisions = [number for number, (player, _) in enumerate(self._history) if player >= 0]
        if not decisions:
            return ()
        records, rewards = self._first.copy(), self._rewards.copy()
        for _, action in self._history[: decisions[-1]]:
            self._loops.transition(records, action, self._mask, self._probabilities, rewards)
        seen_by = REVEALED if self.is_terminal() else viewer
        return self.game.touched(records[0], self._history[decisions[-1]][1], seen_by)

    def _repr_svg_(self) -> str:
        """What notebooks show: a notebook is shown around, hence what is public."""
        return self.svg()

    def to_dict(self) -> dict[str, Any]:
        """The full position, ready for JSON; `Game.state_from_dict` reads it back."""
        return self.game.position(self._record)

    def start_dict(self) -> dict[str, Any] | None:
        """The position that this state was set up from, or None if it began as a new game."""
        return self.game.position(self._first[0]) if self._set_up else None

    def clone(self) -> State:
        """An independent copy, generator's word and history included."""
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        other = object.__new__(State)
        fields = self.__getstate__()
        other.__setstate__({name: value.copy() if name in _OWN else value for name, value in fields.items()})
        other._memories = {viewer: memory.copy() for viewer, memory in self._memories.items()}
        return other

    def __getstate__(self) -> dict[str, Any]:
        fields = self.__dict__.copy()
        del fields["_record"], fields["_loops"]  # a scalar record, unlike an array of them, does not survive pickling
        del fields["_memories"]  # made again where they are asked for
        return fields

    def __setstate__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)
        self._record, self._loops = self._records[0], self.game.compiled.loops
        self._memories = {}

    def __str__(self) -> str:
        return self.game.picture(self._record)

    def __repr__(self) -> str:
        return f"<State of {self.game.name}, current_player {self.current_player()}, {len(self._history)} transitions>"
