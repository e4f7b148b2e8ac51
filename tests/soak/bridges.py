"""Games in the bridges to other libraries, compared with `State`; and data sets with a deleted file."""

from __future__ import annotations

import importlib.util
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import edge_envs
from edge_envs import Game, IllegalActionError, State
from tests.fuzz.actions import some_action
from tests.fuzz.target import Trace
from tests.fuzz.texts import some_answer

STEPS = 40

Bridge = Callable[[Game, Random, Trace, Path], None]


def parallel(game: Game, rng: Random, trace: Trace, folder: Path) -> None:
    """Play in PettingZoo's parallel API, with actions of all agents."""
    env: Any = edge_envs.parallel_env(game.name, **game.params_dict())
    env.reset(seed=rng.getrandbits(20))
    for _ in range(STEPS):
        state = env.game_state()
        if not env.agents:
            assert state.is_terminal()
            return
        agent = f"player_{state.current_player()}"
        action = rng.choice(state.legal_actions())
        trace.add(f"{game!r}: {agent}", action)
        waiting = {other: env.wait for other in env.agents if other != agent}
        views, rewards, ended, _, _ = env.step({agent: action, **waiting})
        assert views.keys() == rewards.keys() == set(env.possible_agents)
        assert any(ended.values()) == env.game_state().is_terminal()


def open_spiel(game: Game, rng: Random, trace: Trace, folder: Path) -> None:
    """Play in OpenSpiel: every state agrees with `State`, and illegal actions have no effect."""
    import pyspiel

    from edge_envs.bridges.open_spiel import open_spiel_game

    spiel_state, state = open_spiel_game(game).new_initial_state(), game.new_initial_state(seed=0)
    for _ in range(STEPS):
        assert spiel_state.is_terminal() == state.is_terminal()
        if state.is_terminal():
            assert spiel_state.returns() == state.returns()
            break
        legal = state.legal_actions()
        assert spiel_state.legal_actions() == legal
        action = some_action(rng, legal) if rng.random() < 0.1 else rng.choice(legal)
        trace.add(f"{game!r}: OpenSpiel's apply_action", action)
        try:
            spiel_state.apply_action(action)
        except (IllegalActionError, TypeError, pyspiel.SpielError):  # OpenSpiel itself rejects -1 and non-integers
            continue
        state.apply_action(spiel_state.history()[-1])
        assert spiel_state.position.to_dict() == state.to_dict()
    again = pickle.loads(pickle.dumps(spiel_state))
    assert again.position.to_dict() == state.to_dict()


def textarena(game: Game, rng: Random, trace: Trace, folder: Path) -> None:
    """Play in TextArena with valid and invalid answers; an agent without a valid answer forfeits."""
    from edge_envs.bridges.textarena import TextArenaEnv

    if not game.type.has_module("short_rules"):
        return
    env = TextArenaEnv(game.name, retries=rng.randrange(3), disguise=rng.choice((None, 1)), **game.params)
    env.reset(num_players=game.num_players, seed=rng.getrandbits(20))
    for _ in range(STEPS):
        player, messages = env.get_observation()
        assert player == env.position.current_player()
        assert messages
        answer = _answer(rng, env.position)
        trace.add(f"{game!r}: player {player} answers", answer)
        done, _ = env.step(answer)
        if done:
            rewards, infos = env.close()
            assert rewards.keys() == infos.keys() == set(range(game.num_players))
            forfeited = any(info["invalid_move"] for info in infos.values())
            assert forfeited or rewards == dict(enumerate(env.position.returns()))
            return


def _answer(rng: Random, state: State) -> str:
    if rng.random() < 0.2:
        return some_answer(rng, state)
    return f"ACTION: {state.action_to_string(rng.choice(state.legal_actions()))}"


def collect(game: Game, rng: Random, trace: Trace, folder: Path) -> None:
    """Collect a data set, delete a file, and restore it by collecting again."""
    from agents.collection.config import CollectionConfig
    from agents.collection.formats import FORMATS
    from agents.collection.run import collect as collect_games
    from agents.common.configuration import parse

    formats = [name for name in FORMATS if name != "minari" or importlib.util.find_spec("minari")]
    given = {
        "game": game.name, "params": game.params_dict(), "agents": [rng.choice(("random", "heuristic"))],
        "games": 3, "shard": 2, "format": rng.choice(formats), "seed": rng.randrange(99),
    }  # fmt: skip
    trace.add("a data set", given)
    config, folder = parse(CollectionConfig, given, "soak"), folder / "collected"
    collect_games(config, folder)
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "lock"}
    deleted = rng.choice([path for path in whole if path.name != "collection.json"])
    trace.add("deleted", deleted.name)
    deleted.unlink()
    collect_games(config, folder)
    assert {path: path.read_bytes() for path in whole} == whole
    shutil.rmtree(folder)


BRIDGES: dict[str, tuple[Bridge, str]] = {
    "parallel": (parallel, ""),
    "open_spiel": (open_spiel, "pyspiel"),
    "textarena": (textarena, "textarena"),
    "collect": (collect, ""),
}
"""The bridges by name, each with the module that it requires."""


def installed() -> list[str]:
    """Return the bridges whose libraries are installed."""
    return [name for name, (_, module) in BRIDGES.items() if not module or importlib.util.find_spec(module)]
