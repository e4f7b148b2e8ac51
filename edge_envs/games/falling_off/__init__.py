"""Falling off the Edge of the World: hang on to your pawns longest.

A dice race by Sandra Snan that nobody wants to finish: a player without pawns is out. 2-6 players, chance, perfect
information, rewards at the end. The two-player game is solved exactly. The rules are described here in our own words.

## Usage

```python
import edge_envs

game = edge_envs.load_game("falling_off", num_players=2)
state = game.new_initial_state(seed=7)
state.apply_action(state.string_to_action("roll 1 2 4"))  # force a chance outcome, or draw one with sample_chance()
state.apply_action(state.string_to_action("keep"))
state.apply_action(state.string_to_action("move start 7"))
print(state)

env = edge_envs.aec_env("falling_off", num_players=4, play_on=True)
tiny = edge_envs.seat_env("falling_off_tiny", opponents="perfect")  # one pawn, two dice, four spaces, solved exactly
```

Id in the registries of PettingZoo and Gymnasium: `edge_envs/falling_off-v0`.

## Description

The world is a row of spaces numbered 4 to 13. In front of it is the starting area, where each player's four pawns
begin. Beyond space 13 the world ends. The first player to lose all four pawns over the edge loses.

- A turn begins with a roll of three dice. The player may reroll any of them once, all at the same time.
- The player then chooses one or more of the dice and adds them up. The sum names a space, not a number of steps: any
  one pawn on a lower number moves directly to that space. Sums below 4 name no space, and every sum of 14 or more is
  over the edge. Pawns share spaces freely.
- Moving is compulsory: if some sum can move some pawn, the player must make one of these moves.
- If no move exists, a storm rolls in: the turn is lost, and the player owes two more turns. Further storms add up.
- When all owed turns have been taken, the next player has a turn. A player whose last pawn falls is out at once.

The original rules leave some points open. Here they are decided as follows:

- Dice have no identity, so only one of several rerolls with the same values is offered.
- The reroll is chosen before the game checks whether a move exists.
- Equal pawns and equal sums count as one move.
- The number of turns owed is not limited.

## Parameters

| name | values | default | meaning |
|---|---|---|---|
| `num_players` | 2 to 6 | `2` | number of players |
| `play_on` | `False`, `True` | `False` | whether the game continues after the first fall |
| `pawns` | 1 to 4 | `4` | number of pawns of each player |
| `dice` | 1 to 3 | `3` | number of dice |
| `spaces` | 1 to 10 | `10` | number of spaces, which are numbered from 4 |
| `rerolls` | 0 to 3 | `1` | rerolls in a turn |
| `landing` | `'share'`, `'back_to_start'` | `'share'` | what happens to pawns of others where a pawn lands |

Without `play_on` the first player to fall loses and all others win. With `play_on` the other players continue until one
is left, and every place counts.

Positions, records and policies contain the last five parameters only if they differ from their defaults.

### Smaller and larger games

- `spaces`: the world ends earlier. With five spaces, 4 to 8, every sum of 9 or more is over the edge. The highest sum
  must be over the edge, so one die allows at most 2 spaces and two dice at most 8.
- `pawns`: a player is out when as many pawns have fallen. In observations and cells the pawns that a game leaves out
  count as pawns over the edge.
- `rerolls`: with 0 the roll leads straight to the move. With 2 or 3 the player chooses again after each reroll; `keep`
  ends the rerolls of the turn.

Actions have the same ids in all these games, and observations the same layout, except that `rerolls_left` is added
with two or three rerolls. All games for two players without a landing rule are solved exactly. Use them as a family of
tasks of increasing size, on which the regret of every decision is known.

### Landing on other pawns

The author invites variants in which pawns interact. With `landing="back_to_start"`, if a pawn moves to a space, all
pawns of other players on that space return to the start. Pawns of the same player still share spaces, and pawns over
the edge stay there. As pawns want to stay in the world, this is a gift: avoid the spaces of others. Use it for a race
in which players affect each other at every move. These games are not solved.

### Named variants

| name | parameters | first player wins |
|---|---|---|
| `falling_off_3p`, `falling_off_4p`, `falling_off_5p`, `falling_off_6p` | three to six players | |
| `falling_off_play_on` | four players, `play_on=True` | |
| `falling_off_tiny` | `pawns=1`, `dice=2`, `spaces=4` | 0.335111 |
| `falling_off_small` | `pawns=2`, `dice=2`, `spaces=6` | 0.409629 |
| `falling_off_landing` | `landing="back_to_start"` | |

The last column is the exact winning probability of the first player with best play on both sides.

## Spec

| | |
|---|---|
| Players, n | 2 to 6 |
| Distinct actions | 74 |
| Most chance outcomes of a node | (6, 21, 56)[dice - 1] |
| Observation | (14 n + 24 + (rerolls > 1),) int8 |
| Rewards | -1 to 1 / (n - 1); with `play_on` -1 to 1 |
| Longest game | no limit; a game ends with probability 1 |
| Information | perfect |

## Observation

One vector from the viewer's perspective: players are listed in turn order, starting with the viewer. It contains the
whole position.

| name | size | values | meaning |
|---|---|---|---|
| `pawns` | 12 n | 0 to 4 | for each player, the number of pawns on start, 4, ..., 13, off |
| `turn_player` | n | 0, 1 | one-hot: the player whose turn it is; at the end, the player whose fall ended the game |
| `phase` | 5 | 0, 1 | one-hot: roll, reroll, rerolled, move, over |
| `dice` | 18 | 0, 1 | one-hot value 1 to 6 of each die, in sorted order; zeros for missing dice, which come last |
| `turns_owed` | 1 | 0 to 127 | turns owed, including this one; 127 means 127 or more |
| `fallen` | n | 0 to n - 1 | for each player, 0 while in play, k for the kth player to fall |
| `rerolls_left` | 1 if rerolls > 1 else 0 | 0 to rerolls | rerolls that the player may still choose |

## Actions and chance outcomes

Actions and chance outcomes are numbered separately, each from 0.

| id | phase | text | meaning |
|---|---|---|---|
| 0 to 7 | `reroll` | `keep`, `reroll 4`, `reroll 1 4` | the dice to reroll |
| 8 to 73 | `move` | `move start 9`, `move 8 12`, `move 13 off` | from one place to another |

In the id of a reroll, bit i stands for die i of the three sorted dice, so 0 is `keep`. If several rerolls have the same
values, only the one with the lowest id is legal. Moves are the pairs (from, to) of the twelve places start, 4, ..., 13,
off, ordered by from, then by to.

| outcomes | phase | text | meaning |
|---|---|---|---|
| 56 | `roll` | `roll 1 2 4` | all three dice |
| 6, 21 or 56 | `rerolled` | `rerolled 3 5` | the one, two or three dice that are rerolled |

Outcomes are in lexicographic order of their sorted values. With fewer dice there are 21 or 6 outcomes in `roll`.

## Rewards

All rewards are paid in the last transition and sum to 0. Every earlier reward is 0.

- `play_on=False`: -1 for the player who fell, 1 / (n - 1) for every other player.
- `play_on=True`: 1 - 2 (k - 1) / (n - 1) for place k. The last player left is first; the first to fall is last.

## End

With `play_on=False` the game ends when a player's last pawn goes over the edge. With `play_on=True` it ends when this
has happened to all players but one. A fallen player gets no more turns but remains one of the agents until the end. Any
turns that this player still owed are cancelled. `State.result()` says who lost all pawns and, with `play_on`, in which
order: "Player 1 wins: player 0 has lost all pawns." Nothing is hidden in this game, so nothing is revealed at the end.

The length of a game is not limited: with random play a player sometimes owes dozens of turns. However, each player can
make at most 44 moves unless pawns return to the start, and rolling three sixes, twice if necessary, always moves a
pawn.

## Events

`State.history_strings()` also reports what happens besides the actions: storms, pawns that fall over the edge or return
to the start, players who are out, and turns still owed. The picture shows the latest events below the dice. For
example:

```text
player 0: keep. No sum moves a pawn: a storm! Player 0 owes two more turns.
```

## Position

`State.to_dict`, `Game.state_from_dict` and the `position` option of every `reset` use this form:

```json
{"game": "falling_off", "params": {"num_players": 2, "play_on": false},
 "phase": "move", "dice": [1, 2, 4], "turn_player": 0, "turns_owed": 1,
 "pawns": [[0, 0, 0, 9], [0, 4, 4, 14]], "fallen": []}
```

With two or three rerolls there is one more key:

```json
{"game": "falling_off", "params": {"num_players": 2, "play_on": false, "pawns": 2, "rerolls": 2},
 "phase": "reroll", "dice": [1, 2, 5], "turn_player": 0, "turns_owed": 1,
 "pawns": [[0, 9], [4, 14]], "fallen": [], "rerolls_left": 1}
```

| key | |
|---|---|
| `phase` | `roll` and `rerolled` are chance nodes, `reroll` and `move` are decisions, `over` is the end |
| `dice` | sorted: all values in `reroll` and `move`, the kept dice in `rerolled`, otherwise empty |
| `turn_player` | the player who rolls and decides; in `over`, the player whose fall ended the game |
| `turns_owed` | includes this turn; 0 in `over` |
| `pawns` | sorted numbers for each player, one for each pawn: 0 (start), 4 to 13, or 14 (off) |
| `fallen` | the players whose pawns are all off, in the order in which they fell |
| `rerolls_left` | rerolls that the player may still choose in `reroll` and `rerolled`, otherwise 0 |

## Heuristic

The heuristic estimates how many more turns a player can survive. Each pawn contributes a number that depends on its
place, and the place of the lowest pawn corrects the sum, because it decides how often storms come. The numbers are
fitted to the exact expectation of a single player who hangs on as long as possible. The heuristic chooses the reroll,
and then the move, with the most expected turns. It ignores the pawns of all other players and is deterministic. With
other numbers of dice, spaces and rerolls it uses the same fit. Print
its exact winning probabilities:

```sh
python scripts/solve.py falling_off --policies
```

## Values

`State.action_values()` returns the heuristic's value of each action for the player to act, in turns.
[Hints](../../../docs/explanation/features_and_hints.md#hints) rate every loss of 0.5 turns or more as equally bad.
You can override the weight that the heuristic uses:

| weight | default | range | meaning |
|---|---|---|---|
| `storm` | 2 | 0 to 20 | turns that a storm costs |

`State.position_features(player)` returns these features of each player's position:

| feature | meaning |
|---|---|
| `turns_left` | turns that the pawns can survive, as the heuristic estimates them |
| `turns_owed` | turns owed by the player whose turn it is; 0 for others |
| `pawns_left` | pawns that are not over the edge |
| `has_fallen` | 1 once all pawns are over the edge |

## Exact solution

The two-player game is solved: the solution contains the winning probability of every position with best play on both
sides, exact up to rounding. Moving first is a disadvantage: the first player wins with probability 0.422028.

```sh
python scripts/solve.py falling_off --json
```

Games with other numbers of pawns, dice, spaces and rerolls are solved in the same way, most of them within a second:

```sh
python scripts/solve.py falling_off --param pawns=1 --param dice=2 --param spaces=4 --json
```

If only one parameter is changed, the first player wins with probability 0.413638 (two pawns), 0.450097 (no reroll) or
0.386866 (two rerolls). Best responses and exact contests between policies exist only with the default parameters.

The solver computes all values by dynamic programming, in one sweep over all pairs of pawn sets ordered by remaining
moves. The docstrings of `solution.py` and `sweep.py` in the folder `solver` explain the method, and that of
`Solution.error_bound` proves the error bound. The values are kept in the user's cache and recomputed when the source
code changes. They define the agent `perfect`, the regret of each decision (the winning probability that it gives
away), and the exact results of simple policies against each other and against their best responses (`policies.py`).

## Version history

- v0: the first.

## References

- Sandra Snan, *Falling off the Edge of the World*, idiomdrottning.org: the game and its rules.
- Sham Kakade and John Langford, "Approximately optimal approximate reinforcement learning", ICML 2002: the performance
  difference lemma, which turns summed regrets into the winning probability against the perfect player.
"""

from __future__ import annotations

from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter, Variant

GAME = GameType(
    __name__,
    version=0,
    title="Falling off the Edge of the World",
    parameters=(
        Parameter("num_players", int, 2, "number of players", low=2, high=6),
        Parameter("play_on", bool, False, "play on for the remaining places after the first fall"),
        Parameter("pawns", int, 4, "number of pawns of each player", low=1, high=4, always_written=False),
        Parameter("dice", int, 3, "number of dice", low=1, high=3, always_written=False),
        Parameter(
            "spaces", int, 10, "number of spaces, which are numbered from 4", low=1, high=10, always_written=False
        ),
        Parameter("rerolls", int, 1, "rerolls in a turn", low=0, high=3, always_written=False),
        Parameter(
            "landing",
            str,
            "share",
            "what happens to pawns of others on a space that a pawn moves to",
            choices=("share", "back_to_start"),
            always_written=False,
        ),
    ),
    perfect_information=True,
    summary="dice race, 2-6 players, solved exactly for two",
    variants=(
        Variant("", {}, above=("search:800",)),
        Variant("3p", {"num_players": 3}),
        Variant("4p", {"num_players": 4}),
        Variant("5p", {"num_players": 5}, board=False),
        Variant("6p", {"num_players": 6}),
        Variant("play_on", {"num_players": 4, "play_on": True}, board=False),
        Variant("tiny", {"pawns": 1, "dice": 2, "spaces": 4}, board=False),
        Variant("small", {"pawns": 2, "dice": 2, "spaces": 6}, board=False),
        Variant("landing", {"landing": "back_to_start"}, board=False),
    ),
)
