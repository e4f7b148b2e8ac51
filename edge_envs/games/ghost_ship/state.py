"""The state record of `ghost_ship`.

Legend:

    turn         turns begun by all players, 0 in phase 1; `turn_player` has this one, `decider` decides in it
    sea          the number of the sea in `SEAS`; `symbol_mix` of the mix of symbols in `MIXES`
    random       1 if chance lays the archipelago; `covered` 1 if symbols are also hidden until a pawn enters;
                 `score_reward` 1 if rewards are differences of scores
    square       row x 10 + column, A1 is 0; its columns in `squares`:
                 TILE the mask, VACANT without a tile, 0 outside the sea; WET its wet corners, once the map is finished;
                 SYMBOL a symbol,
                 UNSEEN, or NO_SYMBOL; CHITS and GOLD the treasure there; SIX whether it receives gold; NEAR, in
                 phase 1, the bits BESIDE and DIAGONAL: which neighbours are symbol tiles; OPEN, in `place`, 1 where
                 the symbol tile in hand may be placed
    fits[q]      in phase 1 the masks that fit square q, as bits; 0 where a tile lies
    chits_left, gold_left    the treasure on all squares
    ghost        its square, -1 before it is placed
    vacant       number of squares without a tile; halves[h] symbol tiles in columns 1 to 5 and 6 to 10
    place        a place of `map.geometry`: pawn[p] is the scout if ashore[p], else the boat
    kind         a drawn tile by its number in `KINDS`; `deck` (the stacks and the tiles being drawn), `hand` and
                 `discards` are counts by kind; in `complete` all remaining tiles are in `discards`
    stacks       their sizes; `to_draw` tiles have left one for the hand that is being drawn
    hand_symbol, hand_class    the symbol tile to be placed, its symbol perhaps UNSEEN; -1 for none
    tiles_left   symbol tiles not turned up yet by (symbol, class); with covered symbols, where they are drawn by class,
                 row UNSEEN has these, and the other rows the tiles with a hidden symbol
    dropped      symbol tiles that left the game by (symbol, class), with covered symbols in row UNSEEN
    own, lost    chits by (player, value - 1); `pool` those never taken, `full` all chits of the game
    shown[p, q]  what q showed p when they were last together: counts by value - 1, then the columns GAINED and LOST
                 (how many q has gained and lost since) and KNOWN (0: never)
    num_chits[p] the number of chits of p; `num_gold` the gold
    saved[p]     saved points, with their sign
    triple_number[p], triple_count[p]    the number spun last and the number of turns in a row, 0 for none
    skip[p]      turns owed
    claim[p]     who stole the boat of p, -1 for nobody
    losers       bit p is set if p is still to lose a chit; they do so in turn order from the turn player
    declared     -1, or ACT_TRAVEL .. ACT_DRIFT; ACT_STEAL + p
    spun_number  0 when no spin waits for its losses; `spun_way` its direction
    result, points    of a travel, 0 and -1 outside it; `points` are the remaining ones
    movement_over, taking_over    1 when movement or taking is over in this turn
    arriving     1 while the turn player has come to a tile and not yet met the others there
    extra        the act that a triple still allows: EXTRA_CHIT, EXTRA_GHOST or NO_EXTRA
    options      the `num_options` legal actions, ascending, in all phases except `place` and `fill`, where `fits` gives
                 them
    board        the planes of the observation that all players share, updated by the rules; see `observation`

`derive` in `phases.derived` recomputes the fields that follow from others: counts, `fits`, `options` and `board`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.map.geometry import NUM_COLUMNS, NUM_ROWS, NUM_SQUARES
from edge_envs.games.ghost_ship.map.seas import SEAS
from edge_envs.games.ghost_ship.pieces.chits import VALUES
from edge_envs.games.ghost_ship.pieces.mixes import MIXES
from edge_envs.games.ghost_ship.pieces.tiles import NUM_CLASSES, NUM_KINDS, NUM_STACKS, NUM_SYMBOLS

MAX_PLAYERS: Final = 4
NUM_VALUES: Final = 4
NUM_CHITS: Final = 20
NUM_GOLD: Final = 8
MOST_TREASURES: Final = NUM_CHITS + NUM_GOLD
"""The largest number of tiles with treasure."""
FEWEST, MOST = 2, 5
"""The range of the numbers of the spinner and of results."""
NUM_NUMBERS: Final = MOST - FEWEST + 1
MOST_SAVED: Final = 3
MOST_SKIPPED: Final = 100
DRAWN: Final = 10
"""Tiles that are drawn at once."""

TILE, WET, SYMBOL, CHITS, GOLD, SIX, NEAR, OPEN = range(8)
VACANT: Final = 16
BESIDE, DIAGONAL = 1, 2
ROW: Final = 8
"""The size of a row of `squares` or `shown`; the last entry of `shown` is unused."""


GAINED, LOST, KNOWN = NUM_VALUES, NUM_VALUES + 1, NUM_VALUES + 2

PHASES = (
    "symbol", "place", "stack", "draw", "fill", "complete", "ghost", "declare", "spin", "ghost_back", "lose", "number",
    "travel", "drift", "reveal", "value", "over",
)  # fmt: skip
(
    SYMBOL_PHASE, PLACE, STACK, DRAW, FILL, COMPLETE, GHOST, DECLARE_PHASE, SPIN, GHOST_BACK, LOSE, NUMBER,
    TRAVEL_PHASE, DRIFT_PHASE, REVEAL, VALUE, OVER,
) = range(len(PHASES))  # fmt: skip
CREATION = (SYMBOL_PHASE, PLACE, STACK, DRAW, FILL, COMPLETE, GHOST)

DECLARED = ("travel", "swim", "search", "steal 0", "steal 1", "steal 2", "steal 3", "salvage", "drift")
ACT_TRAVEL, ACT_SWIM, ACT_SEARCH, ACT_STEAL, ACT_SALVAGE, ACT_DRIFT = 0, 1, 2, 3, 7, 8
NO_EXTRA, EXTRA_CHIT, EXTRA_GHOST = range(3)
EXTRAS = (None, "chit", "ghost")

MOST_OPTIONS: Final = 128
"""Steps (fewer than 40), 80 ways of moving one of 20 chits, 8 of the ghost, taking, the end."""

# The planes of the observation that all players share, each over the squares and the board-edge circles around them.
PLANE_ROWS, PLANE_COLUMNS = NUM_ROWS + 2, NUM_COLUMNS + 2
PLANE: Final = PLANE_ROWS * PLANE_COLUMNS
TILE_PLANE = 0  # 1 for squares with a tile
LAND_PLANES = 1  # 1 if that edge is land: N, E, S, W
CORNER_PLANES = 5  # 1 if the tile has the place K0..K3
SYMBOL_PLANES = 9  # one for each symbol, then UNSEEN
SIX_PLANE = 16  # 1 for tiles that receive gold
GOLD_PLANE = 17
CHITS_PLANE = 18  # the number of chits
GHOST_PLANE = 19
NUM_BOARD_PLANES: Final = 20

# CELL[q]: the cell of a square within a plane.
CELL = np.array([(q // NUM_COLUMNS + 1) * PLANE_COLUMNS + q % NUM_COLUMNS + 1 for q in range(NUM_SQUARES)], np.int16)

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),
                ("turn", np.int32),
                ("max_turns", np.int32),
                ("phase", np.uint8),
                ("turn_player", np.uint8),
                ("decider", np.uint8),
                ("num_players", np.uint8),
                ("random", np.uint8),
                ("sea", np.uint8),
                ("symbol_mix", np.uint8),
                ("covered", np.uint8),
                ("score_reward", np.uint8),
                ("declared", np.int8),
                ("spun_number", np.uint8),
                ("spun_way", np.uint8),
                ("result", np.uint8),
                ("points", np.int8),
                ("movement_over", np.uint8),
                ("taking_over", np.uint8),
                ("arriving", np.uint8),
                ("extra", np.uint8),
                ("losers", np.uint8),
                ("ghost", np.int8),
                ("chits_left", np.uint8),
                ("gold_left", np.uint8),
                ("num_options", np.uint8),
                ("pawn", np.int16, (MAX_PLAYERS,)),
                ("boat", np.int16, (MAX_PLAYERS,)),
                ("ashore", np.uint8, (MAX_PLAYERS,)),
                ("num_chits", np.uint8, (MAX_PLAYERS,)),
                ("num_gold", np.uint8, (MAX_PLAYERS,)),
                ("saved", np.int8, (MAX_PLAYERS,)),
                ("triple_number", np.uint8, (MAX_PLAYERS,)),
                ("triple_count", np.uint8, (MAX_PLAYERS,)),
                ("skip", np.uint8, (MAX_PLAYERS,)),
                ("claim", np.int8, (MAX_PLAYERS,)),
                ("own", np.uint8, (MAX_PLAYERS, NUM_VALUES)),
                ("lost", np.uint8, (MAX_PLAYERS, NUM_VALUES)),
                ("shown", np.uint8, (MAX_PLAYERS, MAX_PLAYERS, ROW)),
                ("pool", np.uint8, (NUM_VALUES,)),
                ("full", np.uint8, (NUM_VALUES,)),
                ("options", np.int16, (MOST_OPTIONS,)),
                ("squares", np.uint8, (NUM_SQUARES, ROW)),
                ("board", np.int8, (NUM_BOARD_PLANES * PLANE,)),
                ("fits", np.uint16, (NUM_SQUARES,)),
                ("stacks", np.uint8, (NUM_STACKS,)),
                ("deck", np.uint8, (NUM_KINDS,)),
                ("hand", np.uint8, (NUM_KINDS,)),
                ("discards", np.uint8, (NUM_KINDS,)),
                ("tiles_left", np.uint8, (NUM_SYMBOLS + 1, NUM_CLASSES)),
                ("dropped", np.uint8, (NUM_SYMBOLS + 1, NUM_CLASSES)),
                ("hand_symbol", np.int8),
                ("hand_class", np.int8),
                ("to_draw", np.uint8),
                ("vacant", np.uint8),
                ("halves", np.uint8, (2,)),
            ],
            align=True,
        ),
    )
)


def set_params(record: Record, params: Mapping[str, Any]) -> None:
    """Write the parameters into a blank record."""
    record.num_players, record.max_turns = params["num_players"], params["max_turns"]
    record.random, record.score_reward = params["creation"] == "random", params["score_reward"]
    record.covered = record.random and not params["open_symbols"]
    record.sea, record.symbol_mix = SEAS.index(params["sea"]), MIXES.index(params["symbol_mix"])
    record.full[:] = [params["chits"][value] for value in VALUES]


def is_by_limit(record: Record) -> bool:
    """Return whether a game has ended with treasure on the map."""
    return bool(record.phase == OVER and record.squares[:, [CHITS, GOLD]].any())


@kernel
def first_loser(state):
    """Return the next player to lose a chit, if there is one."""
    player = np.int64(state.turn_player)
    while not np.int64(state.losers) >> player & 1:
        player = (player + 1) % np.int64(state.num_players)
    return player


def in_turn_order(record: Record) -> list[int]:
    """Return all players, the turn player first."""
    players = int(record.num_players)
    return [(int(record.turn_player) + i) % players for i in range(players)]
