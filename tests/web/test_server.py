"""The responses of the web server."""

from __future__ import annotations

import gzip
import http.client
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

import edge_envs
from edge_envs import GAMES, replay
from edge_envs.replays import packed_pictures, unpacked_pictures
from edge_envs.web import ratings, tutorials
from edge_envs.web.guard import Limits
from edge_envs.web.pages import STATIC, VIEWER
from edge_envs.web.server import Web
from edge_envs.web.titles import title_of
from tests.agents.players import untrained
from tests.programs import ROOT, program
from tests.toy import TOYS
from tests.web.client import SOON, Client, Player, Stream, create_match, serving

KUHN = {"game": "kuhn", "params": {"num_players": 2, "pay_at_once": False, "deal": "first"}}
START = {**KUHN, "cards": [2, 3], "betting": []}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    policies = tmp_path_factory.mktemp("policies")
    untrained(edge_envs.load_game("tic_tac_toe")).save(policies / "tic_tac_toe" / "young")
    (policies / "tic_tac_toe" / "broken").mkdir()
    (policies / "tic_tac_toe" / "broken" / "policy.json").write_text("{", encoding="utf-8")
    with serving(Limits(idle=0.0), policies) as web:
        yield web


@pytest.fixture
def client(web: Web) -> Iterator[Client]:
    client = Client(web)
    yield client
    client.close()


def keys_of(svg: str) -> set[str]:
    return {
        element.attrib["data-key"] for element in ElementTree.fromstring(svg).iter() if "data-key" in element.attrib
    }


FILES = sorted(file.name for file in STATIC.iterdir()) + [file.name for file in VIEWER]


@pytest.mark.parametrize(
    "path", ["/", "/colours.css", "/favicon.ico", "/covers/falling_off.svg", *(f"/static/{f}" for f in FILES)]
)
def test_the_page_is_served_with_security_headers(client: Client, path: str) -> None:
    reply = client.get(path)
    assert reply.status == 200
    assert reply.body
    policy = dict(part.strip().split(" ", 1) for part in reply.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["form-action"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in reply.headers


def test_the_page_can_be_installed(client: Client) -> None:
    manifest = json.loads(client.get("/static/page.webmanifest").body)
    assert "manifest-src 'self'" in client.get("/").headers["content-security-policy"]
    assert b'<link rel="manifest" href="/static/page.webmanifest">' in client.get("/").body
    assert {"name", "short_name", "start_url", "display"} <= manifest.keys()
    sizes = set()
    for icon in manifest["icons"]:
        reply = client.get(icon["src"])
        assert reply.headers["content-type"].partition(";")[0] == icon["type"]
        if icon["type"] == "image/png":
            width, height = Image.open(io.BytesIO(reply.body)).size
            assert icon["sizes"] == f"{width}x{height}"
            sizes.add(width)
    assert sizes == {192, 512}


def test_dark_colours_of_all_games_are_known_from_the_start() -> None:
    """Until a game is used, nothing else imports its pictures."""
    source = """
from edge_envs import GAMES
from edge_envs.web.pages import dark_colours
style = dark_colours()
for kind in GAMES.values():
    kind.module("picture")
from edge_envs.pictures.colours import dark_style
assert style == dark_style('[data-theme="dark"] svg'), style
"""
    done = program("-c", source)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", [name for name in GAMES if name not in TOYS])
def test_tutorials_are_drawn_in_advance_as_they_are_now(name: str) -> None:
    """After a change, run `python -m edge_envs.web.tutorials`."""
    shipped, drawn = tutorials.drawn_in_advance(GAMES[name]), tutorials.draw(GAMES[name])
    assert shipped is not None
    fresh = unpacked_pictures(packed_pictures([scene["svg"] for scene in drawn]))
    assert shipped == json.loads(json.dumps([{**one, "svg": svg} for one, svg in zip(drawn, fresh, strict=True)]))
    for one, other in zip(shipped, drawn, strict=True):
        assert len(list(ElementTree.fromstring(one["svg"]).iter())) > 0.9 * len(
            list(ElementTree.fromstring(other["svg"]).iter())
        )


def test_ratings_are_those_of_the_leaderboard() -> None:
    results = json.loads((ROOT / "docs" / "leaderboard" / "results.json").read_text(encoding="utf-8"))
    assert json.loads(ratings.FILE.read_text(encoding="ascii")) == ratings.extract(results)
    assert ratings.ratings_of(GAMES["falling_off"])[0]["ratings"]["heuristic"] == 1000


def test_agents_have_titles_for_people() -> None:
    for name, title in (
        ("random", "Random moves"),
        ("level:3", "Level 3"),
        ("search:200", "Tree search, 200 iterations"),
        ("search:500ms", "Tree search, 500ms"),
        ("policies/falling_off/ppo", "ppo"),
        ("search:200:policies/falling_off/ppo", "ppo with search"),
        ("heuristic:v0", "Built-in player, v0"),
        ("unheard_of", "unheard_of"),
    ):
        assert title_of(name) == title


def test_responses_are_compressed(client: Client) -> None:
    plain, packed = (client.send("GET", "/static/play.js", None, {"Accept-Encoding": kind}) for kind in ("", "gzip"))
    assert packed.headers["content-encoding"] == "gzip"
    assert len(packed.body) < 0.5 * len(plain.body)
    assert gzip.decompress(packed.body) == plain.body


def test_all_games_are_described_with_parameters_and_agents(client: Client) -> None:
    described = {game["name"]: game for game in client.get("/api/games").ok()["games"]}
    assert described.keys() == GAMES.keys()
    for name, game in described.items():
        assert [parameter["name"] for parameter in game["parameters"]] == list(GAMES[name].parameters)
        agents = [agent["name"] for agent in game["agents"]]
        assert {"random", "heuristic", "flat_monte_carlo"} <= set(agents)
        assert ("perfect" in agents) == GAMES[name].has_module("solver")
    policies = [agent for agent in described["tic_tac_toe"]["agents"] if "/" in agent["name"]]
    young, search = (policy["name"] for policy in policies)
    assert young.rpartition("/")[2] == "young"
    assert search == f"search:200:{young}"
    assert all(policy["params"] == edge_envs.load_game("tic_tac_toe").params_dict() for policy in policies)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_its_page_its_tutorial_and_an_editor(client: Client, name: str) -> None:
    assert "<h2>Usage</h2>" in client.get(f"/api/games/{name}/rules").ok()["html"] or name in TOYS
    if GAMES[name].has_module("tutorial"):
        scenes = client.get(f"/api/games/{name}/tutorial").ok()["scenes"]
        assert len(scenes) > 1
        assert all(keys_of(scene["svg"]) == set(scene["way"]) - scene["labels"].keys() for scene in scenes)
    (edits,) = client.get(f"/api/games/{name}").ok()["edits"] or ["position"]
    shown = client.post("/api/editor", {"game": name, "edits": edits}).ok()
    assert shown["problems"] == []
    assert client.post("/api/editor", {"game": name, "edits": edits, "document": shown["document"]}).ok() == shown


def test_invalid_edit_is_rejected_with_the_reason(client: Client) -> None:
    for body, message in (
        ({"game": "chess", "edits": "position"}, "unknown game 'chess'"),
        ({"game": "beyond_maps", "edits": "map"}, "invalid edits='map': expected position"),
        ({"game": "beyond_maps", "edits": "position", "tool": "sword"}, "unknown tool 'sword'"),
        ({"game": "beyond_maps", "edits": "position", "tool": "land-0", "key": "sq-z9"}, "invalid place 'sq-z9'"),
        ({"game": "beyond_maps", "edits": "position", "params": {"size": 99}}, "size=99"),
        ({"game": "kuhn", "edits": "position", "tool": "pen"}, "no editor by clicks"),
        ({"game": "kuhn", "edits": "position", "document": {}}, "params"),
        ({"game": "over_the_edge", "edits": "map", "params": {"map": "/etc/hostname"}}, "does not ship with"),
        ({"game": "over_the_edge", "edits": "position", "params": {"map": "/etc/hostname"}}, "does not ship with"),
    ):
        reply = client.post("/api/editor", body)
        assert reply.status == 422, body
        assert message in reply.json["error"], body


def test_a_game_is_compiled_on_request(client: Client) -> None:
    client.send("POST", "/api/games/kuhn", b"{}", {"content-type": "application/json"})
    until = time.monotonic() + SOON
    while (readiness := client.get("/api/games/kuhn").ok()["readiness"])["state"] == "compiling":
        assert readiness["seconds"] >= 0
        assert time.monotonic() < until
        time.sleep(0.01)
    assert readiness == {"state": "ready"}


@pytest.mark.parametrize("game", ["falling_off", "kuhn", "tic_tac_toe"])
def test_complete_game_is_played_by_place_keys(client: Client, game: str) -> None:
    _, (player,) = create_match(client, game=game, seed=1)
    seen, decisions = player.waited(), 0
    while seen["turn"] == "human":
        ways = {action: keys for action, _, keys in seen["ways"]}
        place_keys = {key for keys in ways.values() for key in keys}
        assert keys_of(seen["svg"]) == place_keys - seen["labels"].keys()
        assert seen["headline"].startswith("Your turn")
        after = player.play(seen, choice=len(ways) // 2)
        assert after["revision"] > seen["revision"]
        decisions += 1
        seen = player.waited()
    assert seen["turn"] == "over"
    assert (seen["ways"], keys_of(seen["svg"])) == ([], set())
    assert seen["headline"].startswith(("You win", "You lose", "It is a draw"))
    record = player.get("/record").ok()
    assert replay(record).returns() == seen["returns"]
    assert sum(seat == 0 for seat, _ in record["history"]) == decisions > 0
    log = player.get("/log").ok()["log"]
    assert [player for player, _ in log] == [player for player, _ in record["history"]]
    assert log[-1:] == player.get("/log", since=len(log) - 1).ok()["log"] == seen["log"][-1:]


def test_an_old_revision_another_seat_and_an_illegal_action_change_nothing(client: Client) -> None:
    _, (player,) = create_match(client, game="tic_tac_toe")
    seen = player.waited()
    for action, revision, status in ((0, seen["revision"] - 1, 409), (0, 10**30, 409), (99, seen["revision"], 422)):
        reply = player.post("/actions", {"action": action, "revision": revision})
        assert reply.status == status
        assert reply.json["error"]
    assert "illegal action 99 " in player.post("/actions", {"action": 99, "revision": seen["revision"]}).json["error"]
    after = player.view()
    assert after == {**seen, "waiting": after["waiting"]}  # the seconds that the match has waited
    seen = player.play(seen)
    other = client.post("/api/sittings", {"game": "tic_tac_toe", "seats": ["human", "human"]}).ok()
    second = Player(client, other["id"], other["tokens"]["1"])
    assert second.view()["ways"] == []
    assert second.post("/actions", {"action": 0, "revision": second.view()["revision"]}).status == 403


def test_a_match_is_accessible_only_with_its_tokens(client: Client) -> None:
    made, (player,) = create_match(client, game="tic_tac_toe")
    another, _ = create_match(client, game="tic_tac_toe")
    for number, token in (
        (made["id"], ""),
        (made["id"], "x" * 24),
        (made["id"], another["key"]),
        ("none", player.token),
    ):
        for suffix in ("", "/about", "/log", "/hint", "/worth", "/position", "/record"):
            assert client.get(f"/api/sittings/{number}{suffix}", token=token).status == 404
        for suffix in ("/actions", "/takeback", "/stop", "/seats", "/settings", "/rematch", "/close"):
            assert client.post(f"/api/sittings/{number}{suffix}", {}, token=token).status == 404
        assert client.post(f"/api/sittings/{number}/join", {"code": token}).status == 404
        assert list(Stream(client.web, f"{number}:{token}")) == [{"id": number}]  # closed at once
    assert player.post("/close").status == 403
    assert Player(client, made["id"], made["key"]).post("/close").status == 200
    assert player.get().status == 404


def test_a_decision_is_taken_back(client: Client) -> None:
    _, (player,) = create_match(client, game="falling_off", seed=5)
    assert not player.waited()["can"]["takeback"]
    assert player.post("/takeback").status == 403
    seen = player.waited()
    player.play(seen)
    then = player.waited()
    assert then["can"]["takeback"]
    back = player.post("/takeback").ok()
    assert (back["ways"], back["svg"], back["text"]) == (seen["ways"], seen["svg"], seen["text"])
    assert back["revision"] > then["revision"]
    assert player.post("/actions", {"action": seen["ways"][0][0], "revision": seen["revision"]}).status == 409
    player.play(back)
    again = player.waited()
    assert (again["log"], again["text"]) == (then["log"], then["text"])


def test_hints_values_and_advice_name_the_judge(client: Client) -> None:
    _, (player,) = create_match(client, game="falling_off", seed=2, advice=True)
    seen = player.waited()
    while len(seen["ways"]) < 2:
        player.play(seen)
        seen = player.waited()
    assert player.get("/hint").ok()["text"].startswith("Perfect play would choose")
    best = player.get("/worth").ok()
    assert not seen["can"]["perfect"]  # the best judge is perfect play
    assert (best["by"], best["revision"]) == ("Perfect play", seen["revision"])
    assert sorted(action for action, _, _ in best["values"]) == [action for action, _, _ in seen["ways"]]
    values = [value for _, _, value in best["values"]]
    assert values == sorted(values, reverse=True)
    random = player.get("/worth", by="playouts", playouts=50).ok()
    assert random["by"] == "The mean of 50 random games"
    worst = best["values"][-1][0]
    player.post("/actions", {"action": worst, "revision": seen["revision"]}).ok()
    until = time.monotonic() + SOON
    while (advice := player.view()["advice"]) is None or advice["at"] < seen["transitions"]:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert advice["text"].startswith("Perfect play ")
    assert advice["sum"].startswith("Your ")
    player.play(player.waited())
    after = player.view()["advice"]
    assert after is None or after["at"] > advice["at"]
    player.post("/takeback").ok()
    player.post("/takeback").ok()
    forgotten = player.view()["advice"]
    assert forgotten is None or forgotten["at"] < seen["transitions"]


def test_slow_perfect_play_judges_only_on_request(client: Client) -> None:
    params = {"size": 5, "max_turns": 4, "land_markers": 1, "sea_range": 1}
    _, (player,) = create_match(client, game="beyond_maps", params=params)
    seen = player.waited()
    assert seen["can"]["perfect"]
    assert player.get("/worth").ok()["by"] == player.get("/hint").ok()["text"].partition(" would")[0]
    assert player.get("/worth").ok()["by"] == "The built-in player"
    assert player.get("/worth", by="perfect").ok()["by"] == "Perfect play"


def test_a_search_gives_mean_returns_and_plays(client: Client) -> None:
    _, (player,) = create_match(client, game="kuhn", seats=["human", "search:50"])
    seen = player.waited()
    worth = player.get("/worth", by="search:200").ok()
    assert (worth["by"], worth["unit"]) == ("The search search:200", "of return")
    assert 180 < sum(worth["iterations"]) <= 200
    assert len(worth["iterations"]) == len(worth["values"])
    assert player.get("/worth", by="playouts").ok()["iterations"] is None
    assert {action for action, _, _ in worth["values"]} == {action for action, _, _ in seen["ways"]}
    while seen["turn"] == "human":
        player.play(seen)
        seen = player.waited()
    assert seen["turn"] == "over"


def test_a_policy_gives_preferences_and_plays(client: Client) -> None:
    young, search = (
        agent["name"] for agent in client.get("/api/games/tic_tac_toe").ok()["agents"] if "/" in agent["name"]
    )
    _, (player,) = create_match(client, game="tic_tac_toe", seats=["human", young])
    seen = player.waited()
    assert player.get("/hint").ok()["text"].startswith("The built-in player would choose ")
    worth = player.get("/worth", by=young).ok()
    assert worth["unit"] == "of preference"
    assert sum(value for _, _, value in worth["values"]) == pytest.approx(1.0, abs=1e-5)
    assert player.get("/worth", by=search).ok()["unit"] == "of return"
    while seen["turn"] == "human":
        player.play(seen)
        seen = player.waited()
    assert seen["turn"] == "over"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"by": "heuristic"}, "heuristic does not value actions"),
        ({"by": "policies/none"}, "unknown agent 'policies/none' (choose from human, "),
        ({"by": "playouts", "playouts": 0}, "invalid playouts='0': expected 1 to"),
        ({"by": "playouts", "playouts": 10**9}, "invalid playouts='1000000000': expected 1 to"),
        ({"by": "best"}, "this game has no judge"),
    ],
)
def test_invalid_judgements_are_rejected(client: Client, query: dict[str, Any], message: str) -> None:
    _, (player,) = create_match(client, game="kuhn")
    assert not player.waited()["can"]["hint"]
    assert player.get("/hint").status == 403
    reply = player.get("/worth", **query)
    assert reply.status == 422
    assert message in reply.json["error"]


def test_one_stream_sends_the_new_versions_of_several_matches(client: Client, web: Web) -> None:
    pairs = [create_match(client, game="tic_tac_toe", seats=["human", "human"]) for _ in range(3)]
    stream = Stream(web, *(f"{made['id']}:{players[0].token}" for made, players in pairs))
    events = iter(stream)
    first = {event["id"]: event["version"] for event in (next(events) for _ in pairs)}
    for made, players in pairs:
        players[0].play(players[0].waited())
        event = next(events)
        assert event["id"] == made["id"]
        assert event["version"] > first[made["id"]]
    for made, _ in pairs:
        Player(client, made["id"], made["key"]).post("/close").ok()
    assert [event["id"] for event in events if "version" not in event] == [made["id"] for made, _ in pairs]


def test_a_stream_needs_a_match(client: Client) -> None:
    assert client.get("/api/events").status == 422
    assert client.send("GET", "/api/events?" + "&".join(["match=a:b"] * 65)).status == 422


def test_players_of_seats_can_change(client: Client) -> None:
    made, (player,) = create_match(client, game="tic_tac_toe")
    key = Player(client, made["id"], made["key"])
    assert player.post("/seats", {"seat": 1, "player": "human"}).status == 403
    token = key.post("/seats", {"seat": 1, "player": "human"}).ok()["token"]
    player.play(player.waited())
    second = Player(client, made["id"], token)
    assert second.waited()["ways"]
    answer = second.post("/seats", {"seat": 1, "player": "random"}).ok()
    assert answer == {"token": None, "link": None, "seats": ["human", "random"]}
    assert second.get().status == 404
    assert player.waited()["turn"] == "human"
    assert player.post("/seats", {"seat": 0, "player": "godlike"}).status == 422


def test_spectators_watch_agents_play_with_pauses(client: Client) -> None:
    made, nobody = create_match(client, game="tic_tac_toe", seats=["random", "random"], pause=5)
    assert nobody == []
    key = Player(client, made["id"], made["key"])
    seen = key.view()
    assert (seen["seat"], seen["turn"]) == (None, "agent")
    assert key.post("/settings", {"pause": 0}).ok()["pause"] == 0
    assert key.post("/settings", {"pause": 1000}).status == 422


# Positions and records


def test_a_position_is_drawn_or_rejected_with_the_reason(client: Client) -> None:
    drawn = client.post("/api/pictures", {"position": START, "player": 0, "theme": "dark"}).ok()
    assert drawn["svg"] == edge_envs.load_game("kuhn").state_from_dict(START).svg(0, theme="dark")
    for position, message in (
        ({**START, "cards": [2, 2]}, "cards: "),
        ({**START, "game": "chess"}, "unknown game 'chess'"),
        ({**START, "params": {}}, "params: "),
        ({**START, "params": {**KUHN["params"], "num_players": 9}}, "num_players=9"),  # type: ignore[dict-item]
        ({}, "unknown game None"),
    ):
        reply = client.post("/api/pictures", {"position": position})
        assert reply.status == 422
        assert message in reply.json["error"]
    assert client.post("/api/pictures", {"position": START, "player": 7}).status == 422
    assert client.post("/api/pictures", {"position": START, "theme": "pink"}).status == 422


def test_record_is_shown_and_can_be_continued_from_any_point(client: Client) -> None:
    _, (player,) = create_match(client, game="falling_off", seed=3)
    for _ in range(4):
        player.play(player.waited())
    seen = player.waited()
    record = player.get("/record").ok()
    assert record["seed"] is None
    shown = client.post("/api/replays", {"record": record}).ok()
    assert len(shown["frames"]) == len(shown["texts"]) == len(shown["players"]) == len(shown["at"])
    assert shown["at"][-1] == len(record["history"])
    assert all(number < len(shown["parts"]) for frame in shown["frames"] for number in frame)
    at = shown["at"][2]
    _, (player,) = create_match(client, record=record, at=at, seats=["human", "heuristic"])
    state = replay({**record, "history": record["history"][:at], "returns": [0.0, 0.0]})
    position = player.get("/position").ok()
    if state.current_player() == 0:
        assert position == state.to_dict()
    assert seen["transitions"] == len(record["history"])
    for wrong, message in (
        ({**record, "history": [[0, 0]]}, "history[0]"),
        ({**record, "version": 99}, "version"),
        ({}, "unknown game None"),
        ({**record, "returns": "x"}, "returns"),
    ):
        reply = client.post("/api/replays", {"record": wrong})
        assert reply.status == 422
        assert message in reply.json["error"]
    assert client.post("/api/sittings", {"record": record, "at": 10**6}).status == 422


def test_position_can_be_continued_and_saved(client: Client) -> None:
    _, players = create_match(client, position=START, seats=["human", "human"], together=True)
    seen = players[0].waited()
    assert not seen["curtain"]
    assert players[0].get("/position").ok() == START
    players[0].play(seen)
    assert players[1].waited()["can"] == {
        "judged": False,
        "perfect": False,
        "takeback": False,
        "keep": True,
        "hint": False,
        "worth": True,
    }
    over = {**START, "betting": ["check", "check"]}
    assert "over in this position" in client.post("/api/sittings", {"position": over}).json["error"]


@pytest.mark.parametrize("value", ["/etc/hostname", "pyproject.toml", "../pond", "", "pond.json"])
def test_parameters_from_the_page_read_no_files(client: Client, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    named = [(kind, p) for kind in GAMES.values() for p in kind.parameters.values() if p.shipped is not None]
    assert named
    for kind, parameter in named:
        params = {parameter.name: value}
        position = {"game": kind.name, "params": params}
        for path, body in (
            ("/api/sittings", {"game": kind.name, "params": params}),
            ("/api/sittings", {"position": position}),
            ("/api/pictures", {"position": position}),
            ("/api/replays", {"record": position}),
            ("/api/sittings", {"record": position}),
            ("/api/sittings", {"record": {"game": kind.name, "params": {}, "position": position}}),
        ):
            reply = client.post(path, body)
            assert reply.status == 422
            assert "does not ship with the game" in reply.json["error"]


def test_a_free_parameter_lists_the_values_shipped_with_the_game() -> None:
    for kind in GAMES.values():
        for parameter in kind.parameters.values():
            assert parameter.type is not str or parameter.choices or parameter.shipped is not None, parameter


def test_agents_that_were_not_listed_are_rejected(client: Client, tmp_path: Path) -> None:
    untrained(edge_envs.load_game("tic_tac_toe")).save(tmp_path / "mine")
    names: tuple[Any, ...] = (str(tmp_path / "mine"), ".", "/", "policies/../policies", 3, None, ["random"], {})
    for name in names:
        reply = client.post("/api/sittings", {"game": "tic_tac_toe", "seats": ["human", name]})
        assert reply.status == 422
        assert "unknown agent" in reply.json["error"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give exactly one of game, position and record"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": "kuhn", "position": START}, "give exactly one of"),
        ({"game": "kuhn", "params": {"num_players": 9}}, "invalid num_players=9: expected"),
        ({"game": "kuhn", "seats": ["human"]}, "1 were given, but the game has 2"),
        ({"game": "kuhn", "seed": -1}, "invalid seed="),
        ({"game": "kuhn", "seed": True}, "seed: True is not of type int"),
        ({"game": "kuhn", "at": 3}, "at: only for record"),
        ({"position": START, "params": {}}, "contain their parameters"),
        ({"game": "kuhn", "speed": 1}, "unknown entry 'speed': expected "),
        ({"game": "kuhn", "pause": 1e9}, "invalid pause="),
        ({"game": "falling_off", "params": {"num_players": 3}, "seats": ["human", "perfect", "random"]}, "no perfect"),
    ],
)
def test_an_invalid_match_is_rejected_with_the_reason(client: Client, options: dict[str, Any], message: str) -> None:
    reply = client.post("/api/sittings", options)
    assert reply.status == 422
    assert message in reply.json["error"]


def test_oldest_idle_match_is_closed_at_the_limit(web: Web, client: Client) -> None:
    with serving(Limits(sittings=2, idle=0.2)) as small:
        other = Client(small)
        _, (one,) = create_match(other, game="tic_tac_toe")
        create_match(other, game="tic_tac_toe")
        assert other.post("/api/sittings", {"game": "tic_tac_toe"}).status == 429
        assert one.get().status == 200
        time.sleep(0.3)
        one.view()
        _, (third,) = create_match(other, game="tic_tac_toe")
        assert (one.get().status, third.get().status) == (200, 200)
        other.close()


def test_aborted_request_does_not_affect_the_server(client: Client, web: Web) -> None:
    for _ in range(20):
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=SOON)
        connection.request(
            "POST", "/api/pictures", json.dumps({"position": START}), {"content-type": "application/json"}
        )
        connection.close()
    assert client.get("/api/games").status == 200
