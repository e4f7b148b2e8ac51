"""A game in the terminal between a person and agents."""

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
from scripts.playing.keeping import save_position, why
from scripts.playing.menu import Menu
from scripts.playing.terminal import Completions

HELP = (
    "Type an action or any words of it, in any case, or its number. Tab completes what you type. Commands begin with a "
    "colon and may be shortened:"
)
SHORT_HELP = "Type an action, any words of it, or its number. :help lists the commands."
LEFT = "Left before the end."
ONCE_MORE = "Ctrl-C once more leaves the game. `:save FILE` keeps the position."
MOST_NEWS = 10  # lines of what the others did
MOST_EVENTS = 8  # of one player in a row
LONGEST_ECHO = 40  # characters of what was typed that a message repeats


class Screen(Protocol):
    """Where a session asks and tells; see `scripts.playing.terminal.Terminal`."""

    @property
    def width(self) -> int:
        """The columns of the window."""

    def ask(self, prompt: str, completions: Completions) -> str:
        """A line of input; EOFError at its end, KeyboardInterrupt if the person wants to stop."""

    def say(self, text: str) -> None:
        """Show a text."""

    def draw(self, picture: str) -> int:
        """Show a picture; how wide the window must be to show it whole, 0 if it is shown so."""

    def page(self, text: str) -> None:
        """Show a long text."""


class Left(Exception):  # noqa: N818  leaving is no error
    """The person wants to leave."""


class Halted(Exception):  # noqa: N818  the game may go on
    """An agent did not decide; the message says why."""


@dataclass(frozen=True)
class Turning:
    """What was before a decision of the person: the position, and where the agents' random numbers stood."""

    state: State
    dice: Mapping[str, Any]
    action: str


class Session:
    """One game: asks the person in one seat, plays the agents in the others, and says what happens.

    `state` is the position; when the person takes a decision back, an earlier one replaces it. Chance and agents then
    go on with the same random numbers as before, so taking back brings no new luck.
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
        self._told = len(state.history())  # how many transitions the person knows of
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
        """Play to the end; False if the person left before."""
        self._say(self._greeting())
        try:
            while not self.state.is_terminal():
                self._advance()
        except (Left, EOFError, KeyboardInterrupt):
            self._say(f"\n{LEFT}")
            self._sum_up()
            return False
        self._draw()
        self._tell_news()
        self._say(f"\n{self._result()}")
        self._sum_up()
        return True

    # Moves

    def _advance(self) -> None:
        """One transition: of chance, of an agent or of the person; or a decision is taken back."""
        player = self.state.current_player()
        if player == CHANCE:
            self.state.apply_action(self.state.sample_chance())
        elif player == self.seat:
            self._decide()
        else:
            try:
                self.state.apply_action(self._asked(player))
            except Halted as halted:
                self._say(f"\n{halted}. Enter lets it try again; or :save FILE, :undo, :quit.")
                self._ask(Menu([]), may_go_on=True)

    def _asked(self, player: int) -> int:
        """What an agent chooses; Halted if it fails or is interrupted, and the position is as before."""
        try:
            return decide(self._agents[player], self.state, self._rng)
        except KeyboardInterrupt:
            raise Halted(f"{self._name(player)} was interrupted") from None
        except Exception as error:  # agents are anything
            raise Halted(f"{self._name(player)} has failed: {why(error)}") from None

    def _decide(self) -> None:
        """Show the position, ask until there is a legal action, apply it and judge it."""
        legal = self.state.legal_actions()
        menu = Menu([self.state.action_to_string(action) for action in legal])
        self._show(menu)
        index = self._ask(menu)
        if index is None:
            return
        verdict = self._adviser.judge(self.state, legal[index]) if self._adviser else ""
        self._turnings.append(Turning(self.state.clone(), self._rng.bit_generator.state, menu.texts[index]))
        self.state.apply_action(legal[index])
        self._told = len(self.state.history())
        if events := self.state.latest_events(self.seat):
            self._say(" ".join(events))
        if verdict:
            self._say(verdict)

    # Questions

    def _ask(self, menu: Menu, may_go_on: bool = False) -> int | None:
        """The index of an action; None if a decision was taken back or, with `may_go_on`, if the person goes on."""
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
                if self._obey(menu, line):
                    return None
            elif may_go_on and not line:
                return None
            elif (index := self._meant(menu, line or only)) is not None:
                return index

    def _meant(self, menu: Menu, line: str) -> int | None:
        """The index of the one action that a line means; None, and the person is told, if it is not one."""
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

    def _obey(self, menu: Menu, line: str) -> bool:
        """Do as a command says; whether the position is another one now."""
        word, _, argument = line.partition(" ")
        found = commands.find(word) if word != commands.MARK else []
        if not found:
            self._say(f"There is no command {_echo(word)}. Commands are:\n{commands.overview()}")
            return False
        if len(found) > 1:
            self._say(f"{_echo(word)} may be {', '.join(command.usage for command in found)}.")
            return False
        (command,) = found
        if argument.strip() and not command.argument:
            self._say(f"{commands.MARK}{command.name} stands alone.")
            return False
        return bool(self._commands[command.name](menu, argument.strip()))

    def _hint(self, menu: Menu, _: str) -> None:
        if self._adviser is None:
            self._say("There is no advice in this game.")
        elif self.state.current_player() != self.seat:
            self._say("It is not your turn to decide.")
        else:
            self._say(self._adviser.hint(self.state))

    def _quit(self, menu: Menu, _: str) -> None:
        raise Left

    def _save(self, menu: Menu, name: str) -> None:
        self._say(save_position(name, self.state) if name else "Name a file, as in `:save game.json`.")

    def _undo(self, menu: Menu, _: str) -> bool:
        if not self._turnings:
            self._say("There is no decision of yours to take back.")
            return False
        turning = self._turnings.pop()
        self.state, self._rng.bit_generator.state = turning.state, turning.dice
        self._told = len(self.state.history())
        if self._adviser is not None:
            self._adviser.forget_last()
        self._say(f"Taken back: {turning.action}.")
        return True

    # News

    def _show(self, menu: Menu) -> None:
        """The position, what has happened, and what the person can do."""
        self._draw()
        self._tell_news()
        if menu.texts:
            number = f"{len(menu.texts)} actions" if len(menu.texts) > 1 else "only one action"
            self._say(f"\nYou have {number}:\n{menu.overview(self._screen.width)}")

    def _draw(self) -> None:
        """The position as the person sees it; the first time, how wide a window it wants."""
        self._say("")
        needed = self._screen.draw(self.state.observation_string(self.seat))
        if needed and not self._has_told_width:
            self._has_told_width = True
            self._say(f"(Shown in parts: the picture is {needed} columns wide, your window {self._screen.width}.)")

    def _tell_news(self) -> None:
        """What the others and chance did since the person was last told; only the end of it if it was much."""
        news = self._news(self._told, MOST_EVENTS)
        self._told = len(self.state.history())
        if len(news) > MOST_NEWS:
            news = [f"  ... {len(news) - MOST_NEWS + 1} lines more; :log shows all", *news[1 - MOST_NEWS :]]
        if news:
            self._say("\n" + "\n".join(news))

    def _news(self, start: int, most: int | None = None) -> list[str]:
        """What happened from a transition on: a line for all, or the last so many things, that one did in a row."""
        names = {f"player {player}": self._name(player) for player in range(self.state.game.num_players)}
        told = (text.partition(": ") for text in self.state.history_strings(self.seat)[start:])
        lines = []
        for who, some in groupby(told, key=lambda parts: parts[0]):
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
        returns = ", ".join(f"{self._name(player)} {value:+g}" for player, value in enumerate(self.state.returns()))
        return f"{self.state.result()}\n{outcome} Returns: {returns}."

    def _sum_up(self) -> None:
        if self._adviser is not None and self._adviser.decisions:
            self._say(self._adviser.sum_up())


def _completions(menu: Menu, typed: str) -> list[str]:
    return commands.completions(typed) if typed.startswith(commands.MARK) else menu.completions(typed)


def _echo(line: str) -> str:
    """What was typed, in quotes and not too long."""
    return repr(line if len(line) <= LONGEST_ECHO else f"{line[:LONGEST_ECHO]}...")
