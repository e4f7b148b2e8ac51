"""Replays of recorded games: their scenes, and the page that shows them."""

from __future__ import annotations

import base64
import functools
import gzip
import html
import json
import re
from typing import Any

import pytest

from edge_envs import Game, State, record_of
from edge_envs.replays import replay_page, scenes
from tests.contract.play import middle, playthrough

MOST_BYTES = 60_000


@functools.cache
def finished_game(game: Game) -> State:
    """Return the end of a heuristic game; callers must not modify it."""
    *_, state = playthrough(game, 0, heuristic=True)
    return state


def data_of(page: str) -> dict[str, Any]:
    """Unpack the data of the page's script."""
    packed = re.findall(r'<script id="data" type="application/octet-stream">([^<]*)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(packed[0])))


def pictures(page: str) -> list[str]:
    data = data_of(page)
    return [data["head"] + "".join(data["parts"][n] for n in frame) + "</svg>" for frame in data["frames"]]


def without_groups(svg: str) -> str:
    """Remove the top-level groups of a picture, which do not change what is drawn."""
    return re.sub(r"\s*/>", "/>", re.sub('</?g( data-layer="top")?>', "", svg))


def test_scenes_cover_all_decisions_and_the_end(game: Game) -> None:
    state = finished_game(game)
    for viewer in (None,) if game.perfect_information else (None, 0):
        shown = list(scenes(record_of(state), viewer))
        assert [scene.player for scene in shown[:-1]] == [player for player, _ in state.history() if player >= 0]
        assert shown[-1].player == state.current_player()
        assert shown[-1].svg == state.svg(viewer)
        texts = [text for scene in shown for text in scene.texts]
        if game.perfect_information:
            assert texts == state.history_strings(viewer)
        else:  # a scene contains what the viewer saw at that time
            assert len(texts) == len(state.history())
            assert texts[-len(shown[-1].texts) :] == state.history_strings(viewer)[-len(shown[-1].texts) :]


def test_page_contains_the_pictures_of_all_scenes(plain_game: Game) -> None:
    record = record_of(finished_game(plain_game))
    shown = [scene.svg for scene in scenes(record)]
    assert [without_groups(svg) for svg in pictures(replay_page(record))] == [without_groups(svg) for svg in shown]


def test_unfinished_game_has_a_replay(plain_game: Game) -> None:
    *_, state = [state.clone() for state, _ in zip(playthrough(plain_game, 3), range(3), strict=False)]
    shown = list(scenes(record_of(state)))
    assert shown[-1].svg == state.svg()


def test_forfeited_game_ends_with_a_forfeit_scene(game: Game) -> None:
    state = middle(game)
    whole, broken = (list(scenes(record_of(state, forfeit=seat, why="a secret"))) for seat in (1, None))
    assert whole[:-1] == broken[:-1]
    assert whole[-1].texts == (*broken[-1].texts, "forfeited by player 1")
    assert whole[-1].text.endswith("\nforfeited by player 1\n")
    assert whole[-1].player < 0
    assert whole[-1].svg.startswith(broken[-1].svg.removesuffix("</svg>"))
    assert ">forfeited by player 1</text>" in whole[-1].svg


def test_page_of_a_forfeited_game_names_the_player_but_not_the_reason(plain_game: Game) -> None:
    page = replay_page(record_of(middle(plain_game), forfeit=1, why="a secret"))
    (about,) = re.findall(r"</h1><p>(.*?)</p>", page)
    assert "forfeited by player 1" in about
    assert ">forfeited by player 1</text>" in pictures(page)[-1]
    assert "secret" not in page


def test_page_of_a_player_does_not_contain_the_record(hidden_game: Game) -> None:
    page = replay_page(record_of(finished_game(hidden_game)), 0)
    assert set(data_of(page)) == {"head", "parts", "frames", "texts", "script"}
    assert "the view of player 0" in page


def test_page_is_small_and_self_contained(plain_game: Game) -> None:
    page = replay_page(record_of(finished_game(plain_game)))
    assert len(page.encode()) <= MOST_BYTES
    assert not re.findall(r'(?:src|href)="(?!#)', page)
    assert not re.findall(r"https?://(?!www\.w3\.org)", page)
    assert "{{" not in page


def test_page_without_javascript_shows_first_and_last_scene(plain_game: Game) -> None:
    record = record_of(finished_game(plain_game))
    (plain,) = re.findall(r"<noscript>(.*?)</noscript>", replay_page(record), re.DOTALL)
    first, *_, last = scenes(record)
    if "<pre>" in plain:
        assert [html.unescape(text) for text in re.findall(r"<pre>(.*?)</pre>", plain, re.DOTALL)] == [
            first.text, last.text,
        ]  # fmt: skip
    else:
        assert plain.count("<svg ") == 2


def test_title_is_escaped(plain_game: Game) -> None:
    page = replay_page(record_of(finished_game(plain_game)), title="<script>alert(1)</script> & more")
    assert "<script>alert" not in page
    assert "<h1>&lt;script&gt;alert(1)&lt;/script&gt; &amp; more</h1>" in page


def test_page_is_deterministic(plain_game: Game) -> None:
    record = record_of(finished_game(plain_game))
    assert replay_page(record) == replay_page(json.loads(json.dumps(record)))


def test_invalid_player_or_record_is_rejected(plain_game: Game) -> None:
    record = record_of(finished_game(plain_game))
    with pytest.raises(ValueError, match="player 9 does not exist"):
        replay_page(record, 9)
    with pytest.raises(ValueError, match="the record has no key 'returns'"):
        replay_page({key: value for key, value in record.items() if key != "returns"})
