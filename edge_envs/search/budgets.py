"""Search budgets per decision: a number of iterations, or milliseconds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from edge_envs.core.errors import in_short

MOST_ITERATIONS = 1_000_000
MOST_MILLISECONDS = 600_000


@dataclass(frozen=True)
class Budget:
    """Limit a search to a number of iterations or, if not 0, to milliseconds.

    Results are reproducible only with a budget of iterations.
    """

    iterations: int = 0
    milliseconds: int = 0

    def __str__(self) -> str:
        return f"{self.milliseconds}ms" if self.milliseconds else str(self.iterations)

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Parse a string such as `200` or `50ms`.

        Raises:
            ValueError: if the string is not a budget within the limits. The message states them.
        """
        match = re.fullmatch(r"([0-9]{1,9})(ms)?", text)
        number, in_time = (int(match[1]), match[2] is not None) if match else (0, False)
        most = MOST_MILLISECONDS if in_time else MOST_ITERATIONS
        if not 1 <= number <= most:
            raise ValueError(
                f"invalid search budget {in_short(text)}: expected iterations from 1 to {MOST_ITERATIONS}, "
                f"such as 200, or milliseconds from 1 to {MOST_MILLISECONDS}, such as 50ms"
            )
        return cls(milliseconds=number) if in_time else cls(iterations=number)
