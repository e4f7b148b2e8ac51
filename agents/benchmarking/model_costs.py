"""Estimate the calls, tokens and cost of a language model under a protocol, before it is called.

In some games per board, random play and the heuristic take the model's seat. The decisions are the calls of a model
whose first answers are all legal, and the messages at these positions are its prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.arena.report import table
from agents.benchmarking.protocol import Cell
from agents.common.seeds import COLLECTION
from agents.external.chat import ChatConfig, file_of, measured_rates, read_chat
from edge_envs import Game
from edge_envs.text import position_message, rules_message

SAMPLED = 2  # games of each substitute
MEASURED = 0.2  # the share of positions whose message is written
LETTERS_PER_TOKEN = 4.0  # if the transcripts hold no measurement
TOKENS_PER_ANSWER = 200.0
HEURISTIC, RANDOM = "heuristic", "random"


@dataclass(frozen=True)
class CallSample:
    """Calls per game if the model plays like the heuristic or at random, and the mean characters of a prompt."""

    by_heuristic: float
    by_random: float
    letters: float

    @property
    def calls(self) -> float:
        """The larger number of calls per game."""
        return max(self.by_heuristic, self.by_random)


def sample_calls(game: Game, listed: bool = True, games: int = SAMPLED) -> CallSample:
    """Play sample games of random play and of the heuristic against the heuristic, and measure the calls."""
    rng = np.random.default_rng(0)
    calls: dict[str, list[int]] = {HEURISTIC: [], RANDOM: []}
    lengths: list[int] = []
    rules = len(rules_message(game, listed))
    for substitute, counts in calls.items():
        for number in range(games):
            seat, state, count = number % game.num_players, game.new_initial_state(COLLECTION + number), 0
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(state.sample_chance())
                    continue
                own = state.current_player() == seat
                if own:
                    count += 1
                    if rng.random() < MEASURED or not lengths:
                        lengths.append(rules + len(position_message(state, listed, news=False)))
                by_chance = own and substitute == RANDOM
                action = int(rng.choice(state.legal_actions())) if by_chance else state.heuristic_action()
                state.apply_action(action)
            counts.append(count)
    means = {substitute: float(np.mean(counts)) for substitute, counts in calls.items()}
    return CallSample(means[HEURISTIC], means[RANDOM], float(np.mean(lengths)))


@dataclass(frozen=True)
class CostRow:
    """The estimate for a board, or for all."""

    board: str
    games: int
    sample: CallSample | None
    calls: float
    prompt_tokens: float
    completion_tokens: float
    cost: float


def estimate_costs(
    agent: str, cells: Mapping[str, Sequence[Cell]], show: Callable[[str, int, int], None]
) -> list[CostRow]:
    """Estimate the costs of a language model on each board, and in total."""
    config = read_chat(file_of(agent))
    letters, answer = measured_rates(config) or (LETTERS_PER_TOKEN, TOKENS_PER_ANSWER)
    rows: list[CostRow] = []
    for number, (board, some) in enumerate(cells.items()):
        show(f"measuring prompts: {board}", number, len(cells))
        sample = sample_calls(some[0].game, config.listed)
        games = sum(cell.total for cell in some)
        calls = games * sample.calls
        tokens = calls * sample.letters / letters, calls * answer
        rows.append(CostRow(board, games, sample, calls, *tokens, config.cost(*tokens)))
    prompts, answers = sum(row.prompt_tokens for row in rows), sum(row.completion_tokens for row in rows)
    games, calls = sum(row.games for row in rows), sum(row.calls for row in rows)
    return [*rows, CostRow("all", games, None, calls, prompts, answers, config.cost(prompts, answers))]


def cost_table(agent: str, rows: Sequence[CostRow]) -> str:
    """Return the estimate as a Markdown table, with what it is based on and the limits of the configuration."""
    config = read_chat(file_of(agent))
    heads = (
        "board", "games", "calls per game", "characters per call", "calls", "input tokens", "output tokens", "cost",
    )  # fmt: skip
    cells = [_row(row, config) for row in rows]
    measured = measured_rates(config)
    letters, answer = measured or (LETTERS_PER_TOKEN, TOKENS_PER_ANSWER)
    based = f"as in {config.transcripts}" if measured else "an assumption until the model has answered"
    limits = {key: getattr(config, key) for key in ("max_calls", "max_tokens", "max_cost")}
    said = ", ".join(f"{key} {value:,}" for key, value in limits.items() if value is not None)
    lines = [
        *table(heads, cells),
        "",
        f"Calls per game are measured with the heuristic and random play in the model's seat, {SAMPLED} games each; "
        "the totals use the larger number. Answers that name no legal action cost further calls.",
        f"{letters:.1f} characters per input token and {answer:.0f} tokens per answer: {based}.",
        f"Limits of the configuration: {said}."
        if said
        else "The configuration sets no max_calls, max_tokens or max_cost.",
    ]
    return "\n".join(lines) + "\n"


def _row(row: CostRow, config: ChatConfig) -> list[str]:
    sample = row.sample
    between = f"{sample.by_heuristic:,.0f} or {sample.by_random:,.0f}" if sample else ""
    cost = f"{row.cost:,.2f}" if config.price_in or config.price_out else "no price"
    return [
        row.board, f"{row.games:,}", between, f"{sample.letters:,.0f}" if sample else "", f"{row.calls:,.0f}",
        f"{row.prompt_tokens:,.0f}", f"{row.completion_tokens:,.0f}", cost,
    ]  # fmt: skip


def costs_document(rows: Sequence[CostRow]) -> list[dict[str, Any]]:
    """Return the estimate as a JSON value."""
    return [
        {
            "board": row.board,
            "games": row.games,
            "calls": round(row.calls),
            "prompt_tokens": round(row.prompt_tokens),
            "completion_tokens": round(row.completion_tokens),
            "cost": row.cost,
        }
        for row in rows
    ]
