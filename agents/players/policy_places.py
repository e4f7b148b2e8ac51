"""Explain what is wrong with the name of a policy folder, and what was probably meant."""

from __future__ import annotations

import os
from pathlib import Path

from edge_envs.core.errors import did_you_mean

_MOST_NAMED = 12


def policy_fault(folder: str) -> str:
    """Return why the policy of an agent cannot be in a folder, and what to do, or an empty string if it can."""
    path = Path(folder)
    if path.suffix == ".zip":
        return (
            f"{folder}: this is not a policy folder; to play a Stable-Baselines3 model, write sb3:{folder} "
            "(it is a pickle, which can run code, so load only files that you trust)"
        )
    if not path.is_dir():
        if path.name in ("policy.json", "policy.safetensors") and path.is_file():
            return f"{folder}: this is a file, not a folder; name its folder, {path.parent}"
        if path.exists():
            return f"{folder}: this is a file, not a folder"
        if ".py:" in folder:
            file, _, function = folder.rpartition(":")
            return (
                f"{folder}: expected a module, not a file; write {Path(file).stem}:{function} and start the program in "
                f"the folder {Path(file).parent}"
            )
        return f"{folder}: no such folder{similar_path(path)}"
    if (path / "policy.json").exists():
        return ""
    if (path / "policy" / "policy.json").exists():
        return f"{folder}: this is the folder of a run; its policy is {path / 'policy'}"
    policies = sorted(file.parent.as_posix() for file in path.glob("*/policy.json"))[:_MOST_NAMED]
    if policies:
        return f"{folder}: this folder has no policy.json; choose from {', '.join(policies)}"
    return f"{folder}: this folder has no policy.json"


def several_in_one(name: str, known: list[str]) -> str:
    """Return advice for several agents that were written as one, `random,heuristic`, or an empty string."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) < 2 or not all(part.partition(":")[0] in known or Path(part).is_dir() for part in parts):
        return ""
    return f"{name}: separate agents by spaces, not commas: {' '.join(parts)}"


def similar_path(path: Path) -> str:
    """Return a question that names the closest file or folder beside a path that does not exist."""
    try:
        beside = {entry.name.lower().replace("-", "_"): entry.name for entry in os.scandir(path.parent)}
    except OSError:
        return ""
    asked = did_you_mean(path.name, beside)
    for plain, name in beside.items():
        asked = asked.replace(repr(plain), repr(str(path.with_name(name))))
    return asked
