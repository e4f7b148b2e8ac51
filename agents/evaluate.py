"""Evaluate an agent in matches against others, with rotating seats and common random numbers.

    python -m agents.evaluate --game falling_off --agent runs/falling_off/ppo/policy --against random heuristic perfect

Agent names are listed by `python -m agents.evaluate --help` and in `agents.players.agent`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import NOTHING_SAVED, fail, if_interrupted, parse_params, progress_bar, run

if TYPE_CHECKING:
    import typer

    from agents.common.options import Device
    from agents.evaluation.report import Evaluation
    from edge_envs import Game


def main(
    agent: Annotated[str, typer.Option(metavar="AGENT", help="the agent to evaluate")],
    against: Annotated[list[str], typer.Option(metavar="AGENT...", help="one or more opponents")],
    game: Annotated[str | None, typer.Option(help="name of the game; default: the game of the policy")] = None,
    games: Annotated[int, typer.Option(min=1, help="games against each opponent, distributed over the seats")] = 10_000,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE...", help="game parameters, such as num_players=3; default: the policy's"),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="evaluation seed: game k of each seat has number SEED + k")] = 0,
    device: Device = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object instead of a table")] = False,
) -> None:
    """Evaluate an agent against opponents, from every seat. The exit code is 1 if the agent chose an illegal action.

    \b
    Example:
      python -m agents.evaluate --game falling_off --agent search:200 --against random heuristic --games 1000

    Agents:

    {agent_names}
    """
    from agents.common.devices import play_on
    from agents.common.seeds import evaluation_seed
    from agents.evaluation.tables import evaluation_document
    from agents.players.games import game_for

    play_on(device)
    first = evaluation_seed(seed, games)
    played = game_for([agent, *against], game, parse_params(param))
    evaluations = _evaluate(played, agent, against, games, first)
    document = evaluation_document(played, agent, seed, evaluations)
    if as_json:
        print(json.dumps(document))
    else:
        _print(document)
    why = next((evaluation.match.why for evaluation in evaluations if evaluation.match.why), "")
    if document["illegal"]:
        fail(f"{agent} played {document['illegal']} illegal actions{f' ({why})' if why else ''}", code=1)


def _evaluate(game: Game, agent: str, against: list[str], games: int, seed: int) -> list[Evaluation]:
    """Evaluate against each opponent, with a progress bar on stderr."""
    from agents.evaluation.report import evaluate_against
    from agents.players.agent import make_agent

    with if_interrupted(NOTHING_SAVED), progress_bar() as progress:
        task = progress.add_task("getting ready", total=len(against) * games)
        player, opponents = make_agent(agent, game), [make_agent(name, game) for name in against]
        evaluations = []
        for number, opponent in enumerate(opponents):
            progress.update(task, description=f"against {opponent.name}")

            def show(done: int, before: int = number * games) -> None:
                progress.update(task, completed=before + done)

            evaluations.append(evaluate_against(game, player, opponent, games, seed, show))
    return evaluations


def _print(document: dict[str, Any]) -> None:
    from rich.console import Console

    from agents.evaluation.tables import evaluation_table, notes
    from edge_envs.core.errors import printable

    print(printable(evaluation_table(document), lines=True))
    Console(markup=False, highlight=False).print(f"\n{printable(notes(document), lines=True)}")


if __name__ == "__main__":
    run(main)
