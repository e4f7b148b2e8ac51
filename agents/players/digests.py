"""Hash what agents are made of, to detect an agent that has changed since its games were played."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import agents
import edge_envs
from agents.players.kinds import parse_agent
from edge_envs import Game
from edge_envs.core.checks.files import open_regular, read_bytes
from edge_envs.core.trained import FOLDER as TRAINED
from edge_envs.ntuple.policy import is_tuples_folder
from edge_envs.players import AGENTS, is_built_in, plain_name

MOST_POLICY_BYTES = 2**30

_PACKAGE = Path(edge_envs.__file__).resolve().parent
_SOURCES = (".py", ".json")
_LIBRARIES = ("numpy", "numba", "torch")


def made_of(agent: str, game: Game) -> str:
    """Return a hash of what an agent is made of; "" for `random`.

    It covers the files of the agent, how a language model is asked, and the sources of a built-in agent.

    Raises:
        ValueError: if the game has no such level.
    """
    name = plain_name(agent, game)
    if name == "random" or not is_built_in(name):
        return files_hash(name)
    module = AGENTS[name.partition(":")[0]].partition(":")[0]
    packages = [module.split(".")[1]]
    if packages == ["trained"]:
        packages += ["ntuple", "search"]
    elif packages != ["ntuple"] and is_tuples_folder(parse_agent(name).folder):
        packages.append("ntuple")
    folders = [_PACKAGE / "core", game.type.folder, *(_PACKAGE / package for package in packages)]
    return _short(b"".join([*map(_sources, folders), files_hash(name).encode()]))


def files_hash(agent: str) -> str:
    """Return a hash of the files of a policy, of a function's module, or of the files that a command names.

    For a language model it is a hash of how the model is asked; for agents without files it is "".
    """
    spec = parse_agent(agent)
    if spec.kind.paid:
        from agents.external.chat import how_it_is_asked

        return _short(how_it_is_asked(agent))
    files = spec.files()
    if spec.folder:  # as policies were hashed before there were kinds; tournaments keep these hashes
        return _short(b"".join(read_bytes(file, MOST_POLICY_BYTES) for file in files)) if files else ""
    return _of_files(files)


def _of_files(files: Sequence[Path]) -> str:
    """Return a hash of files in this order, which may be large; "" if there are none."""
    digests = []
    for path in files:
        with open_regular(path) as file:
            digests.append(hashlib.file_digest(file, "blake2b").digest())
    return _short(b"".join(digests)) if digests else ""


@functools.cache
def _sources(folder: Path) -> bytes:
    """Return the hash of all sources and data below a folder, as they are at the first call in this process.

    Trained policies are not part of it, because only the agents that play them depend on them.
    """
    digest = hashlib.blake2b(digest_size=16)
    for file in (file for file in _files(folder) if TRAINED not in file.relative_to(folder).parts):
        digest.update(f"{file.relative_to(folder).as_posix()}\0{file.stat().st_size}\0".encode())
        digest.update(file.read_bytes())
    return digest.digest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in _SOURCES)


@functools.cache
def running_code() -> dict[str, str]:
    """Describe the code that this process runs: a hash of each source file of this project, versions of libraries.

    The sources are hashed at the first call in this process. Build tags of versions, such as `+cpu`, are left out.
    """
    hashes = {}
    for package in (edge_envs, agents):
        folder = Path(str(package.__file__)).resolve().parent
        for file in _files(folder):
            hashes[file.relative_to(folder.parent).as_posix()] = _short(file.read_bytes())
    return hashes | {library: _version(library) for library in _LIBRARIES}


def _version(library: str) -> str:
    try:
        return version(library).partition("+")[0]
    except PackageNotFoundError:
        return "none"


def _short(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()
