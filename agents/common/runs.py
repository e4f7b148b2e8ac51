"""Run folders: started with a configuration, or opened again to resume, by one process at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from agents.common.configuration import GameConfig, differences, parse, read_mapping
from agents.common.files import read_json, write_whole
from agents.common.locks import locked

Config = TypeVar("Config", bound=GameConfig)


class RunFolder(Generic[Config]):
    """A run folder with its configuration."""

    kind: type[Config]
    files: tuple[str, ...] = ()
    """Patterns of what the work writes into the folder, besides the configuration."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.json"

    def check_new(self) -> None:
        """Raise ValueError if the folder already has a run, or files that a new one would overwrite or remove."""
        if self.config.exists():
            raise ValueError(
                f"{self.folder}: this folder already has a run; --resume continues it (in Python resume=True)"
            )
        check_free(self.folder, self.config.name, *self.files)

    def start(self, config: Config) -> None:
        """Make the folder; ValueError if it already has a run."""
        self.check_new()
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.config, config.model_dump_json(indent=2) + "\n")

    def read_config(self, parse_config: Callable[[type[Config], Any, str], Config] = parse) -> Config:
        """Read the configuration of the run; ValueError if there is none, or if it cannot be read."""
        if not self.config.exists():
            raise ValueError(f"{self.folder}: no run to resume")
        return parse_config(self.kind, read_json(self.config), str(self.config))

    def check_unchanged(self, config: Config, made_with: Config, what: str) -> None:
        """Raise ValueError if the configuration differs from the one that made something in the folder."""
        changes = differences(config, made_with.with_machine_of(config))
        if changes:
            raise ValueError(f"{self.config}: edited since {what} was made: {changes}; undo this, or start another run")

    @classmethod
    @contextlib.contextmanager
    def open(
        cls,
        config: Path | Mapping[str, Any] | None,
        out: Path | None,
        overrides: list[str] | None,
        resume: bool,
        parse_config: Callable[[type[Config], Any, str], Config] = parse,
    ) -> Iterator[tuple[Self, Config]]:
        """Open and lock the run folder that a command line asks for.

        Args:
            config: the configuration file, or its contents; None to resume with that of the run.
            out: the folder; None for runs/GAME/NAME, after the name of the configuration file, or runs/GAME/run.
            overrides: values such as `seed=1`, in place of those of the file.
            resume: whether to continue a run.
            parse_config: parses the file; that of `agents.programs.table` also names programs that the file fits.

        Raises:
            ValueError: if the options contradict each other or the run to resume.
        """
        if config is None and (out is None or not resume):
            raise ValueError("missing --config: a run needs one to start; --resume with --out continues a run")
        if overrides and config is None:
            raise ValueError("a resumed run keeps its configuration: --set requires --config")
        where = str(config) if isinstance(config, Path) else "config"
        asked = None if config is None else parse_config(cls.kind, read_mapping(config, overrides), where)
        if out is None and asked:
            out = Path("runs") / asked.game / (config.stem if isinstance(config, Path) else "run")
        assert out is not None
        run = cls(out)
        if resume:
            run.read_config(parse_config)  # before the lock, so that a failure leaves no folder behind
        elif asked:
            run.check_new()
            asked.check_machine()
        with locked(out, "run"):
            if asked and not resume:
                run.start(asked)
            checked = run.read_config(parse_config)
            checked = checked.with_machine_of(asked) if asked else checked
            changes = differences(asked, checked) if asked else ""
            if changes:
                raise ValueError(f"{where}: a resumed run keeps its configuration, {run.config}, but here {changes}")
            checked.check_machine()
            yield run, checked


def check_free(folder: Path, marker: str, *patterns: str) -> None:
    """Raise ValueError if new work in a folder would overwrite or remove files of something else.

    Args:
        folder: the folder, which may not exist.
        marker: the name of the file that the work writes first. If it exists, the files are those of earlier work.
        patterns: patterns of what the work overwrites or removes.
    """
    if not (folder / marker).exists():
        for found in (path for pattern in patterns for path in sorted(folder.glob(pattern))):
            raise ValueError(
                f"{found}: not written by an earlier run, as {folder} has no {marker}; name another folder with --out"
            )
