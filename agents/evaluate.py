"""Measure how strong an agent is: matches against others, seats rotated, with common random numbers.

    python -m agents.evaluate --game falling_off --agent runs/falling_off/ppo/policy --against random heuristic perfect

An agent is `random`, `heuristic`, an earlier version of it such as `heuristic:v0`, `noisy:0.25` (the heuristic with
that share of decisions drawn), `level:1`, `level:2`, ... (opponents of rising strength), `perfect` (solved games),
`flat_monte_carlo` (the best of 200 games of uniform play a decision), `search:200` or `search:50ms` (tree search with
so many iterations or so much time a decision), `turn` and `one_turn` (the best end of the own turn, by a fitted value
or by the score), the folder of an exported policy, a search that asks one: `search:200:FOLDER`, one of yours:
`module:function`, `program:COMMAND` (docs/tournaments.md), or a language model: `chat:FILE` (docs/text.md).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import NOTHING_SAVED, fail, if_interrupted, parse_params, progress_bar, run

if TYPE_CHECKING:
    import typer

    from agents.evaluation.report import Evaluation
    from edge_envs import Game


def main(
    agent: Annotated[
        str, typer.Option(help="heuristic, search:200, ..., a policy's folder, module:function, program:, or chat:")
    ],
    against: Annotated[list[str], typer.Option(help="opponents of the same kinds, one or more after the flag")],
    game: Annotated[str | None, typer.Option(help="default: that of the policy")] = None,
    games: Annotated[int, typer.Option(min=1, help="against each opponent, shared among the seats")] = 10_000,
    param: Annotated[
        list[str] | None, typer.Option(help="of the game, as num_players=3; default: those of the policy")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="game k of a seat is game seed + k of those kept for evaluation")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout instead of a table")] = False,
) -> None:
    """Play an agent against others from every seat; exit code 1 if it played an illegal action."""
    from agents.common.seeds import evaluation_seed
    from agents.evaluation.tables import evaluation_document
    from agents.players.games import game_for

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
    """One evaluation per opponent, with a progress bar on stderr."""
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
    run(main, several=("--against", "--param"))
