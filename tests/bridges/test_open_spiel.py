"""The bridge to OpenSpiel: games agree with `State`, and pass OpenSpiel's own tests and algorithms."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest
import torch
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, exploitability, get_all_states, ismcts, mcts
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.algorithms.generate_playthrough import playthrough
from open_spiel.python.observation import make_observation
from open_spiel.python.pytorch import dqn

import edge_envs
from agents.arena.match import play_games
from agents.players.agent import make_agent
from edge_envs import Game, IllegalActionError, ParameterError
from edge_envs.bridges.open_spiel import AgentBot, open_spiel_game
from tests.contract.cases import case_name, games, plain_games
from tests.programs import ROOT, program

NODES = 60

each_case = pytest.mark.parametrize("game", games(), ids=case_name)
each_game = pytest.mark.parametrize("game", plain_games(), ids=case_name)
each_hidden_game = pytest.mark.parametrize(
    "game", [game for game in plain_games() if not game.perfect_information], ids=case_name
)


def load(text: str) -> Any:
    return pyspiel.load_game(text)


def after(game: Any, *actions: int) -> Any:
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def midgame(game: Any, nodes: int = NODES, seed: int = 1) -> Any:
    """Return a decision node of a random game."""
    rng, state = np.random.default_rng(seed), game.new_initial_state()
    while not state.is_terminal():
        if nodes <= 0 and not state.is_chance_node():
            return state
        state.apply_action(int(rng.choice(state.legal_actions())))
        nodes -= 1
    return midgame(game, len(state.history()) - 3, seed)


def rollouts(seed: int) -> Any:
    return mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))


# Games and their parameters


def test_every_game_and_variant_is_registered() -> None:
    registered = set(pyspiel.registered_names())
    types = edge_envs.GAMES.values()
    names = {name for game_type in types for name, variant in game_type.variants.items() if variant.board}
    taken = {"tic_tac_toe"}
    assert names - taken <= registered
    assert {f"edge_envs_{name}" for name in taken} <= registered
    assert load("tic_tac_toe").get_type().long_name == "Tic Tac Toe"


def test_variant_has_its_parameters() -> None:
    assert load("beyond_maps_8x8").rules == edge_envs.load_game("beyond_maps_8x8")
    with pytest.raises(ParameterError, match="beyond_maps_8x8 has size=8"):
        load("beyond_maps_8x8(size=12)")


@each_case
def test_parameters_survive_the_game_string(game: Game) -> None:
    theirs = open_spiel_game(game)
    assert theirs.rules == load(str(theirs)).rules == pickle.loads(pickle.dumps(theirs)).rules == game
    assert theirs.get_parameters().keys() == game.params.keys()


def test_names_of_generated_maps_survive_the_game_string() -> None:
    name = "random:7:rings=3:sectors=8:ports=3"
    theirs = pyspiel.load_game("over_the_edge", {"map": name})
    assert theirs.rules.params["map"] == edge_envs.load_game("over_the_edge", map=name).params["map"]
    assert "=3" not in str(theirs)  # OpenSpiel would take it for a parameter
    assert load(str(theirs)).rules == theirs.rules


def test_per_cents_in_json_are_not_decoded() -> None:
    maps = {**json.loads((ROOT / "tests/games/over_the_edge/bay.json").read_text(encoding="utf-8")), "name": "100%41"}
    theirs = pyspiel.load_game("over_the_edge", {"map": json.dumps(maps)})
    assert theirs.rules.params["map"]["name"] == load(str(theirs)).rules.params["map"]["name"] == "100%41"


def test_values_can_be_json() -> None:
    chits = {"1": 2, "2": 2, "3": 2, "4": 14}
    theirs = pyspiel.load_game("ghost_ship", {"chits": json.dumps(chits)})
    assert theirs.rules.params["chits"] == chits
    assert theirs.rules == load(str(theirs)).rules


@each_case
def test_sizes_match_the_game(game: Game) -> None:
    theirs = open_spiel_game(game)
    for name in (
        *("num_players", "num_distinct_actions", "max_chance_outcomes"),
        *("min_utility", "max_utility", "utility_sum"),
    ):
        assert getattr(theirs, name)() == getattr(game, name), name
    assert theirs.max_game_length() == (game.max_game_length or 1_000_000_000)
    assert theirs.observation_tensor_size() == np.prod(game.observation_shape)
    assert theirs.observation_tensor_shape() == list(game.observation_shape) or len(game.observation_shape) == 1
    kind, deterministic = theirs.get_type(), pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert (kind.chance_mode == deterministic) == (game.max_chance_outcomes == 0)
    assert (kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION) == game.perfect_information
    assert kind.min_num_players <= theirs.num_players() <= kind.max_num_players


# Positions


@each_game
def test_openspiel_random_sim_test(game: Game) -> None:
    pyspiel.random_sim_test(open_spiel_game(game), num_sims=1, serialize=True, verbose=False)


@each_game
def test_openspiel_game_matches_state(game: Game) -> None:
    ours, theirs = game.new_initial_state(seed=0), open_spiel_game(game).new_initial_state()
    rng = np.random.default_rng(3)
    while not ours.is_terminal():
        assert theirs.current_player() == ours.current_player()
        assert theirs.legal_actions() == ours.legal_actions()
        if len(ours.history()) < NODES:
            strings = [theirs.action_to_string(action) for action in theirs.legal_actions()]
            assert strings == [ours.action_to_string(action) for action in ours.legal_actions()]
            for player in range(game.num_players):
                assert theirs.observation_tensor(player) == ours.observation_tensor(player).reshape(-1).tolist()
                assert theirs.observation_string(player) == ours.observation_string(player)
                assert theirs.information_state_string(player) == ours.information_state_string(player)
        if ours.is_chance_node():
            assert theirs.chance_outcomes() == ours.chance_outcomes()
        assert theirs.returns() == [0.0] * game.num_players
        action = int(rng.choice(ours.legal_actions()))
        ours.apply_action(action)
        theirs.apply_action(action)
    assert theirs.is_terminal()
    assert theirs.returns() == theirs.rewards() == ours.returns()
    assert [(step.player, step.action) for step in theirs.full_history()] == ours.history()


@each_game
def test_copies_are_equal_and_independent(game: Game) -> None:
    state = midgame(open_spiel_game(game))
    copies = [
        state.clone(),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        state.get_game().deserialize_state(state.serialize()),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1],
    ]
    before = state.position.to_dict()
    for other in copies:
        assert (other.history(), other.position.to_dict()) == (state.history(), before)
        assert other.information_state_string() == state.information_state_string()
        other.apply_action(other.legal_actions()[0])
    assert state.position.to_dict() == before


def test_intermediate_rewards_are_paid_at_the_end() -> None:
    state = after(load("kuhn(pay_at_once=True)"), 0, 1, 1)
    assert (state.position.returns(), state.returns()) == ([-1.0, 0.0], [0.0, 0.0])
    state.apply_action(1)
    assert state.returns() == state.rewards() == [-2.0, 2.0]


def test_actions_of_other_players_have_strings() -> None:
    state = load("kuhn").new_initial_state()
    assert state.action_to_string(0, 1) == "action 1"
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 1) == "deal 2"


@each_hidden_game
def test_resampled_state_has_the_same_information_state(game: Game) -> None:
    state, rng, hidden = open_spiel_game(game).new_initial_state(), np.random.default_rng(1), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.choice(state.legal_actions())))
            continue
        player = state.current_player()
        other = state.resample_from_infostate(player, rng.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert (other.current_player(), other.legal_actions()) == (player, state.legal_actions())
        hidden += other.position.to_dict() != state.position.to_dict()
        state.apply_action(state.position.heuristic_action())
    assert hidden


# Observers


def test_parts_of_an_observation_are_named() -> None:
    game = load("kuhn")
    seen = make_observation(game)
    seen.set_from(after(game, 2, 0), player=0)
    assert list(seen.dict) == list(game.rules.observation_slices())
    assert seen.dict["card"].tolist() == [0.0, 0.0, 1.0]
    assert seen.string_from(after(game, 2, 0), 0) == after(game, 2, 0).observation_string(0)


def test_planes_are_a_single_part() -> None:
    game = load("edge_envs_tic_tac_toe")
    seen = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    seen.set_from(after(game, 4), player=1)
    assert seen.dict["observation"].tolist() == after(game, 4).position.observation_tensor(1).tolist()
    assert after(game, 4).information_state_tensor(1) == after(game, 4).observation_tensor(1)


def test_information_state_with_hidden_information_is_a_string() -> None:
    game = load("kuhn")
    assert not game.get_type().provides_information_state_tensor
    with pytest.raises(ValueError, match="the information state is a string, not a tensor"):
        make_observation(game, pyspiel.IIGObservationType(perfect_recall=True)).set_from(after(game, 0, 1), 0)


def test_partial_observers_are_not_supported() -> None:
    private = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
    assert make_observation(load("kuhn"), private) is None
    with pytest.raises(ValueError, match="observers of kuhn have no parameters, got colour"):
        make_observation(load("kuhn"), None, {"colour": "red"})


# Algorithms


def test_kuhn_matches_openspiels_kuhn_poker() -> None:
    ours, theirs = load("kuhn"), load("kuhn_poker")
    uniform = [exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) for game in (ours, theirs)]
    assert uniform == pytest.approx([11 / 12, 11 / 12])
    solvers = [cfr.CFRSolver(game) for game in (ours, theirs)]
    for solver in solvers:
        for _ in range(30):
            solver.evaluate_and_update_policy()
    found = [exploitability.exploitability(s._game, s.average_policy()) for s in solvers]
    assert found[0] == pytest.approx(found[1])
    assert found[0] < 0.03
    sizes = [len(get_all_states.get_all_states(g, include_chance_states=True)) for g in (ours, theirs)]
    assert sizes == [58, 58]


def test_compiled_cfr_solver_converges() -> None:
    solver = pyspiel.CFRSolver(load("kuhn"))
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(load("kuhn"), solver.average_policy()) < 0.06


def test_tic_tac_toe_matches_openspiels_game_tree() -> None:
    def ends(state: Any) -> dict[str, list[float]]:
        """Return the returns of every line of play."""
        if state.is_terminal():
            return {state.history_str(): state.returns()}
        return {key: end for action in state.legal_actions() for key, end in ends(state.child(action)).items()}

    ours, theirs = (ends(after(load(name), 0, 4, 8)) for name in ("edge_envs_tic_tac_toe", "tic_tac_toe"))
    assert ours == theirs
    assert len(ours) > 400


def test_playthrough_can_be_generated() -> None:
    text = playthrough("kuhn", [0, 2, 1, 0])
    assert "GameType.reward_model = RewardModel.TERMINAL" in text
    assert 'InformationStateString(1) = "player 0  card ?' in text
    assert "Returns() = [-1, 1]" not in text
    assert "Returns() = [1, -1]" in text


def test_mcts_finds_three_in_a_row() -> None:
    game = load("edge_envs_tic_tac_toe")
    bot = mcts.MCTSBot(game, 1.4, 100, rollouts(0), random_state=np.random.RandomState(0))
    assert bot.step(after(game, 0, 3, 1, 4)) == 2


@each_hidden_game
def test_ismcts_returns_legal_actions(game: Game) -> None:
    state = midgame(open_spiel_game(game))
    bot = ismcts.ISMCTSBot(state.get_game(), rollouts(0), 1.4, 20, random_state=np.random.RandomState(0))
    assert bot.step(state) in state.legal_actions()


def test_ismcts_calls_with_the_best_card_and_folds_the_worst() -> None:
    game = load("kuhn")
    bot = ismcts.ISMCTSBot(game, rollouts(0), 1.4, 100, random_state=np.random.RandomState(0))
    assert [bot.step(after(game, 1, card, 1)) for card in (2, 0)] == [1, 0]


def test_dqn_learns_to_win_in_openspiels_environment() -> None:
    torch.set_num_threads(1)
    env, rng = rl_environment.Environment(load("edge_envs_tic_tac_toe")), np.random.default_rng(0)
    learner = dqn.DQN(
        0, env.observation_spec()["info_state"][0], env.action_spec()["num_actions"], (64,),
        batch_size=64, learning_rate=1e-3, optimizer_str=dqn.Optimiser.ADAM, learn_every=5, seed=0,
        min_buffer_size_to_learn=200, update_target_network_every=50, epsilon_end=0.05, epsilon_decay_duration=1500,
        epsilon_decay_schedule_str=dqn.EpsilonDecaySchedule.LINEAR,
    )  # fmt: skip

    def against_random(games: int, learns: bool) -> float:
        """Return the learner's mean return from the first seat."""
        returns = []
        for _ in range(games):
            step = env.reset()
            while not step.last():
                seat = step.current_player()
                answer = learner.step(step, is_evaluation=not learns).action if seat == 0 else None
                step = env.step([rng.choice(step.observations["legal_actions"][seat]) if seat else answer])
            if learns:
                learner.step(step)
            returns.append(step.rewards[0])
        return float(np.mean(returns))

    untrained, _, trained = against_random(200, False), against_random(800, True), against_random(200, False)
    assert untrained < 0.5
    assert trained > 0.8


# Agents and bots


@each_game
def test_agents_can_play_as_openspiel_bots(game: Game) -> None:
    theirs = open_spiel_game(game)
    bots = [AgentBot(theirs, "heuristic", seed=seat) for seat in range(game.num_players)]
    for play in (evaluate_bots, pyspiel.evaluate_bots):
        random = np.random.RandomState(0) if play is evaluate_bots else 0
        returns = play(theirs.new_initial_state(), bots, random)
        assert game.min_utility <= min(returns) <= max(returns) <= game.max_utility


def test_agent_objects_can_play_as_openspiel_bots() -> None:
    theirs = load("edge_envs_tic_tac_toe")
    agent = make_agent("tests.arena.external_agents:first", theirs.rules)
    state = theirs.new_initial_state()
    assert evaluate_bots(state, [AgentBot(theirs, agent)] * 2, np.random) == [1.0, -1.0]
    assert state.history() == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("name", ["kuhn", "tic_tac_toe", "falling_off"])
def test_openspiel_bots_can_play_in_tournaments(name: str) -> None:
    game = edge_envs.load_game(name)
    agents = [make_agent(agent, game) for agent in ("tests.bridges.bots:mcts", "heuristic")]
    once, again = (play_games(game, agents, range(2)) for _ in range(2))
    assert [played.forfeit for played in once] == [None, None]
    assert [played.actions for played in once] == [played.actions for played in again]


# Errors


def test_illegal_actions_have_no_effect() -> None:
    state = after(load("kuhn"), 0, 1)
    with pytest.raises(IllegalActionError, match=r"illegal action 7 \(choose from 0 \(check\), 1 \(bet\)\)"):
        state.apply_action(7)
    with pytest.raises(pyspiel.SpielError):
        state.apply_action_with_legality_check(7)
    assert (state.history(), state.current_player()) == ([0, 1], 0)


@pytest.mark.parametrize(
    ("text", "exception", "message"),
    [
        ("kuhn(colour=red)", pyspiel.SpielError, "Unknown parameter 'colour'. Available parameters are: deal"),
        ("kuhn(num_players=two)", pyspiel.SpielError, "Wrong type for parameter num_players"),
        ("kuhn(pay_at_once=1)", pyspiel.SpielError, "Wrong type for parameter pay_at_once"),
        ("kuhn(num_players=4)", ParameterError, "invalid num_players=4: expected an integer from 2 to 3"),
        ("kuhn(deal=never)", ParameterError, "invalid deal='never': expected 'first' or 'last'"),
        ("ghost_ship(chits=many)", ValueError, "ghost_ship: invalid chits='many'"),
        ("ghost_ship(chits={many)", ParameterError, "chits='{many' is not JSON"),
        ("over_the_edge(map=atlantis)", ValueError, "cannot read map='atlantis'"),
    ],
)
def test_invalid_parameters_are_rejected(text: str, exception: type[Exception], message: str) -> None:
    with pytest.raises(exception) as caught:
        load(text)
    assert message in str(caught.value)


def test_incompatible_agents_and_positions_are_rejected() -> None:
    theirs = load("kuhn")
    with pytest.raises(ValueError, match="unknown agent 'stockfish'"):
        AgentBot(theirs, "stockfish")
    with pytest.raises(ValueError, match="7 is not an agent: it has no method act"):
        AgentBot(theirs, 7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"the position is of .*num_players=3.*, not of .*num_players=2"):
        theirs.state_of(edge_envs.load_game("kuhn", num_players=3).new_initial_state())
    bot, other = AgentBot(theirs, "random"), load("kuhn(num_players=3)").new_initial_state()
    with pytest.raises(ValueError, match=r"the position is of .*num_players=3.*, not of .*num_players=2"):
        bot.step(other)
    with pytest.raises(ValueError, match=r"the position is of .*tic_tac_toe.*, not of .*kuhn"):
        bot.step(pyspiel.load_game("tic_tac_toe").new_initial_state())
    with pytest.raises(ValueError, match=r"tic_tac_toe.* is not a game registered by this bridge"):
        AgentBot(pyspiel.load_game("tic_tac_toe"), "random")


def test_pickled_state_loads_in_another_process_that_exits_cleanly() -> None:
    """OpenSpiel releases the factories of games after Python has shut down."""
    text = pickle.dumps(midgame(load("falling_off"), nodes=9)).hex()
    done = program("-c", f"import pickle; print(len(pickle.loads(bytes.fromhex('{text}')).history()))")
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) >= 9


def test_without_openspiel_the_extra_is_named() -> None:
    done = program("-c", "import sys; sys.modules['pyspiel'] = None; import edge_envs.bridges.open_spiel")
    assert "MissingExtraError: the bridge to OpenSpiel needs pyspiel, which is not installed" in done.stderr
    assert 'pip install "edge-envs[openspiel]"' in done.stderr
