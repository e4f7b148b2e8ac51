"""The folder of long work: started with a configuration, or opened again to go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Generic, Self, TypeVar

from agents.configuration import GameConfig, parse, read_mapping

Config = TypeVar("Config", bound=GameConfig)


class RunFolder(Generic[Config]):
    """A folder with the configuration of what is done in it."""

    kind: type[Config]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.json"

    def start(self, config: Config) -> None:
        """Make the folder; ValueError if a run is there already."""
        if self.config.exists():
            raise ValueError(f"{self.folder}: there is a run here already; --resume goes on with it")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.config.write_text(config.model_dump_json(indent=2) + "\n", encoding="utf-8")

    def read_config(self) -> Config:
        """The configuration of the run that is here; ValueError if there is none."""
        try:
            return parse(self.kind, json.loads(self.config.read_text(encoding="utf-8")), str(self.config))
        except FileNotFoundError:
            raise ValueError(f"{self.folder}: there is no run to resume") from None
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ValueError(f"{self.config}: {error}") from None

    @classmethod
    def open(
        cls, config: Path | None, out: Path | None, overrides: list[str] | None, resume: bool
    ) -> tuple[Self, Config]:
        """The folder and the configuration that a command line asks for; ValueError if it does not fit together.

        Without `out` the folder is runs/<game>/<name of the file>.
        """
        if config is None and (out is None or not resume):
            raise ValueError("--config is needed to start a run; --resume with --out goes on with one")
        if resume and overrides:
            raise ValueError("a resumed run keeps its configuration: --set does not go with --resume")
        checked = parse(cls.kind, read_mapping(config, overrides), str(config)) if config else None
        if out is None and config and checked:
            out = Path("runs") / checked.game / config.stem
        assert out is not None
        folder = cls(out)
        if resume:
            return folder, folder.read_config()
        assert checked is not None
        folder.start(checked)
        return folder, checked
