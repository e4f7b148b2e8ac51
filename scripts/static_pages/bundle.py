"""Join the modules of a page into one script. Browsers load no modules from `file://`, but any other script."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import edge_envs.replays
import edge_envs.web.pages

ASSETS = Path(__file__).parent / "assets"
FOLDERS = (ASSETS, edge_envs.web.pages.STATIC, Path(edge_envs.replays.__file__).parent)
"""Where modules are searched for; the first folder that has one wins."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)


def bundle(entry: str, replaced: Mapping[str, str] | None = None) -> str:
    """Return a script that runs a module and the modules that it imports.

    Args:
        entry: the file name of the module.
        replaced: the text of modules to use in place of their files.

    Raises:
        ValueError: if a module imports or exports something in a way that is not supported here.
    """
    done: dict[str, str] = {}
    _add(entry, done, lambda name: (replaced or {}).get(name) or _read(name))
    body = "\n".join(f'modules["{name}"] = (() => {{\n{text}\n}})();' for name, text in done.items())
    return f'"use strict";\n(() => {{\nconst modules = {{}};\n{body}\n}})();\n'


def _read(name: str) -> str:
    for folder in FOLDERS:
        if (folder / name).is_file():
            return (folder / name).read_text(encoding="utf-8")
    raise ValueError(f"no module {name}")


def _add(name: str, done: dict[str, str], read: Callable[[str], str]) -> None:
    """Add a module, after those that it imports."""
    text = read(name)
    for _, other in _IMPORT.findall(text):
        if other not in done:
            _add(other, done, read)
    exported = [found for _, found in _EXPORT.findall(text)]
    for names in re.findall(r"^export const (.*);", text, re.MULTILINE):
        exported += re.findall(r", (\w+) = ", names)
    text = _IMPORT.sub(lambda found: f'const {{{found[1].replace(" as ", ": ")}}} = modules["{found[2]}"];', text)
    text = _EXPORT.sub(r"\1 \2", text)
    if left := re.search(r"^(import|export)\b.*", text, re.MULTILINE):
        raise ValueError(f"{name}: cannot join {left[0]!r}")
    done[name] = f"{text}\nreturn {{ {', '.join(dict.fromkeys(exported))} }};"
