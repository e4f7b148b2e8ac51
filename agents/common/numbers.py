"""Write numbers for commands and names of files."""

from __future__ import annotations


def all_digits(number: float) -> str:
    """Return a number with all its digits; a whole number has no decimal point."""
    return repr(float(number)).removesuffix(".0")
