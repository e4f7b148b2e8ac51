"""Play a game in the terminal between a human player and agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol

import numpy as np

from edge_envs import CHANCE, State
from edge_envs.play.appraisal import Adviser
from edge_envs.players import Agent, decide
from scripts.playing import commands, pages
from scripts.playing.files import save_position, why
from scripts.playing.menu import Menu
from scripts.playing.terminal import Completions

HELP = (
    "Type an action or any words of it, in any case, or its number. Tab completes your input. Commands start with a "
    "colon and may be abbreviated:"
)
SHORT_HELP = "Type an action, any words of it, or its number. :help lists the commands."
LEFT = "You left the game before its end."
ONCE_MORE = "Press Ctrl-C again to leave the game. `:save FILE` saves the position."
MAX_NEWS = 10  # lines about the moves of others
MAX_EVENTS = 8  # events of one player in a row
MAX_ECHO = 40  # characters of the input that a message repeats


class Screen(Protocol):
    """Input and output of a session; see `scripts.playing.terminal.Terminal`."""

    @property
    def width(self) -> int:
        """Width of the window in columns."""

    def ask(self, prompt: str, completions: Completions) -> str:
        """Return a line of input. Raises EOFError at the end of the input and KeyboardInterrupt on Ctrl-C."""

    def say(self, text: str) -> None:
        """Show text."""

    def draw(self, picture: str) -> int:
        """Show a picture; return the width needed to show it in one piece, or 0 if the window is wide enough."""

    def page(self, text: str) -> None:
        """Show long text."""


class Left(Exception):  # noqa: N818  leaving is not an error
    """The human player wants to leave."""


class Halted(Exception):  # noqa: N818  the game may continue
    """An agent did not decide; the message says why."""


@dataclass(frozen=True)
class Turning:
    """Hold the situation before a decision of the human player: the position and the state of the agents' generator."""

    state: State
    dice: Mapping[str, Any]
    action: str


class Session:
    """Run one game: prompt the human player in one seat, play the agents in the others, and report what happens.

    `state` is the position. Undo replaces it by an earlier one. Chance and agents then continue with the same random
    numbers as before, so undo does not change the luck.
    """

    def __init__(
        self,
        state: State,
        seat: int,
        agents: Mapping[int, Agent],
        rng: np.random.Generator,
        screen: Screen,
        adviser: Adviser | None = None,
    ) -> None:
        self.state = state
        self.seat = seat
        self._agents, self._rng, self._screen, self._adviser = agents, rng, screen, adviser
        self._say = screen.say
        self._reported = len(state.history())  # transitions that the human player knows of
        self._turnings: list[Turning] = []
        self._has_told_width = False
        self._commands: dict[str, Callable[[Menu, str], bool | None]] = {
            "actions": lambda menu, _: self._screen.page(
                "\n".join(menu.numbered(screen.width, range(len(menu.texts))))
            ),
            "help": lambda menu, _: self._say(f"{HELP}\n{commands.overview()}"),
            "hint": self._hint,
            "log": lambda menu, _: screen.page("\n".join(self._news(0)) or "Nothing has happened yet."),
            "legend": lambda menu, _: self._say(pages.legend(self.state.game)),
            "look": lambda menu, _: self._show(menu),
            "quit": self._quit,
            "rules": lambda menu, section: screen.page(pages.rules(self.state.game, section, screen.width)),
            "save": self._save,
            "undo": self._undo,
        }

    def play(self) -> bool:
        """Play to the end. Return False if the human player left before."""
        self._say(self._greeting())
        try:
            while not self.state.is_terminal():
                self._advance()
        except (Left, EOFError, KeyboardInterrupt):
            self._say(f"\n{LEFT}")
            self._sum_up()
            return False
        self._draw()
        self._report_news()
        self._say(f"\n{self._result()}")
        self._sum_up()
        return True

    # Moves

    def _advance(self) -> None:
        """Advance by one transition of chance, an agent or the human player, or undo a decision."""
        player = self.state.current_player()
        if player == CHANCE:
            self.state.apply_action(self.state.sample_chance())
        elif player == self.seat:
            self._decide()
        else:
            try:
                self.state.apply_action(self._agent_action(player))
            except Halted as halted:
                self._say(f"\n{halted}. Press Enter to try again, or type :save FILE, :undo or :quit.")
                self._ask(Menu([]), may_continue=True)

    def _agent_action(self, player: int) -> int:
        """Return the action of an agent. Raises Halted if it fails or is interrupted; the position is unchanged."""
        try:
            return decide(self._agents[player], self.state, self._rng)
        except KeyboardInterrupt:
            raise Halted(f"{self._name(player)} was interrupted") from None
        except Exception as error:  # agents may raise anything
            raise Halted(f"{self._name(player)} failed: {why(error)}") from None

    def _decide(self) -> None:
        """Show the position, prompt for a legal action, apply it and judge it."""
        legal = self.state.legal_actions()
        menu = Menu([self.state.action_to_string(action) for action in legal])
        self._show(menu)
        index = self._ask(menu)
        if index is None:
            return
        verdict = self._adviser.judge(self.state, legal[index]) if self._adviser else ""
        self._turnings.append(Turning(self.state.clone(), self._rng.bit_generator.state, menu.texts[index]))
        self.state.apply_action(legal[index])
        self._reported = len(self.state.history())
        if events := self.state.latest_events(self.seat):
            self._say(" ".join(events))
        if verdict:
            self._say(verdict)

    # Prompts

    def _ask(self, menu: Menu, may_continue: bool = False) -> int | None:
        """Prompt for an action and return its index.

        Return None after an undo or, with `may_continue`, after an empty line.
        """
        only = menu.texts[0] if len(menu.texts) == 1 else ""
        prompt = f"Your choice (Enter: {only}): " if only else "Your choice: "
        was_interrupted = False
        while True:
            try:
                line = self._screen.ask(prompt, lambda typed: _completions(menu, typed)).strip()
                was_interrupted = False
            except KeyboardInterrupt:
                if was_interrupted:
                    raise
                was_interrupted = True
                self._say(f"\n{ONCE_MORE}")
                continue
            if line.startswith(commands.MARK):
                if self._run_command(menu, line):
                    return None
            elif may_continue and not line:
                return None
            elif (index := self._match(menu, line or only)) is not None:
                return index

    def _match(self, menu: Menu, line: str) -> int | None:
        """Return the index of the only action that matches a line; otherwise say why and return None."""
        found = menu.find(line)
        if len(found) == 1:
            if menu.texts[found[0]] != line:
                self._say(f"> {menu.texts[found[0]]}")
            return found[0]
        if found:
            self._say(f"{len(found)} actions match:\n{menu.overview(self._screen.width, found)}")
        else:
            wrong = f"No action matches {_echo(line)}. " if line.strip("?") else ""
            self._say(wrong + SHORT_HELP)
        return None

    def _run_command(self, menu: Menu, line: str) -> bool:
        """Run a command and return whether it changed the position."""
        word, _, argument = line.partition(" ")
        found = commands.find(word) if word != commands.MARK else []
        if not found:
            self._say(f"Unknown command {_echo(word)}. The commands are:\n{commands.overview()}")
            return False
        if len(found) > 1:
            self._say(f"{_echo(word)} is ambiguous: {', '.join(command.usage for command in found)}.")
            return False
        (command,) = found
        if argument.strip() and not command.argument:
            self._say(f"{commands.MARK}{command.name} takes no argument.")
            return False
        return bool(self._commands[command.name](menu, argument.strip()))

    def _hint(self, menu: Menu, _: str) -> None:
        if self._adviser is None:
            self._say("No advice is available in this game.")
        elif self.state.current_player() != self.seat:
            self._say("It is not your turn.")
        else:
            self._say(self._adviser.hint(self.state))

    def _quit(self, menu: Menu, _: str) -> None:
        raise Left

    def _save(self, menu: Menu, name: str) -> None:
        self._say(save_position(name, self.state) if name else "Give a file name, such as `:save game.json`.")

    def _undo(self, menu: Menu, _: str) -> bool:
        if not self._turnings:
            self._say("You have no decision to take back.")
            return False
        turning = self._turnings.pop()
        self.state, self._rng.bit_generator.state = turning.state, turning.dice
        self._reported = len(self.state.history())
        if self._adviser is not None:
            self._adviser.forget_last()
        self._say(f"Taken back: {turning.action}.")
        return True

    # News

    def _show(self, menu: Menu) -> None:
        """Show the position, recent events and the legal actions."""
        self._draw()
        self._report_news()
        if menu.texts:
            number = f"{len(menu.texts)} actions" if len(menu.texts) > 1 else "only one action"
            self._say(f"\nYou have {number}:\n{menu.overview(self._screen.width)}")

    def _draw(self) -> None:
        """Draw the position as the human player sees it; the first time, say if the window is too narrow."""
        self._say("")
        needed = self._screen.draw(self.state.observation_string(self.seat))
        if needed and not self._has_told_width:
            self._has_told_width = True
            self._say(f"(Shown in parts: the picture is {needed} columns wide, your window {self._screen.width}.)")

    def _report_news(self) -> None:
        """Report what others and chance have done since the last report; shorten a long report to its end."""
        news = self._news(self._reported, MAX_EVENTS)
        self._reported = len(self.state.history())
        if len(news) > MAX_NEWS:
            news = [f"  ... {len(news) - MAX_NEWS + 1} more lines; :log shows all", *news[1 - MAX_NEWS :]]
        if news:
            self._say("\n" + "\n".join(news))

    def _news(self, start: int, most: int | None = None) -> list[str]:
        """Return the events from a transition on, one line for the last `most` (or all) events of a player in a row."""
        names = {f"player {player}": self._name(player) for player in range(self.state.game.num_players)}
        events = (text.partition(": ") for text in self.state.history_strings(self.seat)[start:])
        lines = []
        for who, some in groupby(events, key=lambda parts: parts[0]):
            texts = [text for _, _, text in some]
            shown = texts if most is None or len(texts) <= most else [f"... {len(texts) - most} more", *texts[-most:]]
            lines.append(f"  {names.get(who, who)}: {'; '.join(shown)}")
        return lines

    def _name(self, player: int) -> str:
        if player == CHANCE:
            return "chance"
        return "you" if player == self.seat else f"player {player} ({self._agents[player].name})"

    def _greeting(self) -> str:
        others = ", ".join(self._name(player) for player in self._agents)
        return f"{self.state.game.type.title}\nYou are player {self.seat}, against {others}.\n{SHORT_HELP}"

    def _result(self) -> str:
        own = self.state.returns()[self.seat]
        outcome = "You win." if own > 0 else "You lose." if own < 0 else "It is a draw for you."
        returns = ", ".join(f"{self._name(player)} {value:+zg}" for player, value in enumerate(self.state.returns()))
        return f"{self.state.result()}\n{outcome} Returns: {returns}."

    def _sum_up(self) -> None:
        if self._adviser is not None and self._adviser.decisions:
            self._say(self._adviser.sum_up())


def _completions(menu: Menu, typed: str) -> list[str]:
    return commands.completions(typed) if typed.startswith(commands.MARK) else menu.completions(typed)


def _echo(line: str) -> str:
    """Return the input in quotes, shortened."""
    return repr(line if len(line) <= MAX_ECHO else f"{line[:MAX_ECHO]}...")
