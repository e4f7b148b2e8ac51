"""Make an exported policy part of the package, as the agent `trained:NAME`.

    python scripts/ship_policy.py runs/over_the_edge/pond/policy --name pond --level
    python scripts/ship_policy.py policies/ghost_ship/selfplay --name selfplay
    python scripts/ship_policy.py runs/beyond_maps/8x8/policy --name 8x8 --replies 1 --beam 8 --level

The program copies the policy folder to `edge_envs/games/GAME/trained/NAME` and adds `trained.json`. It accepts n-tuple
networks, learned values, and perceptrons without hints. A file over `--megabytes` gets smaller: an n-tuple network
loses its smallest weights, and a perceptron its critic and half of the bits of each weight.

Then it plays `--games` games against the heuristic and, with `--level`, against the highest level below, and prints the
results and the decisions per second of one thread. With `--level`, the policy is the next level of its board; the
program fails if it does not win more than it loses against the level below.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import NOTHING_SAVED, fail_politely, if_interrupted, run
from agents.common.files import write_whole

if TYPE_CHECKING:
    import typer

    from edge_envs import Game

MOST_IN_PACKAGE = 9 * 2**20
"""The limit for all trained policies together, in bytes, so that the wheel stays below 10 MB."""


def main(
    policy: Annotated[str, typer.Argument(metavar="FOLDER", help="the policy folder to ship")],
    name: Annotated[str, typer.Option(help="the agent will be trained:NAME")],
    summary: Annotated[str, typer.Option(help="one line about the policy; default: how it was trained")] = "",
    level: Annotated[bool, typer.Option("--level", help="make it the next level of its board")] = False,
    replies: Annotated[int | None, typer.Option(min=0, help="of an n-tuple network: turns checked for replies")] = None,
    beam: Annotated[int | None, typer.Option(min=1, help="of an n-tuple network: open positions searched")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="of an n-tuple network: decisions searched ahead")] = None,
    megabytes: Annotated[float, typer.Option(help="the largest size of the weights")] = 2.0,
    games: Annotated[int, typer.Option(min=2, help="games against each opponent")] = 400,
    replace: Annotated[bool, typer.Option("--replace", help="replace a policy of this name")] = False,
) -> None:
    """Make an exported policy part of the package."""
    with fail_politely(), if_interrupted(NOTHING_SAVED):
        from edge_envs.core.trained import FILE, FORMAT, trained_folder
        from edge_envs.trained.agent import TrainedAgent, load_trained

        TrainedAgent.check_text(name)
        game = load_trained(policy).game
        below = game.levels[-1]
        target = trained_folder(game.type) / name
        if target.exists() and not replace:
            raise ValueError(f"{target}: exists already; choose another --name, or --replace it")
        partial = target.with_name(f".{name}")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            given = {"beam": beam, "depth": depth, "replies": replies}
            plan = {key: value for key, value in given.items() if value is not None}
            kind = copy_policy(Path(policy), partial, plan, int(megabytes * 2**20))
            measured = measure(
                game, partial, ["heuristic", *([below] if level and below != "heuristic" else [])], games
            )
            if level and measured[-1]["mean_return"] <= 0:
                raise ValueError(f"{name} does not win more than it loses against {below}, the level below")
            about = {"format": FORMAT, "summary": summary or kind, "level": level, "measured": measured}
            write_whole(partial / FILE, json.dumps(about, indent=2) + "\n")
            check_size(trained_folder(game.type).parent.parent, partial, target)
            shutil.rmtree(target, ignore_errors=True)
            partial.rename(target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        print(f"trained:{name}: {target}")


def copy_policy(source: Path, target: Path, plan: dict[str, int], most: int) -> str:
    """Copy a policy folder, with weights of at most `most` bytes; return what it is, in words."""
    from safetensors.numpy import save

    from edge_envs.core.checks.files import MOST_ARRAY_BYTES, read_object, read_tensors

    about = read_object(source / "policy.json")
    kind, weights = about["architecture"]["kind"], read_tensors(source / "policy.safetensors", MOST_ARRAY_BYTES)
    if kind == "tuples":
        about["architecture"]["play"] = {**about["architecture"].get("play", {}), **plan}
        weights = largest_weights(weights, most - 1024)
    elif plan:
        raise ValueError("--beam, --depth and --replies are for n-tuple networks")
    elif kind == "perceptron":
        about = {key: value for key, value in about.items() if key not in ("values", "learned_alone")}
        weights = {key: array for key, array in weights.items() if not key.startswith("critic.")}
        if sum(array.nbytes for array in weights.values()) > most:
            weights = {key: array.astype("float16") for key, array in weights.items()}
    size = sum(array.nbytes for array in weights.values())
    if size > most:
        raise ValueError(f"{source}: the weights need {size / 2**20:.1f} MiB, more than {most / 2**20:g} MiB")
    write_whole(target / "policy.json", json.dumps(about, indent=2) + "\n")
    write_whole(target / "policy.safetensors", save({key: array.copy() for key, array in weights.items()}))
    return {"tuples": "an n-tuple network", "values": "learned values"}.get(kind, "a perceptron")


def largest_weights(arrays: dict[str, Any], most: int) -> dict[str, Any]:
    """Return the arrays of an n-tuple network without its smallest weights, in at most `most` bytes."""
    import numpy as np

    from edge_envs.ntuple.policy import LARGEST_GAP, sparse_arrays

    numbers, values = np.cumsum(arrays["gaps"], dtype=np.int64) - 1, arrays["weights"]
    size = int(numbers[-1]) + 1 if len(numbers) else 0
    kept = min(len(values), max(most // 4 - size // LARGEST_GAP, 0))
    weights = np.zeros(size, np.float16)
    largest = np.argsort(-np.abs(values.astype(np.float32)), kind="stable")[:kept]
    weights[numbers[largest]] = values[largest]
    return sparse_arrays(weights)


def measure(game: Game, folder: Path, opponents: list[str], games: int) -> list[dict[str, Any]]:
    """Play against some agents; print and return the results."""
    from agents.common.seeds import CURVES
    from agents.evaluation.report import evaluate_against
    from agents.players.agent import make_agent
    from edge_envs.intervals import format_rate
    from edge_envs.trained.agent import load_trained

    agent, rows = load_trained(folder, game), []
    for name in opponents:
        about = evaluate_against(game, agent, make_agent(name, game), games, seed=CURVES).to_dict()
        row = {"opponent": name, **{key: about[key] for key in ("games", "win_rate", "low", "high", "mean_return")}}
        rows.append({key: round(value, 4) if isinstance(value, float) else value for key, value in row.items()})
        print(
            f"against {name}: wins {format_rate(about['win_rate'], about['low'], about['high'])}, "
            f"mean return {about['mean_return']:+z.3f}, {games} games"
        )
    print(f"{decisions_per_second(game, folder):,.0f} decisions/s inside the compiled loops of a seat environment")
    return rows


def decisions_per_second(game: Game, folder: Path, seconds: float = 3.0) -> float:
    """Measure the decisions per second of processor time of a policy as the opponent of a random learner."""
    import time

    import numpy as np

    from edge_envs import seat_vector_env
    from edge_envs.trained.agent import load_trained

    class Counted:
        """The same agent, called from Python, where its decisions can be counted."""

        needs_states, agent, decisions = True, load_trained(folder, game), 0

        def act(self, observations: Any, action_masks: Any, *rest: Any) -> Any:
            """Count the decisions and choose actions."""
            self.decisions += len(action_masks)
            return self.agent.act(observations, action_masks, *rest)

    def play(opponent: Any, steps: int, within: float) -> tuple[int, float]:
        env = seat_vector_env(game.name, num_envs=16, opponents=opponent, seat="random", **game.params_dict())
        env.reset(seed=0)
        rng, taken, began, spent = np.random.default_rng(0), 0, time.process_time(), 0.0
        while taken < steps and time.process_time() - began < within:
            masks = env.action_masks()
            actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
            started = time.process_time()
            env.step(actions)
            taken, spent = taken + 1, spent + time.process_time() - started
        return taken, spent

    play(load_trained(folder, game), 2, 60.0)  # compiles
    steps, spent = play(load_trained(folder, game), 10_000, seconds)
    counted = Counted()
    play(counted, steps, 600.0)
    return counted.decisions / max(spent, 1e-9)


def check_size(games_folder: Path, added: Path, replaced: Path) -> None:
    """Raise ValueError if the package would have too many bytes of trained policies."""
    others = {file for file in games_folder.glob("*/trained/*/*") if file.parent != replaced}
    files = {*others, *added.iterdir()}
    size = sum(file.stat().st_size for file in files if file.is_file())
    if size > MOST_IN_PACKAGE:
        raise ValueError(f"all trained policies would have {size:,} bytes, more than {MOST_IN_PACKAGE:,}")


if __name__ == "__main__":
    run(main)
