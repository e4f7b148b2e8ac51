"""Ghost Ship: lay an archipelago, then travel through it for hidden treasure, followed by a ghost.

A variant by Steffan O'Sullivan (1996), played with the parts of *Entdecker* by Klaus Teuber (Goldsieber, 1996). 2-4
players, chance, imperfect information, rewards at the end. The rules are described here in our own words.

## Usage

```python
import edge_envs

game = edge_envs.load_game("ghost_ship", creation="random")
state = game.new_initial_state(seed=7)
while state.is_chance_node():  # chance lays the archipelago and places the ghost
    state.apply_action(state.sample_chance())
state.apply_action(state.string_to_action("travel"))
print(state.observation_string(0))  # what player 0 sees; str(state) is what everybody sees

env = edge_envs.aec_env("ghost_ship", num_players=3, score_reward=True)
small = edge_envs.seat_env("ghost_ship_small", opponents="heuristic")  # a third of the turns, on 30 squares
```

Id in the registries of PettingZoo and Gymnasium: `edge_envs/ghost_ship-v1`.

## Description

A dead crew has hidden its loot all over an archipelago. In phase 1 the players lay the archipelago, tile by tile. In
phase 2, the tour, each player travels through it, with a boat at sea and a scout on land, and collects treasure: gold,
and chits with values of 1 to 4 that only the taker sees. The crew's ship, the ghost, takes chits back. When all
treasure is taken, the player with the highest score wins.

This is a position in the middle of a tour, as player 0 sees it:

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

A tile is seven columns wide and three lines high. The picture shows its four edges, its corners, and its middle: the
letter of its symbol, or else a circle or a hilltop. A boat in the water of its tile is at sea. A boat or a scout on a
land edge is ashore in the circle. A scout in a corner is at that corner. The table lists the places by their names.

### Parts

The board has 70 squares, in rows A to G from north to south and columns 1 to 10. Around it is a ring of 34 board-edge
circles, `B0` to `B33`, numbered clockwise from the one north of A1.

Each edge of a tile is land (L) or water (W). Edges are written in the order north, east, south, west. A class stands
for all rotations of a tile. The water edges of a tile meet in its circle. A tile with four land edges, a hill, has no
circle.

| kind | set out before play | to draw | description |
|---|---|---|---|
| `WWWW` | A1, A10, G1, G10 | 14 | open sea; a chit here lies on rocks |
| `LWWW` | | 23 | |
| `LWLW` | | 12 | a strait between two regions of land |
| `LLWW` | | 21 | |
| `LLLW` | | 14 | |
| `LLLL6` | B3, B8, D5, D6, F3, F8 | 2 | a hill that receives gold |
| `LLLL` | | 4 | a hill |

In addition there are twenty symbol tiles:

| symbol | `WWWW` | `LWWW` | `LWLW` | `LLWW` | `LLLW` |
|---|---|---|---|---|---|
| `skull` | 1 | 1 | | 1 | |
| `storm` | 2 | 1 | 1 | | |
| `hostile` | | 1 | | 1 | 1 |
| `ruins` | | | 1 | 1 | 1 |
| `friendly` | | 1 | 1 | 1 | 1 |
| `chest` | 1 | 1 | | | 1 |

### Phase 1: the archipelago

A tile fits if its edges match those of all adjacent tiles, and its edges at the rim of the board are water.

- *Symbol tiles.* In turn order, beginning with player 0, each player turns up a random symbol tile and places it in any
  rotation. With three players the first places six and the others seven. The tests for its square follow below.
- *Filling.* The 90 tiles to draw are in four stacks. Player 0 begins again. In turn, each player chooses a stack and
  draws ten tiles (or the rest of the stack) into an open hand. The player places them in any order as long as any of
  them fits. The others are discarded. When all stacks are empty, or no tile of a drawn hand could be placed, chance
  completes the board square by square from the remaining tiles, including the discards.
- *Treasure.* A chit is put face down on each symbol tile, and gold on each `LLLL6`. The last player places the ghost on
  D5 or D6.

A symbol tile may be placed on the squares where it fits and that pass the first of these tests that any square passes:

1. None of the eight neighbours has a symbol tile, neither half of the board (columns 1 to 5, 6 to 10) gets more than
   ten, and room is left.
2. The same, except that only the four squares with a common edge count as neighbours.
3. None of these four squares has a symbol tile, and neither half gets more than ten.
4. None of these four squares has a symbol tile.
5. All squares pass.

If the tile fits nowhere, it leaves the game, and the turn passes. *Room is left* if there are still enough vacant
squares to bring each half to ten symbol tiles: squares not adjacent to a symbol tile, and no two of them adjacent, also
across the middle of the board. The edges of tiles placed later are not considered.

With `creation="random"` chance makes all these decisions, uniformly at random. Symbols stay hidden until a pawn first
enters their tile. Only tests 1 and 2 apply then. If no square passes them, all symbol tiles are taken back and turned
up again, from player 0. This happens on about one in nine maps and is not an outcome. Every random map therefore has
ten symbol tiles on each half, and no two are adjacent.

### Places

The land edges of a tile form one region, except that a strait (`LWLW`) has two: region 0 has the north or the east
edge, region 1 the south or the west edge. These are the places of a tile, with an example of each class:

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

- `S`: a boat at sea, in the circle. Every tile except a hill has it.
- `C0`, `C1`: a scout ashore in the circle, on the side of that region. The boat that brought it is also there.
- `K0` to `K3`: a scout on the shore at the north-east, south-east, south-west or north-west corner, outside the circle.
- `H`: a scout on a hilltop.
- `B0` to `B33`: a boat in a board-edge circle.

A corner is *wet* if any edge that meets there is water, or if it is on the rim of the board. In the picture only dry
corners are drawn as land. A tile has a `K` at a wet corner where at least one of its own edges is land. Even a hill may
therefore have a tiny bit of coast.

The *shore* of a region runs from the circle to those corners where one edge of the tile is land and the other water.

### Steps

A turn has as many points as its result. A pawn makes any number of steps for which there are points:

| step | from | to | points |
|---|---|---|---|
| sail | `S` | over a water edge: the next `S`, or the `B` there | 1 |
| | `B` | the `S` of the tile inside | 1 |
| rim | `B` | the next `B` in either direction, also around a corner | 3 |
| land | `S` | a `C` of the tile; the boat stays there | 2 |
| put to sea | `C`, with the player's own boat on that side | `S` | 2 |
| coast | `C` | a `K` of the tile where the shore of the region ends | 2 |
| | `K` | the `C` of the region whose shore ends there | 2 |
| | `C`, `K` | over a land edge at such a corner, or at that `K`: the `K` there, or the `C` whose shore ends there | 2 |
| overland | `C`, `K`, `H` | any other place of the region on the tile | 3 |
| | `C`, `K`, `H` | over a land edge of the region: the `H`, the `C`, or a `K` at either end of that edge | 3 |

Steps are never diagonal. A route by land that avoids a circle, and its symbol, goes through `K` places.

In the picture player 0 has five points. The scout stands on the tiny bit of coast between the west and the south edge
of D8, and can go:

| step | points | places |
|---|---|---|
| coast | 2 | `D7.C0`, `D7.K1`, `E8.C0`, `E8.K3` |
| overland | 3 | `C8.C1`, `C8.K1`, `C8.K2`, `D7.K0`, `D8.C0`, `D8.K0`, `D8.K1`, `D8.K3`, `E8.K0` |

The best step is `E8.C0`: the remaining three points are just enough for the chit on the chest.

### The tour

The boats begin at sea in the corners: A1 and G10 with two players; A1, A10 and G1 with three; A1, A10, G10 and G1 with
four. Player 0 begins. A player's active pawn is the scout if it is ashore, else the boat. A turn proceeds as follows:

1. A player who owes a turn misses this one.
2. The player declares an act for the turn.
3. The spinner shows a number from 2 to 5 and one of eight directions.
4. The ghost moves one square in that direction and takes chits.
5. The number counts for triples. Together with the saved points, limited to 2 to 5, it gives the *result*.
6. The player carries out the declared act.

| declaration | when | effect |
|---|---|---|
| `travel` | not at sea in a storm | steps, then taking something or nothing; `end` is always legal |
| `swim` | at a `C` of a strait | result 4 or 5: to the other `C` |
| `search` | at a `C` without the player's own boat, where it may succeed | search for the boat, see below |
| `steal 1` | at a `C` with an unattended boat | take the boat of that player, see below |
| `salvage` | at sea on a `WWWW` storm with a chit | take the chit, whatever the result |
| `drift` | at sea in a storm | the boat moves in the spun direction |
| `save +`, `save -` | with fewer than three points saved | save a point, without a spin |

Each act except `travel` fills the turn.

### Treasure

A chit is taken from the circle of its tile, on either side, and on rocks from `S`. It costs 1 point, or 3 on a chest
tile. Gold is taken from `H` and costs 1 point. Taking ends the turn.

### Symbols

A symbol restricts steps out of its circle, from `S` or `C`, even in the middle of a turn. Landing and putting to sea do
not leave the circle. With a wrong result such steps are illegal, but the turn continues.

| symbol | result to leave | effect |
|---|---|---|
| `skull` | 5 | one step, at its usual cost; it ends movement and taking |
| `storm`, ashore | 4, 5 | the same |
| `storm`, at sea | | entering it, or putting to sea there, ends movement; the next turn cannot be a `travel` |
| `hostile` | 2, 3 | |
| `ruins` | 2, 3, 4 | |
| `friendly` | 3, 4, 5 | |
| `chest` | any | chits cost 3 points here |

*Drifting*: after the ghost has moved, the boat moves one space in the spun direction. In a straight direction over a
water edge it comes to the `S` or `B` there. Against a land edge it runs aground. In a diagonal direction it passes if
both tiles have water edges at the corner. If not, it runs aground on its own tile's land there. If its tile has no land
there, chance draws another direction. In a diagonal direction off the board it always comes to the `B`. Aground, boat
and scout are at the `C` of that land.

### The ghost

The ghost moves over everything. If it would leave the board, the turn player puts it back on D5 or D6. When it comes to
a tile, every player whose active pawn is there loses a random chit. When a pawn comes to the ghost's tile, its player
loses one. Staying there costs nothing more, nor does moving within the tile. Lost chits are out of the game. The ghost
does not affect boats on `B` circles, boats whose players are ashore elsewhere, gold, or anything that lies on the map.

### Saving

A player who saves keeps a point, up to three, for the result of the next turn that is not a saving. The sign is chosen
with the first point: `save +` adds, `save -` subtracts. That next turn uses all saved points.

### Triples

When a player spins the same number in three turns in a row, and the third turn is a `travel`, the triple has an effect.
Then the count begins again.

- *Twos*: the player chooses the result, 2 to 5. After choosing 2, the player may also move the ghost one square.
- *Threes*: the player may also move one chit on the board over a land edge of its tile to the next tile.
- *Fours*: the turn has only one point.
- *Fives*: the right neighbour, who plays before, makes all decisions of the turn after the spin, and symbols do not
  restrict steps. Treasure still goes to the turn player.

The additional act of twos and threes is possible once, at any moment of the turn before taking.

### Boats

- *Searching* brings the player's own boat to the scout: always on a `friendly` tile, with a 4 or 5 on `hostile` and
  `ruins` tiles, with a 5 on a tile without a symbol, and never elsewhere. On a `hostile` tile a 2 also costs the next
  turn.
- *Stealing*: if another player's boat lies in the circle on the scout's side, and that player is ashore on another
  tile, the two boats change places.
- *A claim*: a player whose boat was stolen has a claim on the thief. When that player's scout comes to the tile of the
  thief's boat, the boats change back. The claim also ends when either player puts to sea, finds another boat, or is
  part of another theft.

### The end

The game ends when the last chit or gold on the map is taken. A player's score is the sum of the player's chits, plus,
for each piece of gold, the number of the player's chits of value 1, but at least 1. The highest score wins. Among
equals, the player whose active pawn is farthest from the ghost wins; a diagonal step counts as one. If the distances
are also equal, they share the win.

### Hidden information

The values of chits are hidden. Everything else is open, including the number of chits of each player. A value is drawn
when a chit is taken. Players know the values of their own chits and of those that they lost to the ghost. Players whose
active pawns are on one tile, both at sea or both on one region, are *together*: while they are, they see each other's
chits. Later each player knows what the others showed last, and how many chits they have taken and lost since. With
`creation="random"` nobody knows the symbols that are still hidden.

When the game is over, scores are counted openly: strings, pictures and histories show the values of all chits,
including lost ones, and observations show each player's chits. `resample` then does not change the position.

### The small sea

With `sea="small"` the game is played on the middle of the board: rows B to F and columns 3 to 8, 30 squares with 22
board-edge circles, `B0` to `B21`, numbered clockwise from the one north of B3. All other rules stay the same, and so do
the names and numbers of squares, places and actions and the layout of observations. An agent for the small sea can
therefore play on the full one, and the other way round. This suits curricula, first experiments and search.

| | full sea | small sea |
|---|---|---|
| boats begin with two players | A1, G10 | B3, F8 |
| boats begin with three | A1, A10, G1 | B3, B8, F3 |
| boats begin with four | A1, A10, G10, G1 | B3, B8, F8, F3 |
| open sea set out | A1, A10, G1, G10 | B3, B8, F3, F8 |
| hills with gold set out | B3, B8, D5, D6, F3, F8 | D5, D6 |
| symbol tiles | 20, ten on each half | 8, four on each half |
| tiles to draw | 90, in stacks of 23, 23, 22, 22 | 36, in stacks of 9, 9, 9, 9 |
| of these `WWWW`, `LWWW`, `LWLW`, `LLWW`, `LLLW` | 14, 23, 12, 21, 14 | 6, 9, 5, 8, 5 |
| of these `LLLL6`, `LLLL` | 2, 4 | 1, 2 |

With three players the first places two symbol tiles, and the others three. The box still has twenty chits. Eight of
them lie on the map, so twelve values are never known. Games of the heuristic take about 41 turns instead of 125. The
variant `ghost_ship_small` has this sea, a random layout and at most 120 turns.

### Other mixes of symbols

`symbol_mix` replaces symbols by others; the classes of the symbol tiles stay the same. `"easy"` has more friendly
tiles, ruins and chests, `"hard"` more skulls, storms and hostile tiles:

| sea | mix | `skull` | `storm` | `hostile` | `ruins` | `friendly` | `chest` |
|---|---|---|---|---|---|---|---|
| full | `standard` | 3 | 4 | 3 | 3 | 4 | 3 |
| full | `easy` | 1 | 1 | 2 | 4 | 7 | 5 |
| full | `hard` | 7 | 5 | 6 | 1 | 0 | 1 |
| small | `standard` | 1 | 1 | 1 | 1 | 2 | 2 |
| small | `easy` | 0 | 0 | 0 | 2 | 3 | 3 |
| small | `hard` | 3 | 3 | 2 | 0 | 0 | 0 |

Use the mixes to make a task easier or harder without changing anything else.

### Open symbols

The original rules lay symbol tiles face up. With `creation="players"` this is always so. With `creation="random"`
symbols are covered by default, and a symbol is drawn when a pawn first enters its tile. With `open_symbols=True` the
symbol of a tile is instead drawn together with its class when the tile is turned up, and everybody sees it. The only
hidden information is then that of the chits. Use it to plan routes on a random map without surprises.

### Decisions where the original rules are open

- The parts and the spinner are reconstructed, because the rules sheet does not list them.
- Some words of the rule on board-edge circles are lost: here three points lead from one to the next.
- All tests use the result, never the remaining points. On triple fours, the result is still 4.
- A player who sails into a storm may still take a chit with a remaining point. Landing from a storm is impossible.
- A player who comes to a tile loses a chit to the ghost before meeting others there, so they do not see which one.
- Corners and hilltops are free of symbols. No symbol restricts swimming, searching and stealing.
- A chest makes any chit on its tile cost 3. A chit that is moved off it costs 1. Moving a chit does not reveal a
  symbol. Two chits may lie on one tile.
- Running aground is not a step, so no symbol applies.
- Spins of all declarations count for triples, but a third one on a turn other than `travel` only restarts the count. So
  does saving. A missed turn changes neither the count nor the saved points.
- On triple fives a storm still ends movement at sea, a chest still costs 3, and the turn player puts the ghost back.
- The source requires ten symbol tiles on each half and none adjacent, and does not say how to keep that possible. Here
  placements leave room for the tiles to come as long as any square does.
- If a symbol tile had to leave the game, one chit less is on the map. Its value is never known.
- If no remaining tile fits a vacant square, it is completed with a fitting tile from outside the box.
- If `end` is the only legal action, the turn ends automatically.
- The limit on turns is our addition, for players who never take anything. It also ends games with treasure that nobody
  can reach.

### Limits

In positions that you set up, a player owes at most 100 turns. With `creation="random"`, positions before the tour must
have symbol tiles placed as chance places them. On the tour they may be anywhere, and some may be missing.

## Parameters

| name | values | default | meaning |
|---|---|---|---|
| `num_players` | 2 to 4 | `2` | number of players |
| `creation` | `'players'`, `'random'` | `'players'` | who lays the archipelago and places the ghost |
| `chits` | see below | `{'1': 8, '2': 6, '3': 4, '4': 2}` | the number of chits of each value |
| `max_turns` | 1 to 1000000 | `400` | turns of all players, including missed turns, after which the game ends |
| `score_reward` | `False`, `True` | `False` | whether rewards are differences of scores |
| `sea` | `'full'`, `'small'` | `'full'` | the whole board, or its middle with fewer tiles and chits |
| `symbol_mix` | `'standard'`, `'easy'`, `'hard'` | `'standard'` | which symbols the symbol tiles have |
| `open_symbols` | `False`, `True` | `False` | with `creation="random"`: whether symbols lie face up |

`chits` is a dict of counts by the values 1 to 4, twenty in total. Values may be integers or strings. Missing values
count 0. `params` and positions contain all four as strings. Sensible players need about 120 turns. Games of uniformly
random players end only by the limit.

Positions, records and policies contain the last three parameters only if they differ from their defaults.

### Named variants

| name | parameters |
|---|---|
| `ghost_ship_tour` | `creation="random"` |
| `ghost_ship_open` | `creation="random"`, `open_symbols=True` |
| `ghost_ship_3p`, `ghost_ship_4p` | three or four players |
| `ghost_ship_small` | `sea="small"`, `creation="random"`, `max_turns=120` |
| `ghost_ship_small_open` | the same with `open_symbols=True` |

## Spec

With n players:

| property | value |
|---|---|
| Players, n | 2 to 4 |
| Distinct actions | 2096 |
| Most chance outcomes of a node | 32 if creation == 'players' else 1196 |
| Observation | (n² + 252 n + 2276,) int8 |
| Rewards | -1 to 1; with `score_reward` as below |
| Longest game | 10 max_turns + (creation == 'players') (73 if sea == 'full' else 29) decisions |
| Information | imperfect |

## Observation

A vector. Players are listed in turn order, beginning with the viewer. Squares, places and directions are the same for
all seats.

A *plane* has 9 × 12 entries, row by row: the board with the board-edge circles around it. A1 is in row 1 and column 1
of the plane. The four corners are always 0.

| name | size | values | meaning |
|---|---|---|---|
| `tile` | 108 | 0, 1 | a plane: squares with a tile |
| `land` | 432 | 0, 1 | 4 planes for the edges N, E, S, W: whether that edge is land |
| `corners` | 432 | 0, 1 | 4 planes: whether the tile has the place `K0`, `K1`, `K2`, `K3`; 0 in phase 1 |
| `symbols` | 756 | 0, 1 | 7 planes: the squares of each symbol, in the order above; the last: hidden symbols |
| `six` | 108 | 0, 1 | a plane: tiles that receive gold |
| `gold` | 108 | 0, 1 | a plane: squares with gold |
| `chits` | 108 | 0 to 20 | a plane: the number of chits on each square |
| `ghost` | 108 | 0, 1 | a plane: the ghost |
| `pawns` | 108 n | 0, 1 | n planes: the active pawn of each player |
| `boats` | 108 n | 0, 1 | n planes: the boat of each player |
| `phase` | 17 | 0, 1 | the phase, in the order of the list of phases below |
| `turns_used` | 1 | 0 to 127 | turns begun in 127ths of `max_turns` |
| `turns_left` | 1 | 0 to 127 | turns that may still begin; 127 means 127 or more |
| `hand` | 7 | 0 to 10 | the tiles in hand by kind, in the order of the table above |
| `hand_symbol` | 7 | 0, 1 | the symbol of the symbol tile in hand; the last: hidden |
| `hand_class` | 5 | 0, 1 | the class of the symbol tile in hand |
| `to_draw` | 1 | 0 to 10 | tiles still to be drawn for the hand |
| `stacks` | 4 | 0 to 23 | the sizes of the stacks |
| `discards` | 7 | 0 to 23 | the discarded tiles by kind |
| `dropped` | 35 | 0 to 5 | symbol tiles that left the game: for each symbol, and for hidden symbols, by class |
| `declared` | 6 | 0, 1 | `travel`, `swim`, `search`, `steal`, `salvage`, `drift` |
| `spun_number` | 4 | 0, 1 | the spun number, from 2 to 5, until the result is fixed |
| `spun_way` | 8 | 0, 1 | the spun direction until then, clockwise from N |
| `result` | 4 | 0, 1 | the result of a travel, from 2 to 5 |
| `points` | 1 | -1 to 5 | the remaining points of a travel; -1 outside a travel |
| `movement_over` | 1 | 0, 1 | whether a storm or a skull has ended movement |
| `taking_over` | 1 | 0, 1 | whether it has also ended taking |
| `arriving` | 1 | 0, 1 | whether the turn player has come to a tile and not yet met the others there |
| `extra` | 2 | 0, 1 | whether a chit may be moved; whether the ghost may be moved |
| `neighbour_decides` | 1 | 0, 1 | whether the right neighbour decides this turn |
| `pool` | 1 | 0 to 20 | the number of chits never taken |
| `own_chits` | 4 | 0 to 20 | the viewer's chits by value |
| `own_lost` | 4 | 0 to 20 | the viewer's lost chits by value |
| `seat` | n | 0, 1 | the viewer's seat, counted from player 0 |
| `decider` | n | 0, 1 | the player to act; zeros at chance nodes and at the end |
| `turn_player` | n | 0, 1 | the turn player |
| `victim` | n | 0, 1 | the player whose boat is about to be stolen |
| `losers` | n | 0, 1 | the players who are still to lose a chit |
| `spot` | 9 n | 0, 1 | the place of each player's active pawn: `S`, `C0`, `C1`, `K0` to `K3`, `H`, `B` |
| `boat_spot` | 4 n | 0, 1 | the place of each player's boat: `S`, `C0`, `C1`, `B` |
| `ashore` | n | 0, 1 | whether each player's active pawn is the scout |
| `num_chits` | n | 0 to 20 | the number of chits of each player |
| `num_lost` | n | 0 to 20 | the number of chits that each player has lost to the ghost |
| `gold_held` | n | 0 to 8 | the gold of each player |
| `saved` | n | -3 to 3 | the saved points of each player, with their sign |
| `triple_number` | 4 n | 0, 1 | the number that each player spun last, from 2 to 5; zeros after a triple or saving |
| `triple_count` | n | 0 to 2 | the number of turns in a row with this number |
| `skip` | n | 0 to 100 | the turns that each player owes |
| `claim` | n² | 0, 1 | for each player the thief on whom the player has a claim |
| `shown` | 7 (n - 1) | 0 to 20 | for each other player: whether chits were shown; these by value; gained, lost since |

More than 127 remaining turns are shown as 127. At the end `shown` contains the chits of all others. The observation
contains everything that a player may know of chits, except what was shown before the last time.

## Actions and chance outcomes

Actions and outcomes are numbered from 0 in separate spaces. Squares are numbered row by row from A1, 0 to 69. A mask is
the sum of 1 for land in the north, 2 east, 4 south, 8 west.

| first id | ids | phase | text | meaning |
|---|---|---|---|---|
| 0 | 1190 | `place`, `fill` | `tile C4 LLWW` | place a tile: 17 × square + mask, or 16 for `LLLL6` |
| 1190 | 4 | `stack` | `stack 2` | draw from this stack |
| 1194 | 2 | `ghost`, `ghost_back` | `ghost D5` | place the ghost on D5 or D6 |
| 1196 | 1 | `declare` | `travel` | |
| 1197 | 1 | `declare` | `swim` | |
| 1198 | 1 | `declare` | `search` | |
| 1199 | 4 | `declare` | `steal 1` | steal the boat of a player; 4 ids for any number of players |
| 1203 | 1 | `declare` | `salvage` | |
| 1204 | 1 | `declare` | `drift` | |
| 1205 | 1 | `declare` | `save +` | |
| 1206 | 1 | `declare` | `save -` | |
| 1207 | 594 | `travel` | `go D5.C0` | 8 × square + 0 `S`, 1 and 2 `C`, 3 to 6 `K`, 7 `H`; then each `B` |
| 1801 | 1 | `travel` | `take chit` | |
| 1802 | 1 | `travel` | `take gold` | |
| 1803 | 1 | `travel` | `end` | end the turn |
| 1804 | 4 | `number` | `number 3` | choose the result, on triple twos |
| 1808 | 8 | `travel` | `ghost NE` | move the ghost, on triple twos; clockwise from N |
| 1816 | 280 | `travel` | `chit C4 E` | move a chit, on triple threes: 4 × square + N 0, E 1, S 2, W 3 |

The turn player acts, except in `travel` on triple fives, where the right neighbour acts. Decisions with a single legal
action are still decisions, except `end`.

| outcomes | phase | text | id | probability |
|---|---|---|---|---|
| 30 | `symbol` | `symbol skull LLWW` | 5 × symbol + class | each remaining symbol tile is equally likely |
| 5 | `symbol` | `symbol LLWW` | class | the same with covered symbols |
| 7 | `draw` | `draw LWWW` | kind | each tile in the stacks is equally likely |
| 17 | `complete` | `complete C4 LWLW` | mask, 16 for `LLLL6` | see below |
| 32 | `spin` | `spin 4 NE` | 8 × (number - 2) + direction | equally likely |
| 4 | `lose` | `lose 1` | value - 1 | each chit of the player is equally likely |
| 8 | `drift` | `drift NE` | direction | each direction that moves the boat is equally likely |
| 6 | `reveal` | `reveal skull` | symbol | each hidden symbol tile of its class is equally likely |
| 4 | `value` | `value 3` | value - 1 | each chit never taken is equally likely |
| 1196 | `place`, `stack`, `fill`, `ghost` | `tile C4 LLWW` | of the decision | with random creation, equally likely |

In `complete`, each way to lay a tile has as its weight the number of remaining tiles of its kind. If all weights are 0,
each mask that fits is equally likely. Symbols, classes and kinds are in the order of the tables above. Directions go
clockwise from N. Players who may not see a value see `lose ?` and `value ?`.

## Rewards

All rewards are paid in the last transition; before, every reward is 0. With w winners of n players each winner gets
1 / w and each other player -1 / (n - w). If all win, everybody gets 0. With `score_reward` each player gets their own
score minus the mean score of the others, divided by 40. If all chits together have the value v, and k of them have
value 1, this is at most (v + 8 max(1, k)) / 40.

## End

- The last chit or gold on the map is taken.
- The turn `max_turns` has ended: the game is scored as it stands.

No player drops out before the end.

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

| key | meaning |
|---|---|
| `phase` | see below |
| `turn_player` | the player of the current turn; at the end the player of the last turn |
| `decider` | the player who decides in this turn: the turn player, or on triple fives the right neighbour |
| `turn` | turns begun by all players; 0 in phase 1 |
| `tiles` | ten hexadecimal masks for each row, `.` for a vacant square, `-` outside the small sea |
| `six` | the squares of the `LLLL6` tiles |
| `symbols` | the symbol of each symbol tile by its square, `"?"` while it is hidden |
| `chits` | the number of chits by square |
| `gold` | the squares with gold |
| `pool` | the chits never taken: the number of each value |
| `stacks` | the sizes of the four stacks |
| `discards` | the discarded tiles by kind; in `complete` all remaining tiles |
| `dropped` | the symbol tiles that left the game, such as `"skull LLWW"`, or their classes |
| `hand_tiles` | the hand by kind; in `place` the one symbol tile, such as `{"skull LLWW": 1}` |
| `to_draw` | the number of tiles still to be drawn for the hand |
| `ghost` | its square; `null` in phase 1 |
| `losers` | in `lose`, the players who lose a chit, in turn order from the turn player |
| `extra` | what a triple still allows to be moved: `"chit"` or `"ghost"` |
| `players` | see below |
| `declared` | the declaration of this turn, such as `"steal 1"` |
| `spun` | the spun number and direction until the result is fixed, such as `[4, "NE"]` |
| `result` | the result of a travel |
| `points` | the remaining points of a travel |
| `movement_over` | whether a storm or a skull has ended movement |
| `taking_over` | whether a step out of a symbol has also ended taking |
| `arriving` | whether the turn player has come to a tile and not yet met others there; in `reveal`, `lose` |
| `by_limit` | whether `max_turns` has ended the game, with treasure left |

All phases have the same keys. Keys that a phase does not need are `null`, empty, 0 or `false`. Squares are in reading
order.

The phases, in their order: `symbol`, `place`, `stack`, `draw`, `fill`, `complete`, `ghost`, `declare`, `spin`,
`ghost_back`, `lose`, `number`, `travel`, `drift`, `reveal`, `value`, `over`. Inconsistent positions are rejected: tiles
that do not match or are not in the box, missing chits and gold, pawns in impossible places, showings that contradict
each other, and a turn that cannot have reached this point.

### The entries of a player

| key | meaning |
|---|---|
| `pawn` | the place of the active pawn |
| `boat` | the place of the boat |
| `ashore` | whether the active pawn is the scout |
| `chits` | the player's chits: the number of each value |
| `lost` | the chits lost to the ghost: the number of each value |
| `gold` | the number of pieces of gold |
| `saved` | the saved points, with their sign |
| `triple` | the number spun last and the number of turns in a row with it, `[0, 0]` for none |
| `skip` | the turns owed |
| `claim` | the thief on whom the player has a claim, or `null` |
| `shown` | for each player what was shown last: `chits`, and how many were `gained` and `lost` since; or `null` |

## Heuristic

The heuristic is based on shortest paths. For every place it computes the time to the valuable treasures by sea, along
coasts and overland. This includes the delays at symbols, the drift in storms, the search for a boat left behind, and
the way on to the next treasures. A chit counts as the mean of the chits that the player has not seen, and more with
gold. Gold counts as the number of the player's chits of value 1, plus a share of those still to come.

- *A turn*: among everything that the points allow it takes the treasure, or the place to end the turn, with the highest
  value, minus the expected losses to the ghost until its next turn.
- *Declarations* are compared over the four numbers of the spinner, including the effect of a triple, and so are saved
  points. It prefers to steal boats.
- *The ghost*: it places and moves the ghost where this harms others most and itself least. On the triple fives of
  another player it chooses the worst actions for that player.
- *Phase 1*: it places easy treasure, open sea and gold near its own corner, and obstacles and land near those of
  others.

Otherwise it does not consider what others will do, not even who will be first at a treasure. The heuristic is
deterministic. Its weights were tuned by self-play.
[The lab notebook](../../../docs/lab_notebook/policies.md#ghost_ship) gives its results.

## Values

`State.action_values()` returns the heuristic's value of each action for the player to act, in turns.
[Hints](../../../docs/explanation/features_and_hints.md#hints) rate every loss of 4 turns or more as equally bad.
You can override these weights:

| weight | default | range | meaning |
|---|---|---|---|
| `sail` | 4 | 0 to 250 | cost of a step for 1 point |
| `coast` | 9 | 0 to 250 | cost of a step for 2 points |
| `overland` | 16 | 0 to 250 | cost of a step for 3 points, and along the rim |
| `skull` | 44 | 0 to 250 | extra cost of a step out of the circle of a skull |
| `storm` | 18 | 0 to 250 | extra cost of a storm at sea, before the search knows where it leads |
| `storm_turn` | 10 | 0 to 250 | cost of the drift in a storm |
| `lost` | 200 | 0 to 250 | longest time counted from a place where the drift may lead |
| `storm_ashore` | 18 | 0 to 250 | extra cost of a step out of a storm ashore |
| `hostile` | 14 | 0 to 250 | extra cost of a step out of a hostile tile |
| `ruins` | 5 | 0 to 250 | extra cost of a step out of ruins |
| `friendly` | 5 | 0 to 250 | extra cost of a step out of a friendly tile |
| `search` | 56 | 0 to 250 | cost of searching for the boat on a tile without a symbol |
| `ask` | 28 | 0 to 250 | cost of searching for the boat on a hostile tile or in ruins |
| `ask_friends` | 14 | 0 to 250 | cost of searching for the boat on a friendly tile |
| `taking` | 9 | 0 to 250 | cost of taking a treasure |
| `chest` | 8 | 0 to 250 | extra cost of taking a chit on a chest |
| `point` | 4 | 0 to 250 | value of a point of the score |
| `next` | 0.8 | 0 to 250 | share that counts of the way from a treasure to the next one |
| `later` | 0.6 | 0 to 250 | discount for each further way |
| `links` | 3 | 0 to 250 | number of treasures considered after the next one; the fraction is dropped |
| `longest` | 140 | 0 to 250 | longest time counted for a way to a next treasure |
| `second` | 0 | 0 to 250 | weight of the second best way on instead of the best, which others may use up |
| `ghost` | 14 | 0 to 250 | cost of a point lost to the ghost |
| `gold_ones` | 0.5 | 0 to 250 | share of the chits of value 1 still to come that counts for gold |
| `steal` | 30 | 0 to 250 | value of stealing a boat, in addition to the victim's search |
| `easy` | 2.4 | 0 to 250 | extra turns for a chit above which it is better placed near the others |
| `sea` | 0.7 | 0 to 250 | penalty for each land edge of a tile near the player's own corner |
| `near_gold` | 3 | 0 to 250 | bonus for a tile near the player's own corner that receives gold |
| `rivals_loss` | 0.5 | 0 to 250 | weight of what others lose to the ghost |

`State.position_features(player)` returns these numbers for each player:

| feature | meaning |
|---|---|
| `distance` | minus the turns to the best treasure, relative to having the best of all at hand |
| `outlook` | minus the turns to the best treasure, plus its value |
| `score` | the score; chits that the viewer has not seen count as their mean |
| `chits` | chits held |
| `gold` | pieces of gold held |
| `skip` | turns that the player will miss |
| `saved` | points saved for a later spin, with their sign |

## Version history

- v1: symbol tiles leave room for those to come, so every random map has ten of them on each half and no two are
  adjacent. Before, two were adjacent on 29 of 300 random maps, and the halves did not have ten each on 46. A random
  layout that cannot be finished is turned up again. All chits are open when the game is over.
- v0: the first version.

## References

- Steffan O'Sullivan, *Ghost Ship*, a variant for *Entdecker*, version of October 5, 1996: the game and its rules.
- Klaus Teuber, *Entdecker*, Goldsieber, 1996: the board and its parts.
"""

from __future__ import annotations

from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter, Variant
from edge_envs.games.ghost_ship.map.seas import SEAS
from edge_envs.games.ghost_ship.pieces import chits
from edge_envs.games.ghost_ship.pieces.mixes import MIXES

GAME = GameType(
    __name__,
    version=1,
    title="Ghost Ship",
    parameters=(
        Parameter("num_players", int, 2, "number of players", low=2, high=4),
        Parameter(
            "creation", str, "players", "who lays the archipelago and places the ghost: the players, or chance",
            choices=("players", "random"),
        ),
        chits.ChitsParameter("chits", dict, chits.DEFAULT, "the number of chits of each value"),
        Parameter(
            "max_turns", int, 400, "turns of the tour, including missed turns, after which the game ends",
            low=1, high=1_000_000,
        ),
        Parameter("score_reward", bool, False, "whether rewards are differences of scores"),
        Parameter(
            "sea", str, "full", "the whole board, or its middle with fewer tiles and chits",
            choices=SEAS, always_written=False,
        ),
        Parameter(
            "symbol_mix", str, "standard", "the symbols in the box: as usual, or more that help or hinder",
            choices=MIXES, always_written=False,
        ),
        Parameter(
            "open_symbols", bool, False, "whether symbols lie face up from the start if chance lays the archipelago",
            always_written=False,
        ),
    ),
    perfect_information=False,
    summary="2-4 players lay an archipelago and seek hidden treasure in it, followed by a ghost",
    variants=(
        Variant("tour", {"creation": "random"}),
        Variant("3p", {"num_players": 3}),
        Variant("4p", {"num_players": 4}, board=False),
        Variant("open", {"creation": "random", "open_symbols": True}, board=False),
        Variant("small", {"creation": "random", "sea": "small", "max_turns": 120}),
        Variant(
            "small_open", {"creation": "random", "sea": "small", "max_turns": 120, "open_symbols": True}, board=False
        ),
    ),
)  # fmt: skip
