"""Position editor of `falling_off`.

The editor can create every position that the game accepts. Each player always has all pawns: those that are nowhere
else are on the start. Players fall in the order in which their last pawns are put over the edge. The game is over as
soon as enough players have fallen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.game import Game
from edge_envs.core.interactive.editor import Document, PositionEditor, Tool, number
from edge_envs.games.falling_off import GAME
from edge_envs.games.falling_off.picture import place_name
from edge_envs.games.falling_off.pieces.sets import FIRST_SPACE, OFF, PLACES, START
from edge_envs.games.falling_off.position import last_fall
from edge_envs.games.falling_off.state import MAX_TURNS_OWED, OVER, PHASES, REROLL, REROLLED, ROLL

_PLACE = "space-"
_PAWNS = (Tool("put", "put a pawn", "pawns", _PLACE), Tool("take", "take a pawn back", "pawns", _PLACE))
_OWED = Tool("owed", "turns owed", "whose turn", asks="number of turns owed, including this one")
_LEFT = Tool("left", "rerolls left", "next step", asks="number of rerolls that the player may still choose")
_TASKS = ("roll the dice", "choose a reroll", "reroll the dice", "move a pawn")
_PHASES = tuple(Tool(f"phase-{phase}", text, "next step") for phase, text in zip(PHASES, _TASKS, strict=False))
_NO_DICE = Tool("no-dice", "none", "dice, or kept dice")
_DICE = (*(Tool(f"die-{value}", str(value), _NO_DICE.group) for value in range(1, 7)), _NO_DICE)


class FallingOffEditor(PositionEditor):
    """Edit positions: pawns move between the start and other places; phase and dice are set directly."""

    def fit(self, document: Document, params: Mapping[str, Any]) -> None:
        """Remove the last players, or add players with all pawns on the start."""
        game = Game(self.game_type, params)
        each, spaces = game.params["pawns"], game.params["spaces"]
        pawns = [_fitted(row, each, spaces) for row in document["pawns"][: game.num_players]]
        document["pawns"] = pawns + [[START] * each for _ in range(game.num_players - len(pawns))]
        document["dice"] = document["dice"][: game.params["dice"]]
        gone = [player for player, row in enumerate(document["pawns"]) if row[0] == OFF]
        kept = [player for player in document["fallen"] if player in gone]
        document["fallen"] = kept + [player for player in gone if player not in kept]
        document["turn_player"] = min(document["turn_player"], game.num_players - 1)
        document["params"] = game.params_dict()
        document.pop("rerolls_left", None)
        if game.params["rerolls"] > 1:
            document["rerolls_left"] = 0
        _settle_rerolls(document, game.params["rerolls"])
        self._settle(document)

    def tools(self, document: Document) -> list[Tool]:
        """Return all tools; some raise an error if the game is over."""
        turns = (Tool(f"turn-{p}", f"player {p}", "whose turn") for p in range(document["params"]["num_players"]))
        left = [_LEFT] if "rerolls_left" in document else []
        return [*_PAWNS, *turns, _OWED, *_PHASES, *left, *_DICE]

    def places(self, document: Document) -> dict[str, str]:
        """Return every place of every player with the number of pawns there."""
        params = self._params(document)
        places = (START, *range(FIRST_SPACE, FIRST_SPACE + params["spaces"]), OFF)
        return {
            _key(player, place): f"player {player}, {place_name(place)}: {pawns.count(place)} of {len(pawns)} pawns"
            for player, pawns in enumerate(document["pawns"])
            for place in places
        }

    def place_of(self, document: Document, entry: str) -> str | None:
        """Return the off-board place of the last player to fall, or of the turn player, for a problem with that key."""
        if entry == "fallen" and document["fallen"]:
            return _key(document["fallen"][-1], OFF)
        return _key(document["turn_player"], OFF) if entry == "turn_player" else None

    def change(self, document: Document, tool: Tool, key: str, text: str) -> None:
        """Apply one edit."""
        if tool in _PAWNS:
            _, player, name = key.split("-")
            place = next(place for place in PLACES if place_name(place) == name)
            _put(document, int(player), *((START, place) if tool.id == "put" else (place, START)))
            self._settle(document)
            return
        if document["phase"] == PHASES[OVER]:
            raise ValueError(f"{tool.label}: the game is over; take a fallen pawn back first")
        name, _, value = tool.id.partition("-")
        if tool in _DICE:
            _edit_dice(document, tool, self._params(document)["dice"])
        elif tool in _PHASES:
            document["phase"] = value
            if value == PHASES[ROLL]:
                document["dice"] = []
            _settle_rerolls(document, self._params(document)["rerolls"])
        elif tool == _LEFT:
            document["rerolls_left"] = number(text, tool, 0, self._params(document)["rerolls"])
        elif tool == _OWED:
            document["turns_owed"] = number(text, tool, 1, MAX_TURNS_OWED)
        elif name == "turn":
            if int(value) in document["fallen"]:
                raise ValueError(f"player {value} has fallen and gets no turns")
            document["turn_player"] = int(value)

    def _params(self, document: Document) -> Mapping[str, Any]:
        return Game(self.game_type, document["params"]).params

    def _settle(self, document: Document) -> None:
        """End or resume the game, depending on the number of fallen players."""
        over, fallen = PHASES[OVER], document["fallen"]
        if len(fallen) >= last_fall(self._sketch(document)):
            document.update(phase=over, dice=[], turn_player=fallen[-1], turns_owed=0)
            _settle_rerolls(document, 0)
        elif document["phase"] == over:
            document.update(phase=PHASES[ROLL], turns_owed=1)


EDITOR = FallingOffEditor(GAME)


def _key(player: int, place: int) -> str:
    return f"{_PLACE}{player}-{place_name(place)}"


def _put(document: Document, player: int, source: int, target: int) -> None:
    """Move a pawn between the start and another place."""
    pawns, fallen = document["pawns"][player], document["fallen"]
    if source == target:
        raise ValueError("pawns come from the start; click another place to put a pawn there or to take one back")
    if source not in pawns:
        where = "at the start" if source == START else f"on {place_name(source)}"
        raise ValueError(f"no pawn of player {player} is {where}")
    pawns.remove(source)
    pawns.append(target)
    pawns.sort()
    if pawns[0] == OFF:
        fallen.append(player)
    elif player in fallen:
        fallen.remove(player)


def _fitted(pawns: list[int], count: int, spaces: int) -> list[int]:
    """Return the first pawns of a row, or more on the start; those beyond the last space are over the edge."""
    moved = [place if place < FIRST_SPACE + spaces else OFF for place in pawns]
    return sorted([*moved[:count], *[START] * (count - len(moved))])


def _settle_rerolls(document: Document, rerolls: int) -> None:
    """Set the number of rerolls left to what the phase allows, the largest one."""
    if "rerolls_left" in document:
        most = {PHASES[REROLL]: rerolls, PHASES[REROLLED]: max(rerolls - 1, 0)}
        document["rerolls_left"] = most.get(document["phase"], 0)


def _edit_dice(document: Document, tool: Tool, num_dice: int) -> None:
    """Add a die, or remove all dice."""
    dice, phase = document["dice"], PHASES.index(document["phase"])
    if tool == _NO_DICE:
        dice.clear()
        return
    if phase == ROLL:
        raise ValueError("there are no dice before the roll; choose another next step first")
    most = num_dice - 1 if phase == REROLLED else num_dice
    if len(dice) >= most:
        raise ValueError(f"there are already {len(dice)} dice; remove them first")
    dice.append(int(tool.label))
    dice.sort()
