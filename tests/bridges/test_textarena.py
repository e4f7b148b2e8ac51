"""The bridge to TextArena."""

from __future__ import annotations

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
