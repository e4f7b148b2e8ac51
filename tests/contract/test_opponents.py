"""Opponents of a seat environment: their inputs, when they are called, and how they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import edge_envs
from edge_envs import CHANCE, Game, IllegalActionError, OpponentMix, SeatEnv, SeatVectorEnv, State
from tests.contract.play import Array, Sighted, chosen, decisions, settle
from tests.contract.traces import seat_game

LANES = 4


class RecordingOpponent(Sighted):
    """An opponent that records its inputs."""

    def __init__(self, needs_states: bool = False) -> None:
        self.needs_states = needs_states
        self.calls: list[tuple[Array, Array, Array | None, Array]] = []
        self.drawn: list[float] = []

    def act(
        self, observations: Array, action_masks: Array, states: Array | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Record copies, draw a number, and play `chosen`."""
        kept = (observations.copy(), action_masks.copy(), None if states is None else states.copy(), players.copy())
        self.calls.append(kept)
        self.drawn.append(rng.random())
        return super().act(observations, action_masks, states, players, rng)


class InvalidOpponent:
    """An opponent that returns a given invalid result."""

    def __init__(self, answer: Callable[[Array], Any]) -> None:
        self.answer = answer

    def act(
        self, observations: Array, action_masks: Array, states: Array | None, players: Array, rng: np.random.Generator
    ) -> Any:
        """Return the given result."""
        return self.answer(action_masks)


def make(game: Game, opponents: Any, num_envs: int = LANES, seat: int | str = "random") -> SeatVectorEnv:
    return edge_envs.seat_vector_env(game.name, num_envs=num_envs, opponents=opponents, seat=seat, **game.params)


def run(env: SeatVectorEnv, steps: int = 40, seed: int = 0) -> None:
    observation, _ = env.reset(seed=seed)
    for _ in range(steps):
        actions = [chosen(*view) for view in zip(observation, env.action_masks(), strict=True)]
        observation, *_ = env.step(np.array(actions))


def state_of(game: Game, record: Any) -> State:
    """Convert a state record to a State."""
    records = game.new_records(1)
    records[0] = record
    return State.of_records(game, records)


def test_object_receives_the_observations_of_its_players(game: Game) -> None:
    opponent = RecordingOpponent(needs_states=True)
    run(make(game, opponent))
    for observations, masks, states, players in opponent.calls:
        assert states is not None
        assert len(observations) == len(masks) == len(states) == len(players) > 0
        for observation, mask, record, player in zip(observations, masks, states, players, strict=True):
            state = state_of(game, record)
            assert state.current_player() == player
            assert (state.observation_tensor(int(player)) == observation).all()
            assert (state.legal_action_mask() == mask).all()


def test_arrays_have_the_documented_shapes_and_types(plain_game: Game) -> None:
    opponent = RecordingOpponent()
    run(make(plain_game, opponent))
    for observations, masks, states, players in opponent.calls:
        assert observations.shape[1:] == plain_game.observation_shape
        assert observations.dtype == plain_game.observation_dtype
        assert masks.shape[1:] == (plain_game.num_distinct_actions,)
        assert masks.dtype == np.int8
        assert np.issubdtype(players.dtype, np.integer)
        assert states is None


def test_object_never_plays_the_learners_seat(game: Game) -> None:
    for seat in range(game.num_players):
        opponent = RecordingOpponent()
        run(make(game, opponent, seat=seat))
        assert {int(player) for call in opponent.calls for player in call[3]} == set(range(game.num_players)) - {seat}


def test_shown_states_have_fresh_random_words(chance_game: Game) -> None:
    """Random words of shown states are all different and never those of the game, so opponents cannot look ahead."""
    handed: list[int] = []
    own: list[int] = []

    class Peeking(RecordingOpponent):
        def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
            own.extend(int(env.game_state(lane)._records["rng"][0]) for lane in range(LANES))
            handed.extend(int(word) for word in states["rng"])
            return super().act(observations, action_masks, states, players, rng)

    env = make(chance_game, Peeking(needs_states=True))
    run(env)
    assert handed
    assert not set(handed) & set(own)
    assert len(set(handed)) == len(handed)


def test_shown_states_do_not_predict_chance(chance_game: Game) -> None:
    """Chance outcomes in a shown state differ from those of the game."""
    foreseen: list[list[tuple[int, int]]] = []
    met: list[list[tuple[int, int]]] = []

    class PredictingOpponent(RecordingOpponent):
        def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
            actions = super().act(observations, action_masks, states, players, rng)
            for source, seen in ((states[0], foreseen), (env.game_state()._records[0], met)):
                state = state_of(chance_game, source)
                state.apply_action(int(actions[0]))
                while not state.is_terminal() and len(state.history()) < 40:
                    state.apply_action(state.sample_chance() if state.is_chance_node() else state.legal_actions()[0])
                seen.append([step for step in state.history() if step[0] == CHANCE])
            return actions

    env = edge_envs.seat_env(chance_game.name, opponents=PredictingOpponent(needs_states=True), **chance_game.params)
    for seed in range(30):
        env.reset(seed=seed)
        env.step(int(env.action_masks().argmax()))
    assert foreseen != met or not any(met)  # no chance node follows the first decision


def test_shown_states_hide_hidden_information(hidden_game: Game) -> None:
    """If the player to act has incomplete information, its shown states differ from the true state."""
    rng = np.random.default_rng(0)
    for state in decisions(hidden_game, 8):
        player, truth = state.current_player(), state.to_dict()
        guesses = [state.resample(player, rng).to_dict() for _ in range(20)]
        opponent = RecordingOpponent(needs_states=True)
        seat = (player + 1) % hidden_game.num_players
        env = edge_envs.seat_env(hidden_game.name, opponents=opponent, seat=seat, **hidden_game.params)
        handed = []
        for seed in range(20):
            opponent.calls.clear()
            env.reset(seed=seed, options={"position": truth})
            records = opponent.calls[0][2]
            assert records is not None
            handed.append(state_of(hidden_game, records[0]).to_dict())
        assert any(position != truth for position in handed) == any(guess != truth for guess in guesses)


def test_object_cannot_change_the_game(plain_game: Game) -> None:
    class OverwritingOpponent(RecordingOpponent):
        def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
            actions = super().act(observations, action_masks, states, players, rng)
            observations[:] = 0
            players[:] = 0
            states[:] = np.zeros(1, states.dtype)[0]
            return actions

    games = []
    for opponent in (RecordingOpponent(needs_states=True), OverwritingOpponent(needs_states=True)):
        env = edge_envs.seat_env(plain_game.name, opponents=opponent, **plain_game.params)
        games.append(seat_game(env, env.reset(seed=0)[0]))
    assert games[0] == games[1]


def test_object_cannot_make_actions_legal(plain_game: Game) -> None:
    class Forger(RecordingOpponent):
        def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
            illegal = action_masks.argmin(axis=1)
            possible = action_masks.all(axis=1)  # no action is illegal here
            action_masks[:] = 1
            return np.where(possible, plain_game.num_distinct_actions, illegal)

    env = make(plain_game, Forger(), seat=plain_game.num_players - 1)
    with pytest.raises(ValueError, match=r"legal|possible|read-only"):
        run(env, steps=3)


def test_one_call_serves_all_lanes_that_wait_for_an_object(plain_game: Game) -> None:
    opponent = RecordingOpponent()
    env = make(plain_game, opponent)
    run(env, steps=20)
    assert max(len(call[3]) for call in opponent.calls) > 1
    assert max(len(call[3]) for call in opponent.calls) <= LANES


def test_list_assigns_opponents_in_turn_order_after_the_learner(game: Game) -> None:
    for seat in range(game.num_players):
        opponents = [RecordingOpponent() for _ in range(game.num_players - 1)]
        run(make(game, opponents, seat=seat))
        for place, opponent in enumerate(opponents, start=1):
            assert {int(p) for call in opponent.calls for p in call[3]} == {(seat + place) % game.num_players}


def test_object_on_several_seats_is_called_once_for_all(game: Game) -> None:
    together, apart = RecordingOpponent(), [RecordingOpponent() for _ in range(game.num_players - 1)]
    run(make(game, [together] * (game.num_players - 1), seat=0))
    run(make(game, apart, seat=0))
    assert len(together.calls) <= sum(len(opponent.calls) for opponent in apart)
    assert sum(len(call[3]) for call in together.calls) == sum(len(c[3]) for one in apart for c in one.calls)


def test_mix_draws_an_opponent_for_each_game(plain_game: Game) -> None:
    """One opponent plays the whole game, and both play over many games."""
    pair = [RecordingOpponent(), RecordingOpponent()]
    mix = OpponentMix([(pair[0], 1.0), (pair[1], 3.0)])
    env = edge_envs.seat_env(
        plain_game.name, opponents=[mix, *["random"] * (plain_game.num_players - 2)], seat=0, **plain_game.params
    )
    played = [0, 0]
    for seed in range(200):
        for opponent in pair:
            opponent.calls.clear()
        observation, _ = env.reset(seed=seed)
        for _ in range(6):
            observation, _, ended, _, _ = env.step(chosen(observation, env.action_masks()))
            if ended:
                break
        called = [bool(opponent.calls) for opponent in pair]
        assert called != [True, True]
        played = [count + one for count, one in zip(played, called, strict=True)]
    assert chisquare(played, np.array([0.25, 0.75]) * sum(played)).pvalue > 1e-6


def test_opponent_with_zero_weight_never_plays(plain_game: Game) -> None:
    never, always = RecordingOpponent(), RecordingOpponent()
    run(make(plain_game, OpponentMix([(never, 0.0), (always, 2.0), ("random", 0.0)])))
    assert not never.calls
    assert always.calls


def test_built_in_heuristic_matches_heuristic_action(game: Game) -> None:
    env = edge_envs.seat_env(game.name, opponents="heuristic", seat=0, **game.params)
    observation, _ = env.reset(seed=3)
    state = settle(game.new_initial_state(seed=3))
    others_play(state)
    ended = False
    while not ended:
        before = state.returns()[0]
        action = chosen(observation, env.action_masks())
        observation, reward, ended, _, _ = env.step(action)
        state.apply_action(action)
        settle(state)
        others_play(state)
        assert env.game_state().to_dict() == state.to_dict()
        assert reward == pytest.approx(state.returns()[0] - before)


def others_play(state: State) -> None:
    """Let the heuristic play for all but player 0."""
    while state.current_player() > 0:
        state.apply_action(state.heuristic_action())
        settle(state)


def test_random_opponents_differ_from_game_to_game(plain_game: Game) -> None:
    env = edge_envs.seat_env(plain_game.name, opponents="random", seat=0, **plain_game.params)
    games = [seat_game(env, env.reset(seed=seed)[0]) for seed in range(20)]
    assert any(game != games[0] for game in games)


def test_generator_of_objects_depends_on_the_seed(plain_game: Game) -> None:
    drawn = []
    for seed in (1, 1, 2):
        opponent = RecordingOpponent()
        run(make(plain_game, opponent), steps=5, seed=seed)
        drawn.append(opponent.drawn)
    assert drawn[0] == drawn[1] != drawn[2]


WRONG: dict[str, Callable[[Array], Any]] = {
    "illegal": lambda masks: np.full(len(masks), -1),
    "too large": lambda masks: np.full(len(masks), masks.shape[1]),
    "too many": lambda masks: np.zeros(len(masks) + 1, np.int64),
    "a number": lambda masks: 0,
    "durations": lambda masks: np.zeros(len(masks), "timedelta64[s]"),
}


@pytest.mark.parametrize("answer", WRONG)
def test_invalid_action_of_an_opponent_raises_and_names_it(plain_game: Game, answer: str) -> None:
    env = make(plain_game, InvalidOpponent(WRONG[answer]), seat=plain_game.num_players - 1)
    with pytest.raises(IllegalActionError, match="InvalidOpponent"):
        run(env)


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        ("unheard_of", "unheard_of"),
        ("heurstic", r"unknown opponent 'heurstic' \(choose from random, heuristic, .*did you mean 'heuristic'"),
        (None, "invalid opponent None: expected a name or an object"),
        (7, "invalid opponent 7: expected a name or an object"),
        ([], "opponents"),
        (["random"] * 40, "opponents"),
        (OpponentMix([]), "weight"),
        (OpponentMix([("random", 0.0)]), "weight"),
        (OpponentMix([("random", -1.0)]), "weight"),
        (OpponentMix([("random", float("nan"))]), "weight"),
        (OpponentMix([("unheard_of", 1.0)]), "unheard_of"),
    ],
)
def test_invalid_opponents_are_rejected(plain_game: Game, opponents: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SeatEnv(plain_game, opponents)


# Information that an opponent could exploit


MASK = 2**64 - 1


def unmix(word: int) -> int:
    """Invert the mixing function of SplitMix64, which is a bijection."""
    z = word ^ (word >> 31) ^ (word >> 62)
    z = z * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    z ^= (z >> 27) ^ (z >> 54)
    z = z * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return z ^ (z >> 30) ^ (z >> 60)


def test_generator_of_objects_does_not_reveal_the_seed(plain_game: Game) -> None:
    seed = 123_456_789_123

    class Spy(RecordingOpponent):
        def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
            found.append(str((rng.bit_generator.seed_seq.entropy, rng.bit_generator.seed_seq.spawn_key)))
            return super().act(observations, action_masks, states, players, rng)

    found: list[str] = []
    run(make(plain_game, Spy(), num_envs=1), steps=5, seed=seed)
    assert found
    assert not any(str(seed) in entropy or str(plain_game.num_players) == entropy for entropy in found)


def test_fresh_words_do_not_reveal_the_random_words_of_the_game(chance_game: Game) -> None:
    """Unmixing a shown word up to four times never gives a word of the random streams of the game or the seats."""
    from edge_envs.core.kernels.rng import agents_word, chance_word

    seed = 77
    known = {int(chance_word(np.uint64(seed))), int(agents_word(np.uint64(seed))), seed}
    gamma = 0x9E3779B97F4A7C15
    drawn = {(word + k * gamma) & MASK for word in known for k in range(200)}
    opponent = RecordingOpponent(needs_states=True)
    run(make(chance_game, opponent, num_envs=1), steps=10, seed=seed)
    assert opponent.calls
    for _, _, states, _ in opponent.calls:
        assert states is not None
        handed = int(states["rng"][0])
        words = [(handed - k * gamma) & MASK for k in range(8)]  # resampling has advanced the word
        for _ in range(4):
            assert not drawn & set(words)
            words = [unmix(word) for word in words]


def test_shown_states_of_a_lane_do_not_depend_on_other_lanes(plain_game: Game) -> None:
    handed = []
    for lanes in (1, LANES):
        opponent = RecordingOpponent(needs_states=True)
        env = make(plain_game, opponent, num_envs=lanes, seat=0)
        env.reset(seed=9)
        for _ in range(5):
            env.step(env.action_masks().argmax(axis=1))
        words: list[int] = []
        for _, _, states, _ in opponent.calls:
            assert states is not None
            words += states["rng"].tolist()
        handed.append(words)
    assert handed[0][0] in handed[1]  # the first state of lane 0 may be shown in a later call
    again = RecordingOpponent(needs_states=True)
    env = make(plain_game, again, num_envs=1, seat=0)
    env.reset(seed=9)
    for _ in range(5):
        env.step(env.action_masks().argmax(axis=1))
    assert [int(call[2]["rng"][0]) for call in again.calls if call[2] is not None] == handed[0]
