"""Show a spinner while kernels compile."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager


@contextlib.contextmanager
def spinner_while_compiling() -> Iterator[None]:
    """Show a spinner on stderr during compilations; if stderr is not a terminal, they print a line."""
    from rich.console import Console
    from rich.file_proxy import FileProxy
    from rich.text import Text

    from edge_envs.core.compiler import messages

    console = Console(stderr=True)

    def show(text: str) -> AbstractContextManager[object] | None:
        if isinstance(sys.stderr, FileProxy):  # rich prints the line above a progress bar
            return None
        return console.status(Text(text))

    with messages.compilations_shown_by(show) if console.is_terminal else contextlib.nullcontext():
        yield
