"""Over the Edge!: be the first to sail round a flat earth, and do not fall off.

A race of ships on open hands of cards by David McCord (New Venture Games, 2012). 2-6 players, chance, perfect
information, rewards at the end; on maps that you may draw yourself. Described here in our own words.

## Usage

```python
import edge_envs

game = edge_envs.load_game("over_the_edge", num_players=2, map="pond")
state = game.new_initial_state(seed=7)
for text in ("home Jetty", "home Reeds"):
    state.apply_action(state.string_to_action(text))
while state.is_chance_node():  # five cards for each player, then the first card of player 0's turn
    state.apply_action(state.sample_chance())
print(state)

env = edge_envs.aec_env("over_the_edge", num_players=4, boarding=False)
```

Ids in the registries of PettingZoo and Gymnasium: `edge_envs/over_the_edge-v0`.

## Description

The earth is a disc. The Old World fills its middle, the oceans lie around it, and at the rim they pour into the void.
Each ship has a home port, has to sail once round the world, either way, and wins if it is the first to be home again.
Bad cards drive ships outward, a step at a time, and over the edge.

In the picture the disc is unrolled: a row for each ring, a column for each sector, the last one next to the first.

```text
pond   * port   (0) ship of player 0   ▒ land   ═ ║ brown line
   0    1    2    3    4    5    6    7
  ┌────┬────┬────┬────┬────┬────┬────┬────┐
0 │A0* │A1  │A2  ║A3* │A4  │A5  │▒▒▒▒│A7  │
  │    │    │    ║    │    │    │▒▒▒▒│    │
  ├────┼────┴────┼────┼────┼────┼────┴────┤
1 │B0  │B1       │B3  │▒▒▒▒│B5* │B6       │
  │    │(01)     │    │▒▒▒▒│    │         │
  ├────┼────┬────┼────┼────┼────┴────┬────┤
2 │C0  │C1  │C2  │C3  │C4  │C5       │C7  │
  │    │    │    │    │    │         │    │
  └────┴────┴────┴────┴────┴─────────┴────┘
  ~~~~~~~~~~~~~~~~ the void ~~~~~~~~~~~~~~~
ports: Jetty A0, Mill A3, Reeds B5

          space  home   winding  skip  hand
player 0  B1     Jetty  3/2      0     2 fair_weather, 1 mutiny, 1 scurvy
player 1  B1     Mill   13/2     1     1 favorable_winds, 3 loyal_crew

          fair_weather  favorable_winds  mutiny  scurvy  stormy_seas  severe_damage  dead_calm  loyal_crew
deck      13            7                7       7       8            8              7          5
discards  1             -                -       -       -            -              1          -

turn 13 of 500, player 1, in the turn of player 0, gives favorable_winds for scurvy, or refuses; then the turn ends
```

The 72 cards lie open, in hands, a deck without order, and discards. When a card is to be drawn and the deck is empty,
the discards become the deck.

| cards | kind | |
|---|---|---|
| 16 | `fair_weather` | one step |
| 8 | `favorable_winds` | two steps |
| 8 | `mutiny` | three send the ship home |
| 8 | `scurvy` | three make it drift |
| 8 | `stormy_seas` | the same |
| 8 | `severe_damage` | the same |
| 8 | `dead_calm` | nothing, but see `calm` |
| 8 | `loyal_crew` | one keeps mutinies down, three keep boarders off |

- *The start.* In turn order the players pick a port as home; several may share one. Then each is dealt five cards.
- *A turn that begins in port.* Who has more than five cards discards down to five, who has fewer draws up to five. Then
  the player draws one more card, discards any one, and may sail out with a card, or stay. Nothing bad happens in port.
- *A turn at sea.* The player draws a card. Unless three bad cards act now, the player then sails with a card, or lays
  off three `dead_calm` and a `stormy_seas` (`calm`), or waits. Hands at sea may grow without limit.
- *Steps* lead into an adjacent space: one that shares an edge, not only a corner, with no brown line between. The two
  steps of `favorable_winds` may go any way, also back, and both must be made.

### Sets of three

Three of a kind act by themselves on a ship at sea, and are discarded. They are looked at after the draw of a turn at
sea, and after each step: first those of the player whose turn it is, then the others' in turn order.

- Three `scurvy`, `stormy_seas` or `severe_damage`: the ship drifts one space towards the edge, perhaps into a port, or
  over the edge. Where only land lies outward it runs aground: it stays, and one of its later turns is skipped.
- Three `mutiny`, with no `loyal_crew` in hand: the ship is home again, its way so far forgotten.
- Where more than one kind acts, the owner says which is next. A set may bring the ship into port, where the rest of the
  hand is harmless.
- A set of the player whose turn it is ends the turn. A set of another player costs that player no turn.

### Boarding

After a step into a space at sea, the player may board one ship there, if both have a card. The boarder names a card to
take, then a card to give, and they change hands. Only who holds three or more `loyal_crew` may refuse, once both cards
are named. With two steps there may be two boardings. Drifting into a space is no boarding.

### Winning and falling

A ship's *winding* is how far it has come round the world from its home, in sectors, clockwise, exactly. Steps and
drifts add to it, and back at home it is a whole number of rounds. Who enters the home port with another winding than
0 has won at once, on the first of two steps too, and by drifting in another player's turn. A ship over the edge is out
of the game, its cards go to the discards, and the others sail on.

### Maps

A map is a disc of rings and sectors, cut into spaces of one or more cells, some of them ports, with land and brown
lines. Two ship with the package: `flat_earth`, 67 spaces and seven ports, and `pond`, 19 spaces and three ports, for
short games and quick training. [docs/maps.md](../../../docs/maps.md) shows them and tells how to draw one's own. All
maps are played by the same compiled rules.

### Readings that the original leaves open

- The printed map is not used. Drifting follows the cells of a map: a space drifts into what most of its outermost
  cells see outward, among equals what is seen first going clockwise. Land counts only if all of them see it.
- A brown line stops no drift. Drifting into the own port is coming home.
- In port the hand must be brought to five, and the discard after the draw must be made.
- Sets are also looked at after another player's step, because a trade may complete one. Boarding comes first.
- While cards remain that act, a look goes on, and begins again with the turn player when an owner has named a set.
- `dead_calm` comes too late against three `stormy_seas`: those have acted before the player may choose.
- The card to give is chosen from the own hand as it was before the trade, and so are the three `loyal_crew` counted.
- A refused boarding is spent; of the same step there is no other. A ship aground can be boarded.
- A mutiny is no way to win: the ship is put home with a winding of 0. Turns that it has to skip remain.
- If deck and discards are both empty, no card is drawn and the turn goes on; sets are looked at all the same.
- A turn that is skipped counts as a turn, and a skipped player draws nothing. The turn in which the game is won, or the
  last ship falls, is not counted as finished.
- The limit on turns is ours, because ships may lie in port for ever.

### Limits

A map has at most 512 spaces. In positions that are set up, there are at most 127 cards of a kind in all heaps, a ship
has at most 1,000,000 turns to skip, and it is at most 1,000,000 rounds from home.

## Parameters

| name | values | default | meaning |
|---|---|---|---|
| `num_players` | 2 to 6 | `2` | |
| `map` | see below | `'flat_earth'` | the map of the earth |
| `boarding` | `False`, `True` | `True` | whether ships that meet at sea may be boarded |
| `max_turns` | 1 to 1000000 | `500` | turns of all players together, skipped ones too, after which nobody has won |

`map` is the name of a shipped map, a path to a file, or a dict. In `params` and in positions a shipped map that was
given by its name stays a name; any other is written down as its dict.

## Spec

With p ports and s spaces on the map:

| | |
|---|---|
| Players, n | 2 to 6 |
| Distinct actions | 3 s + p + 43 |
| Most chance outcomes of a node | 8 |
| Observation | (n (s + p + 15) + 52,) int8 |
| Rewards | -1 / (n - 1) to 1 |
| Longest game | 6 n + 16 max_turns decisions |
| Information | perfect |

## Observation

One vector, from the viewer's seat: players are listed in turn order, the viewer first. Spaces, ports and kinds of cards
have the same place for all seats, in the order of the map file and of the table of cards above.

| name | size | values | meaning |
|---|---|---|---|
| `phase` | 15 | 0, 1 | one of the phases, in the order of the table of positions below |
| `seat` | n | 0, 1 | the viewer's seat, from player 0 on |
| `decider` | n | 0, 1 | who is to decide; nobody at chance nodes and at the end |
| `turn_player` | n | 0, 1 | whose turn it is |
| `space` | n s | 0, 1 | for each player the space of the ship; none if it has fallen or not begun |
| `home` | n p | 0, 1 | for each player the home port; none before the pick |
| `rounds` | n | -127 to 127 | for each player the rounds of the winding, see below |
| `skip` | n | 0 to 127 | for each player the turns to be skipped |
| `hands` | 8 n | 0 to 127 | for each player the cards of each kind |
| `deck` | 8 | 0 to 127 | the cards of each kind in the deck |
| `discards` | 8 | 0 to 127 | the same for the discards |
| `then` | 3 | 0, 1 | what follows a boarding or sets: play, second step, or the end of the turn |
| `target` | n | 0, 1 | who is boarded |
| `take` | 8 | 0, 1 | the card that is taken in a boarding |
| `give` | 8 | 0, 1 | the card that is given for it |
| `winner` | n | 0, 1 | who has won |
| `turns_used` | 1 | 0 to 127 | turns finished in 127ths of `max_turns` |
| `turns_left` | 1 | 0 to 127 | turns that may still follow, this one included; 127 stands for more, too |

`rounds` counts how often a ship has gone from the last sector to sector 0, less how often the other way. The winding is
the angle of the ship's space, less the angle of its home, plus `rounds` times the number of sectors. More than 127
rounds or turns to skip show as 127.

## Actions and chance outcomes

They number from 0 in separate spaces. With p ports and s spaces, both in the order of the map file:

| first id | ids | phase | text | meaning |
|---|---|---|---|---|
| 0 | p | `home` | `home Jetty` | the home port |
| p | 8 | `trim`, `discard` | `discard mutiny` | a card to the discards |
| p + 8 | s | `depart`, `play` | `fair A1` | a step with `fair_weather` |
| p + s + 8 | s | `depart`, `play` | `winds A1` | the first step with `favorable_winds` |
| p + 2 s + 8 | s | `second_step` | `sail A1` | the second one |
| p + 3 s + 8 | 1 | `play` | `calm` | three `dead_calm` and one `stormy_seas` to the discards |
| p + 3 s + 9 | 1 | `depart`, `play` | `wait` | nothing, or staying in port |
| p + 3 s + 10 | 8 | `sets` | `set mutiny` | the set that acts next |
| p + 3 s + 18 | 6 | `board` | `board 1` | the player to board, however many play |
| p + 3 s + 24 | 1 | `board` | `no boarding` | |
| p + 3 s + 25 | 8 | `take` | `take mutiny` | a card of the one who is boarded |
| p + 3 s + 33 | 8 | `give` | `give mutiny` | a card of one's own |
| p + 3 s + 41 | 1 | `answer` | `accept` | |
| p + 3 s + 42 | 1 | `answer` | `refuse` | |

The turn player decides, but in `sets` the owner of the sets, and in `answer` the player who is boarded. A decision with
one possibility is asked all the same. There is no `sets` where only one kind can act, no `board` where nobody can be
boarded, and no `discard` from an empty hand.

| outcomes | phase | text | meaning |
|---|---|---|---|
| 8 | `deal`, `refill`, `draw` | `draw mutiny` | a card of the deck, by its kind |

An outcome is as probable as its kind is frequent in the deck.

## Rewards

All are paid in the last transition: 1 for the winner and -1 / (n - 1) for every other player, fallen or not; 0 for all
if nobody wins. Before, every reward is 0.

## End

- A ship comes home from round the world: its player has won.
- The last ship falls: nobody wins.
- `max_turns` turns are finished: nobody wins.

A single ship that is left sails on. Players who have fallen get no turns and stay among the agents to the end.

`State.result()` says who came home, or why nobody did: "Player 0 wins: home in Mill from round the world in turn 26 of
500." Hands are open in this game, so nothing is revealed at the end.

## Events

`State.history_strings()` tells what happened beyond the actions: sets of three that act, drifts, mutinies, ships that
run aground or are lost over the edge, turns that are skipped or end early, cards that change hands or are discarded,
and discards that become the deck. `player 0: draw scurvy. Three scurvy of player 0 act: the ship drifts to C0. Player
0's turn ends.` The drawn picture shows the latest events below its headline.

## Position

`State.to_dict`, `Game.state_from_dict` and the option `position` of every `reset` use this form. This is the position
of the picture above:

```json
{"game": "over_the_edge", "params": {"num_players": 2, "map": "pond", "boarding": true, "max_turns": 500},
 "phase": "answer", "turn_player": 0, "turn": 12,
 "ships": [{"space": "B1", "home": "A0", "winding": "3/2", "skip": 0},
           {"space": "B1", "home": "A3", "winding": "13/2", "skip": 1}],
 "hands": [{"fair_weather": 2, "mutiny": 1, "scurvy": 1}, {"favorable_winds": 1, "loyal_crew": 3}],
 "deck": {"fair_weather": 13, "favorable_winds": 7, "mutiny": 7, "scurvy": 7, "stormy_seas": 8, "severe_damage": 8,
          "dead_calm": 7, "loyal_crew": 5},
 "discards": {"fair_weather": 1, "dead_calm": 1},
 "then": "end", "target": 1, "take": "favorable_winds", "give": "scurvy"}
```

And this is an end, with the cards left away:

```json
{"game": "over_the_edge", "params": {"num_players": 2, "map": "pond", "boarding": true, "max_turns": 500},
 "phase": "over", "turn_player": 0, "turn": 40, "check_cards": false,
 "ships": [{"space": "A0", "home": "A0", "winding": -8, "skip": 0},
           {"space": null, "home": "A3", "winding": 0, "skip": 0}],
 "hands": [{}, {}], "deck": {}, "discards": {}, "winner": 0, "by_limit": false}
```

| key | |
|---|---|
| `phase` | see below |
| `turn_player` | whose turn it is; in `home` and `deal` who picks or is dealt to; at the end who had the last turn |
| `turn` | turns finished before this one, of all players, skipped ones included |
| `check_cards` | `false` lets the heaps hold other cards than the 72; left out where they are to be checked |
| `ships` | for each player `space` and `home` by ids, `winding`, and `skip`, the turns to be skipped |
| `hands` | for each player the number of cards by kind; kinds without a card are left out |
| `deck` | the same for the deck |
| `discards` | the same for the discards |
| `then` | in `sets` and the phases of a boarding, what follows: `play`, `second_step` or `end` (of the turn) |
| `target` | from `take` on, who is boarded |
| `take` | from `give` on, the kind that is taken |
| `give` | in `answer`, the kind that is given for it |
| `winner` | in `over`, who has won, or `null` |
| `by_limit` | in `over`, whether `max_turns` ended the game |

A winding is an integer, or a text such as `"7/2"` in lowest terms. `space` is `null` for a ship that has fallen, and
both `space` and `home` are before the pick. Read at a chance node, an empty deck takes the discards.

The phases, in their order: `home`, `deal`, `trim`, `refill`, `draw`, `discard`, `depart`, `play`, `second_step`,
`sets`, `board`, `take`, `give`, `answer`, `over`. A turn is made up of them so:

- in port `trim` or `refill`, card by card, then `draw`, `discard`, `depart`;
- at sea `draw`, perhaps `sets`, then `play`;
- after each step perhaps `board`, `take`, `give`, `answer`, and perhaps `sets`; then `second_step`, or the next turn.

Refused is what does not hang together: cards that are not the 72, a winding that does not fit the ship's space, a ship
at home with another winding than 0 before the end, a fallen ship with cards, winding or turns to skip, and a phase in
which the turn player cannot be.

## Heuristic

A pilot that goes through every way to finish its turn, second steps and boardings included, and takes the one after
which its ship has the greatest value; half of what the others gain counts against it. The value is counted in turns:

- the cheapest way home round the world, by either side, through ports and clear of the rim (`player/routes_home.py`);
- how many turns it takes to the next port on that way with the cards in hand: a small decision problem of a lone ship,
  solved beforehand, tells when to leave port, what to throw away there, and which card to sail with
  (`player/voyage_times.py`);
- what one or two of a bad kind threaten, by how near the void is, how likely the next card is of that kind, and whether
  a loyal crew is aboard;
- lying where another may come and board is as bad as six turns, times how likely the other has or draws the card to
  come with, and less by what the way costs the other: who comes from behind is feared, who would have to turn back
  hardly. Three loyal crew take the fear away. It counts while 100 turns or more are left;
- a card that brings a ship home in its next turn counts for two turns more.

It takes from whom it boards what helps most, and gives what harms: a third `scurvy` to a ship at the rim is its
favourite. In port it keeps bad cards to give away rather than a `dead_calm`. Ships that fear each other would lie in
port for ever; so with a hand that carries it far, and as far as that of any other in port, it rather leaves. With six
players such games are still long.

It does not reckon with what others do in their turns, but that they may come. It hinders a rival who is about to win if
it can board it in this turn, and does not sail out to lie in wait for it.

The first pilot, `heuristic:v0`, fears all alike who hold the card to come, by three turns, and nobody else. The shipped
policies were trained with it. The new one against it, by `python -m agents.evaluate --game
over_the_edge --agent heuristic --games 2000 --seed 9500000` with the rest. With four players the opponent has three
seats, so a quarter of the games is the share of an equal:

| rest of the command | wins | 95 % interval | nobody wins |
|---|---|---|---|
| `--against heuristic:v0` | 0.5755 | 0.5537 to 0.5970 | 23 |
| `--param map=pond --against heuristic:v0` | 0.6020 | 0.5804 to 0.6232 | 0 |
| `--param num_players=4 --against heuristic:v0` | 0.3080 | 0.2882 to 0.3286 | 1 |

The shipped policies against it (`--agent policies/over_the_edge/flat_earth --against heuristic`), with the same seed.
That for four players does better than against `heuristic:v0`:

| policy | games | wins | 95 % interval | nobody wins |
|---|---|---|---|---|
| `flat_earth` | 2,000 | 0.5760 | 0.5542 to 0.5975 | 37 |
| `pond` | 2,000 | 0.6125 | 0.5910 to 0.6336 | 1 |
| `flat_earth_4` | 1,000 | 0.3980 | 0.3681 to 0.4287 | 0 |

It is deterministic. Weights are tuned by play against the first one;
[docs/training.md](../../../docs/training.md#over_the_edge) tells how that one does.

## Values

`State.action_values()` tells what the heuristic thinks that each action is worth to the player to act. The unit is
turns; in hints a loss of 8 turns or more is as bad as any. The heuristic weighs by these numbers;
others may be tried:

| weight | default | range | meaning |
|---|---|---|---|
| `step` | 2.5 | 0 to 20 | a step on the way home, into a space from which drifts lead aground |
| `step_1` | 4 | 0 to 20 | a step into a space at the rim, from which one drift leads over the edge |
| `step_2` | 4.2 | 0 to 20 | a step into a space from which two drifts lead over the edge |
| `step_3` | 3.7 | 0 to 20 | a step into a space from which three drifts or more lead over the edge |
| `port_step` | 1.3 | 0 to 20 | a step into a port |
| `loss` | 2 | 0 to 100 | what a drift costs where drifts lead aground |
| `loss_1` | 40 | 0 to 100 | what a drift costs at the rim |
| `loss_2` | 8 | 0 to 100 | what a drift costs one space from the rim |
| `loss_3` | 4 | 0 to 100 | what a drift costs farther from the rim |
| `mutiny_loss` | 3 | 0 to 100 | what a mutiny costs besides the way that is lost |
| `threat_1` | 0.05 | 0 to 1 | what part of a loss counts with one bad card of the kind in hand |
| `threat_2` | 0.25 | 0 to 1 | what part of a loss counts with two of the kind |
| `crew` | 1.3 | -20 to 20 | a loyal crew |
| `more_crew` | 0.06 | -20 to 20 | the second and the third |
| `winds` | 0.5 | -20 to 20 | favorable winds, one or more |
| `winning` | 2 | -20 to 20 | a card that brings the ship home in its next turn |
| `bad_card_in_port` | -0.02 | -20 to 20 | a bad card in port |
| `dead_calm_in_port` | -0.15 | -20 to 20 | a dead calm in port |
| `skipped` | -1 | -20 to 20 | a turn that will be skipped |
| `exposed` | -6 | -20 to 0 | lying where another may come and board |
| `drawing` | 1 | 0 to 1 | what part of the chance counts that another draws the card to come with |
| `detour` | 1.4 | 0 to 5 | what a turn's way that the other loses by coming takes off |
| `refusal` | 1 | 0 to 1 | what part of it three loyal crew take off, who may refuse |
| `ready` | -4 | -20 to 0 | staying in port with a hand that carries far, and as far as any other in port |
| `patience` | 100 | 0 to 127 | turns of all players before the limit in which nobody lies in wait |
| `fallen` | -60 | -1000 to 0 | a ship that has fallen |
| `rivals` | 0.5 | 0 to 5 | the change of all others' values together, against the own |

`State.position_features(player)` gives numbers about the position of each player:

| feature | meaning |
|---|---|
| `value` | the value of the ship, in turns; the more the better; ±1000 once somebody has won |
| `way_home` | what the cheapest way home costs by the weights of steps, in turns |
| `skip` | turns that will be skipped |
| `fair_weather` | cards of the kind in hand |
| `favorable_winds` | cards of the kind in hand |
| `loyal_crew` | cards of the kind in hand |
| `bad_cards` | cards from mutiny to severe damage in hand |
| `exposed` | how likely another has the card to come and board |

## Version history

- v0: the first.

## References

- David McCord, *Over the Edge!*, New Venture Games, 2012, thegamecrafter.com/games/overtheedge: the game, its rules.
"""

from __future__ import annotations

from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter, Variant
from edge_envs.games.over_the_edge.map.charts import SHIPPED, MapParameter

GAME = GameType(
    __name__,
    version=0,
    title="Over the Edge!",
    parameters=(
        Parameter("num_players", int, 2, "number of players", low=2, high=6),
        MapParameter(
            "map", str, "flat_earth", "a shipped map's name, a path to a map file, or the map as a dict",
            gives_meaning=True, shipped=SHIPPED,
        ),
        Parameter("boarding", bool, True, "ships that meet at sea may be boarded and pillaged"),
        Parameter(
            "max_turns", int, 500, "finished turns, skipped ones included, after which the game ends",
            low=1, high=1_000_000,
        ),
    ),
    perfect_information=True,
    heuristics=("v0", "v1"),
    summary="2-6 ships race round a flat earth on open hands of cards",
    variants=(
        Variant("pond", {"map": "pond"}, above=("search:50",)),
        Variant("3p", {"num_players": 3}),
        Variant("4p", {"num_players": 4}),
    ),
)  # fmt: skip
