"""The doors by name; what a door needs is imported when it is opened."""

from __future__ import annotations

import importlib

from tests.fuzz.door import Door

DOORS = {
    "positions": "positions:Positions",
    "parameters": "parameters:Parameters",
    "data": "parameters:Data",
    "arguments": "parameters:Arguments",
    "records": "records:Records",
    "record_files": "records:RecordFiles",
    "actions": "actions:Actions",
    "opponents": "opponents:Opponents",
    "configurations": "documents:Configurations",
    "policies": "documents:Policies",
    "runs": "documents:Runs",
    "texts": "texts:Texts",
    "transcripts": "kept:Transcripts",
    "data_sets": "kept:DataSets",
    "paths": "kept:Paths",
    "files": "files:Files",
    "programs": "programs:Programs",
    "leaks": "leaks:Leaks",
}


def door_of(name: str) -> type[Door]:
    """The class of a door."""
    module, _, entry = DOORS[name].partition(":")
    door: type[Door] = getattr(importlib.import_module(f"tests.fuzz.{module}"), entry)
    return door
