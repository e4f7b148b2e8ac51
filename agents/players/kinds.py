"""The kinds of agents: how their names are written, and how a name is checked and made into an agent.

`KINDS` is the one table of them. A name belongs to the first kind that matches it. Kinds that need torch, httpx or
Stable-Baselines3 import them only when they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from agents.external.objects import check_object, is_object, make_object, module_files
from agents.external.programs import PREFIX as PROGRAM
from agents.external.programs import ProgramAgent, check_program, named_files
from agents.players.loading import load_policy
from agents.players.policy_file import HINT_VALUES, policy_json, policy_weights
from agents.players.policy_places import policy_fault, several_in_one
from edge_envs import GAMES, Game
from edge_envs.core.errors import did_you_mean, in_short
from edge_envs.core.trained import trained_policies
from edge_envs.ntuple.agent import SCORE, numbers_of
from edge_envs.players import AGENTS, SYNTAX, Agent, built_in_agent, check_built_in, is_built_in
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget

CHAT, SB3 = "chat:", "sb3:"


@dataclass(frozen=True)
class AgentSpec:
    """An agent name, parsed.

    Attributes:
        name: the whole name.
        kind: the kind that it belongs to.
        folder: the policy folder that the agent plays or asks; "" if it needs none. It may not exist.
        argument: the part of the name between the kind and the folder: "200" in search:200:FOLDER, "16x8" in
            turns:16x8:FOLDER; "" if there is none.
    """

    name: str
    kind: AgentKind
    folder: str = ""
    argument: str = ""

    def check(self) -> None:
        """Raise ValueError if the agent does not exist."""
        self.kind.check(self)

    def make(self, game: Game) -> Agent:
        """Make the agent; ValueError if it does not exist or cannot play this game."""
        self.kind.check(self)
        return self.kind.make(self, game)

    def files(self) -> list[Path]:
        """Return the files that the agent consists of, as far as its name tells."""
        return self.kind.files(self)


def _no_files(spec: AgentSpec) -> list[Path]:
    return []


@dataclass(frozen=True)
class AgentKind:
    """A kind of agents.

    Attributes:
        name: the kind in one word.
        syntax: how names are written (an example, or the part to replace in capitals), each with one line of help.
        matches: whether a name belongs to this kind.
        check: raises ValueError if the agent does not exist.
        make: makes the agent for a game.
        split: the argument and the policy folder in a name, both "" where it has none.
        files: the files that an agent consists of.
        external: whether others wrote the agent, so that it may fail in any way.
        slow: whether a decision takes long, as with a program or a server.
        paid: whether decisions may cost money.
    """

    name: str
    syntax: dict[str, str]
    matches: Callable[[str], bool]
    check: Callable[[AgentSpec], None]
    make: Callable[[AgentSpec, Game], Agent]
    split: Callable[[str], tuple[str, str]] = lambda name: ("", "")
    files: Callable[[AgentSpec], list[Path]] = _no_files
    external: bool = False
    slow: bool = False
    paid: bool = False


def parse_agent(name: str) -> AgentSpec:
    """Parse the name of an agent. The agent need not exist; ValueError if the name is not a string, or empty."""
    if not isinstance(name, str) or not name:
        unknown_agent(name)
    kind = next(kind for kind in KINDS if kind.matches(name))
    argument, folder = kind.split(name)
    return AgentSpec(name, kind, folder, argument)


def syntax_table() -> dict[str, str]:
    """Return how names of all kinds are written, each with a line of help."""
    kinds = sorted(
        KINDS, key=lambda kind: (kind.external, kind.name not in ("built-in", "trained"), kind.name != "built-in")
    )
    return {syntax: text for kind in kinds for syntax, text in kind.syntax.items()}


def help_text() -> str:
    """Return the table of agent names for `--help`."""
    rows = syntax_table()
    width = max(map(len, rows))
    return "\n".join(f"  {syntax:<{width}}  {text}" for syntax, text in rows.items())


def unknown_agent(name: Any) -> NoReturn:
    """Raise ValueError for a name that no kind knows, with all valid names."""
    known = ", ".join(syntax_table())
    hint = did_you_mean(name.partition(":")[0], AGENTS) if isinstance(name, str) else ""
    raise ValueError(f"unknown agent {in_short(name)} (choose from {known}){hint}")


# Programs, language models and models of Stable-Baselines3: a prefix and what it names.


def _make_chat(spec: AgentSpec, game: Game) -> Agent:
    from agents.external.chat import ChatAgent

    return ChatAgent(spec.name, game)


def _check_chat(spec: AgentSpec) -> None:
    from agents.external.chat import check_chat

    check_chat(spec.name)


def _make_sb3(spec: AgentSpec, game: Game) -> Agent:
    from agents.external.sb3 import load_sb3

    return load_sb3(spec.name, game)


def _check_sb3(spec: AgentSpec) -> None:
    from agents.external.sb3 import check_sb3

    check_sb3(spec.name)


def _sb3_files(spec: AgentSpec) -> list[Path]:
    from agents.external.sb3 import parse_name

    return [parse_name(spec.name)[1]]


# Policy folders, and searches that ask a policy.


def _split_search(name: str) -> tuple[str, str]:
    head, _, rest = name.partition(":")
    budget, _, folder = rest.partition(":")
    return (budget, folder) if head == "search" else ("", "")


def _check_folder(spec: AgentSpec) -> None:
    """Raise ValueError, with advice, if the folder does not exist."""
    if Path(spec.folder).is_dir():
        return
    if Path(spec.folder).exists() or spec.folder.endswith(".zip"):
        raise ValueError(policy_fault(spec.folder))
    if advice := several_in_one(spec.name, list(AGENTS)):
        raise ValueError(advice)
    if spec.argument:
        raise ValueError(f"unknown agent {spec.name!r}: {spec.folder} is not a policy folder")
    unknown_agent(spec.name)


def _check_search(spec: AgentSpec) -> None:
    check_built_in(f"search:{spec.argument}")
    _check_folder(spec)


def _make_search(spec: AgentSpec, game: Game) -> Agent:
    return SearchAgent(game, Budget.parse(spec.argument), load_policy(spec.folder, game))


# Searches of whole turns with the values of an n-tuple network.


def _split_turns(name: str) -> tuple[str, str]:
    head, _, rest = name.partition(":")
    replies, _, folder = rest.partition(":")
    return (replies, folder) if head == "turns" else ("", "")


def _check_turns(spec: AgentSpec) -> None:
    check_built_in(f"turns:{spec.argument}")
    _check_folder(spec)


def _make_turns(spec: AgentSpec, game: Game) -> Agent:
    from agents.tuple_learning.policy import TuplesAgent

    return TuplesAgent.load(spec.folder, game, *numbers_of(spec.argument))


def _policy_files(spec: AgentSpec) -> list[Path]:
    files = [policy_json(spec.folder), policy_weights(spec.folder)]
    hints = Path(spec.folder) / HINT_VALUES  # only of some policies
    return [*files, *sorted(hints.glob("policy.*"))] if all(file.is_file() for file in files) else []


# Trained policies of the package.


def _is_trained(name: str) -> bool:
    return name.partition(":")[0] == "trained"


def _trained_files(spec: AgentSpec) -> list[Path]:
    """Return the files of all trained policies with this name; without a name, of all trained policies."""
    name = spec.name.partition(":")[2]
    policies = [policy for game_type in GAMES.values() for policy in trained_policies(game_type)]
    folders = [policy.folder for policy in policies if name in ("", policy.name)]
    return [file for folder in folders for file in (policy_json(folder), policy_weights(folder))]


KINDS: Sequence[AgentKind] = (
    AgentKind(
        "program",
        {"program:COMMAND": "a program in any language (docs/tournaments.md)"},
        matches=lambda name: name.startswith(PROGRAM),
        check=lambda spec: check_program(spec.name),
        make=lambda spec, game: ProgramAgent(spec.name, game),
        files=lambda spec: named_files(spec.name),
        external=True,
        slow=True,
    ),
    AgentKind(
        "chat",
        {"chat:FILE": "a language model, configured in a YAML file (docs/text.md)"},
        matches=lambda name: name.startswith(CHAT),
        check=_check_chat,
        make=_make_chat,
        external=True,
        slow=True,
        paid=True,
    ),
    AgentKind(
        "sb3",
        {"sb3:FILE": "a Stable-Baselines3 model, such as sb3:model.zip (a pickle: load only files that you trust)"},
        matches=lambda name: name.startswith(SB3),
        check=_check_sb3,
        make=_make_sb3,
        files=_sb3_files,
        external=True,
    ),
    AgentKind(
        "guided-search",
        {"search:200:FOLDER": "a search that asks a policy for priors and values"},
        matches=lambda name: bool(_split_search(name)[1]),
        check=_check_search,
        make=_make_search,
        split=_split_search,
        files=_policy_files,
    ),
    AgentKind(
        "turns",
        {
            "turns:16:FOLDER": "the 16 best whole turns against every reply, by the values of an n-tuple network",
            "turns:16x8:FOLDER": "the same, and the 8 best replies to each by the best turn after them",
        },
        matches=lambda name: _split_turns(name)[1] not in ("", SCORE),
        check=_check_turns,
        make=_make_turns,
        split=_split_turns,
        files=_policy_files,
    ),
    AgentKind(
        "trained",
        {syntax: text for syntax, text in SYNTAX.items() if _is_trained(syntax)},
        matches=_is_trained,
        check=lambda spec: check_built_in(spec.name),
        make=lambda spec, game: built_in_agent(spec.name, game),
        files=_trained_files,
    ),
    AgentKind(
        "built-in",
        {syntax: text for syntax, text in SYNTAX.items() if not _is_trained(syntax)},
        matches=is_built_in,
        check=lambda spec: check_built_in(spec.name),
        make=lambda spec, game: built_in_agent(spec.name, game),
    ),
    AgentKind(
        "object",
        {"module:function": "the agent that a Python function returns for a game (docs/tournaments.md)"},
        matches=is_object,
        check=lambda spec: check_object(spec.name),
        make=lambda spec, game: make_object(spec.name, game),
        files=lambda spec: module_files(spec.name),
        external=True,
    ),
    AgentKind(
        "policy",
        {"FOLDER": "the folder of an exported policy, such as runs/NAME/policy"},
        matches=lambda name: True,
        check=_check_folder,
        make=lambda spec, game: load_policy(spec.folder, game),
        split=lambda name: ("", name),
        files=_policy_files,
    ),
)
"""All kinds of agents, in the order in which names are matched."""
