"""Links, rematches, stopped agents, and matches that survive a restart of the server."""

from __future__ import annotations

import base64
import copy
import functools
import io
import json
import operator
import os
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from PIL import Image

from edge_envs import State, load_game, record_of
from edge_envs.core.spec import Array
from edge_envs.play.appraisal import PlayoutJudge
from edge_envs.web import films
from edge_envs.web.guard import Limits
from edge_envs.web.judging import MOST_QUESTIONS, WINS
from edge_envs.web.saves import MOST_FILES, Saves, keep_port, last_port
from edge_envs.web.saves import data_folder as data_folder_of_user
from edge_envs.web.server import Web, server_for
from tests.contract.play import playthrough
from tests.contract.test_replays import data_of
from tests.play.test_match import WaitingAgent
from tests.web.client import SOON, Client, Player, create_match, serving


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with serving(Limits(idle=0.0), folder=tmp_path_factory.mktemp("saves")) as web:
        yield web


@pytest.fixture
def client(web: Web) -> Iterator[Client]:
    client = Client(web)
    yield client
    client.close()


def to_the_end(*players: Player) -> Any:
    """Play the first action of each position until the game is over; return the last view of the first player."""
    while (seen := players[0].waited())["turn"] == "human":
        player = next(one for one in players if one.view()["seat"] == seen["player"])
        player.play(player.view())
    return seen


# Links


def test_a_link_gives_access_once_and_its_code_is_not_a_token(client: Client) -> None:
    made, _ = create_match(client, game="kuhn", seats=["human", "linked"])
    assert (made["tokens"].keys(), made["links"].keys()) == ({"0"}, {"1"})
    path, code = f"/api/sittings/{made['id']}", made["links"]["1"]
    assert client.get(path, token=code).status == 404
    assert Player(client, made["id"], made["key"]).view()["invited"] == [1]
    joined = client.post(f"{path}/join", {"code": code}).ok()
    assert joined["seat"] == 1
    assert joined["token"] != code
    assert Player(client, made["id"], joined["token"]).view()["seat"] == 1
    again = client.post(f"{path}/join", {"code": code})
    assert again.status == 404
    assert "used before" in again.json["error"]


def test_the_host_cannot_take_over_the_seat_of_a_guest(client: Client) -> None:
    made, _ = create_match(client, game="kuhn", seats=["human", "linked"])
    token = client.post(f"/api/sittings/{made['id']}/join", {"code": made["links"]["1"]}).ok()["token"]
    host, guest = Player(client, made["id"], made["key"]), Player(client, made["id"], token)
    for player in ("human", "linked"):
        reply = host.post("/seats", {"seat": 1, "player": player})
        assert reply.status == 403
        assert token not in reply.body.decode()
    host.post("/seats", {"seat": 1, "player": "random"}).ok()
    assert host.post("/seats", {"seat": 1, "player": "human"}).status == 403  # the seat has hidden cards of the guest
    assert guest.get().status == 404


def test_a_human_player_can_hand_on_a_seat_by_a_link(client: Client) -> None:
    made, players = create_match(client, game="tic_tac_toe", seats=["human", "human"])
    link = players[1].post("/seats", {"seat": 1, "player": "linked"}).ok()["link"]
    assert players[1].get().status == 404
    token = client.post(f"/api/sittings/{made['id']}/join", {"code": link}).ok()["token"]
    assert Player(client, made["id"], token).view()["seat"] == 1


# The end


def test_the_end_has_an_outcome_a_reason_and_scores(client: Client) -> None:
    _, (player,) = create_match(client, game="falling_off", seats=["human", "random"], seed=2)
    seen = to_the_end(player)
    assert seen["outcome"] in ("You win", "You lose")
    assert "has lost all pawns" in seen["result"]
    (left,) = seen["scores"].values()
    assert "0" in left
    assert player.post("/stop").ok() == {}


def test_a_rematch_takes_all_players_along(client: Client) -> None:
    made, (host,) = create_match(client, game="tic_tac_toe", seats=["human", "linked"])
    token = client.post(f"/api/sittings/{made['id']}/join", {"code": made["links"]["1"]}).ok()["token"]
    guest = Player(client, made["id"], token)
    assert host.post("/rematch").status == 403
    to_the_end(host, guest)
    number = guest.post("/rematch").ok()["id"]
    assert number != made["id"]
    assert host.view()["rematch"] == number == host.post("/rematch").ok()["id"]
    for seat, player in enumerate((host, guest)):
        seen = Player(client, number, player.token).view()
        assert (seen["seat"], seen["transitions"], seen["turn"]) == (seat, 0, "human")
    assert Player(client, number, made["key"]).post("/close").status == 200


# Agents that think for long


def test_a_thinking_agent_can_be_stopped_and_replaced(client: Client, web: Web) -> None:
    made, (player,) = create_match(client, game="tic_tac_toe", seats=["human", "random"])
    session, slow = web.routes.sessions.get(made["id"]), WaitingAgent()
    assert session is not None
    session.match.change(1, slow)
    player.play(player.waited())
    assert slow.started.wait(SOON)
    assert player.view()["waiting"] >= 0.0
    player.post("/stop").ok()
    seen = player.view()
    assert seen["turn"] == "halted"
    assert "was stopped after" in seen["headline"]
    Player(client, made["id"], made["key"]).post("/seats", {"seat": 1, "player": "heuristic"}).ok()
    assert player.waited()["turn"] == "human"  # although the first agent is still thinking
    slow.released.set()


# Saving


def restart(web: Web, folder: Path) -> Any:
    """Run another server on the same port and folder after the first one has ended."""
    return serving(Limits(idle=0.0), folder=folder, port=web.port)


def wait_for_file(folder: Path, number: str, transitions: int) -> None:
    """Wait until the file of a match has at least this number of transitions."""
    until = time.monotonic() + SOON
    while True:
        saved = Saves(folder).read(number)
        if saved is not None and len(saved["match"]["record"]["history"]) >= transitions:
            return
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_match_survives_a_restart_of_the_server(tmp_path: Path) -> None:
    with serving(folder=tmp_path) as first:
        client = Client(first)
        made, (player,) = create_match(client, game="falling_off", seats=["human", "heuristic"], seed=5, pause=0.5)
        player.post("/settings", {"pause": 0}).ok()
        for _ in range(3):
            player.play(player.waited())
        seen = player.waited()
        wait_for_file(tmp_path, made["id"], seen["transitions"])
        client.close()
    with restart(first, tmp_path) as second:
        client = Client(second)
        player = Player(client, made["id"], player.token)
        about = player.get("/about").ok()
        assert (about["title"], about["seat"], about["turn"]) == (seen["title"], 0, "human")
        assert len(second.routes.sessions) == 0  # a list does not load the match
        again = player.waited()
        for key in ("svg", "text", "ways", "log", "seats", "settings", "transitions"):
            assert again[key] == seen[key], key
        player.play(again)
        player.waited()
        player.post("/takeback").ok()
        assert Player(client, made["id"], "x" * 24).get().status == 404
        assert Player(client, made["id"], made["key"]).post("/close").status == 200
        assert player.get().status == 404
        client.close()
    assert list((tmp_path / "matches").glob("*.json")) == []


def test_files_of_matches_are_private_and_contain_no_tokens(tmp_path: Path) -> None:
    with serving(folder=tmp_path) as web:
        client = Client(web)
        made, _ = create_match(client, game="kuhn", seats=["human", "linked"])
        wait_for_file(tmp_path, made["id"], 0)
        client.close()
    (file,) = (tmp_path / "matches").glob("*.json")
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    text = file.read_text(encoding="ascii")
    for secret in (made["key"], *made["tokens"].values(), *made["links"].values()):
        assert secret not in text


@pytest.mark.parametrize("damage", ["{", "[]", "{}", '{"match": 3}', '{"match": {"record": {"game": "chess"}}}'])
def test_a_damaged_file_is_not_a_match(tmp_path: Path, damage: str) -> None:
    with serving(folder=tmp_path) as web:
        client = Client(web)
        saves, number = Saves(tmp_path), "0123456789abcdef"
        saves.write(number, {})
        (tmp_path / "matches" / f"{number}.json").write_text(damage, encoding="ascii")
        for path in ("", "/about"):
            assert client.get(f"/api/sittings/{number}{path}", token="x").status == 404
        client.close()


@pytest.mark.parametrize("entry", ["key", "tokens", "invitations"])
def test_a_file_with_an_invalid_digest_is_not_a_match(tmp_path: Path, entry: str) -> None:
    with serving(folder=tmp_path) as web:
        client, saves = Client(web), Saves(tmp_path)
        made, (player,) = create_match(client, game="kuhn", seats=["human", "linked"], seed=3)
        player.waited()
        wait_for_file(tmp_path, made["id"], 0)
        damaged = saves.read(made["id"])
        assert damaged is not None
        damaged[entry] = "é" if entry == "key" else damaged[entry] | {"1": "é"}
        number = "0123456789abcdef"
        saves.write(number, damaged)
        for token in (player.token, "x" * 24):
            assert client.get(f"/api/sittings/{number}", token=token).status == 404
        client.close()


def test_no_change_to_a_file_is_an_internal_error(tmp_path: Path) -> None:
    with serving(folder=tmp_path) as web:
        client, saves = Client(web), Saves(tmp_path)
        made, (player,) = create_match(client, game="kuhn", seats=["human", "random"], seed=3)
        player.play(player.waited())
        wait_for_file(tmp_path, made["id"], 1)
        whole = saves.read(made["id"])
        assert whole is not None
        for count, (path, value) in enumerate(changes_of(whole)):
            number, changed = f"changed-{count:05}", copy.deepcopy(whole)
            *inside, last = path
            functools.reduce(operator.getitem, inside, changed)[last] = value
            saves.write(number, changed)
            for what in ("", "/about", "/log", "/hint"):
                answer = client.get(f"/api/sittings/{number}{what}", token=player.token)
                assert answer.status < 500, (path, value, what)
            saves.remove(number)
        client.close()


def changes_of(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield each place in a document of JSON, with each of some values that do not belong there."""
    wrong: tuple[Any, ...] = (None, "x", [], {}, [[]], -1, 1e300, float("inf"), 10**30)
    if path:
        yield from ((path, value) for value in wrong)
    if isinstance(document, dict | list):
        for key in document if isinstance(document, dict) else range(len(document)):
            yield from changes_of(document[key], (*path, key))


@pytest.mark.parametrize("number", ["..", "../port", "a/b", "x" * 65, "", "%2e%2e%2fport"])
def test_ids_do_not_name_files_elsewhere(tmp_path: Path, number: str) -> None:
    (tmp_path / "port").write_text("{}", encoding="ascii")
    assert Saves(tmp_path).read(number) is None


def test_only_the_newest_files_are_kept(tmp_path: Path) -> None:
    saves = Saves(tmp_path)
    for number in range(MOST_FILES + 5):
        saves.write(f"match-{number:05}", {"number": number})
        os.utime(tmp_path / "matches" / f"match-{number:05}.json", (number, number))
    assert saves.read("match-00000") is None
    assert saves.read(f"match-{MOST_FILES + 4:05}") == {"number": MOST_FILES + 4}


def test_the_data_folder_of_an_unknown_user_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGE_ENVS_DATA_DIR", "~nosuchuser/data")
    with pytest.raises(ValueError, match="EDGE_ENVS_DATA_DIR=~nosuchuser/data: unknown user"):
        data_folder_of_user()


def test_a_server_uses_the_port_of_the_last_time_if_it_is_free(tmp_path: Path, data_folder: Path) -> None:
    with serving() as taken:
        keep_port(data_folder, taken.port)
        assert last_port(data_folder) == taken.port
        other = server_for("falling_off", browser=False)
        assert other.port != taken.port
        other._sockets[0].close()
    same = server_for("falling_off", browser=False)
    assert same.port == taken.port
    same._sockets[0].close()
    for text in ("", "x", "80", "99999", json.dumps({})):
        (data_folder / "port").write_text(text, encoding="ascii")
        assert last_port(data_folder) == 0


# Analysis


def test_an_analysis_reports_its_progress_and_does_not_block_matches(client: Client) -> None:
    _, (player,) = create_match(client, game="falling_off", seats=["human", "random"], seed=2)
    _, (other,) = create_match(client, game="tic_tac_toe")
    to_the_end(player)
    record = player.get("/record").ok()
    first = client.post("/api/analyses", {"record": record}).ok()
    assert 0 <= first["done"] <= first["of"]
    other.play(other.waited())
    until = time.monotonic() + SOON
    while not (found := client.post("/api/analyses", {"record": record}).ok())["ready"]:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert found["by"] == "Perfect play"
    assert len(found["points"]) == found["done"] == found["of"]
    assert len(found["accuracy"]) == 2
    assert all(one["loss"] > 0 for one in found["costly"])
    with_analysis = client.post("/api/replays/page", {"record": record}).ok()["html"]
    other_record = {**record, "seed": None}  # the same game, but not yet analysed
    plain = client.post("/api/replays/page", {"record": other_record}).ok()["html"]
    assert plain.startswith("<!doctype html>")
    assert len(plain) < len(with_analysis) <= 120_000
    assert data_of(with_analysis)["analysis"] == found
    assert "win probability" in data_of(with_analysis)["script"]
    assert "analysis" not in data_of(plain)
    assert "win probability" not in data_of(plain)["script"]


def test_an_agent_that_values_actions_can_judge_an_analysis(client: Client) -> None:
    _, (player,) = create_match(client, game="tic_tac_toe", seats=["human", "random"], seed=3)
    to_the_end(player)
    record = player.get("/record").ok()
    until = time.monotonic() + SOON
    while not (found := client.post("/api/analyses", {"record": record, "by": "search:50"}).ok())["ready"]:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert found["by"] == "The search search:50"
    for name, message in (("heuristic", "does not value actions"), ("policies/x", "unknown agent")):
        reply = client.post("/api/analyses", {"record": record, "by": name})
        assert (reply.status, message in reply.json["error"]) == (422, True)


def test_only_valid_records_of_finished_games_are_analysed(client: Client) -> None:
    _, (player,) = create_match(client, game="tic_tac_toe")
    player.play(player.waited())
    record = player.get("/record").ok()
    for wrong, message in ((record, "only finished games"), ({}, "unknown game"), ({**record, "seed": "x"}, "seed")):
        reply = client.post("/api/analyses", {"record": wrong})
        assert reply.status == 422
        assert message in reply.json["error"]
    assert client.post("/api/analyses", {}).status == 422


# GIFs


def test_a_gif_reports_its_progress_and_does_not_block_matches(client: Client) -> None:
    _, (player,) = create_match(client, game="tic_tac_toe", seats=["human", "random"], seed=1)
    _, (other,) = create_match(client, game="tic_tac_toe")
    to_the_end(player)
    record = player.get("/record").ok()
    first = client.post("/api/films", {"record": record}).ok()
    assert 0 <= first["done"] <= first["of"]
    other.play(other.waited())
    until = time.monotonic() + SOON
    while not (found := client.post("/api/films", {"record": record}).ok())["ready"]:
        assert found["gif"] is None
        assert time.monotonic() < until
        time.sleep(0.02)
    assert found["done"] == found["of"]
    assert base64.b64decode(found["gif"]).startswith(b"GIF89a")


def test_only_valid_records_of_finished_and_short_games_have_a_gif(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, (player,) = create_match(client, game="tic_tac_toe", seats=["human", "random"], seed=4)
    player.play(player.waited())
    record = player.get("/record").ok()
    for wrong, message in ((record, "only finished games"), ({}, "unknown game")):
        reply = client.post("/api/films", {"record": wrong})
        assert (reply.status, message in reply.json["error"]) == (422, True)
    to_the_end(player)
    monkeypatch.setattr(films, "MOST_DECISIONS", 2)
    reply = client.post("/api/films", {"record": player.get("/record").ok()})
    assert (reply.status, "too many for a GIF" in reply.json["error"]) == (422, True)


def test_a_film_of_a_long_game_skips_scenes_but_not_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(films, "MOST_SCENES", 3)
    *_, state = playthrough(load_game("tic_tac_toe"), 0)
    film = films.Film(record_of(state))
    film.make()
    assert film.error == ""
    with Image.open(io.BytesIO(film.data)) as image:
        assert image.n_frames <= 4  # type: ignore[attr-defined]  # a GIF has frames
        assert image.width == films.WIDTH
    cancelled = films.Film(record_of(state))
    cancelled.is_cancelled = True
    cancelled.make()
    assert cancelled.data == b""
    assert cancelled.finished.is_set()


# Win probabilities during play


def test_only_the_player_to_act_gets_the_own_win_probability(client: Client) -> None:
    _, (first, second) = create_match(client, game="kuhn", seats=["human", "human"])
    first.waited()
    found = first.get("/evaluation").ok()
    assert 0.0 <= found["probability"] <= 1.0
    assert found["by"]
    assert second.get("/evaluation").status == 403


def test_a_position_that_has_passed_has_no_win_probability(client: Client) -> None:
    _, (first, second) = create_match(client, game="kuhn", seats=["human", "human"])
    view = first.waited()
    first.play(view)
    for player in (first, second):
        found = player.get("/evaluation", revision=view["revision"]).ok()
        assert (found["probability"], found["by"]) == (None, "")
    assert first.get("/evaluation").status == 403


def test_win_probabilities_of_many_positions_are_computed_one_after_another() -> None:
    released, asked = threading.Event(), []

    class Slow(PlayoutJudge):
        def values(self, state: State) -> Array:
            asked.append(len(state.history()))
            assert released.wait(SOON)
            return super().values(state)

    with serving(Limits(idle=0.0, wait=0.05)) as web:
        client = Client(web)
        created, players = create_match(client, game="tic_tac_toe", seats=["human", "human"])
        session = web.routes.sessions.get(created["id"])
        assert session is not None
        session.judging._judges[WINS] = Slow(session.match.game, 4)
        for turn in range(MOST_QUESTIONS + 2):
            mover = players[turn % 2]
            view = mover.waited()
            address = f"{mover.path}/evaluation?{urlencode({'token': mover.token, 'revision': view['revision']})}"
            assert client.send("GET", address).status == 202
            if turn <= MOST_QUESTIONS:
                mover.play(view)
        assert asked == [0]
        released.set()
        assert client.get(address).ok()["probability"] is not None
        assert asked == [0, MOST_QUESTIONS + 1]
        client.close()


def test_a_hint_names_its_action(client: Client) -> None:
    _, (player,) = create_match(client, game="falling_off")
    seen = player.waited()
    hint = player.get("/hint").ok()
    (text,) = (text for action, text, _ in seen["ways"] if action == hint["action"])
    assert f"would choose {text}." in hint["text"]
