"""Why what others wrote has failed, as one short line."""

from __future__ import annotations

from edge_envs.core.errors import printable

LONGEST = 300  # characters


class AgentError(ValueError):
    """An agent of somebody else's has failed: its name, and the reason in one line."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.args[0]}: {self.reason}"


class Late(BaseException):
    """The time for a decision is over. No agent takes it for an error of its own."""


def reason_of(error: BaseException) -> str:
    """What an error says, in a line that any file can hold; the error's own words come from others, too."""
    if isinstance(error, AgentError):
        return error.reason
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = "it cannot say why"
    told = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return printable(told if len(told) <= LONGEST else f"{told[: LONGEST - 3]}...")
