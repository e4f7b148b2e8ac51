"""`State`: one position of a game, with an API like OpenSpiel's."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs.core.checks.integers import MOST_IDS, action_of, integer_of
from edge_envs.core.checks.seeds import check_generator, check_seed, fresh_seed
from edge_envs.core.errors import IllegalActionError, in_short
from edge_envs.core.game import Game
from edge_envs.core.information_state import InformationState, Moment, Past
from edge_envs.core.kernels.rng import chance_word
from edge_envs.core.loops.views import ILLEGAL
from edge_envs.core.nodes import CHANCE, REVEALED, TERMINAL
from edge_envs.core.spec import Array, Record, Records

if TYPE_CHECKING:
    from edge_envs.core.loops.value_loops import ValueLoops

_OWN = ("_records", "_first", "_mask", "_probabilities", "_rewards", "_returns", "_history")  # what a copy copies
_FIELDS = {*_OWN, "game", "seed", "_set_up", "_past", "_player", "_record", "_loops", "_information_states"}


class State:
    """One position of a game.

    `Game.new_initial_state` and `Game.state_from_dict` create it. Only `apply_action` and `sample_chance` change it.
    """

    def __init__(self, game: Game, records: Records, seed: int | None, set_up: bool = False) -> None:
        """Take over an array of one state record.

        Args:
            game: The game.
            records: The position.
            seed: The seed of its chance, None if it is unknown.
            set_up: Whether the position was set up, instead of being the start of a game.
        """
        self.game = game
        self.seed = seed
        self._records = records
        self._record: Record = records[0]
        self._loops = game.compiled.loops
        self._set_up = set_up
        self._first = records.copy()
        self._past: Past | None = None
        self._history: list[tuple[int, int]] = []
        self._information_states: dict[tuple[int | None, bool], InformationState] = {}
        self._mask = np.zeros(game.num_distinct_actions, np.int8)
        self._probabilities = np.zeros(max(game.max_chance_outcomes, 1), np.float64)
        self._rewards = np.zeros(game.num_players, np.float64)
        self._player = int(self._loops.to_act(records, self._rewards))
        if self._player != TERMINAL:
            self._rewards[:] = 0.0
        self._returns = self._rewards.copy()

    @classmethod
    def initial(cls, game: Game, seed: int | None = None) -> State:
        """Start a game; see `Game.new_initial_state`."""
        seed = fresh_seed() if seed is None else check_seed(seed)
        records = game.new_records(1)
        game.compiled.loops.new_games(records)
        records["rng"] = chance_word(np.uint64(seed))
        return cls(game, records, seed)

    @classmethod
    def from_dict(cls, game: Game, d: Mapping[str, Any], seed: int | None = None) -> State:
        """Set up a position from a dict; see `Game.state_from_dict`."""
        seed = fresh_seed() if seed is None else check_seed(seed)
        records = game.records_from_dict(d)
        records["rng"] = chance_word(np.uint64(seed))
        return cls(game, records, seed, set_up=True)

    @classmethod
    def of_records(cls, game: Game, records: Records) -> State:
        """Copy a position out of an environment, from an array of one state record, such as `states[i : i + 1]`.

        Raises:
            ValueError: if `records` is not one, of this game and with its sizes.
        """
        if np.shape(records) != (1,) or getattr(records, "dtype", None) != game.type.state_dtype:
            expected = f"an array of one state record of {game.name}, such as states[i : i + 1]"
            raise ValueError(f"invalid records of shape {np.shape(records)}: expected {expected}")
        game.check_records(records)
        state = cls(game, records.copy(), None, set_up=True)
        if state.is_chance_node():  # with other parameters there may be more outcomes
            state._probabilities = np.zeros(max(game.type.most_chance_outcomes, 1), np.float64)
        return state

    def current_player(self) -> int:
        """Return the seat to act, `CHANCE` (-1) or `TERMINAL` (-4)."""
        return self._player

    def is_chance_node(self) -> bool:
        """Return whether chance acts next."""
        return self._player == CHANCE

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._player == TERMINAL

    def legal_actions(self) -> list[int]:
        """Return the sorted ids of the legal actions; at a chance node the possible outcomes; [] at the end."""
        if self.is_chance_node():
            return [outcome for outcome, _ in self.chance_outcomes()]
        return self.legal_action_mask().nonzero()[0].tolist()

    def legal_action_mask(self) -> Array:
        """Return a fresh int8 array (num_distinct_actions,): 1 if legal, else 0.

        All entries are zero at chance and terminal nodes.
        """
        mask = np.zeros(self.game.num_distinct_actions, np.int8)
        if self._player >= 0:
            self._loops.legal_action_mask(self._records, mask)
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes of a chance node with their probabilities.

        Raises:
            ValueError: if this is not a chance node.
        """
        self._check_chance()
        self._loops.chance_probabilities(self._records, self._probabilities)
        return [(outcome, p) for outcome, p in enumerate(self._probabilities.tolist()) if p > 0.0]

    def apply_action(self, action: int) -> None:
        """Apply a decision or, at a chance node, an outcome.

        Raises:
            IllegalActionError: if it is illegal here. The state is unchanged.
        """
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
            return IllegalActionError(f"illegal action {in_short(action)}: the game is over")
        node = "outcome" if self.is_chance_node() else "action"
        return IllegalActionError(f"illegal {node} {in_short(action)} (choose from {self._legal()})")

    def _legal(self) -> str:
        legal = [f"{a} ({self.game.action_to_string(self._record, a)})" for a in self.legal_actions()]
        return ", ".join(legal[:20]) + (f" and {len(legal) - 20} more" if len(legal) > 20 else "")

    def sample_chance(self, rng: np.random.Generator | None = None) -> int:
        """Draw an outcome at a chance node, without applying it.

        Args:
            rng: The generator to draw from; None draws from the state's own generator and advances it.

        Raises:
            ValueError: if this is not a chance node.
            TypeError: if `rng` is not a generator.
        """
        self._check_chance()
        if rng is not None:
            check_generator(rng)
        if rng is None:
            return int(self._loops.sample_chance(self._records))
        outcomes, probabilities = zip(*self.chance_outcomes(), strict=True)
        return outcomes[int(np.searchsorted(np.cumsum(probabilities[:-1]), rng.random(), side="right"))]

    def _check_chance(self) -> None:
        if not self.is_chance_node():
            raise ValueError("not a chance node")

    def rewards(self) -> list[float]:
        """Return the rewards of the last transition, one per player."""
        return self._rewards.tolist()

    def returns(self) -> list[float]:
        """Return the sums of rewards since the position was created, one per player."""
        return self._returns.tolist()

    def result(self) -> str:
        """Describe the result in one or two sentences: the winner, the margin and the reason.

        Raises:
            ValueError: if the game is not over.
        """
        if not self.is_terminal():
            raise ValueError("no result yet: the game is not over")
        return self.game.result(self._record)

    def scores(self) -> dict[str, list[str]]:
        """Return the score table: for each heading, such as `land`, the entry of each player; {} if the game has none.

        Raises:
            ValueError: if the game is not over.
        """
        if not self.is_terminal():
            raise ValueError("no scores yet: the game is not over")
        return self.game.scores(self._record)

    def observation_tensor(self, player: int) -> Array:
        """Return what `player` sees, at any node: a fresh array of the game's observation shape and dtype."""
        out = np.empty(self.game.observation_shape, self.game.observation_dtype)
        self._loops.observe(self._records, self._check_player(player), out)
        return out

    def observation_string(self, player: int) -> str:
        """Return what `player` sees now, as a string."""
        return self.game.picture(self._record, self._check_player(player))

    def information_state_string(self, player: int) -> str:
        """Return what `player` sees and remembers, as a string.

        In perfect-information games it equals `observation_string`. Otherwise the memory starts with the player's
        private information at the start of this state. The string of each transition as the player saw it follows, with
        the player's private information whenever it changed. At the end of a game nothing is hidden, so the memory is
        the full history. See `resample` for the memory of a resampled state.
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
        if key not in self._information_states:
            self._information_states[key] = InformationState(
                self.game, self._first, viewer, self._past, revealed=self.is_terminal()
            )
        return self._information_states[key].after(self._history)

    def _check_player(self, player: int) -> int:
        number = integer_of(player)
        if number is None or not 0 <= number < self.game.num_players:
            raise ValueError(
                f"invalid player={in_short(player)}: expected an integer from 0 to {self.game.num_players - 1}"
            )
        return number

    def heuristic_action(self) -> int:
        """Return the action of the game's heuristic. The state does not change.

        Raises:
            ValueError: at chance and terminal nodes.
        """
        if self._player < 0:
            raise ValueError("the heuristic needs a decision: this is a chance node or the end")
        actions = np.empty(1, np.int64)
        self._loops.heuristic_actions(self._records.copy(), actions)
        return int(actions[0])

    def action_values(self, weights: Mapping[str, float] | None = None) -> Array:
        """Return the game's own estimate of each action's value to the player to act, from what that player knows.

        Args:
            weights: Overrides some weights of the estimate, by name.

        Returns:
            A fresh float64 array (num_distinct_actions,) in the unit of `game.type.values`; -inf if an action is
            illegal or not considered.

        Raises:
            ValueError: if the game declares no `VALUES`, a weight is unknown or out of range, or this is not a
                decision.
        """
        loops, declared = self._value_loops(weights)
        if self._player < 0:
            raise ValueError("action values need a decision: this is a chance node or the end")
        values = np.empty((1, self.game.num_distinct_actions))
        loops.action_values(self._records.copy(), declared, values)
        return values[0]

    def position_features(self, viewer: int, weights: Mapping[str, float] | None = None) -> Array:
        """Return features of each player's position, as far as `viewer` knows, at any node.

        Args:
            viewer: The player whose knowledge is used.
            weights: Overrides some weights of the estimates, by name.

        Returns:
            A fresh float64 array (num_players, F), the viewer first, then in turn order. The F features are described
            by `game.type.values.features` and mean the same in all positions.

        Raises:
            ValueError: if the game declares no `VALUES`, or a weight or the player is invalid.
        """
        loops, declared = self._value_loops(weights)
        viewers = np.array([self._check_player(viewer)])
        names = self.game.type.values.features if self.game.type.values else ()
        features = np.empty((1, self.game.num_players, len(names)))
        loops.features(self._records.copy(), viewers, declared, features)
        return features[0]

    def _value_loops(self, weights: Mapping[str, float] | None) -> tuple[ValueLoops, Array]:
        loops, values = self.game.compiled.value_loops, self.game.type.values
        assert values is not None  # value_loops would have raised
        return loops, values.weights_with(weights)

    def resample(self, player: int, rng: np.random.Generator) -> State:
        """Return a new State that agrees with everything that `player` has seen, with fresh hidden parts and generator.

        `player` remembers the same as here: `information_state_string(player)` and `history_strings(player)` are equal,
        also after the same visible moves and after another resampling. The other seats remember what was public, and
        their private information in the new position. `history` starts empty. At the end of a game nothing is hidden,
        so the position stays the same.

        Args:
            player: The seat whose knowledge is kept.
            rng: The generator to draw from.

        Raises:
            TypeError: if `rng` is not a generator.
        """
        check_generator(rng)
        player = self._check_player(player)
        records = self._records.copy()
        word = rng.integers(2**63, dtype=np.uint64)
        if self.is_terminal():
            records["rng"] = word
        else:
            self._loops.determinize(records[0], player, word)
        other = State(self.game, records, None, set_up=True)
        other._past = Past(player, tuple(self._moments(player)), tuple(self._moments(None)))
        other._rewards[:], other._returns[:] = self._rewards, self._returns
        return other

    def action_to_string(self, action: int, *, check: bool = True) -> str:
        """Return the string of an action or, at a chance node, of an outcome.

        Args:
            action: The id.
            check: Whether it must be legal here. Otherwise an illegal id has a string such as `action 7`.

        Raises:
            IllegalActionError: if `check` is true and the id is illegal here.
            ValueError: if the game does not have this id.
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
            raise ValueError(f"invalid {word} {in_short(action)}: expected an integer from 0 to {size - 1}")
        return f"{word} {number}"

    def string_to_action(self, text: str) -> int:
        """Return the id of the action or outcome with this string.

        Raises:
            IllegalActionError: if no legal action or outcome has this string.
        """
        for action in self.legal_actions():
            if self.game.action_to_string(self._record, action) == text:
                return action
        if self.is_terminal():
            raise self._illegal(text)
        raise IllegalActionError(f"illegal action {in_short(text)} (choose from {self._legal()})")

    def history(self) -> list[tuple[int, int]]:
        """Return (player or CHANCE, id) of every transition since the position was created."""
        return list(self._history)

    def history_strings(self, player: int | None = None) -> list[str]:
        """Return the history as strings, one per transition, as `player` (None: the public) may see it.

        A string has the actor, the action and its consequences in full sentences:
        `player 0: keep. No sum moves a pawn: a storm! Player 0 owes two more turns.` At a chance node the actor is the
        player who rolls, draws or spins. Once the game is over nothing is hidden. See `resample` for the time before
        the first transition of a resampled state.
        """
        moments = self._moments(None if player is None else self._check_player(player))
        return [moment.text for moment in moments if moment.text is not None]

    def latest_events(self, player: int | None = None) -> list[str]:
        """Describe the consequences of the last decision and of chance since then.

        Returns:
            The sentences of `history_strings`, as `player` (None: the public) may see them.
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
        turn: bool = False,
    ) -> str:
        """Draw the public position, or what `player` sees of it, as SVG.

        Rings mark the places that the last decision touched, and a line of text shows the `latest_events`. `targets`
        and `clicks` apply if the viewer is the player to act, or nothing is hidden.

        Args:
            player: The viewer, None for the public.
            theme: `light` or `dark`.
            outlines: Whether letters are drawn as shapes, so that no font is needed.
            targets: Whether other rings mark the places that the player to act can click first.
            clicks: Whether all places of its `ways` get elements for clicks.
            turn: Whether the rings mark all steps of the last player's turn, not only the last decision.

        Raises:
            ValueError: if the player or theme is invalid.
        """
        viewer = None if player is None else self._check_player(player)
        shown = self.game.perfect_information or viewer == self._player
        ways = self.ways() if (targets or clicks) and shown else {}
        return self.game.svg(
            self._record,
            viewer,
            last=self._touched(viewer, turn),
            caption=" ".join(self.latest_events(viewer)),
            keys={key for way in ways.values() for key in way} if clicks else (),
            marked={way[0] for way in ways.values()} if targets else (),
            theme=theme,
            outlines=outlines,
        )

    def ways(self) -> dict[int, tuple[str, ...]]:
        """Return the click path of each legal action, see `Game.ways`; {} at chance and terminal nodes."""
        return self.game.ways(self._record) if self._player >= 0 else {}

    def task(self) -> str:
        """Return one sentence that says what the player to act can do, and where to click.

        Raises:
            ValueError: at chance and terminal nodes.
        """
        if self._player < 0:
            raise ValueError("no player acts here: this is a chance node or the end")
        return self.game.task(self._record)

    def _touched(self, viewer: int | None, turn: bool = False) -> tuple[str, ...]:
        """Return the keys of the places that the last decision touched, found from the position before it.

        With `turn`, they are those of all decisions since another player's last one.
        """
        decisions = [number for number, (player, _) in enumerate(self._history) if player >= 0]
        if not decisions:
            return ()
        last = self._history[decisions[-1]][0]
        others = [number for number in decisions if self._history[number][0] != last] if turn else decisions[:-1]
        first = others[-1] + 1 if others else 0
        records, rewards = self._first.copy(), self._rewards.copy()
        seen_by = REVEALED if self.is_terminal() else viewer
        keys: dict[str, None] = {}
        for number, (player, action) in enumerate(self._history[: decisions[-1] + 1]):
            if player >= 0 and number >= first:
                keys.update(dict.fromkeys(self.game.touched(records[0], action, seen_by)))
            self._loops.transition(records, action, self._mask, self._probabilities, rewards)
        return tuple(keys)

    def _repr_svg_(self) -> str:
        """Draw the public position for a notebook, which others may see."""
        return self.svg()

    def to_dict(self) -> dict[str, Any]:
        """Return the full position as a dict for JSON; `Game.state_from_dict` reads it."""
        return self.game.position(self._record)

    def start_dict(self) -> dict[str, Any] | None:
        """Return the position that this state was set up from, or None if it started as a new game."""
        return self.game.position(self._first[0]) if self._set_up else None

    def clone(self) -> State:
        """Return an independent copy, generator and history included. Attributes that you have added are shared."""
        other = object.__new__(type(self))
        fields = self.__getstate__()
        other.__setstate__({name: value.copy() if name in _OWN else value for name, value in fields.items()})
        other._information_states = {viewer: known.copy() for viewer, known in self._information_states.items()}
        return other

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        memo[id(self)] = other = self.clone()
        for name in other.__dict__.keys() - _FIELDS:
            setattr(other, name, copy.deepcopy(getattr(self, name), memo))
        return other

    def __getstate__(self) -> dict[str, Any]:
        fields = self.__dict__.copy()
        del fields["_record"], fields["_loops"]  # a scalar record, unlike an array, does not survive pickling
        del fields["_information_states"]  # rebuilt on demand
        return fields

    def __setstate__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)
        self._record, self._loops = self._records[0], self.game.compiled.loops
        self._information_states = {}

    def __str__(self) -> str:
        return self.game.picture(self._record)

    def __repr__(self) -> str:
        return f"<State of {self.game.name}, current_player {self.current_player()}, {len(self._history)} transitions>"
