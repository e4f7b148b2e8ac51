"""When an environment may be asked to go on, and what it says when it may not."""

from __future__ import annotations

from types import TracebackType

_CLOSED = "this environment is closed: make another one"


class Lifecycle:
    """Why an environment cannot go on, if it cannot: it has not been reset, a call broke off, or it is closed.

    What changes the environment runs inside `with lifecycle:`. An exception there, an interruption from the keyboard
    too, leaves a game half played; then every call but a reset is refused.
    """

    def __init__(self) -> None:
        self._running = False
        self._closed = False
        self._obstacle: str | None = "call reset before anything else"

    def check(self) -> None:
        """Raise RuntimeError if the environment cannot go on as it is."""
        if self._obstacle is not None:
            raise RuntimeError(self._obstacle)

    def check_begun(self) -> None:
        """Raise RuntimeError if there is no position to look at; opponents may look at one during a call."""
        if self._closed or not self._running:
            self.check()

    def check_open(self) -> None:
        """Raise RuntimeError if the environment is closed."""
        if self._closed:
            raise RuntimeError(_CLOSED)

    def close(self) -> None:
        """Refuse everything from now on; closing twice is fine."""
        self._closed, self._obstacle = True, _CLOSED

    def __enter__(self) -> None:
        self._running = True
        self._obstacle = "call reset, for all lanes: the last call was broken off"

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._running = False
        self._obstacle = _CLOSED if self._closed else None
        if error is not None and not self._closed:
            self.break_off(error)

    def break_off(self, error: BaseException) -> None:
        """Refuse everything but a reset from now on, naming the error."""
        cause = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        self._obstacle = f"call reset, for all lanes: the last call was broken off by {cause}"
