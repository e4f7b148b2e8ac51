"""YAML from users: plain values alone, and none that grows beyond bounds.

Values are those of JSON: null, true and false, numbers, texts, lists and mappings, told apart by the core schema of
YAML 1.2. So `1e-3` is a number, `017` is 17, and `yes`, `1:30` and dates are texts. Beyond the schema whole numbers may
have underscores between their digits: `200_000`.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

MOST_CHARACTERS = 2_000_000
"""In all texts of a value, aliases written out, and one more for each list, mapping and text."""

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
"""Of texts without quotes and tags: what they look like, and what they begin with."""


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, which knows YAML 1.1, with the types of YAML 1.2."""

    def construct_yaml_bool(self, node: Any) -> bool:
        """LookupError if it is no truth value."""
        return _WORDS[self.construct_scalar(node).lower()]

    def construct_yaml_int(self, node: Any) -> int:
        """ValueError if it is no whole number."""
        text = self.construct_scalar(node)
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))

    def construct_yaml_float(self, node: Any) -> float:
        """ValueError if it is no number."""
        text = self.construct_scalar(node).lower()
        return float(text.replace(".", "") if text.endswith((".inf", ".nan")) else text)


_Loader.yaml_implicit_resolvers = {}
for _kind, (_pattern, _firsts) in _PLAIN.items():
    _Loader.add_implicit_resolver(_PREFIX + _kind, re.compile(f"(?:{_pattern})$"), _firsts)
for _kind in ("bool", "int", "float"):
    _Loader.add_constructor(_PREFIX + _kind, getattr(_Loader, f"construct_yaml_{_kind}"))


def parse_yaml(text: str, where: str) -> Any:
    """The value of a YAML text; ValueError begins with `where` and says in one line what is wrong."""
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
    except LookupError as error:  # PyYAML's own, at `!!bool maybe`
        raise ValueError(f"{where}: not YAML: a text is not of the type that is given ({error})") from None
    except (yaml.YAMLError, ValueError) as error:
        words = str(error).replace(' in "<unicode string>"', "").split()
        raise ValueError(f"{where}: not YAML: {' '.join(words)}") from None


def _check(root: yaml.Node) -> None:
    """ValueError for a type other than JSON's, for a value inside itself, and for too large a value."""
    sizes: dict[int, int | None] = {}  # by node; None: being measured

    def size(node: yaml.Node) -> int:
        if node.tag not in _TAGS:
            raise ValueError(f"the type {node.tag.replace(_PREFIX, '!!')} is not possible{_at(node)}")
        key = id(node)
        if key not in sizes:
            sizes[key] = None
            sizes[key] = 1 + (len(node.value) if isinstance(node, yaml.ScalarNode) else sum(map(size, _parts(node))))
        known = sizes[key]
        if known is None:
            raise ValueError(f"a value contains itself{_at(node)}")
        if known > MOST_CHARACTERS:
            raise ValueError(f"a value is too large: more than {MOST_CHARACTERS:,} characters, aliases written out")
        return known

    size(root)


def _parts(node: yaml.Node) -> list[yaml.Node]:
    """The nodes directly inside a list or a mapping."""
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value)


def _at(node: yaml.Node) -> str:
    return f", in line {node.start_mark.line + 1}" if node.start_mark else ""
