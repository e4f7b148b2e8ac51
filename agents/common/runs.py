"""The folder of long work: started with a configuration, or opened again to go on, by one process at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, Self, TypeVar

from agents.common.configuration import GameConfig, differences, parse, read_mapping
from agents.common.files import read_json, write_whole
from agents.common.locks import locked
from agents.common.programs import parse_config

Config = TypeVar("Config", bound=GameConfig)


class RunFolder(Generic[Config]):
    """A folder with the configuration of what is done in it."""

    kind: type[Config]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.json"

    def check_new(self) -> None:
        """ValueError if a run is here already."""
        if self.config.exists():
            raise ValueError(f"{self.folder}: there is a run here already; --resume goes on with it")

    def start(self, config: Config) -> None:
        """Make the folder; ValueError if a run is there already."""
        self.check_new()
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.config, config.model_dump_json(indent=2) + "\n")

    def read_config(self) -> Config:
        """The configuration of the run that is here; ValueError if there is none, or if it cannot be read."""
        if not self.config.exists():
            raise ValueError(f"{self.folder}: there is no run to resume")
        return parse(self.kind, read_json(self.config), str(self.config))

    def check_unchanged(self, config: Config, made_with: Config, what: str) -> None:
        """ValueError if the configuration is no longer the one with which something in the folder was made."""
        changes = differences(config, made_with)
        if changes:
            raise ValueError(f"{self.config}: edited since {what} was made: {changes}; undo this, or start another run")

    @classmethod
    @contextlib.contextmanager
    def open(
        cls, config: Path | None, out: Path | None, overrides: list[str] | None, resume: bool
    ) -> Iterator[tuple[Self, Config]]:
        """The folder and the configuration that a command line asks for, the folder locked.

        Without `out` the folder is runs/<game>/<name of the file>. ValueError if the options do not fit together, or
        not to the run that is to be resumed.
        """
        if config is None and (out is None or not resume):
            raise ValueError("--config is needed to start a run; --resume with --out goes on with one")
        if overrides and config is None:
            raise ValueError("a resumed run keeps its configuration: --set goes with --config alone")
        asked = parse_config(cls.kind, read_mapping(config, overrides), str(config)) if config else None
        if out is None and config and asked:
            out = Path("runs") / asked.game / config.stem
        assert out is not None
        run = cls(out)
        if resume:
            run.read_config()  # what is refused leaves no folder and no lock behind
        elif asked:
            run.check_new()
            asked.check_machine()
        with locked(out, "run"):
            if asked and not resume:
                run.start(asked)
            checked = run.read_config()
            changes = differences(asked, checked) if asked else ""
            if changes:
                raise ValueError(f"{config}: a resumed run keeps its configuration, {run.config}, but here {changes}")
            checked.check_machine()
            yield run, checked
