"""The picture of a position of `over_the_edge`."""

from __future__ import annotations

import json

from edge_envs.core.game import Record
from edge_envs.games.over_the_edge.state import to_dict


def picture(record: Record) -> str:
    """The position as JSON."""
    return json.dumps(to_dict(record))
