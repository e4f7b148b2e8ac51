"""Why what others wrote has failed, as one short line."""

from __future__ import annotations

LONGEST = 300  # characters


def reason_of(error: Exception) -> str:
    """What an error says, in a line that any file can hold; the error's own words come from others, too."""
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = "it cannot say why"
    told = f"{type(error).__name__}: {text}" if text else type(error).__name__
    told = told if len(told) <= LONGEST else f"{told[: LONGEST - 3]}..."
    return told.encode(errors="backslashreplace").decode()
