"""Test games of a human player in the terminal: prompts, messages and results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.players.agent import make_opponents
from edge_envs import Game, State, record_of, replay
from edge_envs.core.spec import Array
from edge_envs.play.appraisal import Adviser, BuiltInJudge, ExactJudge, judge_for
from edge_envs.players import Agent
from scripts.playing.session import LEFT, ONCE_MORE, SHORT_HELP, Session
from scripts.playing.terminal import Completions
from tests.contract.cases import case_name, games

OPENING = {
    "game": "falling_off", "params": {"num_players": 2, "play_on": False}, "phase": "move", "dice": [1, 1, 4],
    "turn_player": 0, "turns_owed": 1, "pawns": [[0, 0, 5, 9], [0, 0, 6, 9]], "fallen": [],
}  # fmt: skip


class Typist:
    """A screen with scripted input, including Ctrl-C, that records the output."""

    width = 100

    def __init__(self, lines: Iterable[str | type[BaseException]], needed: int = 0) -> None:
        self._lines = iter(lines)
        self._needed = needed
        self.messages: list[str] = []
        self.pictures: list[str] = []
        self.prompts: list[str] = []
        self.completions: Completions = lambda typed: []

    def ask(self, prompt: str, completions: Completions) -> str:
        self.prompts.append(prompt)
        self.completions = completions
        try:
            line = next(self._lines)
        except StopIteration:
            raise EOFError from None
        if isinstance(line, str):
            return line
        raise line

    def say(self, text: str) -> None:
        self.messages.append(text)

    def draw(self, picture: str) -> int:
        self.pictures.append(picture)
        return self._needed

    page = say

    @property
    def text(self) -> str:
        return "\n".join(self.messages)


def session(state: State, screen: Typist, adviser: Adviser | None = None, seat: int = 0) -> Session:
    opponents = make_opponents(["heuristic"], seat, state.game)
    return Session(state, seat, opponents, np.random.default_rng(0), screen, adviser)


def typed(state: State, *lines: str | type[BaseException]) -> Typist:
    """Type these lines in a copy of a position until the input ends, and return the screen."""
    screen = Typist(lines)
    assert not session(state.clone(), screen).play()
    return screen


def always(line: str) -> Iterator[str]:
    while True:
        yield line


@pytest.fixture(scope="session")
def falling_off() -> Game:
    return edge_envs.load_game("falling_off")


@pytest.fixture
def position(falling_off: Game) -> State:
    return falling_off.state_from_dict(OPENING, seed=0)


@pytest.mark.parametrize("game", games(), ids=case_name)
def test_every_game_is_played_to_its_end_from_every_seat(game: Game) -> None:
    for seat in range(game.num_players):
        screen = Typist(always("1"))
        played = session(game.new_initial_state(seed=seat), screen, seat=seat)
        assert played.play()
        state = played.state
        assert state.is_terminal()
        assert f"you {state.returns()[seat]:+g}" in screen.messages[-1]
        assert replay(json.loads(json.dumps(record_of(state)))).returns() == state.returns()


def test_the_human_player_decides_only_in_its_seat(falling_off: Game) -> None:
    state = falling_off.new_initial_state(seed=0)
    screen = Typist(always("1"))
    session(state, screen, seat=1).play()
    assert len(screen.prompts) == sum(player == 1 for player, _ in state.history())


# Actions


def test_actions_are_chosen_by_number_or_name(position: State) -> None:
    texts = [position.action_to_string(action) for action in position.legal_actions()]
    for line in ("2", " 2 ", texts[1], texts[1].replace(" ", "   "), texts[1].upper()):
        screen, state = Typist([line]), position.clone()
        session(state, screen).play()
        assert all(f"{number:>4}  {text}" in screen.text for number, text in enumerate(texts, start=1))
        assert state.history()[0] == (0, position.string_to_action(texts[1]))


def test_a_unique_match_is_played_and_reported(position: State) -> None:
    state, screen = position.clone(), Typist(["5 6"])
    session(state, screen).play()
    assert state.history_strings()[0] == "player 0: move 5 6"
    assert "> move 5 6" in screen.messages


def test_several_matches_are_listed(position: State) -> None:
    screen = typed(position, "start")
    (listed,) = [text for text in screen.messages if "actions match" in text]
    matches = [a for a in map(position.action_to_string, position.legal_actions()) if a.startswith("move start")]
    assert listed.startswith(f"{len(matches)} actions match:\n")
    assert all(text in listed for text in matches)
    assert len(matches) > 1


@pytest.mark.parametrize("line", ["0", "-1", "99", "1.0", "one", "keep", "²", "٣", "9" * 5000, "save", "q", "[", "\0"])
def test_an_unknown_action_is_reported_and_prompts_again(position: State, line: str) -> None:
    state, screen = position.clone(), Typist([line, "1"])
    session(state, screen).play()
    (message,) = [text for text in screen.messages if text.startswith("No action matches ")]
    assert SHORT_HELP in message
    assert len(message) < 200
    assert "\0" not in message
    assert state.history()


@pytest.mark.parametrize("line", ["", "  ", "?", "??"])
def test_a_question_mark_shows_short_help(position: State, line: str) -> None:
    assert SHORT_HELP in typed(position, line).messages


def test_enter_plays_the_only_action(falling_off: Game) -> None:
    only = falling_off.state_from_dict({**OPENING, "dice": [6, 6, 6], "pawns": [[13, 14, 14, 14], [0, 0, 0, 0]]}, 0)
    screen = Typist([""])
    played = session(only, screen)
    assert played.play()
    assert screen.prompts == ["Your choice (Enter: move 13 off): "]
    assert "You have only one action:" in screen.text


def test_lines_complete_to_actions_and_commands(position: State) -> None:
    screen = typed(position)
    assert screen.completions("mov") == ["move "]
    assert screen.completions("MOVE ") == ["move start ", "move 5 "]
    assert screen.completions("move 5 ") == ["move 5 6"]
    assert screen.completions(":u") == [":undo"]


# Commands


@pytest.mark.parametrize("line", [":help", ":he", ":HELP"])
def test_help_lists_all_commands(position: State, line: str) -> None:
    screen = typed(position, line)
    (message,) = [text for text in screen.messages if ":save FILE" in text]
    for name in (":actions", ":hint", ":legend", ":log", ":look", ":quit", ":rules", ":undo"):
        assert name in message


def test_an_unknown_command_lists_the_commands(position: State) -> None:
    (message,) = [text for text in typed(position, ":sing a song").messages if "':sing'" in text]
    assert ":save FILE" in message


def test_an_ambiguous_command_lists_its_matches(position: State) -> None:
    assert "':l' is ambiguous: :legend, :log, :look." in typed(position, ":l").messages


def test_a_command_without_argument_rejects_one(position: State) -> None:
    assert ":undo takes no argument." in typed(position, ":undo 3").messages


@pytest.mark.parametrize("lines", [[], [":q"], [":quit"], [KeyboardInterrupt, KeyboardInterrupt]])
def test_leaving_is_polite(position: State, lines: list[str | type[BaseException]]) -> None:
    screen = typed(position, *lines)
    assert screen.messages[-1] == f"\n{LEFT}"


def test_the_position_can_be_saved_after_one_interruption(position: State, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    screen = typed(position, KeyboardInterrupt, f":save {path}", KeyboardInterrupt, ":quit")
    assert screen.messages.count(f"\n{ONCE_MORE}") == 2
    assert path.exists()


def test_a_position_is_saved(position: State, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    screen = Typist(["1", f":save {path}", f":s {path}", ":quit"])
    session(position, screen).play()
    assert screen.text.count(f"Saved the position to {path}.") == 2
    assert position.game.state_from_dict(json.loads(path.read_text(encoding="utf-8"))).to_dict() == position.to_dict()
    assert [file.name for file in tmp_path.iterdir()] == ["kept.json"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Give a file name"),
        ("{}", "is a folder"),
        ("{}/a\0b", "embedded null"),
        ("{}/no/such/folder", "No such file"),
        ("{}/other.txt", "is not a position file"),
        ("{}/" + "x" * 300, "File name too long"),
        ("{}/\ud800", "surrogates not allowed"),
        ("/dev/full", "is not a position file"),
    ],
)
def test_a_failed_save_does_not_end_the_game(position: State, tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "other.txt").write_text("mine", encoding="utf-8")
    state, screen = position.clone(), Typist([f":save {name.format(tmp_path)}", "1"])
    session(state, screen).play()
    assert any(message in text for text in screen.messages), screen.messages
    assert state.history()
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("other.txt", "mine")]


def test_the_rules_are_the_games_page(position: State) -> None:
    page = typed(position, ":rules").text
    assert "Moving is compulsory" in page
    assert "Other sections" in page
    assert "Moving first is a disadvantage" in typed(position, ":rules exact").text
    assert "Unknown section. Choose from: Usage, Description" in typed(position, ":rules nothing").text


def test_the_log_is_complete_and_the_news_are_shortened(falling_off: Game) -> None:
    state = falling_off.state_from_dict({**OPENING, "phase": "roll", "dice": [], "turn_player": 1, "turns_owed": 9})
    screen = Typist([":log"])
    session(state, screen).play()
    news, log = [text for text in screen.messages if "player 1 (heuristic): " in text]
    assert re.search(r"player 1 \(heuristic\): \.\.\. \d+ more; ", news)
    assert news.splitlines()[-1] == log.splitlines()[-1]
    assert all(text.partition(": ")[2] in log for text in state.history_strings())


def test_only_the_last_lines_of_long_news_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scripts.playing.session.MAX_NEWS", 2)
    state = edge_envs.load_game("falling_off", num_players=4).new_initial_state(seed=0)
    screen = Typist(["1", "1"])
    session(state, screen).play()
    assert any("\n  ... 3 more lines; :log shows all\n  you: roll " in text for text in screen.messages)


def test_a_storm_is_reported_at_once(falling_off: Game) -> None:
    start = {**OPENING, "phase": "reroll", "dice": [1, 1, 1], "pawns": [[9, 9, 9, 9], [0, 0, 6, 9]]}
    screen = Typist(["keep"])
    session(falling_off.state_from_dict(start, seed=0), screen).play()
    assert "No sum moves a pawn: a storm! Player 0 owes two more turns." in screen.messages


def test_moves_of_others_and_chance_are_reported(position: State) -> None:
    screen = Typist(["1"])
    session(position, screen).play()
    events = [text.removeprefix("player 1: ") for text in position.history_strings()[1:-1]]
    assert len(events) > 3
    roll = position.history_strings()[-1].removeprefix("player 0: ")
    assert f"\n  player 1 (heuristic): {'; '.join(events)}\n  you: {roll}" in screen.messages


def test_the_position_is_shown_from_the_human_players_seat() -> None:
    state = edge_envs.load_game("kuhn").new_initial_state(seed=0)
    screen = Typist([":look"])
    session(state, screen).play()
    assert screen.pictures == [state.observation_string(0)] * 2


def test_the_required_width_is_reported_once(position: State) -> None:
    screen = Typist([":look", ":look"], needed=130)
    session(position, screen).play()
    assert screen.text.count("the picture is 130 columns wide, your window 100") == 1


# Taking back


def test_undo_takes_back_a_decision_and_everything_after_it(position: State) -> None:
    screen = Typist(["1", ":undo"])
    played = session(position.clone(), screen)
    played.play()
    assert f"Taken back: {position.action_to_string(position.legal_actions()[0])}." in screen.messages
    assert played.state.to_dict() == position.to_dict()
    assert played.state.history() == []


def test_undo_requires_a_decision(position: State) -> None:
    assert "You have no decision to take back." in typed(position, ":undo").messages


def test_repeated_undo_returns_to_the_start(falling_off: Game) -> None:
    state = falling_off.new_initial_state(seed=3)
    screen = Typist(["1", "1", "1", ":undo", ":undo", ":undo", ":undo"])
    played = session(state, screen)
    played.play()
    assert screen.text.count("Taken back: ") == 3
    assert all(player != 0 for player, _ in played.state.history())


def test_undo_keeps_the_luck_and_the_record_replays(falling_off: Game) -> None:
    ends = []
    for lines in (["1"] * 9, ["1", "1", "2", ":undo", "1", ":undo", ":undo", *["1"] * 8]):
        opponents = make_opponents(["random"], 0, falling_off)
        played = Session(falling_off.new_initial_state(3), 0, opponents, np.random.default_rng(0), Typist(lines))
        played.play()
        ends.append(played.state.history())
        assert replay(record_of(played.state)).to_dict() == played.state.to_dict()
    assert ends[0] == ends[1]
    assert sum(player == 0 for player, _ in ends[0]) == 9


# Agents that fail


class Failing:
    """Raise the given errors one after another, then play the first legal action."""

    name = "fool"
    needs_states = False

    def __init__(self, *errors: BaseException) -> None:
        self._errors = list(errors)

    def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
        if self._errors:
            raise self._errors.pop(0)
        return action_masks.argmax(axis=1)


def against(agent: Agent, state: State, lines: Sequence[str]) -> tuple[Session, Typist]:
    screen = Typist(lines)
    played = Session(state, 0, {1: agent}, np.random.default_rng(0), screen)
    assert not played.play()
    return played, screen


def test_a_failing_agent_is_reported_in_one_line_and_may_try_again(position: State, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    agent = Failing(RuntimeError("out of\nrum"), KeyboardInterrupt(), ValueError())
    played, screen = against(agent, position, ["1", f":save {path}", "what", ":hint", "", "", ""])
    errors = [text.strip().partition(". Press Enter")[0] for text in screen.messages if "to try again" in text]
    assert errors == [
        "player 1 (fool) failed: out of rum",
        "player 1 (fool) was interrupted",
        "player 1 (fool) failed: ValueError",
    ]
    assert path.exists()
    assert sum(player == 1 for player, _ in played.state.history()) > 0


def test_undo_works_after_an_agent_failed(position: State) -> None:
    played, screen = against(Failing(RuntimeError("no")), position.clone(), ["1", ":undo"])
    assert played.state.to_dict() == position.to_dict()
    assert "Taken back: " in screen.text


def test_an_illegal_choice_of_an_agent_is_a_failure(position: State) -> None:
    class Cheat(Failing):
        def act(self, observations: Array, action_masks: Array, states: Any, players: Array, rng: Any) -> Array:
            return np.array([action_masks.argmin()])

    _, screen = against(Cheat(), position, ["1"])
    assert "failed: agent fool chose " in screen.text


# Advice


def advised(position: State, *lines: str) -> Typist:
    screen = Typist(lines)
    session(position.clone(), screen, Adviser(ExactJudge(position.game))).play()
    return screen


def values(state: State) -> dict[str, float]:
    """Return the value after each action, by name."""
    out = ExactJudge(state.game).values(state)
    return {state.action_to_string(action): float(out[action]) for action in state.legal_actions()}


def test_a_decision_is_judged_by_the_exact_solution(position: State) -> None:
    worth = values(position)
    best = max(worth, key=lambda text: worth[text])
    worst = min(worth, key=lambda text: worth[text])
    assert "Perfect play finds nothing better." in advised(position, best).messages
    regret = f"{100 * (worth[best] - worth[worst]):.1f} % of winning probability"
    screen = advised(position, worst)
    assert f"Perfect play would choose {best}. You give away {regret}." in screen.messages
    assert f"Your one decision gave away {regret} in all." in screen.messages


def test_a_hint_ranks_the_actions(position: State) -> None:
    worth = values(position)
    ranked = sorted(worth, key=lambda text: -worth[text])
    (hint,) = [text for text in advised(position, ":hint").messages if text.startswith("Perfect play would choose")]
    lines = hint.splitlines()
    assert lines[0] == f"Perfect play would choose {ranked[0]}."
    assert [line.split("  gives")[0].strip() for line in lines[1:5]] == ranked[1:5]
    assert f"gives away {100 * (worth[ranked[0]] - worth[ranked[1]]):.1f} % of winning probability" in lines[1]


def test_without_advice_a_hint_says_so(position: State) -> None:
    assert "No advice is available in this game." in typed(position, ":hint").messages


def test_regrets_add_up(falling_off: Game) -> None:
    state, adviser = falling_off.new_initial_state(seed=5), Adviser(ExactJudge(falling_off))
    screen = Typist(always("1"))
    session(state, screen, adviser).play()
    decisions = sum(player == 0 for player, _ in state.history())
    assert adviser.decisions == decisions
    assert adviser.given_away > 0.3
    total = f"{100 * adviser.given_away:.1f} %"
    assert screen.messages[-1] == f"Your {decisions} decisions gave away {total} of winning probability in all."


def test_undo_removes_the_regret(falling_off: Game) -> None:
    adviser = Adviser(ExactJudge(falling_off))
    session(falling_off.new_initial_state(seed=5), Typist(["1", "1", ":undo", ":undo"]), adviser).play()
    assert (adviser.decisions, adviser.given_away) == (0, 0.0)


def test_perfect_play_has_no_regret(falling_off: Game) -> None:
    state, adviser = falling_off.new_initial_state(seed=1), Adviser(ExactJudge(falling_off))

    class Perfect(Typist):
        def ask(self, prompt: str, completions: Completions) -> str:
            worth = values(state)
            return max(worth, key=lambda text: worth[text])

    opponents = make_opponents(["perfect"], 0, falling_off)
    Session(state, 0, opponents, np.random.default_rng(0), Perfect([]), adviser).play()
    assert adviser.decisions > 20
    assert adviser.given_away == 0.0


def test_the_judge_depends_on_the_game(falling_off: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge_for(falling_off) is ExactJudge
    three = edge_envs.load_game("falling_off", num_players=3)
    monkeypatch.setattr(three.type, "values", None, raising=False)
    assert judge_for(three) is None
    monkeypatch.setattr(three.type, "values", Turns(), raising=False)
    assert judge_for(three) is BuiltInJudge


class Turns:
    unit = "turns"
    decided = 8.0


def judged_by_turns(game: Game, monkeypatch: pytest.MonkeyPatch, step: float = 0.5) -> Adviser:
    """Return an adviser with a built-in player that prefers low ids and does not consider the third legal action."""

    def action_values(state: State) -> Array:
        values = np.full(game.num_distinct_actions, -np.inf)
        legal = state.legal_actions()
        values[legal] = -step * np.arange(len(legal))
        values[legal[2:3]] = -np.inf
        return values

    monkeypatch.setattr(game.type, "values", Turns(), raising=False)
    monkeypatch.setattr(State, "action_values", action_values, raising=False)
    return Adviser(BuiltInJudge(game))


def test_the_built_in_player_judges_in_its_own_unit(position: State, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [position.action_to_string(action) for action in position.legal_actions()]
    verdicts = []
    for line in ("1", "2", "3"):
        adviser, screen = judged_by_turns(position.game, monkeypatch), Typist([line])
        session(position.clone(), screen, adviser).play()
        verdicts.append((next(text for text in screen.messages if "built-in" in text), adviser.given_away))
    assert verdicts == [
        ("The built-in player finds nothing better.", 0.0),
        (f"The built-in player would choose {texts[0]}. You give away 0.50 turns.", 0.5),
        (f"The built-in player would choose {texts[0]}.", 0.0),
    ]


def test_giving_away_the_game_is_reported(position: State, monkeypatch: pytest.MonkeyPatch) -> None:
    best = position.action_to_string(position.legal_actions()[0])
    adviser, screen = judged_by_turns(position.game, monkeypatch, step=1000.0), Typist(["2"])
    session(position.clone(), screen, adviser).play()
    assert f"The built-in player would choose {best}. You give away the game." in screen.messages
    assert (adviser.given_away, adviser.games_given_away) == (0.0, 1)
    assert adviser.sum_up() == "Your one decision gave away 0.00 turns in all, and the game once."
    assert "gives away the game" in adviser.hint(position)


def test_hints_of_the_built_in_player_list_considered_actions(position: State, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [position.action_to_string(action) for action in position.legal_actions()]
    lines = judged_by_turns(position.game, monkeypatch).hint(position).splitlines()
    assert lines[0] == f"The built-in player would choose {texts[0]}."
    assert [line.strip().split("  ")[0] for line in lines[1:3]] == [texts[1], texts[3]]
    assert lines[1].endswith("gives away 0.50 turns")


def test_unsolved_games_have_no_exact_judge() -> None:
    with pytest.raises(ValueError, match="no perfect player"):
        ExactJudge(edge_envs.load_game("kuhn"))
