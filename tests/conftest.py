"""Enrols the toy games, so that everything which loops over the games meets them too."""

from __future__ import annotations

from tests.toy import enrol

enrol()
