"""The table below the drawn map of `ghost_ship`: a row for each player, and what the viewer knows besides."""

from __future__ import annotations

from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.knowledge.meetings import are_together
from edge_envs.games.ghost_ship.map.names import place_name
from edge_envs.games.ghost_ship.phases.scoring import score
from edge_envs.games.ghost_ship.state import CREATION, GAINED, KNOWN, LOST, NUM_VALUES, OVER
from edge_envs.games.ghost_ship.views.emblems import chit, coin
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import FAINT, PLAYERS
from edge_envs.pictures.tokens import badge, pawn, ship

ROW = 32.0
_WHERE, _CHITS, _KNOWN, _LOST, _GOLD, _SAVED, _SPUN, _SKIPS, _CLAIM = 48, 240, 440, 570, 650, 730, 776, 816, 852
_HEADS = (
    (_WHERE, "scout and boat"), (_CHITS, "chits"), (_LOST, "lost"), (_GOLD, "gold"), (_SAVED, "saved"),
    (_SPUN, "spun"), (_SKIPS, "skips"), (_CLAIM, "claim"),
)  # fmt: skip
_STEP = 18.5  # from chit to chit where there is room


def rows(record: Record, canvas: Canvas, viewer: int | None, y: float, width: float) -> None:
    """Draw the heads at `y`, and the rows below; in phase 1 there is nothing to know."""
    viewer = None if record.phase in CREATION else viewer
    for x, head in _HEADS:
        canvas.text(x, y, head, size=9.5, fill=FAINT)
    if record.phase == OVER or viewer is not None:
        head = "scores" if record.phase == OVER else f"what player {viewer} knows"
        canvas.text(_KNOWN, y, head, size=9.5, fill=FAINT)
    for player in range(int(record.num_players)):
        middle = y + 6 + ROW * (player + 0.5)
        _row(record, canvas, player, viewer, middle)
        colour = PLAYERS[player]
        if record.phase == OVER:
            continue
        if player == record.turn_player:
            canvas.rect(8, middle - ROW / 2 + 1.5, width - 16, ROW - 3, radius=7, stroke=colour, stroke_width=2.2)
        elif player == record.decider:
            canvas.rect(
                8, middle - ROW / 2 + 1.5, width - 16, ROW - 3, radius=7, stroke=colour, stroke_width=1.6, dash="5 4"
            )


def _row(record: Record, canvas: Canvas, player: int, viewer: int | None, y: float) -> None:
    badge(canvas, 26, y, player)
    _where(record, canvas, player, y)
    values = values_seen(record, player, viewer)
    is_open = record.phase == OVER or player == viewer
    room = _KNOWN - _CHITS - 24 if is_open or viewer is not None else _LOST - _CHITS - 24
    _chits(canvas, values or [0] * int(record.own[player].sum()), y, room)
    if is_open or viewer is not None:
        text = f"score {score(record, player)}" if is_open or viewer is None else _told(record, player, viewer)
        canvas.text(_KNOWN, y + 4, text, size=11, room=_LOST - _KNOWN - 8, bold=is_open)
    _lost(record, canvas, player, is_open, y)
    gold = int(record.num_gold[player])
    for k in range(gold):
        coin(canvas, _GOLD + 8 + min(14.0, 56 / gold) * k, y)
    saved, claim = int(record.saved[player]), int(record.claim[player])
    spun = " ".join([str(int(record.triple_number[player]))] * int(record.triple_count[player]))
    canvas.text(_SAVED, y + 4, f"{saved:+}".replace("-", "−") if saved else "", size=12, bold=True)
    canvas.text(_SPUN, y + 4, spun, size=12)
    canvas.text(_SKIPS, y + 4, str(int(record.skip[player]) or ""), size=12)
    if claim >= 0:
        canvas.text(_CLAIM, y + 4, "on", size=10, fill=FAINT)
        badge(canvas, _CLAIM + 24, y, claim, 15)


def _where(record: Record, canvas: Canvas, player: int, y: float) -> None:
    """The active pawn with its place, the boat that was left, and who is together with the player."""
    place, boat = place_name(int(record.pawn[player])), place_name(int(record.boat[player]))
    x: float = _WHERE + 8
    if record.ashore[player]:
        pawn(canvas, x, y, player, 19)
        canvas.text(x + 12, y + 4, place, size=11, bold=True)
        x += 70
    ship(canvas, x + 2, y, player, 19)
    canvas.text(x + 16, y + 4, boat, size=11, bold=not record.ashore[player])
    others = [other for other in range(int(record.num_players)) if are_together(record, player, other)]
    if others:
        canvas.text(_CHITS - 52, y + 4, "with", size=9.5, fill=FAINT)
        for k, other in enumerate(others):
            badge(canvas, _CHITS - 22 + 9 * (k - (len(others) - 1) / 2), y, other, 13 if len(others) > 1 else 15)


def values_seen(record: Record, player: int, viewer: int | None) -> list[int]:
    """The chits of a player one by one, where the viewer knows them all; else nothing."""
    if record.phase == OVER or player == viewer:
        return _each(record.own[player].tolist())
    if viewer is None:
        return []
    shown = record.shown[viewer, player]
    is_all = shown[KNOWN] and not shown[GAINED] and not shown[LOST]
    return _each(shown[:NUM_VALUES].tolist()) if is_all else []


def _each(counts: list[int]) -> list[int]:
    return [value + 1 for value, count in enumerate(counts) for _ in range(count)]


def _chits(canvas: Canvas, values: list[int], y: float, room: float) -> None:
    """The chits side by side, closer if they are many, and how many they are."""
    step = min(_STEP, (room - 17) / max(1, len(values) - 1))
    for k, value in enumerate(values):
        chit(canvas, _CHITS + 9 + step * k, y, value)
    if len(values) > 4:
        canvas.text(_CHITS + 22 + step * (len(values) - 1), y + 4, str(len(values)), size=11, fill=FAINT)


def _told(record: Record, player: int, viewer: int) -> str:
    """What another player has shown the viewer, and what became of it."""
    shown = record.shown[viewer, player]
    if not shown[KNOWN]:
        return "has shown nothing"
    chits = " ".join(map(str, _each(shown[:NUM_VALUES].tolist()))) or "nothing"
    since = [f"+{shown[GAINED]}"] * bool(shown[GAINED]) + [f"−{shown[LOST]}"] * bool(shown[LOST])
    return f"showed {chits}{', since ' if since else ''}{' '.join(since)}"


def _lost(record: Record, canvas: Canvas, player: int, is_open: bool, y: float) -> None:
    lost = int(record.lost[player].sum())
    if lost:
        values = f" ({' '.join(map(str, _each(record.lost[player].tolist())))})" if is_open else ""
        canvas.text(_LOST, y + 4, f"{lost}{values}", size=12, room=_GOLD - _LOST - 8)
