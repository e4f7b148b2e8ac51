"""Games where other libraries hold them, beside the same game at `State`; and data sets, of which files get lost."""

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
from tests.fuzz.door import Story
from tests.fuzz.texts import some_answer

STEPS = 40

Bridge = Callable[[Game, Random, Story, Path], None]


def parallel(game: Game, rng: Random, story: Story, folder: Path) -> None:
    """PettingZoo's parallel API: actions of all agents, most of whom wait."""
    env: Any = edge_envs.parallel_env(game.name, **game.params_dict())
    env.reset(seed=rng.getrandbits(20))
    for _ in range(STEPS):
        state = env.game_state()
        if not env.agents:
            assert state.is_terminal()
            return
        agent = f"player_{state.current_player()}"
        action = rng.choice(state.legal_actions())
        story.tell(f"{game!r}: {agent}", action)
        waiting = {other: env.wait for other in env.agents if other != agent}
        views, rewards, ended, _, _ = env.step({agent: action, **waiting})
        assert views.keys() == rewards.keys() == set(env.possible_agents)
        assert any(ended.values()) == env.game_state().is_terminal()


def open_spiel(game: Game, rng: Random, story: Story, folder: Path) -> None:
    """OpenSpiel: what it says of each position is what `State` says; illegal actions change nothing."""
    import pyspiel

    from edge_envs.bridges.open_spiel import open_spiel_game

    theirs, ours = open_spiel_game(game).new_initial_state(), game.new_initial_state(seed=0)
    for _ in range(STEPS):
        assert theirs.is_terminal() == ours.is_terminal()
        if ours.is_terminal():
            assert theirs.returns() == ours.returns()
            break
        legal = ours.legal_actions()
        assert theirs.legal_actions() == legal
        action = some_action(rng, legal) if rng.random() < 0.1 else rng.choice(legal)
        story.tell(f"{game!r}: OpenSpiel's apply_action", action)
        try:
            theirs.apply_action(action)
        except (IllegalActionError, TypeError, pyspiel.SpielError):  # it refuses -1, and what is no number, itself
            continue
        ours.apply_action(theirs.history()[-1])
        assert theirs.position.to_dict() == ours.to_dict()
    again = pickle.loads(pickle.dumps(theirs))
    assert again.position.to_dict() == ours.to_dict()


def textarena(game: Game, rng: Random, story: Story, folder: Path) -> None:
    """TextArena: answers in words, sensible or not; a game ends for all, and whoever gives none that counts loses."""
    from edge_envs.bridges.textarena import TextArenaEnv

    if not game.type.has_module("short_rules"):
        return
    env = TextArenaEnv(game.name, retries=rng.randrange(3), disguise=rng.choice((None, 1)), **game.params)
    env.reset(num_players=game.num_players, seed=rng.getrandbits(20))
    for _ in range(STEPS):
        player, told = env.get_observation()
        assert player == env.position.current_player()
        assert told
        answer = _answer(rng, env.position)
        story.tell(f"{game!r}: player {player} answers", answer)
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


def collect(game: Game, rng: Random, story: Story, folder: Path) -> None:
    """A data set that has lost a file gets the same one again."""
    from agents.collection.config import CollectionConfig
    from agents.collection.formats import FORMATS
    from agents.collection.run import collect as collect_games
    from agents.common.configuration import parse

    formats = [name for name in FORMATS if name != "minari" or importlib.util.find_spec("minari")]
    given = {
        "game": game.name, "params": game.params_dict(), "agents": [rng.choice(("random", "heuristic"))],
        "games": 3, "shard": 2, "format": rng.choice(formats), "seed": rng.randrange(99),
    }  # fmt: skip
    story.tell("a data set", given)
    config, folder = parse(CollectionConfig, given, "soak"), folder / "collected"
    collect_games(config, folder)
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "lock"}
    lost = rng.choice([path for path in whole if path.name != "collection.json"])
    story.tell("lost", lost.name)
    lost.unlink()
    collect_games(config, folder)
    assert {path: path.read_bytes() for path in whole} == whole
    shutil.rmtree(folder)


BRIDGES: dict[str, tuple[Bridge, str]] = {
    "parallel": (parallel, ""),
    "open_spiel": (open_spiel, "pyspiel"),
    "textarena": (textarena, "textarena"),
    "collect": (collect, ""),
}
"""By their names; each with the module without which it is left out."""


def installed() -> list[str]:
    """The bridges whose libraries are here."""
    return [name for name, (_, module) in BRIDGES.items() if not module or importlib.util.find_spec(module)]
