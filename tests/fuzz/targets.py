"""The fuzz targets by name; their modules are imported on use."""

from __future__ import annotations

import importlib

from tests.fuzz.target import Target

TARGETS = {
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
    "transcripts": "saved_files:Transcripts",
    "data_sets": "saved_files:DataSets",
    "paths": "saved_files:Paths",
    "files": "files:Files",
    "programs": "programs:Programs",
    "leaks": "leaks:Leaks",
}


def target_class(name: str) -> type[Target]:
    """Return the class of a target."""
    module, _, entry = TARGETS[name].partition(":")
    target: type[Target] = getattr(importlib.import_module(f"tests.fuzz.{module}"), entry)
    return target
