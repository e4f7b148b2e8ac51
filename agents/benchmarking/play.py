"""Play the cells of a benchmark by workers, without games that are already in the folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from agents.arena.match import Played
from agents.arena.match_task import MatchTask
from agents.benchmarking.protocol import SLOW_BLOCK, Block, Cell, blocks_of
from agents.benchmarking.store import BenchmarkFolder, GameFile, Show
from agents.common.seeds import evaluation_seed
from agents.external.unavailable import UnavailableError
from agents.workers.workers import Workers
from edge_envs.players.perfect import is_solved

MOST_SEEDS = 2**40
PERFECT = "perfect"


def open_files(folder: BenchmarkFolder, cells: Mapping[str, Sequence[Cell]], seed: int) -> dict[str, GameFile]:
    """Read the games of all boards that are in the folder."""
    first = evaluation_seed(seed, MOST_SEEDS)
    return {
        board: folder.file(board, some[0].game, first, [*dict.fromkeys(cell.agent for cell in some)])
        for board, some in cells.items()
    }


def play_cells(
    cells: Mapping[str, Sequence[Cell]],
    files: Mapping[str, GameFile],
    seed: int,
    begun: str,
    workers: Workers,
    show: Show,
) -> UnavailableError | None:
    """Play the missing blocks of all cells, board by board.

    Args:
        cells: the cells of each board.
        files: the games of each board.
        seed: the evaluation seed of the protocol.
        begun: the id of a run with a language model; "" for other agents.
        workers: the workers that play.
        show: shows progress.

    Returns:
        The error if an agent cannot be called any more, as when a limit of its costs is reached: then the games so far
        are saved, and nobody forfeits. Otherwise None.
    """
    blocks = {board: blocks_of(some) for board, some in cells.items()}
    missing = {board: [block for block in some if not files[board].knows(block)] for board, some in blocks.items()}
    total = sum(block.count for some in blocks.values() for block in some)
    done = total - sum(block.count for some in missing.values() for block in some)
    for board, some in missing.items():
        if not some:
            continue
        show(board, done, total)
        try:
            for block, played in _play(some, cells[board], seed, begun, workers):
                game = block.cell.game
                files[board].add(block, played, block.cell.opponent == PERFECT and is_solved(game))
                done += block.count
                show(f"{board} against {block.cell.opponent}", done, total)
        except UnavailableError as error:
            return error
    return None


def _play(
    blocks: Sequence[Block], cells: Sequence[Cell], seed: int, begun: str, workers: Workers
) -> Iterator[tuple[Block, list[Played]]]:
    """Yield each block with its games, in order of completion."""
    game = cells[0].game
    agents = tuple(dict.fromkeys(name for cell in cells for name in (cell.agent, cell.opponent)))
    first = evaluation_seed(seed, MOST_SEEDS)
    task = MatchTask(game.name, game.params_dict(), game.min_utility, first, None, agents, begun, SLOW_BLOCK)
    for number, played in workers.results(task, blocks):
        yield blocks[number], played
