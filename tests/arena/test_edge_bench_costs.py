"""Test `python -m agents.benchmark` with language models: costs before any call, and limits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agents.benchmarking.model_costs import sample_calls
from edge_envs import load_game
from tests.arena.edge_bench import results_of
from tests.arena.fake_server import KEY, FakeServer, legal_answer


@pytest.fixture
def model(server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MODEL_KEY", KEY)

    def write(**more: Any) -> str:
        path = tmp_path / "model.yaml"
        lines = {
            "url": server.url, "model": "parrot", "key_variable": "MODEL_KEY", "price_in": 2.0, "price_out": 10.0,
            "transcripts": str(tmp_path / "transcript.jsonl"), **more,
        }  # fmt: skip
        path.write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in lines.items()), encoding="utf-8")
        return f"chat:{path}"

    return write


def test_costs_of_a_model_are_estimated_before_any_call(bench: Any, server: FakeServer, model: Any) -> None:
    outcome = bench("--agent", model(max_cost=3.5), "--boards", "falling_off", "--quick", "--dry-run")
    assert (outcome.code, server.requests) == (0, [])
    row = next(line for line in outcome.out.splitlines() if line.startswith("| falling_off "))
    cells = [cell.strip().replace(",", "") for cell in row.strip("|").split("|")]
    games, letters, calls, prompt, answers, cost = (float(cells[at]) for at in (1, 3, 4, 5, 6, 7))
    assert games == 16
    sample = sample_calls(load_game("falling_off"))
    assert calls == pytest.approx(games * sample.calls, abs=1)
    assert prompt == pytest.approx(calls * letters / 4, rel=0.01)
    assert answers == pytest.approx(calls * 200, rel=0.01)
    assert cost == pytest.approx((2 * prompt + 10 * answers) / 1e6, abs=0.01)
    assert "max_cost 3.5" in outcome.out
    document = json.loads(bench("--agent", model(), "--boards", "falling_off", "--quick", "--dry-run", "--json").out)
    assert (document["games"], document["boards"]["falling_off"]["perfect"]) == (16, 4)
    assert [row["board"] for row in document["costs"]] == ["falling_off", "all"]
    assert server.requests == []


@pytest.mark.parametrize(
    ("limit", "most"), [("max_calls", 90), ("max_tokens", 9000), ("max_cost", 0.025)]
)  # 107 tokens and 0.00027 per call
def test_limit_stops_the_run_and_keeps_its_results(
    bench: Any, server: FakeServer, model: Any, tmp_path: Path, limit: str, most: float
) -> None:
    agent = model(**{limit: most})
    arguments = ("--agent", agent, "--boards", "falling_off", "--quick")
    outcome = bench(*arguments)
    assert outcome.code == 1
    assert f"{limit} {most:,} is reached by " in outcome.err.splitlines()[-1]
    assert 80 < len(server.requests) < 100
    document = results_of(tmp_path / "run")
    assert limit in document["stopped"]
    games = document["boards"]["falling_off"]["games"]
    assert 0 < games < document["boards"]["falling_off"]["planned_games"] == 16
    told = document["language_model"]
    assert (told["model"], told["retries"], told["answers"]) == ("parrot", 2, len(server.requests))
    report = (tmp_path / "run" / "results.md").read_text(encoding="utf-8")
    assert "Stopped before the end" in report
    assert re.search(rf"prompt tokens +\| `{100 * len(server.requests):,}` ", report)
    used = len(server.requests)
    assert bench(*arguments).code == 1
    assert len(server.requests) == used  # no new call, and paid answers are used again


@pytest.mark.parametrize("limit", [{"max_tokens": 9000}, {"max_cost": 0.025}])
def test_limit_that_the_server_does_not_report_stops_the_run(
    bench: Any, server: FakeServer, model: Any, limit: dict[str, float]
) -> None:
    def without_usage(request: dict[str, Any]) -> Any:
        status, headers, body = legal_answer(request)
        document = json.loads(body)
        del document["usage"]
        return status, headers, json.dumps(document).encode()

    server.answer = without_usage
    outcome = bench("--agent", model(**limit), "--boards", "falling_off", "--quick")
    assert outcome.code in (1, 2)
    assert "because the server reports no tokens" in outcome.err.splitlines()[-1]
    assert 0 < len(server.requests) <= 16  # those in flight at the first answer


@pytest.mark.parametrize("place", ["file/transcript.jsonl", "folder", "/proc/transcript.jsonl"])
def test_transcripts_that_cannot_be_written_are_an_error_before_any_call(
    bench: Any, server: FakeServer, model: Any, tmp_path: Path, place: str
) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    outcome = bench("--agent", model(transcripts=str(tmp_path / place)), "--boards", "falling_off", "--quick")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines()[-1].startswith("error: ")
    assert str(tmp_path / place) in outcome.err.splitlines()[-1]
    assert server.requests == []


def test_raised_limit_continues_the_run(bench: Any, server: FakeServer, model: Any, tmp_path: Path) -> None:
    assert bench("--agent", model(max_calls=90), "--boards", "falling_off", "--quick").code == 1
    outcome = bench("--agent", model(), "--boards", "falling_off", "--quick", "--json")
    assert outcome.code == 0
    document = json.loads(outcome.out)
    assert document["boards"]["falling_off"]["games"] == 16
    assert document["stopped"] == ""
    assert len(server.requests) == document["boards"]["falling_off"]["decisions"]


def test_limit_without_a_finished_game_is_a_one_line_error(bench: Any, server: FakeServer, model: Any) -> None:
    outcome = bench("--agent", model(max_calls=3), "--boards", "falling_off", "--quick")
    assert (outcome.code, outcome.out) == (2, "")
    assert "max_calls 3 is reached by 3 calls" in outcome.err.splitlines()[-1]
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"max_calls": 5, "transcripts": None}, "max_calls: set transcripts also"),
        ({"max_cost": 5.0, "price_in": 0.0, "price_out": 0.0}, "max_cost: set price_in and price_out also"),
        ({"max_tokens": -1}, "max_tokens"),
    ],
)
def test_invalid_limit_is_a_one_line_error(bench: Any, model: Any, more: dict[str, Any], message: str) -> None:
    outcome = bench("--agent", model(**more), "--boards", "falling_off", "--quick")
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err.splitlines()[-1]


def test_calls_of_a_game_are_decisions_of_the_seat() -> None:
    game = load_game("falling_off_3p")
    sample = sample_calls(game, games=3)
    assert 3 < sample.by_heuristic < 200
    assert sample.calls == max(sample.by_heuristic, sample.by_random)
    assert 1000 < sample.letters < 20_000
