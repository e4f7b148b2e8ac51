"""Enrols the toy games, so that everything which loops over the games meets them too.

Programs that tests start say nothing of compilations, which come or not as the cache has it.
"""

from __future__ import annotations

import os

from tests.toy import enrol

os.environ["EDGE_ENVS_QUIET"] = "1"
os.environ["SDL_VIDEODRIVER"] = "dummy"  # windows without a screen
enrol()
