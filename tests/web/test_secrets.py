"""Test that hidden information never leaves the server: responses do not depend on the hidden cards of others."""

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
def reset_tokens(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that restarts the numbering of tokens, so that responses can be compared."""

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


def responses(web: Web, reset_tokens: Callable[[], None], actions: list[int], **options: Any) -> bytes:
    """Return all responses to seat 0 in a match of two human players in two browsers."""
    reset_tokens()
    host, own = Client(web), Client(web)
    made = host.post("/api/sittings", {"seats": ["human", "human"], **options}).ok()
    players = [Player(client, made["id"], made["tokens"][str(seat)]) for seat, client in enumerate((own, host))]
    for action in [*actions, None]:
        seen = players[1].waited()
        for look in LOOKS:
            look(players[0])
        if action is not None:
            players[seen["player"]].post("/actions", {"action": action, "revision": seen["revision"]}).ok()
            if seen["player"] == 0:
                own.responses.pop()  # depends on whether chance has moved yet; the next view is compared
    Player(host, made["id"], made["key"]).post("/close").ok()
    for client in (own, host):
        client.close()
    # the number of updates and the waiting time depend on the speed of the machine
    return re.sub(rb'"version": \d+|"waiting": [\d.]+', b"", b"\n".join(own.responses))


def dealt(first: int, second: int) -> dict[str, Any]:
    return {"position": {"game": "kuhn", "params": PARAMS, "cards": [first, second], "betting": []}}


@pytest.mark.parametrize("actions", [[], [0], [0, 1], [1]])
def test_responses_to_seat_0_do_not_depend_on_hidden_cards_of_a_position(
    web: Web, reset_tokens: Callable[[], None], actions: list[int]
) -> None:
    one, other = (responses(web, reset_tokens, actions, **dealt(2, card)) for card in (1, 3))
    assert one == other
    assert one != responses(web, reset_tokens, actions, **dealt(1, 3))
    assert b"card 2" in one


def test_responses_to_seat_0_do_not_depend_on_hidden_cards_of_a_new_game(
    web: Web, reset_tokens: Callable[[], None]
) -> None:
    """Use seeds that deal seat 0 the same card and seat 1 different cards."""
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
    # random numbers of judges depend only on the revision; those of chance are not sent
    one, other = (responses(web, reset_tokens, [0, 1], game="kuhn", seed=seed) for seed in seeds)
    assert one == other
    client.close()


def tour_position() -> State:
    """Return a position of a tour in which both players hold chits."""
    state = edge_envs.load_game("ghost_ship", creation="random").new_initial_state(seed=3)
    while not (len(state.history()) > 400 and state.current_player() == 0):
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance() if chance else state.heuristic_action())
    return state


def public_actions(state: State, decisions: int) -> list[int]:
    """Return actions that take no hidden information, so that all viewers see the same."""
    actions: list[int] = []
    while len(actions) < decisions:
        if state.is_chance_node():
            state.apply_action(state.sample_chance())
            continue
        possible = [a for a in state.legal_actions() if not state.action_to_string(a).startswith(("take", "steal"))]
        actions.append(possible[-1])
        state.apply_action(possible[-1])
    return actions


def test_responses_to_seat_0_do_not_depend_on_hidden_chits_of_a_tour(
    web: Web, reset_tokens: Callable[[], None]
) -> None:
    state = tour_position()
    rng = np.random.default_rng(0)
    first, drawn = state.to_dict(), [state.resample(0, rng).to_dict() for _ in range(12)]
    others = [other for other in drawn if other != first][:3]
    assert others
    actions = public_actions(state.game.state_from_dict(first, seed=5), decisions=12)
    one = responses(web, reset_tokens, actions, position=first, seed=5)
    for other in others:
        assert responses(web, reset_tokens, actions, position=other, seed=5) == one


def test_two_humans_see_hidden_cards_only_at_the_end(web: Web, reset_tokens: Callable[[], None]) -> None:
    one, other = (responses(web, reset_tokens, [0, 0], **dealt(2, card)) for card in (1, 3))
    assert one != other  # the cards are revealed now


def test_a_view_contains_neither_seed_nor_generator_state(web: Web, reset_tokens: Callable[[], None]) -> None:
    seed = 718_281_828_459
    received = responses(web, reset_tokens, [0], game="kuhn", seed=seed)
    assert str(seed).encode() not in received
    assert b'"seed"' not in received
    assert b'"rng"' not in received
