"""The tables of the documents agree with the code."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

import edge_envs
from agents.ppo.config import TrainingConfig
from edge_envs import Batch, Game, GameType
from tests.contract.cases import parameter_sets

ROOT = Path(__file__).resolve().parents[2]
GAMES = [t for t in edge_envs.GAMES.values() if t.package.startswith("edge_envs.")]
HEADINGS = [
    "Usage", "Description", "Parameters", "Spec", "Observation", "Actions and chance outcomes", "Rewards", "End",
    "Position", "Heuristic", "Exact solution", "Version history", "References",
]  # fmt: skip
NOT_EVERYWHERE = {"Exact solution"}

a_game = pytest.mark.parametrize("game_type", GAMES, ids=lambda game_type: game_type.name)


def page_of(game_type: GameType) -> str:
    return inspect.getdoc(inspect.getmodule(game_type.module("rules")) and __import__("sys").modules[game_type.package])


def section(text: str, heading: str) -> str:
    """What stands under a heading, up to the next of the same or a higher level."""
    found = re.search(rf"^(#+) {heading}\n(.*?)(?=^#{{1,2}} |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    return found[2]
