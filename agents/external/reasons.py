"""Describe in one short line why an external agent failed."""

from __future__ import annotations

from edge_envs.core.errors import printable

LONGEST = 300  # characters


class AgentError(ValueError):
    """An external agent failed: its name, and the reason in one line."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.args[0]}: {self.reason}"


class Late(BaseException):
    """The time for a decision is over. It is not an Exception, so that agents do not catch it."""


def reason_of(error: BaseException) -> str:
    """Describe an error in one printable line, also if its own text cannot be trusted."""
    if isinstance(error, AgentError):
        return error.reason
    try:
        text = " ".join(str(error).split())
    except (Late, KeyboardInterrupt):
        raise
    except BaseException:  # a faulty class may even raise SystemExit
        text = "it cannot say why"
    line = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return printable(line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}...")
