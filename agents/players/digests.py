"""Hashes of what agents are made of, by which it shows that an agent has changed since its games were played."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import agents
import edge_envs
from agents.external.chat import how_it_is_asked
from agents.external.objects import module_files
from agents.external.programs import is_program, named_files
from agents.players.agent import folder_of, is_chat, is_guest
from agents.players.policy_file import policy_json, policy_weights
from edge_envs import Game
from edge_envs.core.untrusted import open_regular, read_bytes
from edge_envs.players import AGENTS, is_built_in, plain_name

MOST_POLICY_BYTES = 2**30

_PACKAGE = Path(edge_envs.__file__).resolve().parent
_SOURCES = (".py", ".json")
_LIBRARIES = ("numpy", "numba", "torch")


def made_of(agent: str, game: Game) -> str:
    """A hash of the files of an agent, of how a language model is asked, and of the sources of a built-in agent.

    "" for `random`. ValueError if the game has no such level.
    """
    name = plain_name(agent, game)
    if name == "random" or not is_built_in(name):
        return files_hash(name)
    module = AGENTS[name.partition(":")[0]].partition(":")[0]
    folders = [_PACKAGE / "core", game.type.folder, _PACKAGE / module.split(".")[1]]
    return _short(b"".join([*map(_sources, folders), files_hash(name).encode()]))


def files_hash(agent: str) -> str:
    """A hash of the files of a policy, of the module of a function, or of those that the command of a program names.

    For a language model of how it is asked; "" for agents known by their names.
    """
    if is_chat(agent):
        return _short(how_it_is_asked(agent))
    if is_program(agent):
        return _of_files(named_files(agent))
    if is_guest(agent):
        return _of_files(module_files(agent))
    folder = folder_of(agent) or agent
    files = [policy_json(folder), policy_weights(folder)]
    if all(file.is_file() for file in files):
        return _short(b"".join(read_bytes(file, MOST_POLICY_BYTES) for file in files))
    return ""


def _of_files(files: Sequence[Path]) -> str:
    """A hash of files in order, which may be large; "" of none."""
    digests = []
    for path in files:
        with open_regular(path) as file:
            digests.append(hashlib.file_digest(file, "blake2b").digest())
    return _short(b"".join(digests)) if digests else ""


@functools.cache
def _sources(folder: Path) -> bytes:
    """The hash of all sources and data in and below a folder, as they are when this process first asks."""
    digest = hashlib.blake2b(digest_size=16)
    for file in _files(folder):
        digest.update(f"{file.relative_to(folder).as_posix()}\0{file.stat().st_size}\0".encode())
        digest.update(file.read_bytes())
    return digest.digest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in _SOURCES)


@functools.cache
def running_code() -> dict[str, str]:
    """Describe the code that this process runs: a hash of each source file of this project, versions of libraries.

    The sources are hashed when this process first asks. Build tags of versions, such as `+cpu`, are left out.
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
