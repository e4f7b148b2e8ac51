"""Beyond The Edges of The Maps: sail, raise land, and surround more of it than the other ship.

A game of exploration and territory by @SkudPaiSho, set in the world of the Wingfeather Saga. 2 players, no chance
(optionally dice), perfect information, rewards at the end. The rules are described here in our own words.

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

Id in the registries of PettingZoo and Gymnasium: `edge_envs/beyond_maps-v0`.

## Description

The board is a square sea, or a rectangular one with `height`. Each player has a ship in a corner: player 0 in the top
left corner, a1, and player 1 in the bottom right corner. Land rises where the ships explore. The player with more land
at the end wins.

- A turn consists of one sea action and one land action, in either order. The first turn of the game is a sea action
  only. Passing is not allowed.
- *Sea action*: the ship sails and may place a land marker directly ahead of it.
- *Land action*: a chain of up to three markers grows from a tip of the player's land.
- A marker must not separate the two ships, unless it closes in the other ship.
- After each action, everything that the player's land surrounds becomes the player's land.

"Next to" always means sharing a side. The sea consists of all squares without land, including those with a ship.

Each example shows a position and the result of an action. `A` is player 0's ship and `0` is player 0's land; `B` and
`1` belong to player 1. A `+` marks a legal square, an `x` an illegal one.

### Sea action

The ship moves up to `sea_range` steps through sea and may turn after each step. It may pass through the other ship. It
ends on an empty square or stays where it is.

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

The marker is placed on the next square straight ahead, so its place depends on the side from which the ship enters its
last square. The ship may take any route that is short enough.

```text
A to move    sea d3 e     sea d3 s     sea d3 w
. . . . .    . . . . .    . . . . .    . . . . .
. A . . .    . . . . .    . . . . .    . . . . .
. . . . .    . . . A 0    . . . A .    . . 0 A .
. . . . .    . . . . .    . . . 0 .    . . . . .
. . . . B    . . . . B    . . . . B    . . . . B
```

- A marker on an empty square becomes the player's land; a marker on enemy land replaces it.
- No marker can be placed on the player's own land, on the other ship or off the board.
- A ship that stays where it is may place its marker on any side.
- If the ship can enter its last square in a way that allows a marker, a marker must be placed, and the player chooses
  one of the possible sides. Otherwise the ship sails without placing a marker.

```text
A to move    sea d3 e     sea c2 s     sea e1 -
. . . . .    . . . . .    . . . . .    . . . . A
. . A . .    . . . . .    . . A . .    . . . . .
. . . . 1    . . . A 0    . . 0 . 1    . . . . 1
. . . . .    . . . . .    . . . . .    . . . . .
. . . . B    . . . . B    . . . . B    . . . . B
```

The first ship captures a square of enemy land. The second ship stays where it is. The third ends in a corner, where no
square lies ahead.

### Land action

A *peninsula* is a square of the player's land with at most one other square of that land next to it. The first marker
is placed on an empty square next to a peninsula, and each further marker on an empty square next to the previous one,
up to `land_markers` markers in total.

```text
A to move    land on +    land d2, land d1, land e1
. A . . .    . A . . .    . A . 0 0
. . . . .    . + . + .    . . . 0 .
. 0 0 0 .    + 0 0 0 +    . 0 0 0 .
. . . . .    . + . + .    . . . . .
. . . . B    . . . . B    . . . . B
```

With `stop_early=True`, the default, the player may stop after any marker, as in the original rules ("up to 3"). With
`stop_early=False` the chain continues as long as possible, as on the author's website. If no first marker is possible,
the land action is skipped. If this happens before the sea action, the land action is tried again after it.

### The ships stay connected

A marker on an empty square is illegal if it would leave the ships in different seas (the *path rule*). In the first
example such a marker would cut the strait; in the second it would close in the player's own ship.

```text
A to move    land on +    A to move    land on +
. A . . .    . A . . .    A . . . .    A x . . .
. . . . .    + . + . .    0 0 . . .    0 0 + . .
0 0 0 . 1    0 0 0 x 1    . . . . .    + + . . .
. . . . .    + . + . .    . . . . .    . . . . .
. . . . B    . . . . B    . . . . B    . . . . B
```

There is one exception: a marker may take the last sea square next to the *other* ship. This closes that ship in, the
game ends with this turn, and the rule no longer restricts the remaining markers of the turn.

```text
A, sea done    land d5, stop, over
A . . . .      A . . . .
. . . . .      . . . . .
. . . . .      . . . . .
. . 0 0 1      . . 0 0 1
. . . . B      . . . 0 B
```

This rule restricts only markers. The ship may still sail to every square in reach.

### Filling

After each action of a player, with or without a marker, the game examines every connected region of squares that are
not that player's land. A region that does not touch the edge of the board is surrounded; land that touches diagonally
also forms a wall. In a surrounded region

- all empty squares become the player's land;
- enemy land with at most one square of enemy land next to it also becomes the player's land. This repeats until no such
  square is left, so chains fall from their ends, while 2×2 blocks and rings survive;
- any ship, even the player's own, is captured, and its square becomes the player's land.

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

The edge of the board is not a wall. On the left the corner stays open; on the right a ship is captured.

```text
A, sea done    land c2, stop    A, sea done    land c4, stop, over
. . 0 . .      . . 0 . .        A . . . .      A . . . .
. . . . .      . . 0 . .        . . 0 . .      . . 0 . .
0 0 . . .      0 0 . . .        . 0 B 0 .      . 0 0 0 .
. . . . A      . . . . A        . . . 0 .      . . 0 0 .
. . . . B      . . . . B        . . . . .      . . . . .
```

### Rectangles, islands, handicap and closing in one's own ship

With `height`, the board is a rectangle of `size` squares from west to east and `height` squares from north to south.
The original rules describe a square only. On a rectangle, the ships also start in opposite corners, a1 and the bottom
right one, and all other rules are the same, with the same `sea_range`, `land_markers` and `max_turns`. Use rectangles
to train agents on boards of several shapes, or to lengthen the way between the ships:
`edge_envs.load_game("beyond_maps_12x8")`.

With `islands`, chance places islands before the first turn: as many times as the parameter says, an island of player
0 on a random square, and one of player 1 on the opposite square, by half a turn of the board. Islands are not on the
edge, and no other land is next to them, not even diagonally, so they never divide the sea. If there is no room for
another pair, the game begins with fewer. Use islands to vary the opening, or to train agents that do not depend on
one.

With `handicap`, that many squares are added to the score of player 1 (a negative number favours player 0). The game
is won by the higher score. Use it to balance players of different strength, or, like a komi, the advantage of a side.

With `close_self`, a marker is also legal if it takes the last sea square next to the player's *own* ship. Then the
game ends with this turn, and the path rule no longer restricts the remaining markers of the turn. A ship that has
moved is never closed in by its own marker, because it came from a sea square, so only a ship that stays and a land
action can do it. It is a marker like any other: if it is the only possible one, it must be placed. The original rules
allow a marker that ends the game, and the game ends when one of the ships is surrounded; the author's website has
forbidden this for the player's own ship since 2024. Use it if a player who is ahead may end the game.

### Open points of the original rules

The original rules leave some points open. Here they are decided as follows:

- Two ships are connected if there is a path between them through sea. Ships do not block paths.
- The path rule is checked for each marker separately, before anything is filled. A marker that replaces enemy land is
  always legal.
- A marker that closes in only the player's own ship is illegal, as on the author's website since 2024, unless
  `close_self` is set. A marker that closes in both ships is legal.
- A ship may leave its square and come back to it, which counts as staying. The square that a ship has left is empty and
  can receive the marker.
- Peninsulas are determined once, before the first marker of the action.
- A turn in which a ship is closed in or captured is still completed. A captured ship does not sail, but its owner still
  has a land action.
- An action with a single possibility is performed automatically and is not a decision. `stop` is offered only together
  with a marker.
- We added the limit on turns, because ships could circle forever. The end in a sea of two squares (see *End*) is also
  our reading: we interpret "unable to move" as "cannot reach an empty square".

## Parameters

| name | values | default | meaning |
|---|---|---|---|
| `size` | 5 to 18 | `18` | squares in a row, and in a column if `height` is 0; 18 is the full game, 12 the short one |
| `sea_range` | 1 to 18 | `6` | most steps of a sea action |
| `land_markers` | 1 to 18 | `3` | most markers of a land action |
| `stop_early` | `False`, `True` | `True` | whether a land action may stop after its first marker |
| `dice` | `False`, `True` | `False` | whether each turn begins with a roll of two dice |
| `max_turns` | 1 to 1000000 | `400` | turns of both players together, after which the game ends |
| `close_self` | `False`, `True` | `False` | whether a marker may close in the player's own ship alone |
| `islands` | 0 to 12 | `0` | random islands of each player at the start |
| `handicap` | -100 to 100 | `0` | squares added to the score of player 1 |
| `height` | 0, 5 to 18 | `0` | squares in a column; 0: as many as in a row |

With `dice` the higher die is the most steps of the turn's sea action, and the lower die the most markers of its land
action. `sea_range` and `land_markers` are then ignored. Positions and records leave out `close_self`, `islands`,
`handicap` and `height` if they have their defaults.

In the next sections, w is the number of squares in a row, `size`, and h that in a column, `height` or `size`.

## Spec

| | |
|---|---|
| Players | 2 |
| Distinct actions | 6 w × h + 1 |
| Most chance outcomes of a node | max(21 if `dice` else 0, w × h if `islands` else 0) |
| Observation | (14, h, w) int8 |
| Rewards | -1, 0 or 1 |
| Longest game | 1 + (max_turns - 1) (1 + (6 if `dice` else land_markers)) decisions |
| Information | perfect |

## Observation

Planes over the board from the viewer's perspective: the viewer's pieces and the other player's. The board has the same
orientation for both viewers. The planes contain the whole position. From `seat` on, each plane has one value on all
squares.

| name | size | values | meaning |
|---|---|---|---|
| `own_land` | 1 | 0, 1 | the viewer's land |
| `other_land` | 1 | 0, 1 | the other player's land |
| `own_ship` | 1 | 0, 1 | the viewer's ship; nowhere once it is captured |
| `other_ship` | 1 | 0, 1 | the other player's ship |
| `last_marker` | 1 | 0, 1 | the last marker of the land action in progress |
| `seat` | 1 | 0, 1 | the viewer's seat |
| `own_turn` | 1 | 0, 1 | whether it is the viewer's turn |
| `sea_to_do` | 1 | 0, 1 | whether the sea action is still to be done |
| `land_to_do` | 1 | 0, 1 | whether the land action is still to be done or in progress |
| `markers_placed` | 1 | 0 to m | markers placed by the land action in progress |
| `land_markers` | 1 | 0 to m | most markers of this turn's land action; 0 before the roll |
| `sea_range` | 1 | 0 to m | most steps of this turn's sea action; 0 before the roll |
| `turns_used` | 1 | 0 to 127 | completed turns in 127ths of `max_turns` |
| `turns_left` | 1 | 0 to 127 | turns that can follow this one; 127 means 127 or more |

Here m is 6 if `dice` else max(sea_range, land_markers).

## Actions and chance outcomes

Actions and chance outcomes are numbered separately, each from 0. Actions form six planes over the board, with the same
orientation for both players, plus `stop`. The id of a square in plane p is p w × h + row w + column, where rows and
columns are counted from 0 at a1.

| plane | text | meaning |
|---|---|---|
| 0 | `sea c4 n` | the ship ends on c4 and places a marker to the north, towards row 1 |
| 1 | `sea c4 e` | the same with a marker to the east |
| 2 | `sea c4 s` | the same with a marker to the south |
| 3 | `sea c4 w` | the same with a marker to the west |
| 4 | `sea c4 -` | the ship ends on c4 without placing a marker |
| 5 | `land d5` | a marker of the land action |

The id of `stop`, which ends a land action, is 6 w × h. The name of a square is a letter for the column and a number
for the row.

With `dice` every turn, including the first, begins with one of 21 rolls, the higher die first: `roll 1 1`, `roll 2 1`,
`roll 2 2`, `roll 3 1`, ..., `roll 6 6`.

With `islands` the game begins with chance nodes whose outcomes are the squares of the islands of player 0: `island c4`.
All possible squares have the same probability.

## Rewards

All rewards are paid in the last transition: 1 for the player with more land and -1 for the other, or 0 for both if they
have the same amount of land. With `handicap`, it is added to the land of player 1. Every earlier reward is 0.

## End

When a turn is complete, the game ends if

- a ship is captured;
- a ship has land or the edge of the board on all four sides;
- a ship could not reach an empty square however far it sailed, because both ships share a sea of two squares;
- `max_turns` turns are complete.

```text
A, sea done    land e3, stop, over
. . . 1 A      . . . 1 A
. . . 1 B      . . . 1 B
. . . 0 .      . . . 0 0
. . . . .      . . . . .
. . . . .      . . . . .
```

It does not matter whose ship it is. Only the land counts, so the player whose ship is captured or closed in can win.

`State.result()` states the winner, the reason and the score: "Player 1 wins: ship A is surrounded; land 4 : 7." Nothing
is hidden in this game, so nothing is revealed at the end.

## Events

`State.history_strings()` also reports what happens besides the actions: limits set by the dice, enemy land replaced by
a marker, squares and ships that are surrounded, actions performed because they were the only choice, and land actions
that were skipped or cut short. The picture shows the latest events below its headline. For example:

```text
player 1: land a3. Player 1 has only one choice: land a4.
```

## Position

`State.to_dict`, `Game.state_from_dict` and the `position` option of every `reset` use this form:

```json
{"game": "beyond_maps",
 "params": {"size": 5, "sea_range": 6, "land_markers": 3, "stop_early": true, "dice": false, "max_turns": 400},
 "board": [".....", ".00..", "...1.", "...1.", "....."], "ships": ["d1", "e5"],
 "turn_player": 0, "turn": 4, "sea_done": true, "land_done": false,
 "markers_placed": 1, "last_marker": "c2", "roll": null}
```

This is a position with islands and a handicap, before the second pair of islands is placed:

```json
{"game": "beyond_maps",
 "params": {"size": 7, "sea_range": 6, "land_markers": 3, "stop_early": true, "dice": false, "max_turns": 400,
            "islands": 2, "handicap": -1},
 "islands_left": 1, "board": [".......", "..0....", ".......", ".......", ".......", "....1..", "......."],
 "ships": ["a1", "g7"], "turn_player": 0, "turn": 0, "sea_done": false, "land_done": true,
 "markers_placed": 0, "last_marker": null, "roll": null}
```

| key | |
|---|---|
| `islands_left` | only with `islands`: pairs of islands that are still to be placed |
| `board` | rows from the top: `.` empty, `0` and `1` land of that player |
| `ships` | the squares of both ships; `null` for a captured ship |
| `turn_player` | the player whose turn it is; at the end, the player who had the last turn |
| `turn` | turns completed before this one |
| `sea_done` | whether this turn's sea action is done |
| `land_done` | whether this turn's land action is done; in turn 0 true from the start |
| `markers_placed` | markers placed by the land action in progress, otherwise 0 |
| `last_marker` | the last of these markers, otherwise `null` |
| `roll` | with `dice`, from the roll to the end of the turn, the higher and the lower die; otherwise `null` |

The game is over exactly when `sea_done` and `land_done` are both true. An end by the limit on turns has no key of its
own. Any combination of `turn` and `turn_player` is valid. Ships may be in different seas, and a ship may be captured
before the turn is complete. These positions are rejected: a position in which the mover has no choice, an end at which
the game would continue, a turn that would begin after the end, and a land action in turn 0.

## Heuristic

The heuristic enumerates whole turns: a sea action and up to three markers of a land action. It scores each turn by the
lead in land at its end and by the ways out of each ship (the sea squares next to it). Of several sea actions with the
same marker, only the one that leaves its ship the most ways out is continued with land actions. The heuristic then
evaluates the positions after the 32 best turns. The evaluation counts the lead, the squares that would be enclosed if
every one-square gap were closed, whether each side has a place to start a land action, and the ways out.

The heuristic chooses the best of these turns after which the opponent cannot win immediately. If no such turn is among
them, it searches all its turns for one. A win in the current turn always comes first, in either order of actions. Wins
within one turn, its own and the opponent's, are found exactly; with six or more markers some may be missed. With dice
it assumes that the opponent rolls 4 and 3. If both actions are open, it sails first, unless only land first wins.

The first heuristic, `heuristic:v0`, uses the same evaluation. It looks ahead from three actions, in which both sides
continue greedily. The policies `8x8` and `12x12` were trained with it.

With the weight `answers` the heuristic also searches for the opponent's best answer to each turn that it examines, and
evaluates the position after it. It scores the opponent's turns in the same way, with land actions only after the four
best sea actions. By default this is off; the hints of `8x8_long`, `12x12_long` and `18x18_long` use it.

The heuristic is deterministic, and so is the game without dice. Games against it therefore differ only through the
opponent or a random opening. In the table below, each agent plays half of the games from each seat, after two random
decisions. The last column is the 95 % Wilson interval. `one_turn` is a baseline that examines all whole turns and
chooses a win, or else the largest lead.

| opponent | size | games | wins | draws | interval |
|---|---|---|---|---|---|
| random | 8 | 1,000 | 1.000 | 0 | 0.996 to 1.000 |
| random | 12 | 1,000 | 1.000 | 0 | 0.996 to 1.000 |
| random | 18 | 1,000 | 1.000 | 0 | 0.996 to 1.000 |
| flat Monte Carlo | 8 | 100 | 1.000 | 0 | 0.963 to 1.000 |
| `one_turn` | 8 | 2,000 | 0.819 | 41 | 0.801 to 0.835 |
| `one_turn` | 12 | 2,000 | 0.869 | 39 | 0.854 to 0.883 |
| `one_turn` | 18 | 1,000 | 0.882 | 8 | 0.861 to 0.901 |
| `heuristic:v0` | 8 | 2,000 | 0.750 | 95 | 0.731 to 0.768 |
| `heuristic:v0` | 12 | 2,000 | 0.794 | 56 | 0.776 to 0.811 |
| `heuristic:v0` | 18 | 1,000 | 0.880 | 11 | 0.858 to 0.899 |

```sh
python -m agents.evaluate --game beyond_maps --agent heuristic --against one_turn --games 1000 --seed 9000000
```

## Values

`State.action_values()` returns the heuristic's value of each action for the player to act, in squares of
land. [Hints](../../../docs/explanation/features_and_hints.md#hints) rate every loss of 4 squares or more as equally
bad.
You can override the weights that the heuristic uses:

| weight | default | range | meaning |
|---|---|---|---|
| `breadth` | 1 | 1 to 32 | minimum number of turns to examine; rounded down |
| `answers` | 0 | 0 to 32 | number of the opponent's answers to evaluate after each of them; rounded down |
| `no_start` | -1 | -10 to 10 | the player has no place to start a land action |
| `other_no_start` | 1 | -10 to 10 | the opponent has no place to start a land action |
| `enclosed` | 0.7 | -2 to 2 | a square that the player has nearly enclosed |
| `other_enclosed` | -0.5 | -2 to 2 | a square that the opponent has nearly enclosed |
| `one_way_out` | -2 | -20 to 20 | the player's ship has one way out |
| `two_ways_out` | -1 | -20 to 20 | the player's ship has two ways out |
| `three_ways_out` | -0.3 | -20 to 20 | the player's ship has three ways out |
| `other_one_way_out` | 0.6 | -20 to 20 | the opponent's ship has one way out |
| `other_two_ways_out` | 0.3 | -20 to 20 | the opponent's ship has two ways out |
| `other_three_ways_out` | 0.1 | -20 to 20 | the opponent's ship has three ways out |

`State.position_features(player)` returns these features of each player's position:

| feature | meaning |
|---|---|
| `value` | the lead in land, corrected by the weights; plus or minus 1000 once the game is decided |
| `land` | squares of the player's land |
| `nearly_enclosed` | squares gained if all one-square gaps were closed; the opponent's land counts twice |
| `can_start` | 1 if the player has a place to start a land action |
| `ways_out` | sea squares next to the ship, 0 to 4 |

## Exact solution

Small games without dice and islands are solved by proof-number search. On 5×5 player 1, who moves second, can force a
win within ten turns. This is proven for every `max_turns` of at least 6; the proof takes 2,299,378 positions and three
seconds:

```sh
python scripts/solve.py beyond_maps --param size=5 --json --certificate proof.npz
python scripts/solve.py beyond_maps --check proof.npz
python -m agents.evaluate --game beyond_maps --param size=5 --agent heuristic --against perfect --games 24
```

These games are solved:

- 5×5 with `land_markers=3` and a `sea_range` of at least 2, with any `max_turns` and `stop_early`, without
  `close_self` and `handicap`;
- 5×5 with at most 3 markers and at most 5 turns;
- 6×6, 5×6, 6×5, 5×7 and 7×5 with at most 3 markers and at most 4 turns.

In these games the agent `perfect` plays optimally and regrets are exact. In a long game its first decisions take up to
a minute, because the value of each action is proven separately. Advice and hints therefore come from the heuristic,
except in games of up to 3 turns on 5×5 and up to 2 turns on the other boards. To wait for perfect play, use
`--judge perfect` of `scripts/play.py` or *perfect play, slowly* on the web page.

The value is the return of player 0 from the start with best play on both sides. For games that are solved at once,
`scripts/solve.py` prints the probability that the first player wins, (value + 1) / 2, where 0.5 is a draw. With few
exceptions, the player who has the last turn wins short games. The work is measured in positions examined and in seconds
on one core:

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

On 5×5 with 400 turns player 1 also wins under other rules: with a `sea_range` of 18 (6,675,355 positions), 4
(1,393,568), 3 (1,097,537) and 2 (1,469,188), and with `stop_early=False` (602,161). With `land_markers=2` and
`stop_early=False` the game is a draw (59,173,603 positions, 51 seconds). With `close_self=True` player 1 wins as well
(775,523 positions); with `max_turns=5` that rule turns a draw into a win of player 1 (794,662).

Values on rectangles, where both ways to lay the board give the same game:

| `max_turns` | value on 5×6 | positions | seconds | value on 5×7 | positions | seconds |
|---|---|---|---|---|---|---|
| 1 | 1 | 1 | 0 | 1 | 1 | 0 |
| 2 | -1 | 5,421 | 0 | -1 | 6,048 | 0 |
| 3 | 1 | 122,919 | 0.1 | 1 | 82,022 | 0.2 |
| 4 | -1 | 1,366,320 | 1.1 | -1 | 3,434,363 | 2.9 |
| 5 | 1 | 16,040,215 | 13 | | | |

Values with a `handicap`:

| board | -3 | -2 | -1 | 0 | 1 | 2 | 3 |
|---|---|---|---|---|---|---|---|
| 5×5, 3 turns | 1 | 1 | 1 | 1 | 1 | 0 | -1 |
| 5×5, 5 turns | 1 | 1 | 1 | 0 | -1 | -1 | -1 |
| 5×5, 400 turns | 1 | | -1 | -1 | -1 | | |
| 6×6, 4 turns | | -1 | -1 | -1 | -1 | -1 | |

Best play thus leads by two squares after three turns on 5×5, and by none after five. In the whole game, a handicap of
-3 turns the win of player 1 into one of player 0; -2 was not decided in 100 seconds. Games with `islands` are not
solved, because chance places them.

On 6×6 with 400 turns player 1 also wins, within 17 turns. The proof took half an hour on a loaded machine (27 min 28 s
of CPU time) and about 700 times as many positions as on 5×5. At half of these positions nothing showed that the end
was near. A second run with a table of twice the size proved the same result. No certificate exists: `--certificate` has
to search again for every position that the table has lost, meets repeated positions on the way, and stops with an
error.

For such games `scripts/solve.py` searches for some minutes and saves the eight million positions that took the most
work. The next call continues from them. It needs a table large enough to hold them, and only one process can run at a
time. The agent `perfect` does not play these games, because evaluating each of the other actions would take as long.

```sh
python scripts/solve.py beyond_maps --param size=6 --minutes 60 --memory 6 --json
```

The proof-number search has no horizon. Its proofs hold at any turn number and depend neither on the limit on turns nor
on repeated positions (`edge_envs/core/solving/df_pn.py`). Only with 9 or fewer turns left does the search use the limit
from the beginning. The table identifies positions that are equal up to the symmetries of the board (eight for a square,
four for other rectangles) and the exchange of players (`keys.py` in the folder `solver`). A certificate contains an
action for each position that can occur. The certificate of 5×5 is 574 KB in size and covers 83,624 positions. It is
verified without a search; the tests verify it with rules in plain Python. See
`edge_envs/core/solving/certificates.py`.

Estimated from its regrets, the heuristic wins 0.333 ± 0.126 of the games on 5×5 against perfect play, and `search:200`
wins 0.375 ± 0.113 (24 games each with 400 turns and two random opening decisions; a draw counts half). In games of 4
turns neither makes a mistake. The policy `5x5`, trained for three minutes from `8x8_long`, wins 0.333 ± 0.104 of the
same 24 games. Against the heuristic it wins 0.527 (0.506 to 0.549) and draws 0.201 of 2,000 games with
`--seed 9990000`.

N-tuple networks that learned from the rules alone for a minute are at least as strong as the heuristic on 5×5. In games
of four turns on 6×6, 100 games do not distinguish them from perfect play:

| agent | board | against `perfect`, estimate from regrets | games, seed | against the heuristic |
|---|---|---|---|---|
| n-tuple network, 600,000 turns, 64 s | 5×5 | 0.383 ± 0.050 | 120, 78000022 | won 954, drew 295 of 2,000 |
| `heuristic` | 5×5 | 0.346 ± 0.055 | 120, 78000022 | |
| n-tuple network, 200,000 turns, 51 s | 6×6, 4 turns | 0.505 ± 0.023 | 100, 78000021 | |

```sh
python -m agents.tuples --config configs/beyond_maps/from_rules_8x8.yaml --set params.size=5 total_steps=600_000 \\
    --out runs/5x5
python -m agents.evaluate --agent runs/5x5/policy --against perfect --games 120 --seed 78000022
```

## Version history

- v0: the first.

## References

- @SkudPaiSho, *Beyond The Edges of The Maps*, skudpaisho.com: the game and its rules.
- Andrew Peterson, *The Wingfeather Saga*: the world in which it is set.
- Shigeki Yokoi, Jun-ichiro Toriwaki and Teruo Fukumura, "An analysis of topological properties of digitized binary
  pictures using local features", Computer Graphics and Image Processing 4, 1975: the 3×3 test, which shows for most
  markers that they do not divide the sea.
"""

from __future__ import annotations

from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter, Variant

GAME = GameType(
    __name__,
    version=0,
    title="Beyond The Edges of The Maps",
    parameters=(
        Parameter("size", int, 18, "squares in a row, and in a column if height is 0", low=5, high=18),
        Parameter("sea_range", int, 6, "most steps of a sea action", low=1, high=18),
        Parameter("land_markers", int, 3, "most markers of a land action", low=1, high=18),
        Parameter("stop_early", bool, True, "a land action may stop after its first marker"),
        Parameter("dice", bool, False, "roll the most steps (higher die) and markers (lower die) of each turn"),
        Parameter("max_turns", int, 400, "turns of both players after which the game ends", low=1, high=1_000_000),
        Parameter("close_self", bool, False, "a marker may close in the player's own ship alone", always_written=False),
        Parameter(
            "islands", int, 0, "random islands of each player at the start", low=0, high=12, always_written=False
        ),
        Parameter(
            "handicap", int, 0, "squares added to the score of player 1", low=-100, high=100, always_written=False
        ),
        Parameter(
            "height", int, 0, "squares in a column; 0: as many as in a row",
            choices=(0, *range(5, 19)), always_written=False,
        ),
    ),
    perfect_information=True,
    summary="two ships explore and surround land on up to 18×18, no chance",
    heuristics=("v0", "v1"),
    variants=(
        Variant("8x8", {"size": 8}, above=("search:50",)),
        Variant("12x12", {"size": 12}),
        Variant("dice", {"dice": True}, board=False),
        Variant("4_and_2", {"sea_range": 4, "land_markers": 2}, board=False),
        Variant("8x8_islands", {"size": 8, "islands": 3}, board=False),
        Variant("12x8", {"size": 12, "height": 8}, board=False),
    ),
)  # fmt: skip
