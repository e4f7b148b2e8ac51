"""What the programs share: options with several values, parameters, and errors of one line."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import Annotated, Any

import pytest
import typer

from agents.common.console import fill_in, parse_params, spread, stop_if_asked
from tests.programs import Here


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("--against a b c --games 3", "--against a --against b --against c --games 3"),
        ("--games 3 --against a", "--games 3 --against a"),
        ("--against a --against b c", "--against a --against b --against c"),
        ("--against=a b", "--against=a --against b"),
        ("--against a b --json", "--against a --against b --json"),
        ("--against --json", "--against --json"),
        ("game --games 3 more", "game --games 3 more"),
        ("--against a -- b c", "--against a -- b c"),
        ("", ""),
    ],
)
def test_an_option_takes_several_values(typed: str, meant: str) -> None:
    assert spread(typed.split(), ["--against"]) == meant.split()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("--ray", "--ray=local"),
        ("--ray --games 3", "--ray=local --games 3"),
        ("--games 3 --ray auto", "--games 3 --ray auto"),
        ("--ray=auto --games 3", "--ray=auto --games 3"),
        ("-- --ray", "-- --ray"),
    ],
)
def test_an_option_may_go_without_its_value(typed: str, meant: str) -> None:
    assert fill_in(typed.split(), {"--ray": "local"}) == meant.split()


def test_a_program_gets_all_values(here: Here) -> None:
    def main(names: Annotated[list[str], typer.Option()], number: int = 1) -> None:
        print(f"{names} {number}")

    outcome = here(main, "--names", "a", "b", "--number", 2)
    assert (outcome.code, outcome.out) == (0, "['a', 'b'] 2\n")
    assert here(main, "--names", "a", "b", "--number", "two").code == 2
    assert here(main).code == 2


def test_parameters_are_yaml() -> None:
    params = parse_params(
        ["num_players=4", "play_on=true", "map=old", "list=[1, 2]", "text='3'", "sum=a=b", "small=1e-3"]
    )
    assert params == {
        "num_players": 4, "play_on": True, "map": "old", "list": [1, 2], "text": "3", "sum": "a=b", "small": 0.001,
    }  # fmt: skip
    assert parse_params(None) == {}


@pytest.mark.parametrize("text", ["num_players", "=4", "", "map=[", "deep=" + "[" * 10_000, "yes=!!bool x"])
def test_a_parameter_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="--param "):
        parse_params([text])


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("this\nis wrong"), "error: this is wrong"),
        (ValueError(), "error: ValueError"),
        (FileNotFoundError(2, "No such file or directory", "x.json"), "error: x.json: No such file or directory"),
        (OSError("disk on fire"), "error: disk on fire"),
        (MemoryError("Unable to allocate 7 TiB"), "error: not enough memory (Unable to allocate 7 TiB)"),
        (MemoryError(), "error: not enough memory"),
    ],
)
def test_an_error_is_one_line(here: Here, error: Exception, line: str) -> None:
    def main() -> None:
        raise error

    assert here.fails(main) == line


def test_an_interruption_is_no_error(here: Here) -> None:
    def main() -> None:
        raise KeyboardInterrupt

    outcome = here(main)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "interrupted\n")


def test_what_a_library_makes_of_an_interruption_is_one_too(here: Here) -> None:
    def main() -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ImportError("cannot be imported") from error

    assert here(main).code == 130


def test_sigterm_ends_a_program_with_a_line_and_its_clean_up(here: Here) -> None:
    done: list[str] = []

    def main() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)
        finally:
            done.append("tidied up")

    before = signal.getsignal(signal.SIGTERM)
    outcome = here(main)
    assert (outcome.code, outcome.out, outcome.err) == (143, "", "terminated\n")
    assert done == ["tidied up"]
    assert signal.getsignal(signal.SIGTERM) is before


def test_what_is_a_mistake_of_the_program_stays_visible(here: Here) -> None:
    def main() -> Any:
        return dict[str, int]()["key"]

    with pytest.raises(KeyError):
        here(main)


def test_an_interruption_that_was_lost_comes_again(here: Here) -> None:
    def main() -> None:
        """Lose an interruption, as a destructor does, and go on."""
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)
        stop_if_asked()
        raise AssertionError("the program went on")

    done = here(main)
    assert (done.code, done.err) == (128 + signal.SIGTERM, "terminated\n")


def test_an_interruption_that_a_destructor_lost_is_not_told_of_twice(here: Here) -> None:
    class Dying:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)

    def main() -> None:
        Dying()
        stop_if_asked()

    done = here(main)
    assert (done.code, done.err) == (128 + signal.SIGTERM, "terminated\n")


def test_a_program_that_nobody_asked_to_stop_goes_on(here: Here) -> None:
    assert here(stop_if_asked).code == 0
