"""Ghost Ship: lay an archipelago, then sail and march through it after hidden treasure, shadowed by a ghost.

A variant by Steffan O'Sullivan (1996), played with the parts of *Entdecker* by Klaus Teuber (Goldsieber, 1996). 2-4
players, chance, imperfect information, rewards at the end. Described here in our own words.

## Usage

```python
import edge_envs

game = edge_envs.load_game("ghost_ship", creation="random")
state = game.new_initial_state(seed=7)
while state.is_chance_node():  # chance lays the archipelago and puts the ghost
    state.apply_action(state.sample_chance())
state.apply_action(state.string_to_action("travel"))
print(state.observation_string(0))  # what player 0 sees; str(state) is what everybody sees

env = edge_envs.aec_env("ghost_ship", num_players=3, score_reward=True)
```

Ids in the registries of PettingZoo and Gymnasium: `edge_envs/ghost_ship-v1`.

## Description

A dead crew has hidden its loot all over an archipelago. In phase 1 the players lay the archipelago, tile by tile. In
phase 2, the tour, each of them travels through it, in a boat by sea and with a scout by land, and takes what lies
there: chits, whose values of 1 to 4 only the taker sees, and gold. The crew's ship, the ghost, takes chits back. Who
has most when all is taken has won.

This is a position in the midst of a tour, as player 0 sees it:

```text
▒ land   · vacant   o circle   ^ hill, 6 takes gold, $ gold   * chit   @ ghost   0 scout, ⓪ boat of player 0
k skull   s storm   h hostile   r ruins   f friendly   c chest   ? not seen
         1      2      3      4      5      6      7      8      9     10
        B0     B1     B2     B3     B4     B5     B6     B7     B8     B9

A B33    o      f ⓪▒▒▒ o ▒▒▒▒ f ▒▒▒▒ o      o      k*     o ▒▒▒▒ o      o    B10
                      ▒▒▒▒▒▒▒▒▒▒    ▒▒▒                  ▒▒▒▒▒▒▒▒▒▒
                      ▒▒▒▒▒▒▒▒▒▒    ▒▒▒                  ▒▒▒▒▒▒▒▒▒▒
B B32    o ▒▒▒▒ o ▒▒▒▒▒6▒▒▒▒▒ o      r ▒▒▒▒ o ▒▒▒▒ o ▒▒▒▒▒6▒▒▒▒▒ o      h    B11
        ▒▒▒           ▒▒▒                  ▒▒▒           ▒▒▒           ▒▒▒
        ▒▒▒           ▒▒▒                  ▒▒▒           ▒▒▒           ▒▒▒
C B31    c*     o ▒▒▒▒ o      s*     o      h ▒▒▒① o      f      o ▒▒▒▒ o    B12
                                    ▒▒▒    ▒▒▒           ▒▒▒    ▒▒▒
                                    ▒▒▒    ▒▒▒           ▒▒▒    ▒▒▒
D B30    o ▒▒▒▒ o      o      o ▒▒▒▒@6▒▒▒▒▒▒6▒▒▒▒▒ s ▒▒▒▒ o      o      c*   B13
        ▒▒▒    ▒▒▒                  ▒▒▒▒▒▒▒▒▒▒          0▒▒▒    ▒▒▒
        ▒▒▒    ▒▒▒            ②     ▒▒▒▒▒▒▒▒▒▒           ▒▒▒    ▒▒▒
E B29    o      o      h ▒▒▒▒ o      f ▒▒▒▒ o      o      c*▒▒▒▒▒^▒▒▒▒▒ o    B14
        ▒▒▒           ▒▒▒                  ▒▒▒           ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
        ▒▒▒           ▒▒▒                  ▒▒▒           ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
F B28    k      o ▒▒▒▒▒6▒▒▒▒▒ o      o      o ▒▒▒▒ o ▒▒▒▒▒$▒▒▒▒▒▒^▒▒▒▒▒ k*   B15
                      ▒▒▒                  ▒▒▒           ▒▒▒    ▒▒▒
                      ▒▒▒                  ▒1▒           ▒▒▒    ▒▒▒
G B27    o      s      o ▒▒▒▒ r ▒▒▒▒ o ▒▒▒▒ r*▒▒▒▒ o      s*     o      o    B16

        B26    B25    B24    B23    B22    B21    B20    B19    B18    B17

          scout  boat   chits  lost  gold  saved  spins  skips  claim
player 0  D8.K2  A2.C0  4      0     2     -      5      -      -
player 1  G6.C0  C7.C0  3      1     2     -      3      -      -
player 2  -      E4.S   3      1     1     -      4 4    -      -

chits of player 0: 1 1 2 2; lost: -; score 10
shown by player 1: 2 3; since then 1 gained, 0 lost

turn 55 of 400, player 0, travel, result 5, 5 points: goes on, or ends the turn
```

A tile is seven columns wide and three lines high. Its four edges are drawn, its corners, and its middle: the letter of
its symbol, or else a circle, or the top of a hill. A boat in the water of its tile is at sea, a boat or a scout on a
land edge is ashore in the circle, a scout in a corner is at that corner. The table has the places by their names.

### Parts

The board has 70 squares, in rows A to G from north to south and columns 1 to 10. Around it lie 34 board-edge circles in
a ring, `B0` to `B33`, clockwise from the one north of A1.

A tile's edges are land (L) or water (W). They are written in the order north, east, south, west; a class stands for all
rotations. The circle of a tile is where its water meets; a tile of four land edges, a hill, has none.

| kind | set out before play | to draw | |
|---|---|---|---|
| `WWWW` | A1, A10, G1, G10 | 14 | open sea; a chit lies on rocks |
| `LWWW` | | 23 | |
| `LWLW` | | 12 | a strait between two regions of land |
| `LLWW` | | 21 | |
| `LLLW` | | 14 | |
| `LLLL6` | B3, B8, D5, D6, F3, F8 | 2 | a hill that takes gold |
| `LLLL` | | 4 | a hill |

Besides these there are twenty symbol tiles:

| symbol | `WWWW` | `LWWW` | `LWLW` | `LLWW` | `LLLW` |
|---|---|---|---|---|---|
| `skull` | 1 | 1 | | 1 | |
| `storm` | 2 | 1 | 1 | | |
| `hostile` | | 1 | | 1 | 1 |
| `ruins` | | | 1 | 1 | 1 |
| `friendly` | | 1 | 1 | 1 | 1 |
| `chest` | 1 | 1 | | | 1 |

### Phase 1: the archipelago

A tile fits where its edges match those of all tiles beside it, and where its edges at the rim are water.

- *Symbol tiles.* In turn, beginning with player 0, each player turns up a random symbol tile and places it, turned at
  will. Of three players the first places six and the others seven. The tests for its place follow below.
- *Filling.* The 90 tiles to draw lie in four stacks. Player 0 begins anew. In turn each player picks a stack, draws ten
  tiles (or what it has) into an open hand, and places them in any order, as long as any of them fits somewhere; the
  others are discarded. When the stacks are empty, or a hand was drawn of which nothing fits, chance completes the board
  square by square from the tiles that are left, discards included.
- *Treasure.* One chit lies face down on each symbol tile, and gold on each `LLLL6`. The last player puts the ghost on
  D5 or D6.

A symbol tile may lie on the squares where it fits and that pass the first of these tests that any square passes:

1. No symbol tile lies on the eight squares around, neither half of the board (columns 1 to 5, 6 to 10) gets more than
   ten, and room is left.
2. The same, except that only the four squares beside it count, not those at its corners.
3. No symbol tile lies on the four squares beside it, and neither half gets more than ten.
4. No symbol tile lies on the four squares beside it.
5. All squares pass.

If it fits nowhere, it leaves the game, and the turn passes. *Room is left* if there are still enough vacant squares to
bring each half to ten: squares with no symbol tile beside them, and no two of them side by side, also across the middle
of the board. The edges of tiles to come are not considered.

With `creation="random"` chance takes all these decisions, uniformly, and symbols stay covered until a pawn first comes
to their tile. Only tests 1 and 2 count then. If no square passes them, all symbol tiles are taken up and turned up
anew, from player 0; this happens in about one of nine maps and is not an outcome. Therefore every random map has ten
symbol tiles on each half, and no two side by side.

### Places

Land edges of a tile hang together in one region, except that a strait parts the two of `LWLW`: region 0 has the north
or the east edge, region 1 the south or the west edge. The places of tiles, by an example of each class:

```text
LWWW            LLWW            LWLW            WLWL            LLLL
+-----------+   +-----------+   +-----------+   +-----------+   +-----------+
|K3 ▒▒▒▒▒ K0|   |K3 ▒▒▒▒▒ K0|   |K3 ▒▒▒▒▒ K0|   |K3       K0|   |K3 ▒▒▒▒▒ K0|
|    C0     |   |    C0   ▒▒|   |    C0     |   |▒▒       ▒▒|   |▒▒▒▒▒▒▒▒▒▒▒|
|     S     |   |  S      ▒▒|   |     S     |   |▒▒C1 S C0▒▒|   |▒▒▒▒ H ▒▒▒▒|
|           |   |         ▒▒|   |    C1     |   |▒▒       ▒▒|   |▒▒▒▒▒▒▒▒▒▒▒|
|           |   |         K1|   |K2 ▒▒▒▒▒ K1|   |K2       K1|   |K2 ▒▒▒▒▒ K1|
+-----------+   +-----------+   +-----------+   +-----------+   +-----------+
```

- `S`: a boat at sea, in the circle. Every tile but a hill has it.
- `C0`, `C1`: a scout ashore in the circle, on the side of that region. The boat that brought it lies there.
- `K0` to `K3`: a scout on the shore at the north-east, south-east, south-west or north-west corner, out of the circle.
- `H`: a scout on the top of a hill.
- `B0` to `B33`: a boat in a board-edge circle.

A corner is *wet* if any of the edges that meet there is water, or if it lies on the rim; in the picture only dry
corners are drawn as land. A tile has a `K` at a wet corner where one or both of its own edges are land, so that even a
hill may have a tiny bit of coast.

The *shore* of a region runs from the circle to those corners where one edge of the tile is land and the other water.

### Steps

A turn has as many points as its result. A pawn makes any number of steps for which there are points:

| step | from | to | points |
|---|---|---|---|
| sail | `S` | over a water edge: the next `S`, or the `B` there | 1 |
| | `B` | the `S` of the tile inside | 1 |
| rim | `B` | the next `B`, either way, also round a corner | 3 |
| land | `S` | a `C` of the tile; the boat stays there | 2 |
| put to sea | `C`, with the own boat on that side | `S` | 2 |
| coast | `C` | a `K` of the tile at which the shore of the region ends | 2 |
| | `K` | the `C` of the region whose shore ends there | 2 |
| | `C`, `K` | over a land edge at such a corner, or at that `K`: the `K` there, or the `C` whose shore ends there | 2 |
| overland | `C`, `K`, `H` | any other place of the region on the tile | 3 |
| | `C`, `K`, `H` | over a land edge of the region: the `H`, the `C`, or a `K` at either end of that edge | 3 |

There are no diagonal steps. A way by land that avoids a circle, and its symbol, goes over the `K` places.

In the picture player 0 has five points. The scout stands on the tiny bit of coast between the west and the south edge
of D8, and can go:

| step | points | |
|---|---|---|
| coast | 2 | `D7.C0`, `D7.K1`, `E8.C0`, `E8.K3` |
| overland | 3 | `C8.C1`, `C8.K1`, `C8.K2`, `D7.K0`, `D8.C0`, `D8.K0`, `D8.K1`, `D8.K3`, `E8.K0` |

Best is `E8.C0`: the three points that are left then are just enough for the chit on the chest.

### The tour

The boats begin at sea in the corners: A1 and G10; with three players A1, A10 and G1; with four A1, A10, G10 and G1.
Player 0 begins. A player's active pawn is the scout if it is ashore, else the boat. A turn goes like this:

1. Who owes a turn only pays it.
2. The player declares what the turn is for.
3. The spinner tells a number from 2 to 5 and one of eight directions.
4. The ghost moves one square in that direction, and takes chits.
5. The number counts for triples. With the saved points, and at least 2 and at most 5, it is the *result*.
6. The player does what was declared.

| declaration | when | |
|---|---|---|
| `travel` | not at sea in a storm | steps, then taking something, or nothing; `end` is always possible |
| `swim` | at a `C` of a strait | result 4 or 5: to the other `C` |
| `search` | at a `C` without the own boat, where it may succeed | for a boat, see below |
| `steal 1` | at a `C` with an unattended boat | of that player, see below |
| `salvage` | at sea on a `WWWW` storm with a chit | takes the chit, whatever the result |
| `drift` | at sea in a storm | the boat goes where the spinner points |
| `save +`, `save -` | with fewer than three points saved | a point is saved, without a spin |

All but `travel` fill the turn.

### Treasure

A chit is taken from the circle of its tile, on either side; on rocks from `S`. It costs 1 point, on a chest tile 3.
Gold is taken from `H` and costs 1 point. Taking ends the turn.

### Symbols

A symbol acts on steps out of its circle, from `S` or `C`, also in the midst of a turn; landing and putting to sea do
not leave the circle. With a wrong result such steps cannot be made, but the rest of the turn is not lost.

| symbol | result to leave | |
|---|---|---|
| `skull` | 5 | one step, at its usual cost; it ends movement and taking |
| `storm`, ashore | 4, 5 | the same |
| `storm`, at sea | | coming there, or putting to sea there, ends movement; the next turn cannot be a `travel` |
| `hostile` | 2, 3 | |
| `ruins` | 2, 3, 4 | |
| `friendly` | 3, 4, 5 | |
| `chest` | any | chits cost 3 points here |

*Drifting*: the boat goes one space in the spun direction, after the ghost. Straight over a water edge it comes to the
`S`, or the `B`, there; against a land edge it runs aground. Diagonally it gets by if both tiles have water edges at the
corner; if not, it runs aground on its own tile's land there, and where there is none, chance draws another direction.
Diagonally off the board it always comes to the `B`. Aground, boat and scout are at the `C` of that land.

### The ghost

It moves over everything. If it would leave the board, the player whose turn it is puts it back on D5 or D6. When it
comes to a tile, every player whose active pawn is there loses a random chit; when a pawn comes to its tile, that player
does. Staying there costs nothing more, nor does changing places on the tile. Lost chits are out of the game. Safe are
boats on `B` circles, boats whose players are ashore elsewhere, gold, and all that lies on the map.

### Saving

A player who saves keeps a point, up to three, for the result of the next turn that is not a saving. The sign is chosen
with the first: `save +` adds, `save -` subtracts. That next turn uses them all.

### Triples

When a player spins the same number in three turns in a row, and the third is a `travel`, something happens; then the
count begins anew.

- *Twos*: the player names the result, 2 to 5. Having named 2, the player may also move the ghost one square.
- *Threes*: the player may also move one chit on the board over a land edge of its tile to the next one.
- *Fours*: there is one point only.
- *Fives*: the right neighbour, who plays before, decides the whole turn from the spin on, and symbols do not hold. What
  is taken is still the turn player's.

What may be done besides is done once, at any moment of the turn before taking.

### Boats

- *Searching* brings the own boat to the scout: on a `friendly` tile always, on `hostile` and `ruins` tiles with a 4 or
  5, without a symbol with a 5, elsewhere never. On a `hostile` tile a 2 costs the next turn, too.
- *Stealing*: where another player's boat lies in the circle on the scout's side, and that player is ashore on another
  tile, the two boats change places.
- *A claim*: who was robbed has a claim on the thief. When the robbed scout comes to the tile of the thief's boat, they
  change back. The claim ends then, or when either of them puts to sea, finds another boat, or is in another theft.

### The end

The game ends when the last chit or gold on the map is taken. A score is the sum of the own chits, and for each piece of
gold as much as the player has chits of value 1, at least 1. The highest score wins. Of equals the one wins whose active
pawn is farthest from the ghost, a diagonal step counting one; if that is equal, too, they share it.

### What is hidden

The values of chits; all else is open, also how many chits everybody has. A value is drawn when a chit is taken. A
player knows the own chits and those lost to the ghost. Players whose active pawns are on one tile, both at sea or both
on one region, are *together*: as long as they are, they see each other's chits. Later each knows what the others showed
last, and how many they have taken and lost since. With `creation="random"` nobody knows the symbols that are still
covered.

When the game is over, scores are counted openly: texts, pictures and histories show the values of all chits, lost ones
included, and observations show what each player has. `resample` then keeps the position as it is.

### Readings that the original leaves open

- The parts and the spinner are reconstructed. The sheet does not list them.
- Of the rule on board-edge circles some words are lost: three points lead from one to the next.
- All tests are of the result, never of the points left; on triple fours, too, the result is 4.
- Who sails into a storm may still take a chit with a point left. Nobody lands from a storm.
- Whoever comes to a tile loses a chit to the ghost before meeting others there: they do not see which.
- Corner and hill places are free of symbols. Swimming, searching and stealing are not hindered by any.
- A chest makes any chit on its tile dear; moved off it, a chit costs 1. A chit that is moved reveals no symbol, and two
  may lie on one tile.
- Running aground is no step: no symbol acts.
- Spins of all declarations count for triples, but a third one on another turn than `travel` only restarts the count. So
  does saving. A turn that is paid changes neither the count nor saved points.
- On triple fives a storm still ends movement at sea, a chest still costs 3, and the turn player puts the ghost back.
- The source asks for ten symbol tiles on each half and none side by side, and does not say how to keep that possible.
  Here placements leave room for the tiles to come as long as any square does.
- If a symbol tile had to leave the game, one chit less lies on the map; which value is never known.
- Where no tile is left for a vacant square, it is completed with one that fits, from outside the box.
- When nothing but `end` is possible the turn ends by itself.
- The limit on turns is ours, for players who never take anything. It also ends games with treasure that nobody can
  reach.

### Limits

In positions that are set up a player owes at most 100 turns. With `creation="random"` positions in which the
archipelago is laid must have symbol tiles as chance lays them; on the tour they may lie anywhere, and some may be
missing.

## Parameters

| name | values | default | meaning |
|---|---|---|---|
| `num_players` | 2 to 4 | `2` | |
| `creation` | `'players'`, `'random'` | `'players'` | who lays the archipelago and puts the ghost |
| `chits` | see below | `{'1': 8, '2': 6, '3': 4, '4': 2}` | how many chits have each value |
| `max_turns` | 1 to 1000000 | `400` | turns of all players together, paid ones too, after which the game ends |
| `score_reward` | `False`, `True` | `False` | whether rewards tell by how much one has won |

`chits` is a dict of counts by the values 1 to 4, twenty in all. Values may be integers or texts, and those left out
count 0; `params` and positions have all four as texts. Sensible players need some 120 turns, uniform random play never
ends by itself.

## Spec

With n players:

| | |
|---|---|
| Players, n | 2 to 4 |
| Distinct actions | 2096 |
| Most chance outcomes of a node | 32 if creation == 'players' else 1196 |
| Observation | (n² + 252 n + 2276,) int8 |
| Rewards | -1 to 1; with `score_reward` as below |
| Longest game | 73 + 10 max_turns if creation == 'players' else 10 max_turns decisions |
| Information | imperfect |

## Observation

One vector. Players are listed in turn order, the viewer first. Squares, places and directions are the same for all
seats.

A *plane* is 9 × 12 entries, row by row: the board with the board-edge circles around it. A1 is in row 1 and column 1 of
the plane, the four corners stay 0.

| name | size | values | meaning |
|---|---|---|---|
| `tile` | 108 | 0, 1 | a plane: where a tile lies |
| `land` | 432 | 0, 1 | 4 planes, for the edges N, E, S, W: where that edge is land |
| `corners` | 432 | 0, 1 | 4 planes: where the tile has the place `K0`, `K1`, `K2`, `K3`; 0 in phase 1 |
| `symbols` | 756 | 0, 1 | 7 planes: where that symbol is, in the order above; the last: where it is not seen yet |
| `six` | 108 | 0, 1 | a plane: where a tile takes gold |
| `gold` | 108 | 0, 1 | a plane: where gold lies |
| `chits` | 108 | 0 to 20 | a plane: the number of chits that lie there |
| `ghost` | 108 | 0, 1 | a plane: where the ghost is |
| `pawns` | 108 n | 0, 1 | n planes: where the active pawn of each player is |
| `boats` | 108 n | 0, 1 | n planes: where the boat of each player is |
| `phase` | 17 | 0, 1 | one of the phases, in the order given with positions below |
| `turns_used` | 1 | 0 to 127 | turns begun in 127ths of `max_turns` |
| `turns_left` | 1 | 0 to 127 | turns that may still begin; 127 stands for more, too |
| `hand` | 7 | 0 to 10 | the tiles in hand by kind, in the order of the table above |
| `hand_symbol` | 7 | 0, 1 | the symbol of the symbol tile in hand; the last: not known |
| `hand_class` | 5 | 0, 1 | the class of the symbol tile in hand |
| `to_draw` | 1 | 0 to 10 | tiles that are still to be drawn for the hand |
| `stacks` | 4 | 0 to 23 | the sizes of the stacks |
| `discards` | 7 | 0 to 23 | the discarded tiles by kind |
| `dropped` | 35 | 0 to 5 | symbol tiles that left the game: for each symbol, and for not known, by class |
| `declared` | 6 | 0, 1 | `travel`, `swim`, `search`, `steal`, `salvage`, `drift` |
| `spun_number` | 4 | 0, 1 | the number of a spin whose result is not fixed yet, from 2 to 5 |
| `spun_way` | 8 | 0, 1 | its direction, clockwise from N |
| `result` | 4 | 0, 1 | of a travel, from 2 to 5 |
| `points` | 1 | -1 to 5 | of a travel, those that are left; -1 if nobody travels |
| `movement_over` | 1 | 0, 1 | a storm or a skull has ended movement |
| `taking_over` | 1 | 0, 1 | and taking, too |
| `arriving` | 1 | 0, 1 | the turn player has come to a tile and not met anybody there yet |
| `extra` | 2 | 0, 1 | a chit may be moved; the ghost may be moved |
| `neighbour_decides` | 1 | 0, 1 | the right neighbour decides this turn |
| `pool` | 1 | 0 to 20 | the chits never taken |
| `own_chits` | 4 | 0 to 20 | the viewer's chits by value |
| `own_lost` | 4 | 0 to 20 | those that the viewer has lost |
| `seat` | n | 0, 1 | the viewer's seat, from player 0 on |
| `decider` | n | 0, 1 | who is to decide; nobody at chance nodes and at the end |
| `turn_player` | n | 0, 1 | whose turn it is |
| `victim` | n | 0, 1 | whose boat is about to be stolen |
| `losers` | n | 0, 1 | who is still to lose a chit |
| `spot` | 9 n | 0, 1 | for each player where the active pawn is: `S`, `C0`, `C1`, `K0` to `K3`, `H`, `B` |
| `boat_spot` | 4 n | 0, 1 | for each player where the boat is: `S`, `C0`, `C1`, `B` |
| `ashore` | n | 0, 1 | for each player whether the active pawn is the scout |
| `num_chits` | n | 0 to 20 | for each player the number of chits |
| `num_lost` | n | 0 to 20 | for each player the number of chits lost to the ghost |
| `gold_held` | n | 0 to 8 | for each player the gold |
| `saved` | n | -3 to 3 | for each player the points saved, with their sign |
| `triple_number` | 4 n | 0, 1 | for each player the number spun last, from 2 to 5; none after a triple or saving |
| `triple_count` | n | 0 to 2 | for each player in how many turns in a row |
| `skip` | n | 0 to 100 | for each player the turns owed |
| `claim` | n² | 0, 1 | for each player the thief on whom there is a claim |
| `shown` | 7 (n - 1) | 0 to 20 | for each other player: whether chits were shown; those by value; gained, lost since |

More than 127 turns left show as 127. At the end `shown` has the chits of all others. What a player may know of chits is
there in full; what was shown earlier than the last time is not.

## Actions and chance outcomes

They number from 0 in separate spaces. Squares count row by row from A1, 0 to 69; a mask is 1 for land in the north, 2
east, 4 south, 8 west, added up.

| first id | ids | phase | text | meaning |
|---|---|---|---|---|
| 0 | 1190 | `place`, `fill` | `tile C4 LLWW` | 17 × square + mask, or 16 for `LLLL6` |
| 1190 | 4 | `stack` | `stack 2` | the stack to draw from |
| 1194 | 2 | `ghost`, `ghost_back` | `ghost D5` | or `ghost D6` |
| 1196 | 1 | `declare` | `travel` | |
| 1197 | 1 | `declare` | `swim` | |
| 1198 | 1 | `declare` | `search` | |
| 1199 | 4 | `declare` | `steal 1` | the boat of that player, however many play |
| 1203 | 1 | `declare` | `salvage` | |
| 1204 | 1 | `declare` | `drift` | |
| 1205 | 1 | `declare` | `save +` | |
| 1206 | 1 | `declare` | `save -` | |
| 1207 | 594 | `travel` | `go D5.C0` | 8 × square + 0 `S`, 1 and 2 `C`, 3 to 6 `K`, 7 `H`; then each `B` |
| 1801 | 1 | `travel` | `take chit` | |
| 1802 | 1 | `travel` | `take gold` | |
| 1803 | 1 | `travel` | `end` | of the turn |
| 1804 | 4 | `number` | `number 3` | the result, on triple twos |
| 1808 | 8 | `travel` | `ghost NE` | clockwise from N; on triple twos |
| 1816 | 280 | `travel` | `chit C4 E` | 4 × square + N 0, E 1, S 2, W 3; on triple threes |

The turn player decides, but in `travel` on triple fives the right neighbour. A decision with one possibility is asked
all the same, except `end`.

| outcomes | phase | text | id | meaning |
|---|---|---|---|---|
| 30 | `symbol` | `symbol skull LLWW` | 5 × symbol + class | each symbol tile left is equally likely |
| 5 | `symbol` | `symbol LLWW` | class | the same with random creation |
| 7 | `draw` | `draw LWWW` | kind | each tile in the stacks is equally likely |
| 17 | `complete` | `complete C4 LWLW` | mask, 16 for `LLLL6` | see below |
| 32 | `spin` | `spin 4 NE` | 8 × (number - 2) + direction | equally likely |
| 4 | `lose` | `lose 1` | value - 1 | each chit of the player is equally likely |
| 8 | `drift` | `drift NE` | direction | each that moves the boat is equally likely |
| 6 | `reveal` | `reveal skull` | symbol | each symbol tile of its class not seen yet is equally likely |
| 4 | `value` | `value 3` | value - 1 | each chit never taken is equally likely |
| 1196 | `place`, `stack`, `fill`, `ghost` | `tile C4 LLWW` | of the decision | with random creation, equally likely |

In `complete` each way to lay a tile counts as often as there are tiles of its kind left; if there are none, each mask
that fits is equally likely. Symbols, classes and kinds are in the order of the tables above, directions go clockwise
from N. Who is not concerned sees `lose ?` and `value ?`.

## Rewards

All are paid in the last transition; before, every reward is 0. With w winners of n players each winner gets 1 / w and
each other player -1 / (n - w); if all win, 0. With `score_reward` each gets the own score less the mean of the others',
divided by 40; with all chits together worth v, and k of them of value 1, that is at most (v + 8 max(1, k)) / 40.

## End

- The last chit or gold on the map is taken.
- The turn `max_turns` has ended: the game is scored as it stands.

Nobody drops out before.

## Position

`State.to_dict`, `Game.state_from_dict` and the option `position` of every `reset` use this form. This is the position
of the picture above:

```json
{"game": "ghost_ship",
 "params": {"num_players": 3, "creation": "players", "chits": {"1": 8, "2": 6, "3": 4, "4": 2},
            "max_turns": 400, "score_reward": false},
 "phase": "travel", "turn_player": 0, "decider": 0, "turn": 55,
 "tiles": ["02eec006c0", "6af93eaf94", "1290478569", "6c02ffad50", "51683d07fc", "12f807aff9", "003aab8110"],
 "six": ["B3", "B8", "D5", "D6", "F3", "F8"],
 "symbols": {"A2": "friendly", "A4": "friendly", "A7": "skull", "B5": "ruins", "B10": "hostile", "C1": "chest",
             "C4": "storm", "C6": "hostile", "C8": "friendly", "D7": "storm", "D10": "chest", "E3": "hostile",
             "E5": "friendly", "E8": "chest", "F1": "skull", "F10": "skull", "G2": "storm", "G4": "ruins",
             "G6": "ruins", "G8": "storm"},
 "chits": {"A7": 1, "C1": 1, "C4": 1, "D10": 1, "E8": 1, "F10": 1, "G6": 1, "G8": 1},
 "gold": ["F8"], "pool": {"1": 3, "2": 2, "3": 2, "4": 1},
 "stacks": [0, 0, 0, 0], "discards": {}, "dropped": [], "hand_tiles": {}, "to_draw": 0,
 "ghost": "D5", "losers": [], "extra": null,
 "players": [
  {"pawn": "D8.K2", "boat": "A2.C0", "ashore": true, "chits": {"1": 2, "2": 2}, "lost": {}, "gold": 2,
   "saved": 0, "triple": [5, 1], "skip": 0, "claim": null,
   "shown": [null, {"chits": {"2": 1, "3": 1}, "gained": 1, "lost": 0}, null]},
  {"pawn": "G6.C0", "boat": "C7.C0", "ashore": true, "chits": {"2": 1, "3": 1, "4": 1}, "lost": {"1": 1}, "gold": 2,
   "saved": 0, "triple": [3, 1], "skip": 0, "claim": null,
   "shown": [{"chits": {"1": 2, "2": 1}, "gained": 1, "lost": 0}, null, null]},
  {"pawn": "E4.S", "boat": "E4.S", "ashore": false, "chits": {"1": 1, "2": 1, "3": 1}, "lost": {"1": 1}, "gold": 1,
   "saved": 0, "triple": [4, 2], "skip": 0, "claim": null,
   "shown": [null, null, null]}],
 "declared": "travel", "spun": null, "result": 5, "points": 5,
 "movement_over": false, "taking_over": false, "arriving": false, "by_limit": false}
```

| key | |
|---|---|
| `phase` | see below |
| `turn_player` | whose turn it is; at the end who had the last one |
| `decider` | who decides in this turn: the turn player, or on triple fives the right neighbour |
| `turn` | turns begun, of all players; 0 in phase 1 |
| `tiles` | a row of ten hexadecimal masks for each row of the board, `.` where no tile lies |
| `six` | the squares of the `LLLL6` tiles |
| `symbols` | the symbol of each symbol tile by its square, `"?"` while nobody has seen it |
| `chits` | the number of chits by the square where they lie |
| `gold` | the squares where gold lies |
| `pool` | the chits never taken: how many of each value |
| `stacks` | the sizes of the four stacks |
| `discards` | the discarded tiles by kind; in `complete` all tiles that are left |
| `dropped` | the symbol tiles that left the game, such as `"skull LLWW"`, or their classes |
| `hand_tiles` | the hand by kind; in `place` the one symbol tile, such as `{"skull LLWW": 1}` |
| `to_draw` | how many tiles are still to be drawn for the hand |
| `ghost` | its square; `null` in phase 1 |
| `losers` | in `lose`, who loses a chit, in turn order from the turn player |
| `extra` | what a triple still allows: `"chit"` or `"ghost"` may be moved |
| `players` | see below |
| `declared` | what was declared in this turn, such as `"steal 1"` |
| `spun` | from the spin to the result, the number and the direction, such as `[4, "NE"]` |
| `result` | of a travel |
| `points` | of a travel, those that are left |
| `movement_over` | a storm or a skull has ended movement |
| `taking_over` | a step out of a symbol has ended taking, too |
| `arriving` | the turn player has come to a tile and not met anybody there yet; in `reveal` and `lose` |
| `by_limit` | `max_turns` has ended the game, with treasure left |

Keys are the same in all phases; what a phase does not need is `null`, empty, 0 or `false`. Squares stand in reading
order.

The phases, in their order: `symbol`, `place`, `stack`, `draw`, `fill`, `complete`, `ghost`, `declare`, `spin`,
`ghost_back`, `lose`, `number`, `travel`, `drift`, `reveal`, `value`, `over`. Refused is what does not hang together:
tiles that do not match or are not of the box, chits and gold that are not all somewhere, pawns where they cannot be,
what others would have shown otherwise, and a turn that cannot have come to this point.

### The entries of a player

| key | |
|---|---|
| `pawn` | the place of the active pawn |
| `boat` | the place of the boat |
| `ashore` | whether the active pawn is the scout |
| `chits` | the own chits: how many of each value |
| `lost` | those lost to the ghost |
| `gold` | the number of pieces |
| `saved` | the points saved, with their sign |
| `triple` | the number that was spun last and in how many turns in a row, `[0, 0]` for none |
| `skip` | the turns owed |
| `claim` | the thief on whom the player has a claim, or `null` |
| `shown` | for each player what was shown last: `chits`, and how many were `gained` and `lost` since; or `null` |

## Heuristic

It knows how long its ways are. From every place it finds the time to the treasures that are worth it: by sea, along
coasts and overland, with what symbols hold up on the way, where a storm may lead, the search for a boat that was left
behind, and the ways on to the next treasures. A chit is worth the mean of those that it has not seen, and more with
gold; gold is worth as many points as it has chits of value 1, with a share of those still to come.

- *A turn*: of all that the points allow it takes the treasure, or the place to end the turn, that has the greatest
  value, less what the ghost is likely to take there until its next turn.
- *Declarations* are compared over the four numbers of the spinner, with what a triple would bring, and so are saved
  points. It likes to steal boats.
- *The ghost* it puts and moves where that harms others, and itself least. On the triple fives of another it makes the
  least of the turn.
- *Phase 1*: it lays easy treasure, open sea and gold near its own corner, trouble and land near those of others.

Otherwise it does not think of what others will do, not even of who will be first at a treasure. It is deterministic.
Weights are tuned by self-play; [docs/training.md](../../../docs/training.md#ghost_ship) tells how it does.

## Values

`State.action_values()` tells what the heuristic thinks that each action is worth to the player to act. The unit is
turns; in hints a loss of 4 turns or more is as bad as any. The heuristic weighs by these numbers;
others may be tried:

| weight | default | range | meaning |
|---|---|---|---|
| `sail` | 4 | 0 to 250 | a step for 1 point |
| `coast` | 9 | 0 to 250 | a step for 2 points |
| `overland` | 16 | 0 to 250 | a step for 3 points, and along the rim |
| `skull` | 44 | 0 to 250 | what a skull adds to a step out of its circle |
| `storm` | 18 | 0 to 250 | what a storm adds at sea, before it is known where it leads |
| `storm_turn` | 10 | 0 to 250 | the drift in a storm |
| `lost` | 200 | 0 to 250 | where the drift may lead nothing is farther than that |
| `storm_ashore` | 18 | 0 to 250 | what a storm adds ashore |
| `hostile` | 14 | 0 to 250 | what the hostile add |
| `ruins` | 5 | 0 to 250 | what ruins add |
| `friendly` | 5 | 0 to 250 | what the friendly add |
| `search` | 56 | 0 to 250 | the search for the boat, where nobody helps |
| `ask` | 28 | 0 to 250 | the same among the hostile and in ruins |
| `ask_friends` | 14 | 0 to 250 | the same among the friendly |
| `taking` | 9 | 0 to 250 | taking a treasure |
| `chest` | 8 | 0 to 250 | more for a chit in a chest |
| `point` | 4 | 0 to 250 | what a point of the score counts |
| `next` | 0.8 | 0 to 250 | how much of the way from a treasure to the next one counts |
| `later` | 0.6 | 0 to 250 | and of the ways from there on, link by link |
| `links` | 3 | 0 to 250 | how many treasures after the next one are thought of; the fraction is dropped |
| `longest` | 140 | 0 to 250 | a way to a next treasure counts no more than that |
| `second` | 0 | 0 to 250 | how much of the second best way on counts in place of the best, which others may use up |
| `ghost` | 14 | 0 to 250 | what a point counts that the ghost may take |
| `gold_ones` | 0.5 | 0 to 250 | chits of value 1 still to come that count for gold |
| `steal` | 30 | 0 to 250 | what it counts besides that another has to search |
| `easy` | 2.4 | 0 to 250 | turns of trouble from which on a chit is better laid near the others |
| `sea` | 0.7 | 0 to 250 | against each land edge of a tile near the own corner |
| `near_gold` | 3 | 0 to 250 | for a tile there that takes gold |
| `rivals_loss` | 0.5 | 0 to 250 | what others lose to the ghost counts that much |

`State.position_features(player)` gives numbers about the position of each player:

| feature | meaning |
|---|---|
| `distance` | minus the turns to the treasure that is best, against having the best of all at hand |
| `outlook` | minus the turns to the treasure that is best, less what it is worth |
| `score` | the score; chits that the viewer has never seen count by their mean |
| `chits` | chits held |
| `gold` | pieces of gold held |
| `skip` | turns that will be skipped |
| `saved` | points saved for a later spin, or owed |

## Version history

- v1: symbol tiles leave room for those to come, so every random map has ten of them on each half and no two side by
  side. Before, two were side by side in 29 of 300 random maps, and the halves did not have ten each in 46. A random
  layout that gets stuck is turned up anew. All chits are open when the game is over.
- v0: the first.

## References

- Steffan O'Sullivan, *Ghost Ship*, a variant for *Entdecker*, version of October 5, 1996: the game, its rules.
- Klaus Teuber, *Entdecker*, Goldsieber, 1996: the board and its parts.
"""

from __future__ import annotations

from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter, Variant
from edge_envs.games.ghost_ship.pieces import chits

GAME = GameType(
    __name__,
    version=1,
    title="Ghost Ship",
    parameters=(
        Parameter("num_players", int, 2, "number of players", low=2, high=4),
        Parameter(
            "creation", str, "players", "who lays the archipelago and puts the ghost: the players, or chance",
            choices=("players", "random"),
        ),
        chits.ChitsParameter("chits", dict, chits.DEFAULT, "how many chits have each value"),
        Parameter(
            "max_turns", int, 400, "turns of the tour, skipped ones included, after which the game ends",
            low=1, high=1_000_000,
        ),
        Parameter("score_reward", bool, False, "rewards tell by how much one has won"),
    ),
    perfect_information=False,
    summary="2-4 players lay an archipelago and seek hidden treasure in it, shadowed by a ghost",
    variants=(
        Variant("tour", {"creation": "random"}),
        Variant("3p", {"num_players": 3}),
    ),
)  # fmt: skip
