"""The three tiers of tests: `pytest --tier check`, `test` (the default) or `all`.

- `all` runs every test.
- `test` leaves out slow tests: by `durations.json`, their cases needed more than `MOST` seconds of processor time on
  average, or they are in `SLOW_FILES`, `SLOW_CASES` or `SLOW_WHEN_COLD`; and they are not in `ESSENTIAL`. If a test has
  many cases, evenly spread ones run, as many as fit into `MOST_TOGETHER`. A test over the cases of a game
  (`tests/contract/cases.py`) runs with the plain case and with one of the others. In both choices the tests
  take turns, so that together they cover every case.
- `check` runs the rules tests and the contract tests, each with the plain case of every game, and leaves out tests with
  a case that needed more than `MOST_IN_CHECK` seconds.

Tests that are named in full (`tests/core/test_rng.py::test_...`) always run.

`pytest --tier all --write-durations` writes the file, `python -m tests.tiers` prints the tables of CONTRIBUTING.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from edge_envs import GAMES, Game

TIERS = ("check", "test", "all")
MOST = 0.5
MOST_TOGETHER = 0.3
MOST_IN_CHECK = 0.3
ESSENTIAL = {
    "tests/contract/test_function_length.py::test_no_function_is_longer_than_80_lines",
    "tests/contract/test_imports.py::test_code_outside_its_folder_does_not_name_a_game",
    "tests/contract/test_imports.py::test_package_does_not_import_agents_scripts_or_tests",
    "tests/docs/test_install.py::test_imports_are_declared",
    "tests/agents/test_pipeline.py::test_a_trained_policy_is_evaluated_and_played_against",
    "tests/agents/test_shipped.py::test_policy_reproduces_its_recorded_choices",
    "tests/contract/test_hidden.py::test_resampling_is_independent_of_the_true_state",
    "tests/contract/test_hidden.py::test_heuristic_depends_only_on_the_players_information",
    "tests/games/ghost_ship/test_twin.py::test_the_rules_match_the_reference_implementation_in_games_with_random_parameters",
    "tests/core/test_plain_path.py::test_golden_and_contract_tests_pass_without_the_linker",
    "tests/core/test_linking.py::test_kernels_that_one_line_makes_are_not_confused_when_loaded",
    "tests/core/test_linking.py::test_inner_kernel_becomes_an_entry_when_called_from_python",
    "tests/bridges/test_rllib.py::test_without_rllib_the_extra_is_named",
    "tests/scripts/test_play_terminal.py::test_no_line_is_wider_than_the_window",
    "tests/ntuple/test_self_play.py::test_a_game_changes_weights_by_td_lambda",
    "tests/agents/test_tuples.py::test_killed_run_resumes_to_the_same_result",
    "tests/docs/test_notebooks.py::test_first_hour_runs_and_prints_its_stored_outputs",
}
"""Slow tests of what a change must never break, and of what no other test of the tier `test` checks."""
SLOW_FILES = {
    "tests/agents/test_learned_hints.py",
    "tests/docs/test_site.py",
    "tests/games/ghost_ship/test_cells.py",
    "tests/ntuple/test_tree_search.py",
    "tests/scripts/test_benchmark.py",
    "tests/search/test_against.py",
}
"""Files whose tests share a slow fixture, or kernels that no other test compiles. Only the first test that runs is
charged for it in the figures."""
SLOW_WHEN_COLD = {
    "tests/web/test_accessibility.py::test_every_page_is_accessible",
    "tests/web/test_accessibility.py::test_every_match_is_accessible",
    "tests/web/test_accessibility.py::test_waiting_is_accessible",
    "tests/web/test_accessibility.py::test_an_answered_puzzle_is_accessible",
    "tests/web/test_accessibility.py::test_a_replay_file_is_accessible",
    "tests/web/test_accessibility.py::test_static_pages_are_accessible",
    "tests/web/test_accessibility.py::test_a_static_game_is_accessible",
    "tests/agents/test_baselines.py::test_an_interrupted_command_continues",
    "tests/agents/test_deep_q.py::test_it_learns_tic_tac_toe_and_resumes",
    "tests/envs/test_trained.py::test_compiled_features_are_those_of_the_network",
    "tests/agents/test_teaching.py::test_policy_learns_from_the_search_of_an_n_tuple_network",
    "tests/agents/test_train_function.py::test_training_in_a_log_prints_evaluations_and_progress_lines",
    "tests/arena/test_edge_bench.py::test_finished_games_are_not_played_again",
    "tests/arena/test_edge_bench_costs.py::test_limit_stops_the_run_and_keeps_its_results",
    "tests/arena/test_edge_bench_costs.py::test_limit_without_a_finished_game_is_a_one_line_error",
    "tests/arena/test_edge_bench_costs.py::test_raised_limit_continues_the_run",
    "tests/arena/test_edge_bench.py::test_table_is_written_into_a_page",
    "tests/test_other_systems.py::test_games_are_played_without_what_only_posix_has",
    "tests/docs/test_notebooks.py::test_notebook_runs_and_prints_its_stored_outputs",
    "tests/scripts/test_gpu_check.py::test_quick_check_on_the_cpu_writes_all_results",
    "tests/web/test_browser.py::test_action_values_are_shown_on_the_board_and_in_the_list",
    "tests/web/test_browser.py::test_the_values_of_a_search_are_shown_with_its_iterations",
    "tests/web/test_static_page.py::test_famous_game_is_a_small_page_with_its_story",
    "tests/web/test_static_page.py::test_values_equal_the_solution_in_every_position",
    "tests/web/test_page.py::test_a_match_does_not_shift_while_it_is_played",
    "tests/web/test_page.py::test_opponents_have_ranks_stars_and_ratings_and_results_are_kept",
    "tests/agents/test_mistakes.py::test_policy_determines_the_parameters_of_a_named_game",
    "tests/agents/test_networks.py::test_network_outputs_a_logit_per_action_and_a_value",
    "tests/agents/test_teaching.py::test_lessons_are_padded_to_the_longest_round",
    "tests/agents/test_teaching.py::test_search_policy_is_a_distribution_over_several_legal_actions",
    "tests/agents/test_tuples.py::test_score_agent_takes_the_larger_lead",
    "tests/agents/test_values.py::test_values_of_tic_tac_toe_are_learned_from_cells",
    "tests/agents/test_workers.py::test_data_set_from_a_cluster_is_identical",
    "tests/arena/test_match.py::test_parallel_games_are_independent",
    "tests/contract/test_heuristics.py::test_hints_use_the_selected_version",
    "tests/core/test_proofs.py::test_claim_without_the_turn_limit_does_not_rely_on_it",
    "tests/search/test_guided.py::test_a_search_uses_the_policy_in_its_name",
    "tests/search/test_turn_search.py::test_the_reference_implementation_agrees_on_short_turns",
    "tests/agents/test_exploit.py::test_best_response_requires_a_solver_and_a_fast_deterministic_agent",
    "tests/agents/test_learner.py::test_acting_and_learning_use_the_same_policy",
    "tests/agents/test_networks.py::test_batch_rows_are_independent",
    "tests/agents/test_teaching.py::test_round_depends_only_on_earlier_games_and_weights",
    "tests/agents/test_tuples.py::test_agents_of_a_folder_need_no_module_of_agents",
    "tests/contract/test_features.py::test_hints_are_value_losses_to_the_best_action",
    "tests/contract/test_heuristics.py::test_versions_differ",
    "tests/games/beyond_maps/test_turns.py::test_the_heuristic_lets_the_opponent_win_at_once_only_if_it_must",
    "tests/ntuple/test_players.py::test_actions_are_worth_the_best_turn_they_start",
    "tests/ntuple/test_players.py::test_real_games_of_three_and_four_change_weights_by_td_lambda",
    "tests/ntuple/test_players.py::test_some_games_of_self_play_teach_who_is_ahead[falling_off]",
    "tests/ntuple/test_players.py::test_some_games_of_self_play_teach_who_is_ahead[over_the_edge]",
    "tests/ntuple/test_players.py::test_turns_are_worth_what_the_best_replies_leave",
    "tests/ntuple/test_players.py::test_turns_of_real_games_of_three_and_four_are_compared_by_replies",
    "tests/search/test_guided.py::test_results_do_not_depend_on_the_batch",
    "tests/search/test_perceptron.py::test_expected_values_are_expectimax_values",
    "tests/search/test_turns.py::test_values_do_not_depend_on_the_batch",
    "tests/web/test_browser.py::test_a_hint_and_advice_name_the_judge",
    "tests/agents/test_networks.py::test_hints_are_added_to_the_logits_of_their_actions",
    "tests/agents/test_networks.py::test_hints_are_additional_input_planes",
    "tests/agents/test_networks.py::test_hints_carry_no_gradient_but_hint_weights_do",
    "tests/agents/test_networks.py::test_logits_of_listed_actions_match_the_full_logits",
    "tests/agents/test_tuples.py::test_search_plays_each_macro_action_of_a_deterministic_game_once",
    "tests/agents/test_deep_q.py::test_trainers_stop_after_their_processor_time",
    "tests/envs/test_trained.py::test_the_loops_decide_like_the_agent_called_step_by_step",
    "tests/agents/test_networks.py::test_every_weight_has_a_gradient[over_the_edge-params5-architecture5]",
    "tests/agents/test_networks.py::test_every_weight_has_a_gradient[ghost_ship-params7-architecture7]",
    "tests/agents/test_networks.py::test_every_weight_has_a_gradient[beyond_maps-params9-architecture9]",
    "tests/agents/test_policy.py::test_convolutional_policy_transfers_to_another_board_size[2.0]",
    "tests/agents/test_signals.py::test_checkpoint_that_cannot_be_written_on_a_signal_is_reported[values]",
    "tests/agents/test_shipped.py::test_policy_reproduces_its_recorded_choices[ghost_ship-from_rules_tour]",
    "tests/games/beyond_maps/test_turns.py::test_the_value_of_a_turn_is_the_value_after_its_best_answer",
    "tests/contract/test_heuristics.py::test_seat_env_supports_every_version_as_opponent[beyond_maps,size=5]",
    "tests/web/test_browser.py::test_advice_stays_while_others_decide",
    "tests/agents/test_teaching.py::test_drawn_option_randomizes_decisions",
    "tests/agents/test_values.py::test_targets_are_lambda_weighted_td_errors",
    "tests/core/test_proofs.py::test_first_winning_action_settles_a_claim_at_once",
    "tests/envs/test_trained.py::test_names_and_levels_name_the_policy",
    "tests/play/test_puzzles.py::test_a_search_gives_estimates",
    "tests/search/test_perceptron.py::test_games_do_not_depend_on_the_number_of_games",
    "tests/web/test_motion.py::test_the_evaluation_bar_has_a_switch_that_the_browser_remembers",
    "tests/web/test_motion.py::test_values_do_not_cover_pieces_or_each_other",
    "tests/web/test_page.py::test_board_task_and_choices_fit_one_screen_and_nothing_jumps",
    "tests/web/test_page.py::test_seven_windows_of_one_browser_work",
    "tests/core/test_notices.py::test_first_compilation_of_an_agent_prints_one_line",
    "tests/agents/test_kept_policies.py::test_each_kept_policy_has_the_weights_of_its_step",
    "tests/ntuple/test_reply_search.py::test_replies_are_compared_by_the_best_turns_after_them[1]",
    "tests/play/test_appraisal.py::test_trained_policies_of_the_package_judge_games[beyond_maps_8x8]",
    "tests/search/test_guided.py::test_actions_with_high_priors_are_searched_first",
}
"""Tests and cases like others, that compile kernels for 10 to 60 seconds in a clean clone, which their figures lack."""
SLOW_CASES = {
    "tests/agents/test_learner.py": "beyond_maps",
    "tests/agents/test_policy.py": "beyond_maps with hints",
    "tests/agents/test_ppo_rollout.py": "beyond_maps",
    "tests/contract/test_cells.py": "ghost_ship",
    "tests/contract/test_features.py": "ghost_ship",
}
"""Files with cases that compile kernels for 10 to 30 seconds, and what the names of these cases contain."""
UNCOUNTED = {
    "tests/contract/test_text.py::test_every_name_of_a_disguise_occurs_in_a_message": 1.0,
    "tests/core/test_cache.py::test_any_cache_path_is_tolerated": 0.3,
    "tests/core/test_cache.py::test_damaged_file_is_replaced": 0.3,
    "tests/core/test_cache.py::test_other_compiler_settings_use_separate_entries": 0.5,
    "tests/core/test_cache.py::test_relative_and_home_paths_are_resolved_once": 0.3,
    "tests/games/beyond_maps/test_turns.py::test_the_heuristic_takes_a_win_in_one_turn": 2.0,
    "tests/games/ghost_ship/test_observation.py::test_observations_are_within_their_bounds": 1.2,
}
"""Seconds of a case that the figures lack: of a process that outlives the test, or of a result that a slow test has
computed. They reduce the number of cases."""
LONG_FILES = (
    "tests/web/test_page.py",
    "tests/web/test_browser.py",
    "tests/arena/test_edge_bench_costs.py",
    "tests/arena/test_edge_bench.py",
    "tests/web/test_motion.py",
    "tests/arena/test_chat.py",
    "tests/docs/test_site.py",
    "tests/core/test_plain_path.py",
    "tests/contract/test_values.py",
    "tests/web/test_accessibility.py",
    "tests/web/test_static_page.py",
    "tests/agents/test_workers.py",
    "tests/arena/test_endpoint.py",
    "tests/contract/test_text.py",
    "tests/arena/test_forfeits.py",
    "tests/arena/test_tournament_resuming.py",
    "tests/core/test_cache.py",
    "tests/contract/test_conformance.py",
    "tests/arena/test_programs.py",
    "tests/contract/test_hidden.py",
    "tests/soak/test_soak.py",
)
"""Files that take longest, partly because they wait. They run first, so that none is the last to end."""
_PROPERTY = "processor time in s"
FILE = Path(__file__).resolve().parent / "durations.json"


@dataclass
class Duration:
    """The processor time of a test function in seconds, that of child processes included."""

    cases: int = 0
    total: float = 0.0
    slowest: float = 0.0
    """The time of the slowest case."""

    def add(self, seconds: float) -> None:
        """Count a case."""
        self.cases += 1
        self.total += seconds
        self.slowest = max(self.slowest, seconds)


def is_slow(test: str, duration: Duration) -> bool:
    """Return whether a test function runs only in the tier `all`."""
    slow = duration.total > MOST * duration.cases or test.partition("::")[0] in SLOW_FILES or test in SLOW_WHEN_COLD
    return slow and test not in ESSENTIAL


def is_slow_case(name: str) -> bool:
    """Return whether a test runs only in the tier `all` because of `SLOW_CASES`."""
    file, case = name.partition("::")[0], name.partition("[")[2]
    return file in SLOW_CASES and SLOW_CASES[file] in case


def spread(count: int, duration: Duration, turn: int = 0) -> range:
    """Return which of `count` cases of a test function the tier `test` runs: as many as it has time for.

    Args:
        count: The number of cases.
        duration: The time of the test function.
        turn: A number that differs between test functions, so that not all of them run the first case.
    """
    if duration.total == 0.0:
        return range(count)
    affordable = max(1, int(MOST_TOGETHER * duration.cases / duration.total))
    step = -(-count // affordable)
    return range(turn % step, count, step)


def affordable(items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that remain after `spread`."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[function_of(item.nodeid)].append(item)
    return {found[i] for test, found in cases.items() for i in spread(len(found), whole_duration(test), turn_of(test))}


def whole_duration(test: str) -> Duration:
    """Return the duration of a test function with its uncounted seconds."""
    known, more = durations().get(test, Duration()), UNCOUNTED.get(test, 0.0)
    return Duration(known.cases, known.total + known.cases * more, known.slowest + more)


def share(games: Iterable[Game], test: str, tier: str) -> list[Game]:
    """Return the cases that a test runs with.

    Args:
        games: All cases, those of one game in a row, the plain one first.
        test: The name of the test function. It decides which of the other cases is taken.
        tier: One of `TIERS`.
    """
    if tier == "all":
        return list(games)
    return list(_some(games, turn_of(test) if tier == "test" else None))


def turn_of(test: str) -> int:
    """Return a number that is the same in every process, and usually differs between tests."""
    return zlib.crc32(test.encode())


def _some(games: Iterable[Game], draw: int | None) -> Iterator[Game]:
    for _, cases in itertools.groupby(games, lambda game: game.name):
        plain, *others = cases
        yield plain
        if others and draw is not None:
            yield others[draw % len(others)]


def is_in(item: pytest.Item, tier: str, games: Sequence[Game]) -> bool:
    """Return whether a tier contains a test; `games` are all cases of all games."""
    if tier == "all":
        return True
    test = function_of(item.nodeid)
    duration = durations().get(test, Duration())
    if is_slow(test, duration) or item.nodeid in SLOW_WHEN_COLD or is_slow_case(item.nodeid):
        return False
    if tier == "check" and (duration.slowest > MOST_IN_CHECK or not may_be_checked(item.path)):
        return False
    if "contract" in item.path.parts:
        return True  # its conftest chooses the games
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    game = next((value for value in parameters.values() if isinstance(value, Game)), None)
    if game is not None and item.path.parent.name == "search":
        return game.name not in GAMES or game.name == searched_game(item.path)
    return game not in games or game in share(games, test.rpartition("::")[2], tier)


def searched_game(file: Path) -> str:
    """Return the game with which the tier `test` runs the tests of a file of `tests/search`, besides toy games."""
    names, files = list(GAMES), sorted(path.name for path in file.parent.glob("test_*.py"))
    return names[(files.index(file.name) + 1) % len(names)]


def rank(item: pytest.Item) -> int:
    """Return the place of a test's file in the order in which files run."""
    file = function_of(item.nodeid).partition("::")[0]
    return LONG_FILES.index(file) if file in LONG_FILES else len(LONG_FILES)


def may_be_checked(file: Path) -> bool:
    """Return whether the tier `check` may contain tests of a file."""
    return "contract" in file.parts or file.stem.startswith(("test_rules", "conftest"))


def is_named(item: pytest.Item, config: pytest.Config) -> bool:
    """Return whether the command line names a test function in full."""
    name = f"{item.path.name}::{function_of(item.nodeid).partition('::')[2]}"
    return any(function_of(argument).endswith(name) for argument in config.args)


def function_of(test: str) -> str:
    """Return the name of a test without its parameters."""
    return test.partition("[")[0]


class Recorder:
    """A plugin that writes the processor time of every test function to `durations.json`.

    With pytest-xdist, workers measure, and the time travels to the controller with the reports.
    """

    def __init__(self) -> None:
        self._last = 0.0
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logstart(self) -> None:
        """Start to measure a test."""
        self._last = _processor_time()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Any:
        """Add to each report how much was computed since the one before."""
        report = yield
        before, self._last = self._last, _processor_time()
        report.user_properties = [*report.user_properties, (_PROPERTY, self._last - before)]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up set-up, call and tear-down."""
        for name, value in report.user_properties:
            if name == _PROPERTY and isinstance(value, float):
                self._seconds[report.nodeid] += value

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the file."""
        if not hasattr(session.config, "workerinput"):
            asked_for_all = session.config.args == session.config.getini("testpaths")
            whole = session.config.getoption("--tier") == "all"
            measured = combined(durations(), self.measured(), whole=whole, kept=not (asked_for_all and whole))
            FILE.write_text(as_text(measured), encoding="utf-8")

    def measured(self) -> dict[str, Duration]:
        """Return the durations so far."""
        found: defaultdict[str, Duration] = defaultdict(Duration)
        for test, seconds in self._seconds.items():
            found[function_of(test)].add(seconds)
        return dict(found)


def combined(
    before: Mapping[str, Duration], measured: Mapping[str, Duration], *, whole: bool, kept: bool
) -> dict[str, Duration]:
    """Combine the figures of the file with new ones.

    Args:
        before: The figures of the file.
        measured: The new figures.
        whole: Whether all cases of the measured tests ran, as in the tier `all`. Otherwise the new figures only add
            tests without any, because figures of a part of the cases are too low.
        kept: Whether figures of tests that did not run are kept.
    """
    if not whole:
        return {**measured, **before}
    return {**before, **measured} if kept else dict(measured)


def _processor_time() -> float:
    """Return the seconds that this process and its children have computed."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@functools.cache
def durations() -> dict[str, Duration]:
    """Return the content of `durations.json`."""
    if not FILE.exists():
        return {}
    return {test: Duration(*figures) for test, figures in json.loads(FILE.read_text(encoding="utf-8")).items()}


def as_text(measured: Mapping[str, Duration]) -> str:
    """Return durations as JSON with one test function in a line."""
    lines = [
        f"  {json.dumps(test)}: [{duration.cases}, {duration.total:.2f}, {duration.slowest:.2f}]"
        for test, duration in sorted(measured.items())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def table(measured: Mapping[str, Duration]) -> str:
    """Return the durations by folder, and those of slow tests, as a table in Markdown."""
    rows: defaultdict[str, list[float]] = defaultdict(lambda: [0] * 4)
    for test, duration in measured.items():
        slow = is_slow(test, duration)
        figures = (duration.cases, duration.total, duration.cases * slow, duration.total * slow)
        for name in (_folder(test), "all"):
            rows[name] = [one + other for one, other in zip(rows[name], figures, strict=True)]
    lines = ["| tests | cases | s | slow cases | s |", "|---|---|---|---|---|"]
    for name, row in sorted(rows.items(), key=lambda item: (item[0] == "all", item[0])):
        lines.append(f"| {name} | " + " | ".join(f"{figure:,.0f}" for figure in row) + " |")
    return "\n".join(lines)


def slow_tests(measured: Mapping[str, Duration]) -> str:
    """Return the files with slow tests and their names, as a table in Markdown. Of some tests, a case is slow."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    slow = [test for test, duration in measured.items() if is_slow(test, duration)]
    for test in sorted([*slow, *(test for test in SLOW_WHEN_COLD if "[" in test)]):
        file, _, name = test.partition("::")
        function, _, case = name.removesuffix("]").partition("[")
        found[file].append(f"`{function}` with `{case}`" if case else f"`{function}`")
    for file, case in SLOW_CASES.items():
        found[file].append(f"all cases with `{case}`")
    rows = (f"| `{file}` | {', '.join(tests)} |" for file, tests in sorted(found.items()))
    return "\n".join(["| file | slow tests |", "|---|---|", *rows])


def _folder(test: str) -> str:
    parts = test.partition("::")[0].split("/")
    return f"`{'/'.join(parts[:2])}`" if len(parts) > 2 else "`tests/*.py`"


if __name__ == "__main__":
    print(table(durations()), slow_tests(durations()), sep="\n\n")
