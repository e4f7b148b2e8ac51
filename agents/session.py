"""A game in the terminal between a person and agents."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from agents.adviser import Adviser
from agents.agent import Agent, decide
from edge_envs import CHANCE, State

HELP = "Type the number of an action or its text; q leaves, `save FILE` keeps the position for --position FILE."
MOST_LINES = 24
LINE_WIDTH = 100
LEFT = "Left before the end. Next time `save FILE` keeps the position, and --position FILE goes on from it."


class Left(Exception):  # noqa: N818  leaving is no error
    """The person wants to leave, or there is no more input."""


def _numbered(texts: list[str]) -> str:
    """Texts with their numbers: a line each, or where there are many, columns to be read downwards."""
    cells = [f"{number:>4}  {text}" for number, text in enumerate(texts, start=1)]
    width = max(map(len, cells)) + 2
    columns = 1 if len(cells) <= MOST_LINES else LINE_WIDTH // width
    rows = -(-len(cells) // columns)
    return "\n".join("".join(f"{cell:<{width}}" for cell in cells[row::rows]).rstrip() for row in range(rows))


class Session:
    """One game: asks the person in one seat, plays the agents in the others, and says what happens.

    `ask` shows a prompt and returns a line of input, raising EOFError at its end; `say` shows a text of some lines.
    """

    def __init__(
        self,
        state: State,
        seat: int,
        agents: Mapping[int, Agent],
        rng: np.random.Generator,
        adviser: Adviser | None = None,
        ask: Callable[[str], str] = input,
        say: Callable[[str], None] = print,
    ) -> None:
        self.state = state
        self.seat = seat
        self._agents, self._rng, self._adviser = agents, rng, adviser
        self._ask, self._say = ask, say
        self._told = len(state.history())  # how many transitions the person knows of

    def play(self) -> bool:
        """Play to the end; False if the person left before."""
        self._say(self._greeting())
        try:
            while not self.state.is_terminal():
                self._advance()
        except (Left, EOFError, KeyboardInterrupt):
            self._say(f"\n{LEFT}")
            self._sum_up()
            return False
        self._tell_news()
        self._say(f"\n{self.state.observation_string(self.seat)}\n\n{self._result()}")
        self._sum_up()
        return True

    def _advance(self) -> None:
        """One transition: of chance, of an agent or of the person."""
        player = self.state.current_player()
        if player == CHANCE:
            self.state.apply_action(self.state.sample_chance())
        elif player != self.seat:
            self.state.apply_action(decide(self._agents[player], self.state, self._rng))
        else:
            self._tell_news()
            self._decide()

    def _decide(self) -> None:
        """Show the position, ask until there is a legal action, apply it and judge it."""
        texts = {self.state.action_to_string(action): action for action in self.state.legal_actions()}
        self._say(f"\n{self.state.observation_string(self.seat)}\n\nYou can:\n{_numbered(list(texts))}")
        action = self._ask_for_action(texts)
        verdict = self._adviser.judge(self.state, action) if self._adviser else ""
        self.state.apply_action(action)
        self._told = len(self.state.history())
        if verdict:
            self._say(verdict)

    def _ask_for_action(self, texts: Mapping[str, int]) -> int:
        actions = list(texts.values())
        while True:
            line = " ".join(self._ask("Your choice: ").split())
            if line.isascii() and line.isdecimal() and 0 < int(line[:9]) <= len(actions):
                return actions[int(line[:9]) - 1]
            if line in texts and not line.isdecimal():
                return texts[line]
            if line in ("q", "quit"):
                raise Left
            if line.startswith("save "):
                self._say(self._save(Path(line.removeprefix("save "))))
            else:
                wrong = f"{line!r} is none of the {len(actions)} actions. " if line not in ("", "?", "help") else ""
                self._say(wrong + HELP)

    def _save(self, path: Path) -> str:
        try:
            path.write_text(json.dumps(self.state.to_dict()) + "\n", encoding="utf-8")
        except OSError as error:
            return f"{path}: {error.strerror}"
        return f"{path}: the position is kept."

    def _tell_news(self) -> None:
        """What the others and chance did since the person was last told."""
        history = self.state.history()
        if self._told < len(history):
            texts = self.state.history_strings(self.seat)
            news = (f"  {self._name(history[i][0])}: {texts[i]}" for i in range(self._told, len(history)))
            self._say("\n" + "\n".join(news))
        self._told = len(history)

    def _name(self, player: int) -> str:
        if player == CHANCE:
            return "chance"
        return "you" if player == self.seat else f"player {player} ({self._agents[player].name})"

    def _greeting(self) -> str:
        others = ", ".join(self._name(player) for player in self._agents)
        return f"You are player {self.seat}, against {others}.\n{HELP}"

    def _result(self) -> str:
        own = self.state.returns()[self.seat]
        outcome = "You win." if own > 0 else "You lose." if own < 0 else "It is a draw for you."
        returns = ", ".join(f"{self._name(player)} {value:+g}" for player, value in enumerate(self.state.returns()))
        return f"{outcome} Returns: {returns}."

    def _sum_up(self) -> None:
        if self._adviser is not None and self._adviser.decisions:
            self._say(self._adviser.sum_up())
