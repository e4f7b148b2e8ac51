"""Parameters of games: accepted values and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edge_envs.core.spec import Parameter

COUNT = Parameter("count", int, 3, "how many", low=2, high=6)
SWITCH = Parameter("switch", bool, False, "whether")
CHOICE = Parameter("choice", str, "a", "which", choices=("a", "b"))


@pytest.mark.parametrize(("value", "expected"), [(2, 2), (6, 6), (np.int8(4), 4)])
def test_numbers_within_the_range_become_int(value: Any, expected: int) -> None:
    accepted = COUNT.check("game", value)
    assert (accepted, type(accepted)) == (expected, int)


@pytest.mark.parametrize(("value", "expected"), [(True, True), (False, False), (np.True_, True)])
def test_switches_become_bool(value: Any, expected: bool) -> None:
    assert SWITCH.check("game", value) is expected


def test_choices_accept_only_their_values() -> None:
    assert CHOICE.check("game", "b") == "b"


@pytest.mark.parametrize(
    ("parameter", "value"),
    [(COUNT, v) for v in (1, 7, 2.0, "3", True, None)]
    + [(SWITCH, v) for v in (0, 1, "True", None)]
    + [(CHOICE, v) for v in ("c", 0, None, ["a"])],
)
def test_invalid_values_are_rejected(parameter: Parameter, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^game: invalid {parameter.name}=") as caught:
        parameter.check("game", value)
    assert repr(value) in str(caught.value)
    assert str(caught.value).endswith(parameter.possible)


def test_valid_values_are_described_in_words() -> None:
    assert COUNT.possible == "an integer from 2 to 6"
    assert SWITCH.possible == "True or False"
    assert CHOICE.possible == "'a' or 'b'"


@pytest.mark.parametrize("value", [3, True, "a", None, ["a"]])
def test_values_are_formatted_as_python_literals(value: Any) -> None:
    assert COUNT.format_value(value) == repr(value)


def test_a_later_parameter_is_written_only_if_it_differs_from_its_default() -> None:
    later = Parameter("later", int, 3, "how many", low=2, high=6, always_written=False)
    assert [later.is_written(value) for value in (3, 4)] == [False, True]
    assert COUNT.is_written(3)


def test_equivalent_values_compare_equal() -> None:
    assert CHOICE.same("a", "a")
    assert not CHOICE.same("a", "b")


def test_few_parameters_change_the_meaning_of_ids() -> None:
    assert not COUNT.gives_meaning
