"""YAML from users: plain values alone, and none that grows beyond bounds.

Values are those of JSON: null, true and false, numbers, texts, lists and mappings. Numbers like `1e-3` are numbers, as
in YAML 1.2; dates are texts.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

MOST_CHARACTERS = 2_000_000
"""In all texts of a value, aliases written out, and one more for each list, mapping and text."""

_PREFIX = "tag:yaml.org,2002:"
_TAGS = {_PREFIX + kind for kind in ("null", "bool", "int", "float", "str", "seq", "map", "merge")}
_BARE_EXPONENT = re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+$")


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the numbers of YAML 1.2 and without dates."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag in _TAGS]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_PREFIX + "float", _BARE_EXPONENT, list("-+0123456789"))


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
