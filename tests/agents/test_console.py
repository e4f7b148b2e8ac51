"""Test the shared command-line helpers: options with several values, parameters, one-line errors."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Annotated, Any, get_args

import pytest
import typer

from agents.common.console import fill_in, option_names, parse_params, spread, stop_if_asked
from agents.ppo.config import TrainingConfig
from agents.programs.training import print_places
from agents.training.folder import TrainingFolder
from tests.programs import Here


@pytest.mark.parametrize(
    ("typed", "expected"),
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
def test_an_option_takes_several_values(typed: str, expected: str) -> None:
    assert spread(typed.split(), ["--against"]) == expected.split()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("--ray", "--ray=local"),
        ("--ray --games 3", "--ray=local --games 3"),
        ("--games 3 --ray auto", "--games 3 --ray auto"),
        ("--ray=auto --games 3", "--ray=auto --games 3"),
        ("-- --ray", "-- --ray"),
    ],
)
def test_option_value_may_be_omitted(typed: str, expected: str) -> None:
    assert fill_in(typed.split(), {"--ray": "local"}) == expected.split()


def test_program_receives_all_values_of_an_option(here: Here) -> None:
    def main(names: Annotated[list[str], typer.Option()], number: int = 1) -> None:
        print(f"{names} {number}")

    outcome = here(main, "--names", "a", "b", "--number", 2)
    assert (outcome.code, outcome.out) == (0, "['a', 'b'] 2\n")
    assert here(main, "--names", "a", "b", "--number", "two").code == 2
    assert here(main).code == 2


Number = Annotated[int, typer.Option(metavar="N", help="a number")]


def test_options_with_a_metavar_have_explicit_names() -> None:  # Typer 0.27 would name them after the metavar
    def main(num_games: Number = 1, seeds: Number = 2, quick: Annotated[bool, typer.Option()] = False) -> None: ...

    assert option_names(main) == {"--num-games", "--seeds", "--quick", "--no-quick", "--help"}
    found = [hint.__metadata__[0].param_decls for hint in list(main.__annotations__.values())[:2]]
    assert found == [("--num-games",), ("--seeds",)]
    assert get_args(Number)[1].param_decls == ()


def test_parameters_are_parsed_as_yaml() -> None:
    params = parse_params(
        ["num_players=4", "play_on=true", "map=old", "list=[1, 2]", "text='3'", "sum=a=b", "small=1e-3"]
    )
    assert params == {
        "num_players": 4, "play_on": True, "map": "old", "list": [1, 2], "text": "3", "sum": "a=b", "small": 0.001,
    }  # fmt: skip
    assert parse_params(None) == {}


@pytest.mark.parametrize("text", ["num_players", "=4", "", "map=[", "deep=" + "[" * 10_000, "yes=!!bool x"])
def test_invalid_parameter_is_rejected(text: str) -> None:
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
def test_error_is_printed_on_one_line(here: Here, error: Exception, line: str) -> None:
    def main() -> None:
        raise error

    assert here.fails(main) == line


def test_keyboard_interrupt_exits_with_code_130(here: Here) -> None:
    def main() -> None:
        raise KeyboardInterrupt

    outcome = here(main)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "interrupted\n")


def test_error_caused_by_keyboard_interrupt_exits_with_code_130(here: Here) -> None:
    def main() -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ImportError("cannot be imported") from error

    assert here(main).code == 130


def test_sigterm_runs_clean_up_and_prints_one_line(here: Here) -> None:
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


def test_programming_errors_are_not_hidden(here: Here) -> None:
    def main() -> Any:
        return dict[str, int]()["key"]

    with pytest.raises(KeyError):
        here(main)


def test_swallowed_signal_is_raised_again(here: Here) -> None:
    def main() -> None:
        """Swallow an interrupt, as a destructor does."""
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)
        stop_if_asked()
        raise AssertionError("the program was not stopped")

    done = here(main)
    assert (done.code, done.err) == (128 + signal.SIGTERM, "terminated\n")


def test_signal_swallowed_by_a_destructor_is_reported_once(here: Here) -> None:
    class Dying:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)

    def main() -> None:
        Dying()
        stop_if_asked()

    done = here(main)
    assert (done.code, done.err) == (128 + signal.SIGTERM, "terminated\n")


def test_program_without_a_signal_is_not_stopped(here: Here) -> None:
    assert here(stop_if_asked).code == 0


def test_places_are_printed_without_control_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_places(TrainingFolder[TrainingConfig](tmp_path / "a\x1b[31mb"))
    assert capsys.readouterr().out == (
        f"policy: {tmp_path}/a\\x1b[31mb/policy\n"
        f"curves: {tmp_path}/a\\x1b[31mb/curves.png\n"
        f"page: {tmp_path}/a\\x1b[31mb/index.html\n"
    )
