"""Reference implementation of `beyond_maps`: the rules in plain Python over sets of squares, one function per rule.

It shares nothing with the package, so that an error in either shows as a difference between them.
Squares are (row, column), counted from the top left. `position` and `picture` at the end draw positions for tests:
`A` and `B` are the ships of players 0 and 1, `0` and `1` their land, `.` is empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

CHANCE = -1
TERMINAL = -4

Square = tuple[int, int]
Choice = tuple[Any, ...]  # ("sea", end, direction or None), ("land", target) or ("stop",)

DIRECTIONS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
PLANES = ["n", "e", "s", "w", None, "land"]  # the marker's direction at sea, no marker, a land marker
STOP = ("stop",)
ROLLS = [(higher, lower) for higher in range(1, 7) for lower in range(1, higher + 1)]
KEYS = ["game", "params", "board", "ships", "turn_player", "turn", "sea_done", "land_done"]
KEYS += ["markers_placed", "last_marker", "roll"]


def step(square: Square, direction: str) -> Square:
    """Return the next square in a direction, which may be off the board."""
    return square[0] + DIRECTIONS[direction][0], square[1] + DIRECTIONS[direction][1]


def neighbours(square: Square) -> list[Square]:
    """Return the four adjacent squares, which may be off the board."""
    return [step(square, direction) for direction in DIRECTIONS]


def flood(start: Square, squares: Iterable[Square]) -> set[Square]:
    """Return the connected component of a square within a set."""
    open_squares = set(squares) - {start}
    reached, waiting = {start}, [start]
    while waiting:
        for square in neighbours(waiting.pop()):
            if square in open_squares:
                open_squares.remove(square)
                reached.add(square)
                waiting.append(square)
    return reached


def connected(start: Square, goal: Square, squares: set[Square]) -> bool:
    """Return whether a path within a set connects two squares (a flood fill that searches near the goal first)."""
    reached, waiting = {start}, [start]
    while waiting:
        square = waiting.pop()
        if square == goal:
            return True
        news = [near for near in neighbours(square) if near in squares and near not in reached]
        reached.update(news)
        waiting += sorted(news, key=lambda near: -abs(near[0] - goal[0]) - abs(near[1] - goal[1]))
    return False


def distances(start: Square, squares: set[Square]) -> dict[Square, int]:
    """Return the number of steps to each reachable square of a set."""
    steps, edge = {start: 0}, [start]
    while edge:
        edge = [near for square in edge for near in neighbours(square) if near in squares and near not in steps]
        edge = list(dict.fromkeys(edge))
        far = max(steps.values()) + 1
        steps.update(dict.fromkeys(edge, far))
    return steps


def square_name(square: Square) -> str:
    """Return the name of a square: `a1` is top left."""
    return f"{'abcdefghijklmnopqr'[square[1]]}{square[0] + 1}"


def square_of(name: str) -> Square:
    """Return the square with a name."""
    return int(name[1:]) - 1, "abcdefghijklmnopqr".index(name[0])


class BeyondMaps:
    """One game of Beyond the Edges of the Maps."""

    def __init__(
        self,
        size: int = 18,
        sea_range: int = 6,
        land_markers: int = 3,
        stop_early: bool = True,
        dice: bool = False,
        max_turns: int = 400,
        close_self: bool = False,
        islands: int = 0,
        handicap: int = 0,
        height: int = 0,
    ) -> None:
        """Set up the start: ships in opposite corners, player 0 to sail (1). Islands are placed before."""
        self.params: dict[str, Any] = {
            "size": size,
            "sea_range": sea_range,
            "land_markers": land_markers,
            "stop_early": stop_early,
            "dice": dice,
            "max_turns": max_turns,
        }
        later = {"close_self": close_self, "islands": islands, "handicap": handicap, "height": height}
        self.params |= {name: value for name, value in later.items() if value}
        self.close_self, self.islands, self.islands_left, self.handicap = close_self, islands, islands, handicap
        self.dice, self.stop_early, self.max_turns = dice, stop_early, max_turns
        self.columns, self.rows = size, height or size
        self.squares = {(row, column) for row in range(self.rows) for column in range(self.columns)}
        self.land: list[set[Square]] = [set(), set()]
        self.ships: list[Square | None] = [(0, 0), (self.rows - 1, self.columns - 1)]
        self.turn_player = 0
        self.turn = 0
        self.sea_done = False
        self.land_done = True  # the first turn is a sea action only (1)
        self.markers_placed = 0
        self.last_marker: Square | None = None
        self.roll: tuple[int, int] | None = None
        self.choices = self._choices()

    # Players and actions

    def current_player(self) -> int:
        """Return the player to act, `CHANCE` or `TERMINAL`."""
        if self.sea_done and self.land_done:
            return TERMINAL
        if self.islands_left or (self.dice and self.roll is None):
            return CHANCE
        return self.turn_player

    def legal_actions(self) -> list[int]:
        """Return the sorted action ids, the outcomes at a chance node, or [] at the end."""
        if self.current_player() == TERMINAL:
            return []
        if self.current_player() == CHANCE:
            return [outcome for outcome, _ in self.chance_outcomes()]
        return sorted(self._id(choice) for choice in self.choices)

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        """Return every roll of two dice, or every square for the next island, with its probability."""
        if self.current_player() != CHANCE:
            raise ValueError("not a chance node")
        if self.islands_left:
            squares = self._island_squares()
            return [(row * self.columns + column, Fraction(1, len(squares))) for row, column in squares]
        return [(outcome, Fraction(1 if a == b else 2, 36)) for outcome, (a, b) in enumerate(ROLLS)]

    def action_to_string(self, action: int) -> str:
        """Return the string of an action or outcome at this node."""
        if self.islands_left:
            return f"island {square_name(divmod(action, self.columns))}"
        if self.current_player() == CHANCE:
            higher, lower = ROLLS[action]
            return f"roll {higher} {lower}"
        plane, place = divmod(action, len(self.squares))
        if plane == len(PLANES):
            return "stop"
        name = square_name(divmod(place, self.columns))
        return f"land {name}" if PLANES[plane] == "land" else f"sea {name} {PLANES[plane] or '-'}"

    def _id(self, choice: Choice) -> int:
        """Return the id of a choice: planes of the board, then `stop`."""
        if choice == STOP:
            return len(PLANES) * len(self.squares)
        kind, (row, column) = choice[:2]
        plane = PLANES.index("land" if kind == "land" else choice[2])
        return plane * len(self.squares) + row * self.columns + column

    def _choices(self) -> list[Choice]:
        """Return the choices of the player to act. A started land action must be finished first (3)."""
        if self.markers_placed:
            further: list[Choice] = [("land", target) for target in self._next_markers()]
            return [*further, STOP] if further and self.stop_early else further
        choices: list[Choice] = []
        if not self.sea_done:
            choices += self._sea_actions()
        if not self.land_done:
            choices += [("land", target) for target in self._first_markers()]
        return choices

    # Islands

    def _opposite(self, square: Square) -> Square:
        return self.rows - 1 - square[0], self.columns - 1 - square[1]

    def _island_squares(self) -> list[Square]:
        """Return the squares for an island of player 0: off the edge, and apart from land and the opposite square."""
        land = self.land[0] | self.land[1]
        return [
            (row, column)
            for row in range(1, self.rows - 1)
            for column in range(1, self.columns - 1)
            if all(
                max(abs(row - other[0]), abs(column - other[1])) > 1 for other in [*land, self._opposite((row, column))]
            )
        ]

    def _add_island(self, square: Square) -> None:
        self.land[0].add(square)
        self.land[1].add(self._opposite(square))
        self.islands_left = self.islands_left - 1 if self._island_squares() else 0

    # The board

    def _sea_range(self) -> int:
        return self.roll[0] if self.roll else self.params["sea_range"]

    def _land_markers(self) -> int:
        return self.roll[1] if self.roll else self.params["land_markers"]

    def _own_land(self) -> set[Square]:
        return self.land[self.turn_player]

    def _enemy_land(self) -> set[Square]:
        return self.land[1 - self.turn_player]

    def _sea(self) -> set[Square]:
        """Return the empty squares and the squares with a ship."""
        return self.squares - self.land[0] - self.land[1]

    def _empty(self) -> set[Square]:
        return self._sea() - set(self.ships)

    # 2. The sea action

    def _sea_actions(self) -> list[Choice]:
        """Return the possible ends of the ship, each with the markers that it can place there, or None without any."""
        start, other = self.ships[self.turn_player], self.ships[1 - self.turn_player]
        if start is None:
            return []
        steps = distances(start, self._sea())
        actions: list[Choice] = []
        for end in sorted(self._sea() - {other}):
            directions = [d for d in DIRECTIONS if self._last_step(steps, start, end, d)]
            markers = [d for d in directions if self._takes_marker(end, step(end, d))]
            if markers:
                actions += [("sea", end, d) for d in markers]
            elif directions:
                actions.append(("sea", end, None))
        return actions

    def _last_step(self, steps: dict[Square, int], start: Square, end: Square, direction: str) -> bool:
        """Return whether the last step to `end` can have this direction; without a move, any direction counts."""
        if end == start:
            return True
        before = (end[0] - DIRECTIONS[direction][0], end[1] - DIRECTIONS[direction][1])
        return before in steps and steps[before] <= self._sea_range() - 1

    def _takes_marker(self, end: Square, target: Square) -> bool:
        """Return whether the mover's marker can lie on `target` once their ship stands on `end`."""
        ships = list(self.ships)
        ships[self.turn_player] = end
        if target not in self.squares or target in self._own_land() or target in ships:
            return False
        return target in self._enemy_land() or self._path_rule(target, ships)

    def _sail(self, end: Square, direction: str | None) -> None:
        self.ships[self.turn_player] = end
        if direction is not None:
            self._enemy_land().discard(step(end, direction))
            self._own_land().add(step(end, direction))

    # 3. The land action

    def _first_markers(self) -> list[Square]:
        """Return the empty squares next to a peninsula: own land with at most one own land neighbour."""
        own = self._own_land()
        peninsulas = [square for square in own if len(own & set(neighbours(square))) <= 1]
        targets = {near for square in peninsulas for near in neighbours(square)} & self._empty()
        return sorted(target for target in targets if self._path_rule(target, self.ships))

    def _next_markers(self) -> list[Square]:
        """Return the empty squares next to the marker just placed."""
        assert self.last_marker is not None
        targets = set(neighbours(self.last_marker)) & self._empty()
        return sorted(target for target in targets if self._path_rule(target, self.ships))

    # 4. The path rule

    def _path_rule(self, marker: Square, ships: list[Square | None]) -> bool:
        """Return whether a marker on this empty square leaves the ships in one sea, or encloses the opponent's ship."""
        own, opponent = ships[self.turn_player], ships[1 - self.turn_player]
        if own is None or opponent is None:
            return True
        sea = self._sea() - {marker}
        if not sea & set(neighbours(opponent)) or (self.close_self and not sea & set(neighbours(own))):
            return True
        return connected(own, opponent, sea)

    # 5. Filling

    def _fill(self) -> None:
        """Fill for the mover: each region of squares that are not their land and do not touch the board's edge."""
        left = self.squares - self._own_land()
        while left:
            region = flood(min(left), left)
            left -= region
            if not any(row in (0, self.rows - 1) or column in (0, self.columns - 1) for row, column in region):
                self._fill_region(region)

    def _fill_region(self, region: set[Square]) -> None:
        """Turn empty squares and ships into land, then enemy peninsulas until none remain."""
        own, enemy = self._own_land(), self._enemy_land()
        own |= region - enemy
        self.ships = [None if ship in region else ship for ship in self.ships]
        while peninsulas := {q for q in region & enemy if len(enemy & set(neighbours(q))) <= 1}:
            enemy -= peninsulas
            own |= peninsulas

    # 6. The end

    def _ended(self) -> bool:
        """Return whether the game is over after a complete turn."""
        return self._nobody_sails_on() or self.turn + 1 >= self.max_turns

    def _nobody_sails_on(self) -> bool:
        """Return whether a ship is captured, enclosed, or has no empty square in its sea."""
        return any(ship is None or not self._can_reach_an_empty_square(ship) for ship in self.ships)

    def _can_reach_an_empty_square(self, ship: Square) -> bool:
        """Return whether the sea of a ship contains an empty square; a surrounded ship has only its own square."""
        return bool(flood(ship, self._sea()) & self._empty())

    # Transitions

    def apply(self, action: int) -> None:
        """Apply an action or a chance outcome, and everything that follows without a choice."""
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action}")
        if self.islands_left:
            self._add_island(divmod(action, self.columns))
        elif self.current_player() == CHANCE:
            self.roll = ROLLS[action]
        else:
            (choice,) = [choice for choice in self.choices if self._id(choice) == action]
            self._do(choice)
        self._go_on()

    def _go_on(self) -> None:
        """Complete actions and turns without a choice, up to the next decision, roll or end."""
        while True:
            self.choices = []
            if self.sea_done and self.land_done:
                self._end_turn()
            if self.current_player() < 0:
                return
            self.choices = self._choices()
            if len(self.choices) > 1:
                return
            if self.choices:
                self._do(self.choices[0])
            else:
                self._end_land_action()  # without a possible first marker, the action ends (3)

    def _do(self, choice: Choice) -> None:
        if choice == STOP:
            self._end_land_action()
        elif choice[0] == "sea":
            self._sail(*choice[1:])
            self._fill()
            self.sea_done = True
        else:
            self._place(choice[1])

    def _place(self, target: Square) -> None:
        """Place a land marker; the action ends after the last one or if no further one is possible."""
        self._own_land().add(target)
        self.markers_placed += 1
        self.last_marker = target
        if self.markers_placed == self._land_markers() or not self._next_markers():
            self._end_land_action()

    def _end_land_action(self) -> None:
        self.markers_placed = 0
        self.last_marker = None
        self._fill()
        self.land_done = True
        if self.ships[self.turn_player] is None:
            self.sea_done = True  # a captured ship has no sea action (6)

    def _end_turn(self) -> None:
        self.roll = None
        if not self._ended():
            self.turn += 1
            self.turn_player = 1 - self.turn_player
            self.sea_done = self.land_done = False

    # 7. Rewards

    def rewards(self) -> list[int]:
        """Return the rewards of the last transition: zero until the end, then +1 for more land on the board."""
        if self.current_player() != TERMINAL:
            return [0, 0]
        lead = len(self.land[0]) - len(self.land[1]) - self.handicap
        return [(lead > 0) - (lead < 0), (lead < 0) - (lead > 0)]

    # JSON

    def to_dict(self) -> dict[str, Any]:
        """Return the position as a JSON object."""
        return {
            "game": "beyond_maps",
            "params": dict(self.params),
            **({"islands_left": self.islands_left} if self.islands else {}),
            "board": ["".join(self._mark((row, column)) for column in range(self.columns)) for row in range(self.rows)],
            "ships": [ship and square_name(ship) for ship in self.ships],
            "turn_player": self.turn_player,
            "turn": self.turn,
            "sea_done": self.sea_done,
            "land_done": self.land_done,
            "markers_placed": self.markers_placed,
            "last_marker": self.last_marker and square_name(self.last_marker),
            "roll": self.roll and list(self.roll),
        }

    def _mark(self, square: Square) -> str:
        return "0" if square in self.land[0] else "1" if square in self.land[1] else "."

    @classmethod
    def from_dict(cls, d: dict[str, Any]) -> BeyondMaps:
        """Create the game at a position. Raises ValueError if it is invalid; types and ranges are not checked."""
        game = cls(**d["params"])
        game.islands_left = d.get("islands_left", 0)
        refuse((game.islands > 0) != ("islands_left" in d), "islands_left is given without islands, or missing")
        game.land = [{q for q in game.squares if d["board"][q[0]][q[1]] == mark} for mark in "01"]
        game.ships = [ship and square_of(ship) for ship in d["ships"]]
        game.turn_player, game.turn = d["turn_player"], d["turn"]
        game.sea_done, game.land_done = d["sea_done"], d["land_done"]
        game.markers_placed = d["markers_placed"]
        game.last_marker = d["last_marker"] and square_of(d["last_marker"])
        game.roll = d["roll"] and tuple(d["roll"])
        game.choices = []
        if game.islands_left:
            game._check_islands()
            return game
        game._check()
        if game.current_player() >= 0:
            game.choices = game._choices()
            refuse(len(game.choices) <= 1, "the mover has nothing to choose")
        return game

    def _check_islands(self) -> None:
        """Check that only islands have been placed, each where it can be."""
        fresh = BeyondMaps(**self.params)
        refuse(not 0 < self.islands_left <= self.islands, "too many islands left")
        for name in ("ships", "turn_player", "turn", "sea_done", "land_done", "markers_placed", "last_marker", "roll"):
            refuse(getattr(self, name) != getattr(fresh, name), f"{name} has changed before all islands are placed")
        for square in self.land[0]:
            refuse(square not in fresh._island_squares(), "no island can be there")
            fresh._add_island(square)
        refuse(fresh.land != self.land or fresh.islands_left != self.islands_left, "other islands than these")

    def _check(self) -> None:
        """Check that the position is consistent."""
        sailing = [ship for ship in self.ships if ship is not None]
        refuse(any(ship not in self._sea() for ship in sailing), "a ship on land")
        refuse(len(set(sailing)) < len(sailing), "both ships on one square")
        refuse(self.turn == 0 and not self.land_done, "a land action in turn 0")
        over = self.sea_done and self.land_done
        begins = not self.sea_done and not self.markers_placed and (not self.land_done or self.turn == 0)
        refuse(over and not self._ended(), "both actions are done, but the game continues")
        refuse(begins and self._nobody_sails_on(), "a turn begins, and the game is over")
        self._check_land_action()
        self._check_roll(over, begins)

    def _check_land_action(self) -> None:
        refuse((self.markers_placed == 0) != (self.last_marker is None), "markers_placed and last_marker disagree")
        if self.last_marker is not None:
            refuse(self.land_done, "a marker of a land action that is done")
            refuse(self.last_marker not in self._own_land(), "the last marker is not the mover's land")

    def _check_roll(self, over: bool, begins: bool) -> None:
        refuse(self.roll is not None and (over or not self.dice), "a roll without dice, or at the end")
        refuse(self.roll is None and self.dice and not over and not begins, "a turn under way without its roll")
        refuse(self.roll is not None and self.roll[0] < self.roll[1], "the higher die comes first")
        refuse(self.markers_placed > 0 and self.markers_placed >= self._land_markers(), "too many markers")


def refuse(condition: bool, message: str) -> None:
    """Raise ValueError if the condition holds."""
    if condition:
        raise ValueError(message)


# Pictures for tests


def position(board: str, turn_player: int = 0, params: dict[str, Any] | None = None, **entries: Any) -> dict[str, Any]:
    """Return the position of a picture: by default at the start of a turn other than the first."""
    rows = board.split()
    shape = {} if len(rows) == len(rows[0]) else {"height": len(rows)}
    places = {mark: (r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark in "AB"}
    position: dict[str, Any] = {
        "game": "beyond_maps",
        "params": {**BeyondMaps().params, "size": len(rows[0]), **shape, **(params or {})},
        "board": [row.replace("A", ".").replace("B", ".") for row in rows],
        "ships": [square_name(places[mark]) if mark in places else None for mark in "AB"],
        "turn_player": turn_player,
        "turn": 2 + turn_player,
        "sea_done": False,
        "land_done": False,
        "markers_placed": 0,
        "last_marker": None,
        "roll": None,
    }
    return position | entries


def picture(d: dict[str, Any]) -> list[str]:
    """Return the rows of a position with its ships."""
    rows = [list(row) for row in d["board"]]
    for mark, ship in zip("AB", d["ships"], strict=True):
        if ship is not None:
            row, column = square_of(ship)
            rows[row][column] = mark
    return ["".join(row) for row in rows]


Twin = BeyondMaps
