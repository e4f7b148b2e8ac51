"""Perft: the number of nodes at each depth of the game tree, chance nodes included.

The counts of every contract case are pinned in `tests/golden/perft.json`. After a deliberate change of the rules,
write them again with `python -m tests.contract.perft --write GAME` (without a name: of all games) and read the
difference.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterator
from pathlib import Path

from edge_envs import Game, State
from tests.contract.cases import case_name, games
from tests.contract.writing import games_to_write

FILE = Path(__file__).resolve().parents[1] / "golden" / "perft.json"
MOST_NODES = 3000
DEEPEST = 12


def perft(game: Game, depths: int) -> list[int]:
    """Return the number of nodes at depth 1, 2, ..., `depths`."""
    return list(itertools.islice(levels(game), depths))


def levels(game: Game) -> Iterator[int]:
    """Yield the number of nodes at depth 1, 2, and so on without end."""
    level = [game.new_initial_state(seed=0)]
    while True:
        yield sum(len(state.legal_actions()) for state in level)
        level = [child for state in level for child in children(state)]


def children(state: State) -> list[State]:
    """Yield the state after each legal action or outcome."""
    following = []
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        following.append(child)
    return following


def affordable(game: Game) -> list[int]:
    """Return the counts of the levels that can be enumerated within the budget."""
    counts = []
    for count in itertools.islice(levels(game), DEEPEST):
        counts.append(count)
        if not 0 < count <= MOST_NODES:
            break
    return counts


def pinned() -> dict[str, list[int]]:
    """Read the pinned counts, by case."""
    return dict(json.loads(FILE.read_text(encoding="utf-8"))) if FILE.exists() else {}


def write(names: Collection[str]) -> None:
    """Write the current counts of every case of these games; keep those of other games."""
    kept, counts = pinned(), {}
    for game in games():
        case = case_name(game)
        if game.name in names:
            counts[case] = affordable(game)
        elif case in kept:
            counts[case] = kept[case]
    lines = [f"  {json.dumps(case)}: {json.dumps(numbers)}" for case, numbers in counts.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write(games_to_write("perft"))
