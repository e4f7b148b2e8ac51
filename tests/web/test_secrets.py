"""What is hidden never leaves the server: every byte that a person gets is the same whatever the others hold."""

from __future__ import annotations

import itertools
import re
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import State
from edge_envs.web.guard import Limits
from edge_envs.web.server import Web
from tests.web.client import Client, Player, serving

PARAMS = {"num_players": 2, "pay_at_once": False, "deal": "first"}


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serving(Limits(idle=0.0)) as web:
        yield web


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Tokens are counted from the start again, so that games can be compared."""

    def restart() -> None:
        numbers = itertools.count()
        monkeypatch.setattr(secrets, "token_urlsafe", lambda size=0: f"token-{next(numbers)}")

    return restart


Look = Callable[[Player], Any]
LOOKS: list[Look] = [
    lambda player: player.get(),
    lambda player: player.get(public=1),
    lambda player: player.get(theme="dark"),
    lambda player: player.get("/log"),
    lambda player: player.get("/hint"),
    lambda player: player.get("/worth", by="playouts", playouts=500),
    lambda player: player.get("/position"),
    lambda player: player.get("/record"),
    lambda player: player.post("/takeback"),
    lambda player: player.post("/actions", {"action": 10**6, "revision": player.view()["revision"]}),
    lambda player: player.post("/actions", {"action": 0, "revision": -1}),
    lambda player: player.post("/seats", {"seat": 1, "player": "human"}),
]


def got(web: Web, counted: Callable[[], None], actions: list[int], **wanted: Any) -> bytes:
    """Every byte that seat 0 gets in a game of two persons in two browsers."""
    counted()
    host, own = Client(web), Client(web)
    made = host.post("/api/sittings", {"seats": ["human", "human"], **wanted}).ok()
    players = [Player(client, made["id"], made["tokens"][str(seat)]) for seat, client in enumerate((own, host))]
    for action in [*actions, None]:
        seen = players[1].waited()
        for look in LOOKS:
            look(players[0])
        if action is not None:
            players[seen["player"]].post("/actions", {"action": action, "revision": seen["revision"]}).ok()
            if seen["player"] == 0:
                own.got.pop()  # chance has moved by then, or has not; what is seen after it is looked at
    Player(host, made["id"], made["key"]).post("/close").ok()
    for client in (own, host):
        client.close()
    # how often there was news depends on how fast the machine is
    return re.sub(rb'"version": \d+', b"", b"\n".join(own.got))


def dealt(first: int, second: int) -> dict[str, Any]:
    return {"position": {"game": "kuhn", "params": PARAMS, "cards": [first, second], "betting": []}}


@pytest.mark.parametrize("actions", [[], [0], [0, 1], [1]])
def test_a_position_with_other_hidden_cards_is_the_same_to_seat_0(
    web: Web, counted: Callable[[], None], actions: list[int]
) -> None:
    one, other = (got(web, counted, actions, **dealt(2, card)) for card in (1, 3))
    assert one == other
    assert one != got(web, counted, actions, **dealt(1, 3))
    assert b"card 2" in one


def test_a_new_game_with_other_hidden_cards_is_the_same_to_seat_0(web: Web, counted: Callable[[], None]) -> None:
    """Seeds with the same card for seat 0, and different ones for seat 1."""
    found: dict[int, dict[int, int]] = {}
    client = Client(web)
    for seed in range(60):
        made = client.post("/api/sittings", {"game": "kuhn", "seats": ["human", "human"], "seed": seed}).ok()
        cards = []
        for seat in ("0", "1"):
            text = Player(client, made["id"], made["tokens"][seat]).waited()["text"].splitlines()[int(seat)]
            cards.append(int(text.split("card ")[1][0]))
        found.setdefault(cards[0], {}).setdefault(cards[1], seed)
        Player(client, made["id"], made["key"]).post("/close").ok()
    seeds = list(found[2].values())
    assert len(seeds) == 2
    # the random numbers of judges come from the revision alone, those of chance are not told
    one, other = (got(web, counted, [0, 1], game="kuhn", seed=seed) for seed in seeds)
    assert one == other
    client.close()


def on_tour() -> State:
    """A position of a tour in which both players hold chits."""
    state = edge_envs.load_game("ghost_ship", creation="random").new_initial_state(seed=3)
    while not (len(state.history()) > 400 and state.current_player() == 0):
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance() if chance else state.heuristic_action())
    return state


def without_taking(state: State, decisions: int) -> list[int]:
    """Decisions after which nobody has taken what is hidden, so that all who watch see the same."""
    actions: list[int] = []
    while len(actions) < decisions:
        if state.is_chance_node():
            state.apply_action(state.sample_chance())
            continue
        possible = [a for a in state.legal_actions() if not state.action_to_string(a).startswith(("take", "steal"))]
        actions.append(possible[-1])
        state.apply_action(possible[-1])
    return actions


def test_a_part_of_a_tour_looks_the_same_to_seat_0_whatever_seat_1_holds(web: Web, counted: Callable[[], None]) -> None:
    state = on_tour()
    rng = np.random.default_rng(0)
    first, drawn = state.to_dict(), [state.resample(0, rng).to_dict() for _ in range(12)]
    others = [other for other in drawn if other != first][:3]
    assert others
    actions = without_taking(state.game.state_from_dict(first, seed=5), decisions=12)
    one = got(web, counted, actions, position=first, seed=5)
    for other in others:
        assert got(web, counted, actions, position=other, seed=5) == one


def test_two_humans_see_hidden_cards_only_at_the_end(web: Web, counted: Callable[[], None]) -> None:
    one, other = (got(web, counted, [0, 0], **dealt(2, card)) for card in (1, 3))
    assert one != other  # the cards lie open now


def test_a_view_contains_neither_seed_nor_generator_state(web: Web, counted: Callable[[], None]) -> None:
    seed = 718_281_828_459
    bytes_got = got(web, counted, [0], game="kuhn", seed=seed)
    assert str(seed).encode() not in bytes_got
    assert b'"seed"' not in bytes_got
    assert b'"rng"' not in bytes_got
