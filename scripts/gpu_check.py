"""Check a machine with a GPU in at most six minutes, and write the results as JSON.

    python scripts/gpu_check.py --out gpu_check.json

The check has three parts:

1. The same networks evaluate the same rollout on the CPU and on the GPU. Values and log-probabilities must agree to
   1e-5.
2. Every trainer that uses PyTorch trains for a moment on the GPU. Its checkpoint then loads on the CPU, and its policy
   must have the same probabilities on both devices.
3. Perceptrons, and convolutions where the game has a board, train in each game on the CPU and on the GPU. The figures
   are frames per second of wall-clock time, including learning.

The exit code is 0 if all checks pass, 1 if one fails, and 2 if there is no GPU. Requires the extra `train`.
`--device cpu --quick` tests the script itself on a machine without a GPU.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from agents.common.console import NOTHING_SAVED, fail, if_interrupted, progress_bar, run

if TYPE_CHECKING:
    import typer

    from edge_envs import Game

TOLERANCE = 1e-5
LIMIT = 330.0  # seconds, after which no further training begins
FEWEST_LANES = 256
STEPS, QUICK_STEPS = 64, 4  # of a rollout
COMPARED_LANES, COMPARED_STEPS = 64, 16
KINDS = ("agreement", "trainers", "training")


class Case(NamedTuple):
    """A network that trains in a game."""

    game: str
    params: dict[str, Any]
    network: str


CASES = (
    Case("falling_off", {}, "perceptron"),
    Case("over_the_edge", {"map": "pond", "num_players": 2}, "perceptron"),
    Case("ghost_ship", {"creation": "random"}, "perceptron"),
    Case("beyond_maps", {"size": 8}, "perceptron"),
    Case("beyond_maps", {"size": 8}, "convolutions"),
)

TRAINERS: dict[str, dict[str, Any]] = {
    "train": {"num_envs": 8, "opponents": {"random": 1}, "ppo": {"steps_per_rollout": 8, "batch_size": 32}},
    "dqn": {"num_envs": 8, "opponents": {"random": 1}, "dqn": {"batch_size": 16, "learn_from": 16}},
    "selfplay": {"num_envs": 8, "ppo": {"steps_per_rollout": 8, "batch_size": 32}},
    "teach": {"games": 4, "search": 4, "fit": {"batch_size": 32}},
    "values": {"games": 4, "turns": 8, "hidden": [8], "batch_size": 16},
}
"""The configurations of short runs in `falling_off`."""


def main(
    out: Annotated[Path, typer.Option(metavar="FILE", help="where to write the results")] = Path("gpu_check.json"),
    device: Annotated[
        str, typer.Option(metavar="DEVICE", help="cuda, or cpu to test this script without a GPU")
    ] = "cuda",
    game: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="check only this game; repeat for several; default: all")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.001, metavar="SECONDS", help="time to train each network on the GPU")
    ] = 25.0,
    quick: Annotated[bool, typer.Option("--quick", help="run a smoke test; the figures are not meaningful")] = False,
) -> None:
    """Check that networks train on the GPU and agree with the CPU, and measure the speed of both.

    Example: python scripts/gpu_check.py --out gpu_check.json
    """
    from agents.common.devices import resolve
    from agents.common.files import write_whole
    from edge_envs import load_game
    from edge_envs.games import plain_name

    if device not in ("cpu", "cuda"):
        raise ValueError(f"unknown device {device!r} (choose from cpu, cuda)")
    resolve(device)
    began = time.perf_counter()
    names = list(map(plain_name, game or [case.game for case in CASES]))
    cases = [case for case in CASES if case.game in names]
    if not cases:
        raise ValueError(f"no game to check in {', '.join(names)}")
    document = circumstances(device) | {kind: [] for kind in KINDS}
    budget = 0.01 if quick else seconds
    with if_interrupted(NOTHING_SAVED), progress_bar() as progress:
        task = progress.add_task("", total=len(TRAINERS) + 3 * len(cases))

        def do(kind: str, about: dict[str, Any], work: Callable[[], dict[str, Any]]) -> None:
            """Add a row to the document; an error fails only this row."""
            progress.update(task, description=", ".join(value for value in about.values() if isinstance(value, str)))
            try:
                row = work()
            except Exception as error:
                row = {"passed": False, "error": f"{type(error).__name__}: {' '.join(str(error).split())[:500]}"}
            document[kind].append(about | row)
            progress.update(task, advance=1)

        for name in TRAINERS:
            do("trainers", {"program": f"agents.{name}"}, functools.partial(check_trainer, name, device))
        for case in cases:
            played, about = load_game(case.game, **case.params), case._asdict()
            do("agreement", about, functools.partial(compare, played, case.network, device))
            for where, share in (("cpu", 0.4), (device, 1.0)):
                how = (where, budget * share, QUICK_STEPS if quick else STEPS, began + LIMIT)
                do("training", about | {"device": where}, functools.partial(measure, played, case.network, *how))
    document["seconds"] = round(time.perf_counter() - began, 1)
    document["passed"] = all(row["passed"] for kind in KINDS for row in document[kind])
    write_whole(out, json.dumps(document, indent=1) + "\n")
    print(report(document), end="")
    print(f"\nresults: {out}")
    if not document["passed"]:
        fail("not all checks passed", code=1)


def circumstances(device: str) -> dict[str, Any]:
    """Describe the machine and the versions."""
    import torch

    import edge_envs
    from agents.workers.cores import usable_cores

    return {
        "device": device,
        "gpu": torch.cuda.get_device_name() if device == "cuda" else None,
        "cuda": torch.version.cuda,
        "processor": platform.processor() or platform.machine(),
        "cores": usable_cores(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "edge_envs": edge_envs.__version__,
        "tolerance": TOLERANCE,
    }


def make_learner(game: Game, network: str, device: str, lanes: int, steps: int) -> Any:
    """Make the learner of `agents.train` in games against random agents, without a log."""
    from stable_baselines3.common.logger import Logger

    import edge_envs
    from scripts.benchmarks import training

    env = edge_envs.sb3_vec_env(game.name, num_envs=lanes, opponents="random", **game.params)
    batch = min(training.LOADS[network, device].batch, lanes * steps)
    settings = {"n_steps": steps, "batch_size": batch, "n_epochs": training.EPOCHS, "seed": 0, "device": device}
    learner = training.make_learner(env, network, settings)
    learner.set_logger(Logger(folder=None, output_formats=[]))
    return learner


def compare(game: Game, network: str, device: str) -> dict[str, Any]:
    """Evaluate one rollout of a network that has learned a little, on the CPU and on a device."""
    import copy

    import numpy as np
    import torch

    learner = make_learner(game, network, "cpu", COMPARED_LANES, COMPARED_STEPS)
    learner.learn(COMPARED_LANES * COMPARED_STEPS)
    env, policy = learner.get_env(), learner.policy
    policy.set_training_mode(False)
    shown, masks, actions = [env.reset().copy()], [env.action_masks().copy()], []
    with torch.no_grad():
        for _ in range(COMPARED_STEPS):
            actions.append(policy(torch.from_numpy(shown[-1]), action_masks=masks[-1])[0])
            shown.append(env.step(actions[-1].numpy())[0].copy())
            masks.append(env.action_masks().copy())
        observations, legal = torch.from_numpy(np.concatenate(shown[:-1])), np.concatenate(masks[:-1])
        chosen = torch.cat(actions)
        expected = policy.evaluate_actions(observations, chosen, legal)
        with single_precision():
            moved = copy.deepcopy(policy).to(device)
            found = moved.evaluate_actions(observations, chosen.to(device), legal)
    differences = [float((one - other.cpu()).abs().max()) for one, other in zip(expected, found, strict=True)]
    found_in = dict(zip(("values", "log_probabilities", "entropies"), differences, strict=True))
    return {
        "decisions": len(chosen),
        **found_in,
        "difference": max(differences),
        "passed": all(difference <= TOLERANCE for difference in differences),
    }


@contextlib.contextmanager
def single_precision() -> Any:
    """Let convolutions on a GPU compute in float32 instead of TF32, which has ten bits."""
    import torch

    before = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32 = before


def check_trainer(name: str, device: str) -> dict[str, Any]:
    """Train for a moment on a device, load the checkpoint on the CPU, and compare the policy on both."""
    import numpy as np

    from agents.common.configuration import parse
    from agents.players.loading import load_policy
    from agents.players.policy import PolicyAgent
    from agents.programs.table import PROGRAMS
    from edge_envs.envs.vector import GameVectorEnv

    trainer = PROGRAMS[name]()
    assert trainer.run_folder is not None
    assert trainer.train is not None
    shared = {"game": "falling_off", "total_steps": 64, "evaluation": {"games": 2, "against": ["random"]}}
    config: Any = parse(trainer.config, {**shared, **TRAINERS[name], "device": device}, name)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        run_folder = trainer.run_folder(Path(folder) / "run")
        run_folder.start(config)
        trainer.train(config, run_folder)
        trainer.train(config.model_copy(update={"device": "cpu"}), run_folder, resume=True)
        one, other = (load_policy(run_folder.policy, device=where) for where in ("cpu", device))
    difference = 0.0  # learned values always play on the CPU
    if isinstance(one, PolicyAgent) and isinstance(other, PolicyAgent):
        batch = GameVectorEnv(one.game, COMPARED_LANES).reset(0)
        likely = [agent.probabilities(batch.observation, batch.action_mask) for agent in (one, other)]
        difference = float(np.abs(likely[0] - likely[1]).max())
    return {"difference": difference, "passed": difference <= TOLERANCE}


def measure(game: Game, network: str, device: str, seconds: float, steps: int, until: float) -> dict[str, Any]:
    """Train for some seconds after a first rollout, with fewer games if the memory of the GPU is too small."""
    import gc

    import torch

    from agents.workers.cores import usable_cores
    from scripts.benchmarks.training import LOADS

    if time.perf_counter() > until:
        return {"passed": True, "skipped": f"the check has taken {LIMIT:.0f} seconds"}
    threads, lanes = torch.get_num_threads(), LOADS[network, device].lanes
    torch.set_num_threads(usable_cores())
    if device == "cuda":
        gc.collect()  # earlier learners
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    try:
        while True:
            try:
                rate = _rate(make_learner(game, network, device, lanes, steps), lanes * steps, seconds)
                break
            except torch.cuda.OutOfMemoryError:
                if lanes // 2 < FEWEST_LANES:
                    return {"passed": False, "error": "not enough memory on the GPU"}
                lanes //= 2
                torch.cuda.empty_cache()
    finally:
        torch.set_num_threads(threads)
    peak = torch.cuda.max_memory_allocated() if device == "cuda" else None
    return {"passed": True, "lanes": lanes, "steps": steps, "frames_per_second": rate, "gpu_bytes": peak}


def _rate(learner: Any, frames: int, seconds: float) -> float:
    """Return frames per second; the first rollout, which compiles kernels, does not count."""
    learner.learn(frames)
    before, began = learner.num_timesteps, time.perf_counter()
    while True:
        learner.learn(frames, reset_num_timesteps=False)
        spent = time.perf_counter() - began
        if spent >= seconds:
            return float((learner.num_timesteps - before) / spent)


def report(document: dict[str, Any]) -> str:
    """Return the results as a table in Markdown."""
    where = document["gpu"] or "CPU"
    lines = [f"{where}, {document['cores']} CPU cores, PyTorch {document['torch']}, {document['seconds']} s", ""]
    for row in document["agreement"] + document["trainers"]:
        what = row.get("program") or f"{row['game']}, {row['network']}"
        why = row.get("error") or f"largest difference {row['difference']:.1e}"
        lines.append(f"{'passed' if row['passed'] else 'FAILED'}: {what}: {why}")
    lines += ["", "| game | network | CPU, frames/s | GPU, frames/s | ratio |", "|---|---|---|---|---|"]
    rows = document["training"]
    for cpu, gpu in zip(rows[::2], rows[1::2], strict=True):
        rates = [row.get("frames_per_second") for row in (cpu, gpu)]
        shown = [row.get("skipped") or row.get("error") or f"{row['frames_per_second']:,.0f}" for row in (cpu, gpu)]
        ratio = f"{rates[1] / rates[0]:.1f}" if all(rates) else ""
        lines.append(f"| {cpu['game']} | {cpu['network']} | {' | '.join(shown)} | {ratio} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    run(main)
