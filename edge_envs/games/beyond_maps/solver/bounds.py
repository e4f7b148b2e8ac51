"""What the markers of a turn cannot do: end the game, or win so much land."""

from __future__ import annotations

import numpy as np

from edge_envs.core.bits import count_bits
from edge_envs.core.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import ALL, EDGE, MIN_SIZE, NOT_FIRST, NOT_LAST
from edge_envs.games.beyond_maps.solver.keys import LARGEST

_1 = np.uint64(1)

# BESIDE[size, square]: the squares beside one. RAY[size, square, direction]: those on the straight way to the edge.
BESIDE = np.zeros((LARGEST + 1, LARGEST * LARGEST), np.uint64)
RAY = np.zeros((LARGEST + 1, LARGEST * LARGEST, 4), np.uint64)
for _size in range(MIN_SIZE, LARGEST + 1):
    for _square in range(_size * _size):
        for _direction, (_down, _right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            _row, _column = divmod(_square, _size)
            _bits = [
                1 << (_row + k * _down) * _size + _column + k * _right
                for k in range(1, _size)
                if 0 <= _row + k * _down < _size and 0 <= _column + k * _right < _size
            ]
            RAY[_size, _square, _direction] = sum(_bits)
            BESIDE[_size, _square] |= np.uint64(_bits[0] if _bits else 0)


@inlined_kernel
def _around(size, squares):
    """Return the squares beside some, on a small board."""
    up_down = squares << np.uint64(size) | squares >> np.uint64(size)
    return up_down | (squares & NOT_LAST[size, 0]) << _1 | (squares & NOT_FIRST[size, 0]) >> _1


@kernel
def _reach(state, size, own, empty, chain):
    """Return the empty squares that a chain of so many markers may come to, if it begins at land that is there now."""
    if state.markers_placed > 0:
        starts = _1 << np.uint64(state.last_marker)
    else:
        starts = np.uint64(0)
        left = own
        while left:
            square = left & (~left + _1)
            left ^= square
            if count_bits(BESIDE[size, count_bits(square - _1)] & own) <= 1:
                starts |= square
    reached = np.uint64(0)
    for _ in range(chain):
        starts = _around(size, starts | reached) & empty
        reached |= starts
    return reached


@inlined_kernel
def _enough(sails, chain, begun, groups, far):
    """Whether markers may get into each of some groups of squares, of which `far` cannot be reached by a chain from
    land that is there now. No square of a group lies beside one of another.

    So a chain gets into every second group at best, and so does one with the marker of the sea action where it begins.
    """
    half = (chain + 1) // 2
    if far <= sails and groups <= sails + half:
        return True
    return sails == 1 and not begun and groups <= max(half, 1 + chain // 2)


@kernel
def goes_on(state):
    """Whether it is certain that the game is not over after this turn, unless by the limit on turns."""
    player = np.int64(state.turn_player)
    ship, other = np.int64(state.ships[player]), np.int64(state.ships[1 - player])
    if ship < 0 or other < 0 or state.parted:
        return False
    size = np.int64(state.side)
    own = state.land[player, 0]
    sea = ALL[size, 0] & ~(own | state.land[1 - player, 0])
    sails = 0 if state.sea_done else 1
    empty = sea & ~(_1 << np.uint64(other))
    if not sails:
        empty &= ~(_1 << np.uint64(ship))
    begun = state.markers_placed > 0
    chain = 0 if state.land_done else np.int64(state.land_markers) - np.int64(state.markers_placed)
    reach = _reach(state, size, own, empty, chain)
    # Closed in: a marker on each square beside the other ship.
    near = BESIDE[size, other] & sea
    ways = count_bits(near)
    if _enough(sails, chain, begun, ways, count_bits(near & ~reach)):
        return False
    # Captured: the mover's land on each of the four straight ways from the other ship to the edge.
    groups, far, edged = 0, 0, False
    for direction in range(4):
        way = RAY[size, other, direction]
        if not way:
            edged = True
        if not way & own:
            groups += 1
            if not way & reach:
                far += 1
    if not edged and _enough(sails, chain, begun, groups, far):
        return False
    # Both ships alone in a sea of two squares.
    left = near
    while left:
        last = left & (~left + _1)
        left ^= last
        square = count_bits(last - _1)
        rest = (BESIDE[size, square] | near) & sea & ~last & ~(_1 << np.uint64(other))
        if (sails or square == ship) and count_bits(rest) <= sails + chain:
            return False
    return True


@kernel
def best_end(state):
    """The most that the player to act may get if the game is over after this turn.

    A square can be enclosed only if all four straight ways from it to the edge are crossed; a chain crosses at most
    every second of them.
    """
    player, size = np.int64(state.turn_player), np.int64(state.side)
    own, enemy = state.land[player, 0], state.land[1 - player, 0]
    sails = 0 if state.sea_done else 1
    chain = 0 if state.land_done else np.int64(state.land_markers) - np.int64(state.markers_placed)
    lead = count_bits(own) - count_bits(enemy) + sails + chain
    if sails and enemy:
        lead += 1  # a marker may replace one of the enemy's
    missing = sails + (chain + 1) // 2
    if lead <= 0:
        left = ALL[size, 0] & ~own & ~EDGE[size, 0]
        while left:
            square = count_bits((left & (~left + _1)) - _1)
            left &= left - _1
            crossed = 0
            for direction in range(4):
                if RAY[size, square, direction] & own:
                    crossed += 1
            if crossed + missing >= 4:
                lead += 2 if enemy >> np.uint64(square) & _1 else 1
    return 1.0 if lead > 0 else 0.0 if lead == 0 else -1.0


@kernel
def turns_left(state):
    """The turns that may still end, this one included."""
    return np.int64(state.max_turns) - np.int64(state.turn)
