"""What a person may type besides actions: words that begin with a colon."""

from __future__ import annotations

from dataclasses import dataclass

MARK = ":"


@dataclass(frozen=True)
class Command:
    """A command: its name, what may follow it, and what it does, in a few words."""

    name: str
    argument: str
    does: str

    @property
    def usage(self) -> str:
        """How it is typed."""
        return f"{MARK}{self.name} {self.argument}".rstrip()


COMMANDS = (
    Command("actions", "", "list all actions with their numbers"),
    Command("help", "", "this list"),
    Command("hint", "", "what a good player would choose"),
    Command("legend", "", "what the signs in the picture mean"),
    Command("log", "", "all that has happened"),
    Command("look", "", "show the position again"),
    Command("quit", "", "leave the game"),
    Command("rules", "[SECTION]", "the rules, or another section of the game's page"),
    Command("save", "FILE", "keep the position; --position FILE goes on from it"),
    Command("undo", "", "take your last decision back, with all that followed"),
)


def find(word: str) -> list[Command]:
    """The commands whose names begin with a word, in any case; only one if it is a whole name."""
    known = word.casefold().removeprefix(MARK)
    exact = [command for command in COMMANDS if command.name == known]
    return exact or [command for command in COMMANDS if command.name.startswith(known)]


def completions(typed: str) -> list[str]:
    """The commands that a line could go on to."""
    return [MARK + command.name for command in COMMANDS if (MARK + command.name).startswith(typed.casefold())]


def overview() -> str:
    """All commands, a line each."""
    width = max(len(command.usage) for command in COMMANDS)
    return "\n".join(f"  {command.usage:<{width}}  {command.does}" for command in COMMANDS)
