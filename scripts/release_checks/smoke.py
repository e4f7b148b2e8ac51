"""Briefly use everything in an installed package. Run this with the Python for which the package is installed.

    python -I smoke.py [--one-game] [EXTRA…]

Without extras, use the command, then every game (or only the first) with every API, and print how kernels were
compiled. With extras, use their features. The program writes to the current folder.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo

import edge_envs

STEPS = 30
ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(sysconfig.get_path("scripts")) / "edge-envs"


def main(arguments: list[str]) -> None:
    """Use the requested parts. Raises an exception for anything that does not work."""
    extras = [argument for argument in arguments if argument != "--one-game"]
    games = list(edge_envs.GAMES)[: None if extras == arguments else 1]
    assert Path(edge_envs.__file__).is_relative_to(sys.prefix), f"{edge_envs.__file__} is not the installed package"
    for extra in extras:
        EXTRAS[extra](games[0])
    if not extras:
        use_command()
        for name in games:
            for use in USES:
                use(name)
        from edge_envs.core.compiler import backends

        print({"linking": "linker", "plain": "plain numba"}[backends.chosen().__name__.rpartition(".")[2]])


def use_command() -> None:
    """Check that the command prints the version, the games and their pages."""
    assert output_of("--version") == f"edge-envs {edge_envs.__version__}\n"
    assert json.loads(output_of("games", "--json")).keys() == edge_envs.GAMES.keys()
    for name in edge_envs.GAMES:
        assert "## Rewards" in output_of("rules", name)


def output_of(*arguments: str) -> str:
    """Run the command and return its output."""
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=True).stdout


def use_state(name: str) -> None:
    """Play and draw a game; write its record, read it back and replay it to the same end."""
    state = edge_envs.load_game(name).new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
    assert str(state)
    assert state.svg().startswith("<svg")
    record = edge_envs.record_of(state)
    edge_envs.write_records("games.jsonl", [record])
    (read,) = edge_envs.read_records("games.jsonl")
    assert read == record
    assert edge_envs.replay(read).to_dict() == state.to_dict()


def use_text(name: str) -> None:
    """Use a game as text: print the rules, and let a text agent decide in a position."""
    from edge_envs.text import TextAgent, rules_message

    game = edge_envs.load_game(name)
    assert rules_message(game)
    state = game.new_initial_state(seed=1)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    last = state.legal_actions()[-1]
    agent = TextAgent(game, lambda messages: f"ACTION: {state.action_to_string(last)}")
    assert agent.decide(state) == last


def use_aec_env(name: str) -> None:
    """Use the PettingZoo AEC environment, created by its function and, if there is a registry, by its id."""
    makers: list[Callable[[], Any]] = [lambda: edge_envs.aec_env(name)]
    if hasattr(pettingzoo, "register"):
        makers.append(lambda: pettingzoo.make("aec", id_of(name)))
    for make in makers:
        env = make()
        env.reset(seed=1)
        for agent in env.agent_iter(STEPS):
            seen, _, terminated, truncated, _ = env.last()
            action = None if terminated or truncated else env.action_space(agent).sample(seen["action_mask"])
            env.step(action)
        env.close()


def use_parallel_env(name: str) -> None:
    """Use the PettingZoo parallel environment."""
    env = edge_envs.parallel_env(name)
    _, infos = env.reset(seed=1)
    for _ in range(STEPS):
        if not env.agents:
            _, infos = env.reset()
        *_, infos = env.step({agent: int(infos[agent]["action_mask"].argmax()) for agent in env.agents})
    env.close()


def use_vector_env(name: str) -> None:
    """Use the batched environment of all seats, on one thread and on two."""
    for threads in (1, 2):
        env = edge_envs.vector_env(name, num_envs=4, num_threads=threads)
        batch = env.reset(seed=1)
        for _ in range(STEPS):
            batch = env.step(batch.action_mask.argmax(axis=1))
        env.close()


def use_seat_envs(name: str) -> None:
    """Use the Gymnasium environments, single and vectorized, by their functions and by their id."""
    for env in (edge_envs.seat_env(name, opponents="heuristic"), gymnasium.make(id_of(name))):
        _, info = env.reset(seed=1)
        for _ in range(STEPS):
            _, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
            if terminated:
                _, info = env.reset()
        env.close()
    for envs in (edge_envs.seat_vector_env(name, num_envs=4), gymnasium.make_vec(id_of(name), num_envs=4)):
        _, info = envs.reset(seed=1)
        for _ in range(STEPS):
            _, _, _, _, info = envs.step(info["action_mask"].argmax(axis=1))
        envs.close()


def use_search(name: str) -> None:
    """Use the tree search as an agent and as an opponent."""
    from edge_envs.players import built_in_agent, decide

    game = edge_envs.load_game(name)
    state = game.new_initial_state(seed=1)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    assert decide(built_in_agent("search:20", game), state, np.random.default_rng(1)) in state.legal_actions()
    edge_envs.seat_env(name, opponents="search:5").reset(seed=1)


def use_golden(name: str) -> None:
    """Replay the golden playthrough of the checkout."""
    sys.path.append(str(ROOT))  # behind the installed package
    from tests.contract.cases import plain_games
    from tests.contract.golden import actions_of, file_of, playthrough

    game = next(game for game in plain_games() if game.name == name)
    text = file_of(game).read_text(encoding="utf-8")
    assert playthrough(game, actions_of(text)) == text


def use_trained(name: str) -> None:
    """Play against every trained policy of the package, without PyTorch."""
    from edge_envs.core.trained import trained_policies

    for policy in trained_policies(edge_envs.GAMES[name]):
        env = edge_envs.seat_vector_env(name, num_envs=4, opponents=f"trained:{policy.name}", **policy.params)
        env.reset(seed=1)
        for _ in range(STEPS):
            env.step(env.action_masks().argmax(axis=1))
        env.close()
    assert "torch" not in sys.modules


USES: tuple[Callable[[str], None], ...] = (
    use_golden, use_state, use_text, use_aec_env, use_parallel_env, use_vector_env, use_seat_envs, use_search,
    use_trained,
)  # fmt: skip
"""Functions that use a game, in this order."""


def id_of(name: str) -> str:
    """Return the id of a game in the registries."""
    return f"edge_envs/{name}-v{edge_envs.GAMES[name].version}"


def use_render(name: str) -> None:
    """Render a position as pixels."""
    env = edge_envs.seat_env(name, render_mode="rgb_array")
    env.reset(seed=1)
    frame: Any = env.render()
    assert frame.ndim == 3
    assert frame.dtype == np.uint8


def use_film(name: str) -> None:
    """Record a video of some steps."""
    made = gymnasium.make(id_of(name), render_mode="rgb_array")
    env: Any = gymnasium.wrappers.RecordVideo(made, "films")
    _, info = env.reset(seed=1)
    for _ in range(2):
        env.step(int(info["action_mask"].argmax()))
        _, info = env.reset()
    env.close()
    assert list(Path("films").glob("*.mp4"))


def use_web(name: str) -> None:
    """Serve the web page and check that it lists the game."""
    command = [str(COMMAND), "play", name, "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[2].partition("#")[0]
            with urllib.request.urlopen(f"{address.rstrip('/')}/api/games", timeout=60) as reply:
                assert name in reply.read().decode()
        finally:
            server.terminate()


def use_openspiel(name: str) -> None:
    """Play a game through the OpenSpiel bridge."""
    from edge_envs.bridges import open_spiel

    state = open_spiel.open_spiel_game(edge_envs.load_game(name)).new_initial_state()
    generator = np.random.default_rng(1)
    while not state.is_terminal():
        state.apply_action(int(generator.choice(state.legal_actions())))
    assert len(state.returns()) == state.num_players()


def use_textarena(name: str) -> None:
    """Play a game through the TextArena bridge, with players that always give the same answer."""
    import textarena

    from edge_envs.bridges import textarena as bridge  # noqa: F401  # registers all games

    env = textarena.make(f"{id_of(name)}-train")
    env.reset(num_players=2, seed=1)
    done = False
    while not done:
        env.get_observation()
        done, _ = env.step(action="ACTION: no such thing")
    rewards, _ = env.close()
    assert sorted(rewards.values()) == [-1, 1]


EXTRAS: dict[str, Callable[[str], None]] = {
    "render": use_render,
    "film": use_film,
    "web": use_web,
    "openspiel": use_openspiel,
    "textarena": use_textarena,
}
"""Functions that use an extra, for the extras that the package itself uses."""


if __name__ == "__main__":
    main(sys.argv[1:])
