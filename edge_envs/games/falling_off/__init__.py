"""Falling off the Edge of the World: hang on to your pawns longest.

A misère dice race by Sandra Snan. 2-6 players, chance, perfect information, rewards at the end, two-player game solved
exactly. Described here in our own words.

## Usage

```python
import edge_envs

game = edge_envs.load_game("falling_off", num_players=2)
state = game.new_initial_state(seed=7)
state.apply_action(state.string_to_action("roll 1 2 4"))  # chance is forced, or drawn with sample_chance()
state.apply_action(state.string_to_action("keep"))
state.apply_action(state.string_to_action("move start 7"))
print(state)

env = edge_envs.aec_env("falling_off", num_players=4, play_on=True)
```

Ids in the registries of PettingZoo and Gymnasium: `edge_envs/falling_off-v0`.

## Description

The world is a row of spaces numbered 4 to 13. Before it lies the starting area, where each player's four pawns begin;
behind 13 the world ends. The first player to lose all four pawns over the edge loses.

- A turn begins with a roll of three dice. The player may throw any of them again, once, all at the same time.
- Then the player picks one or more of the dice and adds them up. The sum names a space, not a number of steps: any one
  pawn on a lower number moves there, from wherever it is. Sums below 4 name nothing, and every sum of 14 or more is
  over the edge. Pawns share spaces freely.
- Moving is a duty: if some sum lets some pawn move, the player must make one of these moves.
- If none does, a storm rolls in: the turn is lost, and two more turns are owed. Storms in those add up.
- Once all owed turns are taken the next player has a turn. A player whose last pawn falls is out at once.

Not supported: pawns that meet, which the author mentions as an idea for variants.

Readings that the original leaves open: dice have no identity, so among rerolls of equal values only one is offered; the
reroll is chosen before it is known whether a move exists; equal pawns and equal sums make one move; there is no limit
on turns owed.

## Parameters

| name | values | default | meaning |
|---|---|---|---|
| `num_players` | 2 to 6 | `2` | |
| `play_on` | `False`, `True` | `False` | whether the game goes on after the first fall |

Without `play_on` the first player who falls has lost, and all others have won. With it they play on for the places,
until one is left.

## Spec

| | |
|---|---|
| Players, n | 2 to 6 |
| Distinct actions | 74 |
| Most chance outcomes of a node | 56 |
| Observation | (14 n + 24,) int8 |
| Rewards | -1 to 1 / (n - 1); with `play_on` -1 to 1 |
| Longest game | no limit; a game ends with probability 1 |
| Information | perfect |

## Observation

One vector, from the viewer's seat: players are listed in turn order, the viewer first. It holds the whole position.

| name | size | values | meaning |
|---|---|---|---|
| `pawns` | 12 n | 0 to 4 | for each player the number of pawns on start, 4, ..., 13, off |
| `turn_player` | n | 0, 1 | whose turn it is; at the end the player whose fall ended the game |
| `phase` | 5 | 0, 1 | one of roll, reroll, rerolled, move, over |
| `dice` | 18 | 0, 1 | for each of the sorted dice its value, 1 to 6; zeros behind for absent dice |
| `turns_owed` | 1 | 0 to 127 | turns owed, this one included; 127 stands for more, too |
| `fallen` | n | 0 to n - 1 | for each player 0 while in play, k if it fell as number k |

## Actions and chance outcomes

They number from 0 in separate spaces.

| id | phase | text | meaning |
|---|---|---|---|
| 0 to 7 | `reroll` | `keep`, `reroll 4`, `reroll 1 4` | the dice to throw again |
| 8 to 73 | `move` | `move start 9`, `move 8 12`, `move 13 off` | from a place to a place |

In a reroll bit i stands for die i of the sorted three, so 0 is `keep`; of rerolls that look alike only the lowest id is
legal. Moves are the pairs (from, to) of the twelve places start, 4, ..., 13, off, ordered by from, then by to.

| outcomes | phase | text | meaning |
|---|---|---|---|
| 56 | `roll` | `roll 1 2 4` | all three dice |
| 6, 21 or 56 | `rerolled` | `rerolled 3 5` | the one, two or three dice that are thrown again |

Outcomes are ordered by their sorted values, lexicographically.

## Rewards

All are paid in the last transition and sum to 0; before, every reward is 0.

- `play_on=False`: -1 for the player who fell, 1 / (n - 1) for every other.
- `play_on=True`: 1 - 2 (k - 1) / (n - 1) for place k; the last player left is first, the first to fall is last.

## End

With `play_on=False` when a player's fourth pawn goes over the edge, with `play_on=True` when that has happened to all
players but one. A fallen player gets no turns and stays among the agents to the end; turns it still owed are forgotten.
`State.result()` says who lost all pawns, and with `play_on` in which order: "Player 1 wins: player 0 has lost all
pawns." Nothing is hidden in this game, so nothing is revealed at the end.

Nothing limits the length of a game: random play owes dozens of turns at times. Yet at most 44 moves are open to each
player, and three sixes, thrown twice if need be, always move a pawn.

## Events

`State.history_strings()` tells what happened beyond the actions: storms, pawns that fall over the edge, players who are
out, and turns that are still owed. `player 0: keep. No sum moves a pawn: a storm! Player 0 owes two more turns.` The
drawn picture shows the latest events below the dice.

## Position

`State.to_dict`, `Game.state_from_dict` and the option `position` of every `reset` use this form:

```json
{"game": "falling_off", "params": {"num_players": 2, "play_on": false},
 "phase": "move", "dice": [1, 2, 4], "turn_player": 0, "turns_owed": 1,
 "pawns": [[0, 0, 0, 9], [0, 4, 4, 14]], "fallen": []}
```

| key | |
|---|---|
| `phase` | `roll` and `rerolled` are chance nodes, `reroll` and `move` decisions, `over` the end |
| `dice` | sorted: three values in `reroll` and `move`, those that were kept in `rerolled`, else none |
| `turn_player` | who rolls and decides; in `over` the player whose fall ended the game |
| `turns_owed` | this turn included; 0 in `over` |
| `pawns` | for each player four sorted numbers: 0 (start), 4 to 13, or 14 (off) |
| `fallen` | the players with all pawns off, in the order in which they fell |

## Heuristic

It counts the turns that a player's pawns have left: a number for each pawn by its place, corrected by the place of
the lowest pawn, which decides how often storms come. The numbers are fitted to the exact expectation of a lone player
who hangs on as long as possible. It takes the reroll, and then the move, after which it expects most turns, and looks
at nobody else's pawns. It is deterministic. `python scripts/solve.py falling_off --policies` tells how often it wins,
exactly.

## Values

`State.action_values()` tells what the heuristic thinks that each action is worth to the player to act. The unit is
turns; in hints a loss of 0.5 turns or more is as bad as any. The heuristic weighs by these numbers;
others may be tried:

| weight | default | range | meaning |
|---|---|---|---|
| `storm` | 2 | 0 to 20 | turns that a storm costs |

`State.position_features(player)` gives numbers about the position of each player:

| feature | meaning |
|---|---|
| `turns_left` | turns that the pawns have left, as the player counts them |
| `turns_owed` | turns owed by the player whose turn it is; 0 for others |
| `pawns_left` | pawns that are not over the edge |
| `has_fallen` | 1 once all pawns are over the edge |

## Exact solution

With two players the game is solved: the winning probability of every position with best play on both sides, up to
rounding. Going first is a burden: the first player wins with probability 0.422028.

```sh
python scripts/solve.py falling_off --json
```

The values come from one sweep over all pairs of pawn sets, ordered by the moves that remain; see the headers of
`solution.py` and `sweep.py` in the folder `solver`, and `error_bound` for the proof. They are kept in the user's cache
and built anew when the sources change. From them come the agent `perfect`, the regret of each decision, and the exact
result of simple policies against each other and against their best response (`policies.py` there).

## Version history

- v0: the first.

## References

- Sandra Snan, *Falling off the Edge of the World*, idiomdrottning.org: the game and its rules.
- Sham Kakade and John Langford, "Approximately optimal approximate reinforcement learning", ICML 2002: the performance
  difference lemma, by which summed regrets give the winning probability against the perfect player.
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
        Parameter("play_on", bool, False, "after the first fall the others play on for the places"),
    ),
    perfect_information=True,
    summary="dice race, 2-6 players, solved exactly for two",
    variants=(
        Variant("", {}, above=("search:800",)),
        Variant("3p", {"num_players": 3}),
        Variant("4p", {"num_players": 4}),
        Variant("6p", {"num_players": 6}),
    ),
)
