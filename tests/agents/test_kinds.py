"""Test agent names: every kind is parsed, and one table lists them all."""

from __future__ import annotations

import re
from typing import Any

import pytest

import agents.evaluate
import agents.players.agent
import edge_envs.players
from agents.players.agent import check_agent, parse_agent
from agents.players.kinds import KINDS, syntax_table
from edge_envs.players import SYNTAX
from tests.programs import Here


@pytest.mark.parametrize(
    ("name", "kind", "argument", "folder"),
    [
        ("random", "built-in", "", ""),
        ("search:200", "built-in", "", ""),
        ("search:200:", "built-in", "", ""),
        ("search:50ms:policies/x", "guided-search", "50ms", "policies/x"),
        ("program:./bot --fast", "program", "", ""),
        ("chat:model.yaml", "chat", "", ""),
        ("sb3:model.zip", "sb3", "", ""),
        ("sb3:model", "sb3", "", ""),
        ("mine.agents:make", "object", "", ""),
        ("policies/x", "policy", "", "policies/x"),
        ("model.zip", "policy", "", "model.zip"),
    ],
)
def test_agent_name_is_parsed(name: str, kind: str, argument: str, folder: str) -> None:
    spec = parse_agent(name)
    assert (spec.name, spec.kind.name, spec.argument, spec.folder) == (name, kind, argument, folder)


def test_syntax_examples_parse_to_their_kind() -> None:
    for kind in KINDS:
        for syntax in kind.syntax:
            assert parse_agent(syntax).kind is kind, syntax


def documented(text: str | None) -> dict[str, str]:
    return dict(re.findall(r"^\| `(.*)` \| (.*) \|$", text or "", re.MULTILINE))


def test_the_reference_lists_all_kinds() -> None:
    assert documented(agents.players.agent.__doc__) == syntax_table()
    assert documented(edge_envs.players.__doc__) == SYNTAX


def test_help_lists_all_kinds(here: Here) -> None:
    outcome = here(agents.evaluate.main, "--help")
    assert outcome.code == 0
    for syntax, text in syntax_table().items():
        assert f"{syntax} " in outcome.out
        assert text in outcome.out


@pytest.mark.parametrize("name", [None, 5, ["random"], ""])
def test_something_else_than_a_name_is_an_unknown_agent(name: Any) -> None:
    with pytest.raises(ValueError, match=r"unknown agent .* \(choose from random, heuristic"):
        check_agent(name)


def test_unknown_name_error_lists_all_kinds() -> None:
    with pytest.raises(ValueError, match="unknown agent 'hueristic'") as refused:
        check_agent("hueristic")
    assert all(syntax in str(refused.value) for syntax in syntax_table())
    assert str(refused.value).endswith("did you mean 'heuristic'?")
