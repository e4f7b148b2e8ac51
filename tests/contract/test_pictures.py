"""SVG pictures of every game: the module `picture`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest

from edge_envs import Game, State
from edge_envs.pictures import colours
from tests.contract.play import chance_nodes, decisions, middle, walk

TAGS = {"svg", "g", "path", "rect", "circle", "line", "title", "text"}
ATTRIBUTES = {
    "width", "height", "viewBox", "font-family", "x", "y", "rx", "cx", "cy", "r", "x1", "y1", "x2", "y2", "d",
    "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "fill-opacity",
    "stroke-opacity", "transform", "font-size", "text-anchor", "font-weight", "pointer-events", "data-key",
    "data-piece", "data-layer",
}  # fmt: skip
MOST_ELEMENTS, MOST_BYTES, MOST_KEYS = 800, 120_000, 3
LONGEST_TASK = 160


def elements(svg: str) -> Iterator[tuple[str, dict[str, str]]]:
    for element in ElementTree.fromstring(svg).iter():
        yield element.tag.removeprefix("{http://www.w3.org/2000/svg}"), dict(element.attrib)


def keys_drawn(svg: str) -> set[str]:
    return {attributes["data-key"] for _, attributes in elements(svg) if "data-key" in attributes}


def keys_of(state: State) -> set[str]:
    return {key for way in state.game.ways(state._record).values() for key in way}


def drawn(state: State, viewer: int | None = None, **options: object) -> str:
    return state.game.svg(state._record, viewer, **options)  # type: ignore[arg-type]  # any option of svg


def test_ways_are_defined_exactly_for_legal_actions(game: Game) -> None:
    for state in decisions(game):
        ways = game.ways(state._record)
        assert sorted(ways) == state.legal_actions()
        assert all(1 <= len(way) <= MOST_KEYS for way in ways.values())


def test_no_way_is_a_prefix_of_another(game: Game) -> None:
    for state in decisions(game):
        ways = list(game.ways(state._record).values())
        beginnings = {way[:length] for way in ways for length in range(1, len(way))}
        assert len(set(ways)) == len(ways)
        assert not beginnings & set(ways)


def test_every_key_is_drawn_or_has_a_label(game: Game) -> None:
    for state in decisions(game):
        keys = keys_of(state)
        labelled = {key for key in keys if game.label(key)}
        assert keys_drawn(drawn(state, state.current_player(), keys=keys)) == keys - labelled
        assert not any(character.isspace() for key in keys for character in key)


def test_only_requested_keys_are_drawn(plain_game: Game) -> None:
    for state in decisions(plain_game, 10):
        keys = sorted(key for key in keys_of(state) if not plain_game.label(key))
        assert keys_drawn(drawn(state, state.current_player())) == set()
        for key in keys[:5]:
            assert keys_drawn(drawn(state, state.current_player(), keys=[key])) == {key}


@pytest.mark.parametrize("outlines", [False, True])
def test_pictures_are_plain_svg_of_a_bounded_size(game: Game, outlines: bool) -> None:
    viewers = itertools.cycle([None, *range(game.num_players)])
    for state in [*decisions(game, 30), *chance_nodes(game, 10), *walk(game, 20)]:
        keys = keys_of(state) if state.current_player() >= 0 else set()
        svg = drawn(state, next(viewers), keys=keys, outlines=outlines)
        found = list(elements(svg))
        assert {tag for tag, _ in found} <= (TAGS - {"text"} if outlines else TAGS)
        assert {name for _, attributes in found for name in attributes} <= ATTRIBUTES
        assert len(found) <= MOST_ELEMENTS
        assert outlines or len(svg.encode()) <= MOST_BYTES


def test_size_is_even_and_constant(game: Game) -> None:
    sizes = {
        (attributes["width"], attributes["height"])
        for state in walk(game, 30)
        for tag, attributes in elements(drawn(state))
        if tag == "svg"
    }
    ((width, height),) = sizes
    assert int(width) % 2 == int(height) % 2 == 0


def test_picture_depends_only_on_the_position(game: Game) -> None:
    players = itertools.cycle(range(game.num_players))
    for state in walk(game, 20):
        again = game.state_from_dict(state.to_dict())
        for viewer in (None, next(players)):
            assert drawn(again, viewer) == drawn(state, viewer)


def test_hidden_information_is_not_drawn(hidden_game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in [*walk(hidden_game, 10), *decisions(hidden_game, 25)]:
        public = drawn(state)
        for player in range(hidden_game.num_players):
            other = state.resample(player, rng)
            assert drawn(other) == public
            assert drawn(other, player) == drawn(state, player)


def test_hidden_actions_are_not_drawn(hidden_game: Game) -> None:
    for state in decisions(hidden_game, 60):
        for viewer in (None, *range(hidden_game.num_players)):
            for action in state.legal_actions():
                following = state.clone()
                following.apply_action(action)
                seen = state.game.action_as_seen(state._record, action, viewer)
                if seen != state.action_to_string(action) and not following.is_terminal():
                    assert following.svg(viewer) == drawn(following, viewer, caption=caption(following, viewer))


def test_ways_depend_only_on_the_information_of_the_player_to_act(hidden_game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in decisions(hidden_game):
        other = state.resample(state.current_player(), rng)
        assert hidden_game.ways(other._record) == hidden_game.ways(state._record)


def test_task_is_one_sentence_and_reveals_nothing_hidden(game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in decisions(game):
        task = state.task()
        assert task.endswith(".")
        assert 8 < len(task) <= LONGEST_TASK
        assert state.resample(state.current_player(), rng).task() == task


def test_task_depends_on_the_kind_of_decision(plain_game: Game) -> None:
    """In games with several kinds of decisions, different kinds have different tasks."""
    tasks: dict[frozenset[str], str] = {}
    for state in decisions(plain_game):
        kinds = frozenset(way[-1].split("-")[0] for way in state.ways().values())
        tasks.setdefault(kinds, state.task())
    if len(tasks) > 1:
        assert len(set(tasks.values())) > 1


def test_task_requires_a_decision_node(game: Game) -> None:
    for state in [*chance_nodes(game, 3), *(state for state in walk(game) if state.is_terminal())]:
        with pytest.raises(ValueError, match="no player acts here"):
            state.task()


def test_views_of_players_differ_iff_information_is_imperfect(plain_game: Game) -> None:
    assert any(drawn(state, 0) != drawn(state, 1) for state in walk(plain_game)) != plain_game.perfect_information


def caption(state: State, viewer: int | None = None) -> str:
    return " ".join(state.latest_events(viewer))


def rings(svg: str, ring: colours.Colour) -> int:
    return sum(attributes.get("stroke") == ring.light for _, attributes in elements(svg))


def test_last_move_is_marked(game: Game) -> None:
    for state in decisions(game, 16):
        following = state.clone()
        action = following.legal_actions()[-1]
        keys = [key for key in game.ways(state._record)[action] if not game.label(key)]
        following.apply_action(action)
        plain = drawn(following)
        last = game.ways(state._record)[action]
        assert following.svg() == drawn(following, last=last, caption=caption(following))
        assert rings(following.svg(), colours.LAST) <= rings(plain, colours.LAST) + len(keys)


def test_all_steps_of_a_turn_are_marked_on_request(game: Game) -> None:
    for state in decisions(game, 16):
        deciders = [player for player, _ in state.history() if player >= 0]
        last, turn = (rings(state.svg(turn=turn), colours.LAST) for turn in (False, True))
        assert turn >= last
        if len(deciders) < 2 or deciders[-1] != deciders[-2]:
            assert turn == last


def test_moves_on_the_board_are_marked(plain_game: Game) -> None:
    marks = 0
    for state in decisions(plain_game, 30):
        plain = drawn(state, state.current_player())
        keys = keys_of(state)
        marks += rings(drawn(state, state.current_player(), last=keys), colours.LAST) - rings(plain, colours.LAST)
    assert marks > 0 or all(plain_game.label(key) for key in keys)


def test_targets_are_shown_to_the_player_to_act(game: Game) -> None:
    for state in decisions(game, 10):
        player = state.current_player()
        first = {way[0] for way in game.ways(state._record).values()}
        last = state.history() and state.svg(player)
        shown = drawn(state, player, last=state._touched(player), marked=first, caption=caption(state, player))
        assert state.svg(player, targets=True) == shown
        if not game.perfect_information:
            assert state.svg(targets=True) == state.svg()
        assert not last or state.svg(player) == last


def test_dark_theme_contains_no_light_colours(plain_game: Game) -> None:
    light = {one.light for one in colours._ALL.values() if one.light != one.dark}
    dark = {colour for one in colours._ALL.values() for colour in (one.dark,)}
    for state in decisions(plain_game, 10):
        used = {
            attributes[paint]
            for _, attributes in elements(state.svg(state.current_player(), theme="dark", targets=True))
            for paint in ("fill", "stroke")
            if paint in attributes
        }
        assert used <= dark | {"none"}
        assert not (used - dark) & light


def test_dark_style_maps_every_light_colour(plain_game: Game) -> None:
    style = colours.dark_style()
    state = middle(plain_game)
    light, dark = ([*elements(state.svg(theme=theme))] for theme in ("light", "dark"))
    for (_, one), (_, other) in zip(light, dark, strict=True):
        for paint in ("fill", "stroke"):
            if one.get(paint) != other.get(paint):
                assert f'[{paint}="{one[paint]}"] {{ {paint}: {other[paint]} }}' in style


def test_notebooks_show_the_public_view(game: Game) -> None:
    state = middle(game)
    assert state._repr_svg_() == state.svg()


def test_unknown_theme_or_player_is_rejected(plain_game: Game) -> None:
    state = middle(plain_game)
    with pytest.raises(ValueError, match=r"unknown theme 'blue' \(choose from light, dark\)"):
        state.svg(theme="blue")
    with pytest.raises(ValueError, match="invalid player=9"):
        state.svg(9)
