"""Parse YAML from users: only plain values, of limited size.

Values are those of JSON: null, Booleans, numbers, strings, lists and mappings, by the core schema of YAML 1.2. So
`1e-3` is a number, `017` is 17, and `yes`, `1:30` and dates are strings. In addition to the schema, integers may have
underscores between their digits: `200_000`.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

MOST_CHARACTERS = 2_000_000
"""The largest size of a value: the characters of all strings, aliases expanded, plus one for each node."""

_PREFIX = "tag:yaml.org,2002:"
_TAGS = {_PREFIX + kind for kind in ("null", "bool", "int", "float", "str", "seq", "map", "merge")}
_WORDS = {"true": True, "false": False}
_PLAIN = {
    "null": (r"null|Null|NULL|~|", ["n", "N", "~", ""]),
    "bool": (r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    "int": (r"[-+]?[0-9]+(_[0-9]+)*|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    "float": (
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        list("-+.0123456789"),
    ),
    "merge": (r"<<", ["<"]),
}
"""Types of plain scalars: the pattern, and the characters that one can begin with."""


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, which implements YAML 1.1, with the types of YAML 1.2."""

    def construct_yaml_bool(self, node: Any) -> bool:
        """Read a Boolean; LookupError for another word."""
        return _WORDS[self.construct_scalar(node).lower()]

    def construct_yaml_int(self, node: Any) -> int:
        """Read an integer; ValueError for another string."""
        text = self.construct_scalar(node)
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))

    def construct_yaml_float(self, node: Any) -> float:
        """Read a number; ValueError for another string."""
        text = self.construct_scalar(node).lower()
        return float(text.replace(".", "") if text.endswith((".inf", ".nan")) else text)


_Loader.yaml_implicit_resolvers = {}
for _kind, (_pattern, _firsts) in _PLAIN.items():
    _Loader.add_implicit_resolver(_PREFIX + _kind, re.compile(f"(?:{_pattern})$"), _firsts)
for _kind in ("bool", "int", "float"):
    _Loader.add_constructor(_PREFIX + _kind, getattr(_Loader, f"construct_yaml_{_kind}"))


def parse_yaml(text: str, where: str) -> Any:
    """Parse a YAML string; ValueError begins with `where` and names the problem in one line."""
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _check(node)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except RecursionError:
        raise ValueError(f"{where}: not YAML that can be read: nested too deeply") from None
    except LookupError as error:  # from PyYAML, for `!!bool maybe`
        raise ValueError(f"{where}: not YAML: a string does not fit its tag ({error})") from None
    except (yaml.YAMLError, ValueError) as error:
        words = str(error).replace(' in "<unicode string>"', "").split()
        raise ValueError(f"{where}: not YAML: {' '.join(words)}") from None


def _check(root: yaml.Node) -> None:
    """Raise ValueError for a value that JSON does not have, that contains itself or a key twice, or is too large."""
    sizes: dict[int, int | None] = {}  # by node; None: being measured

    def size(node: yaml.Node) -> int:
        if node.tag not in _TAGS:
            raise ValueError(f"the type {node.tag.replace(_PREFIX, '!!')} is not supported{_at(node)}")
        key = id(node)
        if key not in sizes:
            sizes[key] = None
            _check_keys(node)
            sizes[key] = 1 + (len(node.value) if isinstance(node, yaml.ScalarNode) else sum(map(size, _parts(node))))
        known = sizes[key]
        if known is None:
            raise ValueError(f"a value contains itself{_at(node)}")
        if known > MOST_CHARACTERS:
            raise ValueError(f"a value is too large: more than {MOST_CHARACTERS:,} characters, aliases expanded")
        return known

    size(root)


def _check_keys(node: yaml.Node) -> None:
    """Raise ValueError if a key of a mapping occurs twice: YAML forbids it, but PyYAML would use the last value."""
    known: set[tuple[str, str]] = set()
    for name, _ in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(name, yaml.ScalarNode):
            if (name.tag, name.value) in known:
                raise ValueError(f"the key {name.value} occurs twice{_at(name)}")
            known.add((name.tag, name.value))


def _parts(node: yaml.Node) -> list[yaml.Node]:
    """Return the nodes directly inside a list or a mapping."""
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value)


def _at(node: yaml.Node) -> str:
    return f", in line {node.start_mark.line + 1}" if node.start_mark else ""
