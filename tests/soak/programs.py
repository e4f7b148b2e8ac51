"""Trainings, searches, tournaments and data sets that are broken off, and go on: they end as if unbroken."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.door import Door, Story
from tests.soak.breaking import Place, break_off, unbroken
from tests.soak.works import WORKS

MOST_FAULTS = 3


class Programs(Door):
    """In each round one of the programs, by turns, is broken off some times at random moments."""

    ends = tuple(WORKS)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._whole: dict[str, tuple[dict[str, Any], float]] = {}

    def prepare(self) -> None:
        """Nothing is needed ahead: each program runs once unbroken before it is first broken off."""

    def attempt(self, rng: Random, story: Story) -> str:
        """Break a program off, go on to the end, and compare."""
        name = self.ends[story.number % len(self.ends)]
        story.tell(name)
        place = Place(WORKS[name], self.folder / f"{name}_inputs", self.folder / name)
        if name not in self._whole:
            self._whole[name] = unbroken(place)
        expected, seconds = self._whole[name]
        for _ in range(rng.randint(1, MOST_FAULTS)):
            break_off(place, seconds, rng, story)
        found = place.end()
        assert found.keys() == expected.keys()
        assert [key for key in found if found[key] != expected[key]] == []
        shutil.rmtree(place.out)
        return name
