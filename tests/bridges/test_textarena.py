"""The bridge to TextArena."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
import textarena as ta

import edge_envs
from edge_envs import Game, ParameterError
from edge_envs.bridges import textarena as bridge
from edge_envs.bridges.textarena import TextArenaEnv
from edge_envs.core.game_type import GameType
from tests.contract.cases import case_name, games

games_with_rules = [game for game in games() if game.type.has_module("short_rules")]
each_game = pytest.mark.parametrize("game", games_with_rules, ids=case_name)
KINDS = ta.ObservationType


def make(game: Game, **options: Any) -> TextArenaEnv:
    env = TextArenaEnv(game.name, **options, **game.params)
    env.reset(num_players=game.num_players, seed=5)
    return env


def new_messages(env: TextArenaEnv, kind: Any) -> list[str]:
    """Return the new messages of a kind for the player to act."""
    _, observation = env.get_observation()
    return [text for _, text, what in observation if what == kind]


@each_game
def test_seed_gives_the_same_game_as_state(game: Game) -> None:
    env, state, drawn = make(game), game.new_initial_state(seed=5), random.Random(0)
    done = False
    for _ in range(400):
        while state.is_chance_node():
            state.apply_action(state.sample_chance())
        if done or state.is_terminal():
            break
        player, observation = env.get_observation()
        assert player == state.current_player()
        assert f"You are player {player}." in observation[-1][1]
        action = drawn.choice(state.legal_actions())
        done, info = env.step(f"I think.\nACTION: {state.action_to_string(action)}")
        assert info == {}
        state.apply_action(action)
        assert env.position.to_dict() == after_chance(state).to_dict()
    assert done == state.is_terminal()
    if done:
        rewards, infos = env.close()
        assert rewards == dict(enumerate(state.returns()))
        assert not any(info["invalid_move"] for info in infos.values())


def after_chance(state: Any) -> Any:
    after = state.clone()
    while after.is_chance_node():
        after.apply_action(after.sample_chance())
    return after


@each_game
def test_every_player_gets_the_rules_and_only_known_information(game: Game) -> None:
    env, drawn = make(game), random.Random(1)
    messages: dict[int, list[str]] = {player: [] for player in range(game.num_players)}
    for _ in range(30):
        player, observation = env.get_observation()
        messages[player] += [text for _, text, kind in observation if kind != KINDS.GAME_BOARD]
        assert [kind for *_, kind in observation].count(KINDS.GAME_BOARD) == 1
        done, _ = env.step(f"secret {player}\n[{some_action(env, drawn)}]")
        if done:
            break
    for player, lines in messages.items():
        if lines:
            assert "ACTION:" in lines[0]
            seen = env.position.history_strings(player)
            news = [part for line in lines[1:] if "secret" not in line for part in line.split("\n")]
            assert set(news) <= set(seen) or env.position.is_terminal()  # the end reveals everything
            assert not any(f"secret {other}" in line for line in lines for other in messages if other != player)


def some_action(env: TextArenaEnv, drawn: random.Random) -> str:
    return env.position.action_to_string(drawn.choice(env.position.legal_actions()))


@pytest.mark.parametrize("name", list(edge_envs.GAMES["falling_off"].variants))
@pytest.mark.parametrize("shown", ["", "-train", "-raw"])
def test_textarena_make_creates_games_by_id(name: str, shown: str) -> None:
    players = edge_envs.load_game(name).num_players
    env = ta.make(f"edge_envs/{name}-v0{shown}")
    env.reset(num_players=players, seed=1)
    for _ in range(10):
        player, observation = env.get_observation()
        assert f"You are player {player}." in str(observation)
        done, _ = env.step(env.position.action_to_string(env.position.legal_actions()[-1]))
        if name == "falling_off_tiny" and done:  # a game of few decisions
            break
        assert not done


def test_number_of_players_can_be_set_at_reset() -> None:
    env = TextArenaEnv("falling_off")
    for players in (3, 2, 6):
        env.reset(num_players=players)
        assert env.position.game.num_players == players
    with pytest.raises(ParameterError, match="num_players=7"):
        env.reset(num_players=7)
    with pytest.raises(ParameterError, match="this environment has 4"):
        TextArenaEnv("falling_off", num_players=4).reset(num_players=2)
    with pytest.raises(ParameterError, match="num_players"):
        TextArenaEnv("beyond_maps").reset(num_players=3)


@pytest.mark.parametrize("retries", [0, 2])
def test_invalid_answers_are_retried_and_then_forfeit(retries: int) -> None:
    env = TextArenaEnv("falling_off", num_players=3, retries=retries)
    env.reset(num_players=3, seed=0)
    player, _ = env.get_observation()
    for _ in range(retries):
        done, _ = env.step("nonsense")
        assert not done
        assert env.state.current_player_id == player
        (reason,) = new_messages(env, KINDS.GAME_ADMIN)
        assert "'nonsense' is not legal now" in reason
    done, _ = env.step("nonsense")
    assert done
    rewards, infos = env.close()
    assert rewards == {other: -1.0 if other == player else 0.5 for other in range(3)}
    assert [other for other, info in infos.items() if info["invalid_move"]] == [player]


def test_answers_after_the_end_are_rejected() -> None:
    env, drawn = TextArenaEnv("beyond_maps", size=5, retries=0), random.Random(0)
    env.reset(num_players=2, seed=0)
    while not env.step(f"[{some_action(env, drawn)}]")[0]:
        pass
    position, rewards = env.position.to_dict(), dict(env.state.rewards)
    for answer in ("nonsense", "ACTION: 1"):
        with pytest.raises(ValueError, match="the game is over: call reset"):
            env.step(answer)
    assert (env.position.to_dict(), env.state.rewards) == (position, rewards)
    env.reset(num_players=2, seed=1)
    env.step(f"[{some_action(env, drawn)}]")


def test_valid_answer_resets_the_retries() -> None:
    env, drawn = TextArenaEnv("falling_off", retries=1), random.Random(0)
    env.reset(num_players=2, seed=0)
    for _ in range(5):
        assert not env.step("nonsense")[0]
        assert not env.step(f"[{some_action(env, drawn)}]")[0]


def test_disguise_is_supported() -> None:
    env = TextArenaEnv("falling_off", disguise=3)
    env.reset(num_players=2, seed=0)
    _, observation = env.get_observation()
    whole = "\n".join(text for _, text, _ in observation)
    assert "pawn" not in whole
    assert "ACTION:" in whole
    text = env.position.action_to_string(env.position.legal_actions()[0])
    hidden = env._outward(text)
    before = env._shown[0]
    assert not env.step(f"ACTION: {text}")[0]
    assert env._shown[0] == before
    (reason,) = new_messages(env, KINDS.GAME_ADMIN)
    assert f"'{text}' is not legal now" in reason.lower()
    assert not env.step(f"ACTION: {hidden}")[0]
    assert env._shown[0] > 1
    assert "pawn" not in env.get_board_str()


@pytest.mark.parametrize("retries", [-1, True, "2", 100])
def test_invalid_retries_are_rejected(retries: Any) -> None:
    with pytest.raises(ParameterError, match="retries="):
        TextArenaEnv("falling_off", retries=retries)


def test_only_games_with_short_rules_are_registered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    before = dict(ta.envs.registration.ENV_REGISTRY)
    bridge.register_games(edge_envs.GAMES)
    assert before == ta.envs.registration.ENV_REGISTRY
    monkeypatch.setattr(GameType, "has_module", lambda self, name: False)
    monkeypatch.setattr(ta.envs.registration, "ENV_REGISTRY", {})
    bridge.register_games(edge_envs.GAMES)
    assert ta.envs.registration.ENV_REGISTRY == {}


@pytest.mark.parametrize("wrappers", ["", "-train", "-raw"])
@pytest.mark.parametrize("template", ["ACTION: {}", "[{}]", "I think.\nACTION: {}", "[ACTION: {}]"])
def test_answers_are_parsed_with_all_wrappers(wrappers: str, template: str) -> None:
    """One of TextArena's wrappers puts brackets around an answer that has none."""
    env = ta.make(f"edge_envs/beyond_maps_8x8-v0{wrappers}")
    env.reset(num_players=2, seed=3)
    inner = env
    while not isinstance(inner, TextArenaEnv):
        inner = inner.env
    for _ in range(4):
        env.get_observation()
        position = inner.position
        done, info = env.step(template.format(position.action_to_string(position.legal_actions()[0])))
        assert not done
        assert not info


def play_alone(env: Any, choose: random.Random) -> list[str]:
    """Play a game as the only player that answers, and return the observations."""
    seen, done = [], False
    while not done:
        player, observation = env.get_observation()
        assert player == 0
        seen.append(str(observation))
        done, _ = env.step(f"[{some_action(env, choose)}]")
    return seen


@each_game
def test_one_seat_answers_and_opponents_play_the_others(game: Game) -> None:
    env = TextArenaEnv(game.name, seat=1, **game.params)
    env.reset(num_players=1, seed=3)
    for _ in range(20):
        player, observation = env.get_observation()
        assert (player, env.position.current_player()) == (0, 1)
        assert "You are player 1." in observation[-1][1]
        if env.step(f"[{some_action(env, random.Random(0))}]")[0]:
            break


def test_one_seat_game_ends_with_its_return_and_a_reason() -> None:
    env = TextArenaEnv("falling_off_3p", opponents="heuristic", seat=2)
    env.reset(num_players=1, seed=3)
    observations = play_alone(env, random.Random(0))
    rewards, infos = env.close()
    assert rewards == {0: env.position.returns()[2]}
    assert infos[0]["reason"] == f"The game is over. {env.position.result()}"
    assert "player 0: roll " in "".join(observations)
    acts = [player for player, _ in env.position.history()]
    assert {0, 1, 2} <= set(acts)


class Lowest:
    """An opponent without a name that plays the lowest legal action, and counts its decisions."""

    decisions = 0

    def act(self, observations: Any, action_masks: Any, states: Any, players: Any, rng: Any) -> Any:
        self.decisions += 1
        assert states is None
        return action_masks.argmax(axis=1)


def test_opponents_may_be_objects_lists_and_mixes() -> None:
    lowest = Lowest()
    each: list[Any] = [lowest, ["random", lowest], edge_envs.OpponentMix([(lowest, 1.0), ("random", 1.0)])]
    for opponents in each:
        before = lowest.decisions
        env = TextArenaEnv("falling_off_3p", opponents=opponents)
        for seed in range(4):
            env.reset(num_players=1, seed=seed)
            play_alone(env, random.Random(seed))
        assert lowest.decisions > before
    with pytest.raises(ValueError, match="unknown opponent 'godlike'"):
        TextArenaEnv("falling_off", opponents="godlike")
    with pytest.raises(ValueError, match="invalid seat=2: expected an integer from 0 to 1, or 'random'"):
        TextArenaEnv("falling_off", seat=2)


class FailsOnce(Lowest):
    """An opponent whose decision number `failing` fails."""

    def __init__(self, failing: int) -> None:
        self.failing = failing

    def act(self, *views: Any) -> Any:
        actions = super().act(*views)
        if self.decisions == self.failing:
            raise TimeoutError("no answer")
        return actions


@pytest.mark.parametrize("failing", [1, 4])
@pytest.mark.parametrize("seat", [0, 1])
def test_after_a_failure_of_an_opponent_only_reset_continues(seat: int, failing: int) -> None:
    env = TextArenaEnv("kuhn", opponents=FailsOnce(failing), seat=seat)
    with pytest.raises(TimeoutError):  # noqa: PT012  the failing call may be any
        for seed in range(9):
            env.reset(num_players=1, seed=seed)
            play_alone(env, random.Random(seed))
    for call in (env.get_observation, lambda: env.step("1")):
        with pytest.raises(RuntimeError, match="the last call was interrupted by TimeoutError: no answer"):
            call()
    env.reset(num_players=1, seed=1)
    play_alone(env, random.Random(1))


def test_seed_determines_the_seat_and_the_opponents() -> None:
    games = []
    for seed in (*range(6), *range(6)):
        env = TextArenaEnv("falling_off", opponents=edge_envs.OpponentMix([("random", 0.5), ("heuristic", 0.5)]))
        env.reset(num_players=1, seed=seed)
        games.append((list(env._answering), play_alone(env, random.Random(1)), env.position.history()))
    assert games[:6] == games[6:]
    assert {seats[0] for seats, *_ in games} == {0, 1}


@pytest.mark.parametrize("players", [1, 2])
def test_without_a_seed_the_module_random_draws_it(players: int) -> None:
    """`verifiers` seeds environments this way."""
    positions = []
    for seed in (5, 5, 6):
        env = ta.make("edge_envs/falling_off-v0-train")
        random.seed(seed)
        env.reset(num_players=players)
        positions.append((env.get_observation(), env.position.to_dict()))
    assert positions[0] == positions[1] != positions[2]


def test_invalid_answers_of_the_one_seat_name_it_and_forfeit() -> None:
    env = TextArenaEnv("falling_off_3p", seat=1, retries=1)
    env.reset(num_players=1, seed=0)
    assert not env.step("nonsense")[0]
    (reason,) = new_messages(env, KINDS.GAME_ADMIN)
    assert reason.startswith("Player 1 attempted an invalid move.")
    assert env.step("nonsense")[0]
    rewards, infos = env.close()
    assert rewards == {0: -1.0}
    assert infos[0]["invalid_move"]
    assert infos[0]["reason"] == "Player 1 named no legal action."


def test_copies_of_a_one_seat_game_are_independent() -> None:
    env = ta.make("edge_envs/falling_off-v0-train", opponents="heuristic")
    env.reset(num_players=1, seed=2)
    twin = copy.deepcopy(env)
    assert play_alone(env, random.Random(0)) == play_alone(twin, random.Random(0))


@pytest.mark.parametrize("ended", [1, 10**6])
def test_games_that_end_before_the_first_decision_are_replaced(monkeypatch: pytest.MonkeyPatch, ended: int) -> None:
    env, played, calls = TextArenaEnv("kuhn"), TextArenaEnv._play_opponents, []

    def play(env: TextArenaEnv) -> None:
        calls.append(env)
        while len(calls) <= ended and not env.position.is_terminal():
            env.position.apply_action(env.position.legal_actions()[0])
        played(env)

    monkeypatch.setattr(TextArenaEnv, "_play_opponents", play)
    monkeypatch.setattr(bridge, "MOST_REPLACED", 20)
    if ended == 1:
        env.reset(num_players=1, seed=0)
        assert len(calls) == 2
    else:
        with pytest.raises(ValueError, match=r"had no decision in 20 games of"):
            env.reset(num_players=1, seed=0)
