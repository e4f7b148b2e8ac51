"""How long a search may think about one decision: so many iterations, or so many milliseconds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from edge_envs.core.errors import in_short

MOST_ITERATIONS = 1_000_000
MOST_MILLISECONDS = 600_000


@dataclass(frozen=True)
class Budget:
    """A number of iterations or, where they are not 0, of milliseconds; the latter give other results every time."""

    iterations: int = 0
    milliseconds: int = 0

    def __str__(self) -> str:
        return f"{self.milliseconds}ms" if self.milliseconds else str(self.iterations)

    @classmethod
    def parse(cls, text: str) -> Budget:
        """The budget of a text like `200` or `50ms`; ValueError says what is possible."""
        match = re.fullmatch(r"([0-9]{1,9})(ms)?", text)
        number, in_time = (int(match[1]), match[2] is not None) if match else (0, False)
        most = MOST_MILLISECONDS if in_time else MOST_ITERATIONS
        if not 1 <= number <= most:
            raise ValueError(
                f"a search cannot think for {in_short(text)}; possible are iterations from 1 to {MOST_ITERATIONS}, "
                f"like 200, and milliseconds from 1 to {MOST_MILLISECONDS}, like 50ms"
            )
        return cls(milliseconds=number) if in_time else cls(iterations=number)
