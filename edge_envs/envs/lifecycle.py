"""Track whether an environment can step, and explain why if it cannot."""

from __future__ import annotations

from types import TracebackType
from typing import Any

_CLOSED = "this environment is closed: create a new one"


class Lifecycle:
    """Track whether an environment needs a reset, was interrupted or is closed.

    Run every change of the environment inside `with lifecycle:`. An exception there, including a keyboard interrupt,
    leaves a half-played game, so every later call except a reset raises RuntimeError.
    """

    def __init__(self) -> None:
        self._running = False
        self._closed = False
        self._obstacle: str | None = "call reset first"

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy keeps: a copy made during a call is interrupted, and can be reset."""
        return {**vars(self), "_running": False}

    def check(self) -> None:
        """Raise RuntimeError, with the reason, if the environment cannot continue."""
        if self._obstacle is not None:
            raise RuntimeError(self._obstacle)

    def check_begun(self) -> None:
        """Raise RuntimeError if no position may be read. Opponents may read positions during a call."""
        if self._closed or not self._running:
            self.check()

    def check_reset(self) -> None:
        """Raise RuntimeError if the environment is closed, or if a call is not finished, as in `act` of an opponent."""
        if self._closed:
            raise RuntimeError(_CLOSED)
        if self._running:
            raise RuntimeError("reset was called during another call, such as by an opponent")

    def close(self) -> None:
        """Reject all later calls. Closing twice is allowed."""
        self._closed, self._obstacle = True, _CLOSED

    def __enter__(self) -> None:
        self._running = True
        self._obstacle = "call reset for all lanes: the last call was interrupted"

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._running = False
        self._obstacle = _CLOSED if self._closed else None
        if error is not None and not self._closed:
            self.break_off(error)

    def break_off(self, error: BaseException) -> None:
        """Reject all later calls except a reset, with a message that names the error."""
        cause = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        self._obstacle = f"call reset for all lanes: the last call was interrupted by {cause}"
