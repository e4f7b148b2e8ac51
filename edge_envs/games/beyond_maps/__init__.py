"""Beyond The Edges of The Maps: sail, raise land, and surround more of it than the other ship.

A game of exploration and territory by @SkudPaiSho, in the world of the Wingfeather Saga. 2 players, no chance or dice,
perfect information, rewards at the end. Described here in our own words.

## Usage

```python
import edge_envs

game = edge_envs.load_game("beyond_maps", size=8)
state = game.new_initial_state()
for text in ("sea d4 e", "sea f6 n", "land f4", "land f3", "stop"):
    state.apply_action(state.string_to_action(text))
print(state)

env = edge_envs.aec_env("beyond_maps", size=12, dice=True)
```

Ids in the registries of PettingZoo and Gymnasium: `edge_envs/beyond_maps-v0`.

## Description

The board is a square sea, and each player has a ship in a corner of it: player 0 on a1, top left, player 1 bottom
right. Land rises where they explore. Who has more land at the end has won.

- A turn is one sea action and one land action, in the order that the player likes. The first turn of the game is a sea
  action alone. Nobody may pass.
- *Sea action*: the ship sails, and may leave a marker of land in front of its bow.
- *Land action*: a chain of up to three markers grows from a tip of one's land.
- No marker may part the two ships, unless it closes in the other one.
- After each action, what one's land has surrounded becomes one's land.

"Next to" always means the four sides of a square. The sea is all squares without land, those under ships included.

The pictures show a position and what comes of it. `A` is the ship of player 0, `0` its land; `B` and `1` are player
1's. A `+` is a square that may be chosen, an `x` one that may not.

### Sea action

The ship goes up to `sea_range` steps, turning freely, through sea; the other ship is not in its way. It ends on an
empty square, or stays where it is.

```text
A to move          sea to +
. . . . . . . .    + + + + + + + .
. A . . 1 . . .    + A + + 1 + . .
. . . . 1 . . .    + + + + 1 . . .
0 0 0 0 1 . . .    0 0 0 0 1 . . .
. . . . . . . .    . . . . . . . .
. . . . . . . .    . . . . . . . .
. . . . . . . .    . . . . . . . .
. . . . . . . B    . . . . . . . B
```

A marker goes on the square that one more step straight on would lead to. So what counts is from which side the ship
comes to its last square, by any way that is short enough.

```text
A to move    sea d3 e     sea d3 s     sea d3 w
. . . . .    . . . . .    . . . . .    . . . . .
. A . . .    . . . . .    . . . . .    . . . . .
. . . . .    . . . A 0    . . . A .    . . 0 A .
. . . . .    . . . . .    . . . 0 .    . . . . .
. . . . B    . . . . B    . . . . B    . . . . B
```

- On an empty square the marker becomes own land; land of the enemy is replaced.
- Own land, the other ship and what lies off the board take no marker.
- A ship that stays put may mark any side.
- If a marker is possible from some side, it must be placed, and the player chooses among such sides; else the ship
  sails and leaves nothing.

```text
A to move    sea d3 e     sea c2 s     sea e1 -
. . . . .    . . . . .    . . . . .    . . . . A
. . A . .    . . . . .    . . A . .    . . . . .
. . . . 1    . . . A 0    . . 0 . 1    . . . . 1
. . . . .    . . . . .    . . . . .    . . . . .
. . . . B    . . . . B    . . . . B    . . . . B
```

The first sail takes a square from the enemy; the second is none; the third ends in a corner, where nothing lies ahead.

### Land action

A *peninsula* is own land with at most one own land next to it. The first marker goes on an empty square next to a
peninsula, each further one on an empty square next to the marker before, up to `land_markers` of them.

```text
A to move    land on +    land d2, land d1, land e1
. A . . .    . A . . .    . A . 0 0
. . . . .    . + . + .    . . . 0 .
. 0 0 0 .    + 0 0 0 +    . 0 0 0 .
. . . . .    . + . + .    . . . . .
. . . . B    . . . . B    . . . . B
```

With `stop_early=True`, the default, the player may stop after any marker, as the rules text says ("up to 3"). With
`stop_early=False` the chain goes on while it can, as on the author's website. Where no first marker
is possible there is no land action; if the player has tried it before sailing, it is looked at again afterwards.

### The ships stay connected

A marker on an empty square is refused if it would leave the ships in different seas. In the first picture it would
cut the strait, in the second it would shut up its own ship.

```text
A to move    land on +    A to move    land on +
. A . . .    . A . . .    A . . . .    A x . . .
. . . . .    + . + . .    0 0 . . .    0 0 + . .
0 0 0 . 1    0 0 0 x 1    . . . . .    + + . . .
. . . . .    + . + . .    . . . . .    . . . . .
. . . . B    . . . . B    . . . . B    . . . . B
```

There is one exception: the marker may take the last sea next to the *other* ship. That closes it in, the game ends with
this turn, and the turn's further markers are free.

```text
A, sea done    land d5, stop, over
A . . . .      A . . . .
. . . . .      . . . . .
. . . . .      . . . . .
. . 0 0 1      . . 0 0 1
. . . . B      . . . 0 B
```

Only markers are refused: the ship may sail wherever it can.

### Filling

After each action of a player, with or without a marker, every connected region of squares that are not this player's
land is looked at. A region that does not reach the edge of the board is surrounded. Walls hold along diagonals too. In
such a region

- all empty squares become the player's land;
- land of the enemy with at most one enemy land next to it does too, again and again until there is no more of it. So
  strings fall from their ends, while 2×2 blocks and rings stand;
- a ship, even one's own, is captured, and its square becomes land.

```text
A, sea done        land e5, stop      A, sea done        land e5, stop
. A . . . . . .    . A . . . . . .    . A . . . . . .    . A . . . . . .
. . 0 0 0 . . .    . . 0 0 0 . . .    . . 0 0 0 . . .    . . 0 0 0 . . .
. 0 . . 1 0 . .    . 0 0 0 0 0 . .    . 0 1 1 1 0 . .    . 0 1 1 0 0 . .
. 0 1 1 1 0 . .    . 0 0 0 0 0 . .    . 0 1 1 . 0 . .    . 0 1 1 0 0 . .
. . 0 0 . . . .    . . 0 0 0 . . .    . . 0 0 . . . .    . . 0 0 0 . . .
. . . . . . . .    . . . . . . . .    . . . . . . . .    . . . . . . . .
. . . . . . . .    . . . . . . . .    . . . . . . . .    . . . . . . . .
. . . . . . . B    . . . . . . . B    . . . . . . . B    . . . . . . . B
```

The edge of the board is no wall. Left, the corner stays open; right, a ship is captured.

```text
A, sea done    land c2, stop    A, sea done    land c4, stop, over
. . 0 . .      . . 0 . .        A . . . .      A . . . .
. . . . .      . . 0 . .        . . 0 . .      . . 0 . .
0 0 . . .      0 0 . . .        . 0 B 0 .      . 0 0 0 .
. . . . A      . . . . A        . . . 0 .      . . 0 0 .
. . . . B      . . . . B        . . . . .      . . . . .
```

### Readings that the original leaves open

- The ways between the ships go through sea, and ships do not block them.
- The path rule looks at each marker by itself, before anything is filled. A marker that replaces land of the enemy is
  never refused.
- A marker that surrounds only the player's own ship is rejected, as on the author's website since 2024; one that
  surrounds both ships is not.
- A ship that has left its square may come back to it, which counts as staying put. The square that it has left is
  empty, and can take the marker.
- Peninsulas are looked at once, before the first marker of the action.
- The turn in which a ship is closed in or captured is completed. A captured ship does not sail; its owner's land action
  remains.
- An action with one possibility is done by itself and is no decision. `stop` is offered only beside a marker.
- The limit on turns is ours, because ships could circle for ever. So is the end in a sea of two squares, below: "unable
  to move" is taken for "cannot reach an empty square".

## Parameters

| name | values | default | meaning |
|---|---|---|---|
| `size` | 5 to 18 | `18` | squares on each side of the board; 18 is the full game, 12 the short one |
| `sea_range` | 1 to 18 | `6` | the longest sail |
| `land_markers` | 1 to 18 | `3` | the most markers of a land action |
| `stop_early` | `False`, `True` | `True` | whether a land action may stop after its first marker |
| `dice` | `False`, `True` | `False` | whether each turn begins with a roll of two dice |
| `max_turns` | 1 to 1000000 | `400` | turns of both players together, after which the score counts |

With `dice` the higher die is the longest sail of the turn and the lower die the most markers of its land action;
`sea_range` and `land_markers` are not used.

## Spec

| | |
|---|---|
| Players | 2 |
| Distinct actions | 6 size² + 1 |
| Most chance outcomes of a node | 21 if `dice` else 0 |
| Observation | (14, size, size) int8 |
| Rewards | -1, 0 or 1 |
| Longest game | 1 + (max_turns - 1) (1 + (6 if `dice` else land_markers)) decisions |
| Information | perfect |

## Observation

Planes over the board, from the viewer's side: what is own, what is the other's. Squares lie as on the board for both
viewers. The planes hold the whole position; those from `seat` on, one value each on every square.

| name | size | values | meaning |
|---|---|---|---|
| `own_land` | 1 | 0, 1 | the viewer's land |
| `other_land` | 1 | 0, 1 | the other player's land |
| `own_ship` | 1 | 0, 1 | the viewer's ship; nowhere once it is captured |
| `other_ship` | 1 | 0, 1 | the other player's ship |
| `last_marker` | 1 | 0, 1 | the last marker of the land action under way |
| `seat` | 1 | 0, 1 | the viewer's seat |
| `own_turn` | 1 | 0, 1 | whether it is the viewer's turn |
| `sea_to_do` | 1 | 0, 1 | whether the sea action is still to be done |
| `land_to_do` | 1 | 0, 1 | whether the land action is still to be done, or under way |
| `markers_placed` | 1 | 0 to m | markers of the land action under way |
| `land_markers` | 1 | 0 to m | the most markers of this turn's land action; 0 before the roll |
| `sea_range` | 1 | 0 to m | the longest sail of this turn; 0 before the roll |
| `turns_used` | 1 | 0 to 127 | completed turns in 127ths of `max_turns` |
| `turns_left` | 1 | 0 to 127 | turns that may follow this one; 127 stands for more, too |

Here m is 6 if `dice` else max(sea_range, land_markers).

## Actions and chance outcomes

They number from 0 in separate spaces. Actions are planes over the board as it lies, for both players, and `stop`: the
id of plane p and a square is p size² + row size + column, with rows and columns counted from 0 at a1.

| plane | text | meaning |
|---|---|---|
| 0 | `sea c4 n` | the ship ends on c4 and leaves a marker to the north of it, towards row 1 |
| 1 | `sea c4 e` | to the east |
| 2 | `sea c4 s` | to the south |
| 3 | `sea c4 w` | to the west |
| 4 | `sea c4 -` | the ship ends on c4 and leaves no marker |
| 5 | `land d5` | a marker of the land action |

`stop`, the end of a land action, is 6 size². Squares are named by a letter for the column and a number for the row.

With `dice` every turn, the first too, begins with one of 21 rolls, the higher die first: `roll 1 1`, `roll 2 1`,
`roll 2 2`, `roll 3 1`, ..., `roll 6 6`.

## Rewards

All are paid in the last transition: 1 for the player with more land and -1 for the other, 0 for both if they have the
same. Before, every reward is 0.

## End

It is looked for when a turn is complete. The game is over if

- a ship is captured;
- a ship has only land, or the edge, on all sides;
- a ship could reach no empty square, however far it sailed: both ships share a sea of two squares;
- `max_turns` turns are complete.

```text
A, sea done    land e3, stop, over
. . . 1 A      . . . 1 A
. . . 1 B      . . . 1 B
. . . 0 .      . . . 0 0
. . . . .      . . . . .
. . . . .      . . . . .
```

It does not matter whose ship it is. The score decides, and it can be won by the player whose ship is caught.

`State.result()` gives the winner, the reason and the score: "Player 1 wins: ship A is surrounded; land 4 : 7." Nothing
is hidden in this game, so nothing is revealed at the end.

## Events

`State.history_strings()` tells what happened beyond the actions: limits that the dice set, land of the enemy that a
marker replaces, squares and ships that are surrounded, actions that were made because there was no other choice, and
land actions that were skipped or cut short. `player 1: land a3. Player 1 has only one choice: land a4.` The drawn
picture shows the latest events below its headline.

## Position

`State.to_dict`, `Game.state_from_dict` and the option `position` of every `reset` use this form:

```json
{"game": "beyond_maps",
 "params": {"size": 5, "sea_range": 6, "land_markers": 3, "stop_early": true, "dice": false, "max_turns": 400},
 "board": [".....", ".00..", "...1.", "...1.", "....."], "ships": ["d1", "e5"],
 "turn_player": 0, "turn": 4, "sea_done": true, "land_done": false,
 "markers_placed": 1, "last_marker": "c2", "roll": null}
```

| key | |
|---|---|
| `board` | rows from the top: `.` empty, `0` and `1` land of that player |
| `ships` | the squares of both ships; `null` for one that is captured |
| `turn_player` | whose turn it is; at the end who had the last one |
| `turn` | turns completed before this one |
| `sea_done` | whether this turn's sea action is done |
| `land_done` | the same for its land action; in turn 0 true from the start |
| `markers_placed` | markers of the land action under way, else 0 |
| `last_marker` | the last of them, else `null` |
| `roll` | with `dice`, from the roll to the end of the turn the higher and the lower die; else `null` |

The game is over exactly when `sea_done` and `land_done` are both true; one that ran out of turns has no key of its own.
Either player may have the turn at any number of `turn`. Ships may lie in different seas, and may be captured while a
turn goes on. Refused are a position in which the mover has nothing to choose, an end at which the game would go on, a
turn that would begin after the end, and a land action in turn 0.

## Heuristic

It looks at all of its turns, a sea action and up to three markers on land: the lead in land at the end, and the ways
out that each ship then has. Of sea actions that leave the same marker it follows the one with the most ways out. The
32 best turns are then valued as positions. There it counts the lead, and what land is about to be: what would be
enclosed if every gap of one square were closed, whether either side has a place from which a land action can start, and
the ways out.

It takes the best of these turns after which the other cannot win at once. If there is none among them, it looks for
another among all its turns. A way to win in this turn goes before everything, whatever the order of actions. Such wins,
its own and the other's, are found exactly; only with six and more markers may some be overlooked. With dice it supposes
that the other rolls 4 and 3. Sea comes before land where both are open, unless land first wins.

The first heuristic, `heuristic:v0`, counts in the same way, looks into three actions and plays both sides on by first
looks. The policies `8x8` and `12x12` were trained with it.

With the weight `answers` it also looks for the other's best answer to each turn that it looks into, and values the
position after it. For that it takes the other's turns by the same first look, with land actions after the four best sea
actions. The heuristic itself does not do so; the hints of `8x8_long`, `12x12_long` and `18x18_long` do.

It is deterministic, and so is the game without dice: games against it differ by the other player, or by an opening that
is drawn. Below, half of the games are from each seat, after two drawn decisions; in the last column are 95 % Wilson
intervals. `one_turn` is a yardstick that looks at every whole turn, takes a win, else the greatest lead.

| opponent | size | games | wins | drawn | interval |
|---|---|---|---|---|---|
| random | 8 | 1,000 | 1.0000 | 0 | 0.9962 to 1.0000 |
| random | 12 | 1,000 | 1.0000 | 0 | 0.9962 to 1.0000 |
| random | 18 | 1,000 | 1.0000 | 0 | 0.9962 to 1.0000 |
| flat Monte Carlo | 8 | 100 | 1.0000 | 0 | 0.9630 to 1.0000 |
| `one_turn` | 8 | 2,000 | 0.8185 | 41 | 0.8010 to 0.8348 |
| `one_turn` | 12 | 2,000 | 0.8690 | 39 | 0.8535 to 0.8831 |
| `one_turn` | 18 | 1,000 | 0.8820 | 8 | 0.8605 to 0.9005 |
| `heuristic:v0` | 8 | 2,000 | 0.7500 | 95 | 0.7306 to 0.7685 |
| `heuristic:v0` | 12 | 2,000 | 0.7940 | 56 | 0.7757 to 0.8112 |
| `heuristic:v0` | 18 | 1,000 | 0.8800 | 11 | 0.8584 to 0.8987 |

```sh
python -m agents.evaluate --game beyond_maps --agent heuristic --against one_turn --games 1000 --seed 9000000
```

## Values

`State.action_values()` tells what the heuristic thinks that each action is worth to the player to act. The unit is
squares of land; in hints a loss of 4 squares or more is as bad as any. The heuristic weighs by these numbers;
others may be tried:

| weight | default | range | meaning |
|---|---|---|---|
| `breadth` | 1 | 1 to 32 | how many turns are looked into in any case; the fraction is dropped |
| `answers` | 0 | 0 to 32 | how many of the other's turns are valued after each of them; so, too |
| `no_start` | -1 | -10 to 10 | the player has nowhere to begin a land action |
| `other_no_start` | 1 | -10 to 10 | the other has nowhere to begin a land action |
| `enclosed` | 0.7 | -2 to 2 | a square that the player has nearly enclosed |
| `other_enclosed` | -0.5 | -2 to 2 | a square that the other has nearly enclosed |
| `one_way_out` | -2 | -20 to 20 | the ship has one way out |
| `two_ways_out` | -1 | -20 to 20 | the ship has two ways out |
| `three_ways_out` | -0.3 | -20 to 20 | the ship has three ways out |
| `other_one_way_out` | 0.6 | -20 to 20 | the other's ship has one way out |
| `other_two_ways_out` | 0.3 | -20 to 20 | the other's ship has two ways out |
| `other_three_ways_out` | 0.1 | -20 to 20 | the other's ship has three ways out |

`State.position_features(player)` gives numbers about the position of each player:

| feature | meaning |
|---|---|
| `value` | the lead in land, corrected by the weights; 1000 more or less once the game is settled |
| `land` | squares of own land |
| `nearly_enclosed` | squares won if all gaps of one square were closed; the other's land counts twice |
| `can_start` | 1 if a land action has a place to start from |
| `ways_out` | sea squares beside the ship, 0 to 4 |

## Exact solution

Small games without dice are solved by search. On 5×5 player 1 wins, the one who moves second, within ten
turns and whatever player 0 does. This is proven for every `max_turns` from 6 on; it takes 2,299,378 positions and three
seconds:

```sh
python scripts/solve.py beyond_maps --param size=5 --json --certificate proof.npz
python scripts/solve.py beyond_maps --check proof.npz
python -m agents.evaluate --game beyond_maps --param size=5 --agent heuristic --against perfect --games 24
```

Solved are the games on 5×5 with `land_markers=3` and a `sea_range` of 2 or more, whatever `max_turns` and `stop_early`
are; and with up to 3 markers those of up to 5 turns on 5×5, and of up to 4 on 6×6. The agent `perfect` plays them, and
regrets are exact there. The first replies of a long game take it up to a minute, since what each action is worth is
proven by itself. So advice and hints come from the built-in player, but in games of up to 3 turns on 5×5 and of 2 on
6×6; `--judge perfect` of `scripts/play.py` waits for perfect play, as does *perfect play, slowly* on the page.

The value is the return of player 0 from the start, with best play on both sides. For games that are solved at once
`scripts/solve.py` tells the probability that the first player wins, (value + 1) / 2: 0.5 is a draw. In short games
whoever has the last turn wins, but for some. The work is counted in positions looked at, and in seconds of one core of
a processor:

| `max_turns` | value on 5×5 | positions | seconds | value on 6×6 | positions | seconds |
|---|---|---|---|---|---|---|
| 1 | 1 | 1 | 0 | 1 | 1 | 0 |
| 2 | -1 | 1,935 | 0 | -1 | 3,420 | 0 |
| 3 | 1 | 22,504 | 0 | 1 | 206,734 | 0.1 |
| 4 | -1 | 139,200 | 0.1 | -1 | 1,021,988 | 0.9 |
| 5 | 0 | 4,700,544 | 4 | | | |
| 6 | -1 | 956,393 | 0.9 | | | |
| 7 | -1 | 4,189,573 | 4 | | | |
| 8 | -1 | 1,961,468 | 2 | | | |
| 9 | -1 | 2,254,473 | 3 | | | |
| 10 | -1 | 2,525,216 | 2 | | | |
| 400 | -1 | 2,299,378 | 3 | -1 | 1,585,946,109 | 1,944 |

With other rules on 5×5 and 400 turns player 1 wins, too: with a `sea_range` of 18 (6,675,355 positions), 4 (1,393,568),
3 (1,097,537) and 2 (1,469,188), and with `stop_early=False` (602,161). With `land_markers=2` and `stop_early=False` it
is a draw (59,173,603 positions, 51 seconds).

On 6×6 with 400 turns player 1 wins, too, within 17 turns. That took half an hour beside other work (27 min 28 s of
processor time), some 700 times as many positions as 5×5; at half of them nothing said that the end was near. A second
run, with a table of twice the size, proved the same. There is no certificate: what the table has lost is searched anew
as one is written, positions come back on the way, and `--certificate` ends with that.

Such values `scripts/solve.py` pursues for some minutes, keeps the eight million positions that took most work, and goes
on from them the next time, with a table that has room for them and one process at a time. The agent `perfect` does not
play there: what other actions are worth would each take as long.

```sh
python scripts/solve.py beyond_maps --param size=6 --minutes 60 --memory 6 --json
```

The search goes by proof numbers and knows no horizon: what is proven holds whatever turn it is, and rests neither on
the limit on turns nor on positions that come back (`edge_envs/core/solving/df_pn.py`). Only with 9 turns and fewer left
does the limit count from the first. A table knows positions up to the eight symmetries of the board and the exchange of
players (`keys.py` in the folder `solver`). A certificate names an action for each position that may come up; that of
5×5 has 574 KB, and 83,624 positions to follow. It is checked without a search, in the tests by rules in plain Python;
see `edge_envs/core/solving/certificates.py`.

By its regrets the heuristic wins 0.333 ± 0.126 of the games on 5×5 against perfect play, and `search:200` 0.375 ± 0.113
(24 games each with 400 turns, whose first two decisions are drawn; a draw counts half). In the games of 4 turns neither
gives anything away. The policy `5x5`, which went on from `8x8_long` for three minutes, wins 0.333 ± 0.104 of the same
24 games; against the heuristic it wins 0.5275 (0.5056 to 0.5493) and draws 0.2010 of 2,000 games with `--seed 9990000`.

## Version history

- v0: the first.

## References

- @SkudPaiSho, *Beyond The Edges of The Maps*, skudpaisho.com: the game and its rules.
- Andrew Peterson, *The Wingfeather Saga*: the world in which it is set.
- Shigeki Yokoi, Jun-ichiro Toriwaki and Teruo Fukumura, "An analysis of topological properties of digitized binary
  pictures using local features", Computer Graphics and Image Processing 4, 1975: the 3×3 test, by which most markers
  are known to part no sea.
"""

from __future__ import annotations

from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter, Variant

GAME = GameType(
    __name__,
    version=0,
    title="Beyond The Edges of The Maps",
    parameters=(
        Parameter("size", int, 18, "squares on each side of the board", low=5, high=18),
        Parameter("sea_range", int, 6, "longest sail", low=1, high=18),
        Parameter("land_markers", int, 3, "most markers of a land action", low=1, high=18),
        Parameter("stop_early", bool, True, "a land action may stop after its first marker"),
        Parameter("dice", bool, False, "a roll sets the longest sail (higher die) and the most markers (lower die)"),
        Parameter("max_turns", int, 400, "turns of both players, after which the score counts", low=1, high=1_000_000),
    ),
    perfect_information=True,
    summary="two ships explore and surround land on up to 18×18, no chance",
    heuristics=("v0", "v1"),
    variants=(
        Variant("8x8", {"size": 8}, above=("search:50",)),
        Variant("12x12", {"size": 12}),
    ),
)
