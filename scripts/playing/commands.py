"""Commands that a human player may type besides actions: words that start with a colon."""

from __future__ import annotations

from dataclasses import dataclass

MARK = ":"


@dataclass(frozen=True)
class Command:
    """Describe a command: its name, the metavariable of its argument, and a short description."""

    name: str
    argument: str
    does: str

    @property
    def usage(self) -> str:
        """Syntax of the command."""
        return f"{MARK}{self.name} {self.argument}".rstrip()


COMMANDS = (
    Command("actions", "", "list all actions with their numbers"),
    Command("help", "", "list all commands"),
    Command("hint", "", "show what the judge would choose"),
    Command("legend", "", "explain the symbols in the picture"),
    Command("log", "", "show everything that has happened"),
    Command("look", "", "show the position again"),
    Command("quit", "", "leave the game"),
    Command("rules", "[SECTION]", "show the rules, or another section of the game's page"),
    Command("save", "FILE", "save the position; --position FILE continues from it"),
    Command("undo", "", "take back your last decision and everything after it"),
)


def find(word: str) -> list[Command]:
    """Return the commands whose names start with a word, in any case; an exact match is the only result."""
    known = word.casefold().removeprefix(MARK)
    exact = [command for command in COMMANDS if command.name == known]
    return exact or [command for command in COMMANDS if command.name.startswith(known)]


def completions(typed: str) -> list[str]:
    """Return the commands that complete a line."""
    return [MARK + command.name for command in COMMANDS if (MARK + command.name).startswith(typed.casefold())]


def overview() -> str:
    """List all commands, one per line."""
    width = max(len(command.usage) for command in COMMANDS)
    return "\n".join(f"  {command.usage:<{width}}  {command.does}" for command in COMMANDS)
