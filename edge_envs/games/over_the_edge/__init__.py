"""Over the Edge!: be the first to sail round a flat earth, and do not fall off.

A race of ships with open hands of cards by David McCord (New Venture Games, 2012). 2-6 players, chance, perfect
information, rewards at the end. You can draw your own maps. The rules are described here in our own words.

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

Id in the registries of PettingZoo and Gymnasium: `edge_envs/over_the_edge-v0`.

## Description

The earth is a disc. The Old World fills its middle, the oceans surround it, and at the rim they pour into the void.
Each ship has a home port. It has to sail round the world once, in either direction. The first ship to come home wins.
Bad cards drive ships outward, one space at a time, and over the edge.

The picture shows the disc unrolled: a row for each ring and a column for each sector. The last column is next to the
first.

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

All 72 cards are open: in the hands, in a deck without order, and in the discards. When a player has to draw and the
deck is empty, the discards become the deck.

| cards | kind | effect |
|---|---|---|
| 16 | `fair_weather` | one step |
| 8 | `favorable_winds` | two steps |
| 8 | `mutiny` | three send the ship home |
| 8 | `scurvy` | three make the ship drift |
| 8 | `stormy_seas` | three make the ship drift |
| 8 | `severe_damage` | three make the ship drift |
| 8 | `dead_calm` | nothing, but see `calm` |
| 8 | `loyal_crew` | one prevents mutinies, three let a player refuse a boarding |

- *Setup.* In turn order, the players choose a port as home. Several players may share a port. Then each is dealt five
  cards.
- *A turn that begins in port.* A player with more than five cards discards down to five. A player with fewer draws up
  to five. Then the player draws one more card, discards any one card, and may sail out with a card or stay. Nothing bad
  happens in port.
- *A turn at sea.* The player draws a card. Unless a set of three bad cards now takes effect, the player then sails with
  a card, discards three `dead_calm` and a `stormy_seas` (`calm`), or waits. The hand is not limited at sea.
- *Steps* lead to an adjacent space: one that shares an edge, not only a corner, with no brown line between. The two
  steps of `favorable_winds` may go in any direction, even back. Both are mandatory.

### Sets of three

Three cards of a bad kind take effect on a ship at sea and are then discarded. The sets of all ships are checked after
the draw of a turn at sea and after each step: first those of the turn player, then those of the others in turn order.

- Three `scurvy`, `stormy_seas` or `severe_damage`: the ship drifts one space towards the edge, perhaps into a port, or
  over the edge. If only land lies outward, the ship runs aground: it stays, and it misses a later turn.
- Three `mutiny`, with no `loyal_crew` in hand: the ship returns to its home port, and its voyage starts again.
- If several kinds can take effect, the owner chooses the next one. A set may bring the ship into port, where the rest
  of the hand is harmless.
- A set of the turn player ends the turn. A set of another player does not cost that player a turn.

### Boarding

After a step into a space at sea, the turn player may board one ship there, if both players have a card. The boarder
names a card to take, then a card to give, and the two cards change hands. Only a player with three or more
`loyal_crew` may refuse, after both cards are named. Two steps allow two boardings. Drifting into a space does not
allow a boarding.

### Winning and falling

The *winding* of a ship says how far it has sailed round the world from its home. It is an exact number of sectors,
counted clockwise. Steps and drifts change it. At home it is a whole number of rounds. A ship that enters its home port
with a winding other than 0 wins at once, even on the first of two steps or by drifting in another player's turn. A ship
over the edge is out of the game, its cards are discarded, and the others sail on.

### Maps

A map is a disc of rings and sectors. It is divided into spaces of one or more cells, some of them ports, with land and
brown lines. The package includes two maps: `flat_earth`, 67 spaces and seven ports, and `pond`, 19 spaces and three
ports, for short games and quick training. `random:SEED` is a generated map, such as `random:7` or, with options,
`random:7:sectors=12:land=0`. [Maps](../../../docs/maps.md) shows the maps, lists the options and explains how to draw
your own. All maps use the same compiled rules.

### Sets of maps

`random:FIRST-LAST`, such as `random:0-199:sectors=12`, is a set of generated maps, one for each seed. Every game
begins with a chance node, `map SEED`, that draws one of them with equal probability. Use a set to train agents that
generalize, and another one with other seeds to test them: the layout of actions and observations depends only on the
numbers of rings, sectors and ports. `over_the_edge_maps` is a set of 200 maps for training, `over_the_edge_new_maps`
one of 200 others for tests. With `reset(options={"map": 7})`, a game is played on the map of seed 7 of the set.

Spaces are numbered by their first cells: the space whose first cell is in ring r and sector c has the number r times
the number of sectors plus c, in observations and action ids alike. Other numbers are not used. s is therefore the
number of cells. The observation also shows the map.

### Optional rules and other decks

- `calm_saves`: when three `stormy_seas` of a player with three `dead_calm` would take effect, the player may discard
  the three `dead_calm` and one `stormy_seas` instead (`calm` in the phase `sets`). The ship does not drift. In the
  player's own turn this ends the turn, as a set does. Use it if you read the original rules this way: they allow the
  discard, and they do not say whether it comes before or after the third `stormy_seas` takes effect.
- `hand_size`: the number of cards that are dealt, and to which a player in port draws or discards. Use smaller hands
  for shorter stays in port.
- `cards`: the number of cards of each kind, as a dict. Kinds that are left out keep their counts. Use it to make the
  sea kinder or rougher in a curriculum.

The heuristic was tuned for five cards and the usual deck. It also plays with other numbers.

### Decisions where the original rules are open

- The printed map is not used. Drifts follow the cells of a map: a space drifts to the space that most of its outermost
  cells face outward. Among equals, the first one going clockwise counts. Land counts only if all these cells face it.
- A brown line does not stop a drift. A ship that drifts into its own home port has entered it.
- In port, a player must bring the hand to five cards and must discard after the draw.
- Sets are also checked after another player's step, because a boarding may complete one. The boarding comes first.
- A check continues until no set can take effect. It begins again with the turn player after an owner has chosen a set.
- `dead_calm` comes too late against three `stormy_seas`, which take effect before the player may act, unless
  `calm_saves` is set.
- The boarder chooses the card to give from the hand before the exchange. The three `loyal_crew` are also counted before
  the exchange.
- A refused boarding is used up: the same step does not allow another. A ship that is aground can be boarded.
- A mutiny does not win the game: the ship returns home with a winding of 0. It still misses the turns that it owes.
- If the deck and the discards are both empty, no card is drawn and the turn continues. Sets are still checked.
- A missed turn counts as a turn, and the player draws nothing in it. The turn in which a player wins, or the last ship
  falls, does not count as finished.
- The limit on turns is our addition, because ships may stay in port forever.

### Limits

A map has at most 512 spaces. In positions that you set up, all heaps together hold at most 127 cards of a kind, a ship
owes at most 1,000,000 missed turns, and it is at most 1,000,000 rounds from home.

## Parameters

| name | values | default | meaning |
|---|---|---|---|
| `num_players` | 2 to 6 | `2` | number of players |
| `map` | see below | `'flat_earth'` | the map of the earth |
| `boarding` | `False`, `True` | `True` | whether ships at sea may be boarded |
| `max_turns` | 1 to 1000000 | `500` | turns of all players, including missed turns, after which nobody wins |
| `hand_size` | 1 to 10 | `5` | number of cards dealt, and to which a player in port discards or draws |
| `cards` | a dict of counts | `{'fair_weather': 16, 'favorable_winds': 8, 'mutiny': 8, 'scurvy': 8, 'stormy_seas': 8, 'severe_damage': 8, 'dead_calm': 8, 'loyal_crew': 8}` | number of cards of each kind, 0 to 127 |
| `calm_saves` | `False`, `True` | `False` | whether three `dead_calm` may save a ship from three `stormy_seas` |

Positions and records leave out `hand_size`, `cards` and `calm_saves` if they have their defaults.
`map` is the name of a shipped or generated map or of a set of maps, a path to a map file, or a dict. In `params` and in positions, a map
given by name remains a name. Any other map is written as a dict.

## Spec

With p ports and s spaces on the map, or m maps in the set with s cells each, and h for `hand_size`:

| property | value |
|---|---|
| Players, n | 2 to 6 |
| Distinct actions | 3 s + p + 43 |
| Most chance outcomes of a node | max(8, m) |
| Observation | (n (s + p + 15) + 52 + (5 s if m else 0),) int8 |
| Rewards | -1 / (n - 1) to 1 |
| Longest game | (h + 1) n + (h + 11) max_turns decisions |
| Information | perfect |

## Observation

A vector from the viewer's point of view. Players are listed in turn order, beginning with the viewer. Spaces and ports
are in the order of the map file, and kinds of cards in the order of the table of cards above, for all seats alike.

| name | size | values | meaning |
|---|---|---|---|
| `phase` | 15 | 0, 1 | the phase, in the order of the list of phases below |
| `seat` | n | 0, 1 | the viewer's seat, counted from player 0 |
| `decider` | n | 0, 1 | the player to act; zeros at chance nodes and at the end |
| `turn_player` | n | 0, 1 | the turn player |
| `space` | n s | 0, 1 | the space of each player's ship; zeros if it has fallen or has no home yet |
| `home` | n p | 0, 1 | the home port of each player; zeros before it is chosen |
| `rounds` | n | -127 to 127 | the rounds of each player's winding, see below |
| `skip` | n | 0 to 127 | the turns that each player will miss |
| `hands` | 8 n | 0 to 127 | the cards of each player by kind |
| `deck` | 8 | 0 to 127 | the cards in the deck by kind |
| `discards` | 8 | 0 to 127 | the cards in the discards by kind |
| `then` | 3 | 0, 1 | what follows a boarding or sets: play, second step, or the end of the turn |
| `target` | n | 0, 1 | the player who is boarded |
| `take` | 8 | 0, 1 | the card that the boarder takes |
| `give` | 8 | 0, 1 | the card that the boarder gives |
| `winner` | n | 0, 1 | the winner |
| `turns_used` | 1 | 0 to 127 | finished turns in 127ths of `max_turns` |
| `turns_left` | 1 | 0 to 127 | remaining turns including this one; 127 means 127 or more |
| `sea` | s if m else 0 | 0, 1 | for each cell of the map, ring by ring, whether it is sea |
| `port` | s if m else 0 | 0 to p | the number of the port there, counted from 1; 0 if there is none |
| `clockwise` | s if m else 0 | 0, 1, 2 | the border to the next cell clockwise: 2 within a space, 1 if a step leads across it, else 0 |
| `outward` | s if m else 0 | 0, 1, 2 | the same for the border to the next cell outward |
| `drifts` | s if m else 0 | 0 to r | number of drifts over the edge from there; 0 on land, and if land stops them before |

`rounds` counts how often a ship has crossed from the last sector to sector 0, minus the crossings in the other
direction. The winding is the angle of the ship's space, minus the angle of its home, plus `rounds` times the number of
sectors. More than 127 rounds or missed turns are shown as 127.

The last five slices exist only on a set of maps, where r is the number of rings. They and `phase` are zeros before the
map is drawn.

## Actions and chance outcomes

Actions and outcomes are numbered from 0 in separate spaces. With p ports and s spaces, both in the order of the map
file:

| first id | ids | phase | text | meaning |
|---|---|---|---|---|
| 0 | p | `home` | `home Jetty` | choose the home port |
| p | 8 | `trim`, `discard` | `discard mutiny` | discard a card |
| p + 8 | s | `depart`, `play` | `fair A1` | sail one step with `fair_weather` |
| p + s + 8 | s | `depart`, `play` | `winds A1` | sail the first step with `favorable_winds` |
| p + 2 s + 8 | s | `second_step` | `sail A1` | sail the second step |
| p + 3 s + 8 | 1 | `play`, `sets` | `calm` | discard three `dead_calm` and one `stormy_seas` |
| p + 3 s + 9 | 1 | `depart`, `play` | `wait` | do nothing, or stay in port |
| p + 3 s + 10 | 8 | `sets` | `set mutiny` | choose the set that takes effect next |
| p + 3 s + 18 | 6 | `board` | `board 1` | board a player; 6 ids for any number of players |
| p + 3 s + 24 | 1 | `board` | `no boarding` | board nobody |
| p + 3 s + 25 | 8 | `take` | `take mutiny` | name a card of the boarded player |
| p + 3 s + 33 | 8 | `give` | `give mutiny` | name a card of one's own |
| p + 3 s + 41 | 1 | `answer` | `accept` | accept the exchange |
| p + 3 s + 42 | 1 | `answer` | `refuse` | refuse the exchange |

The turn player acts, except in `sets`, where the owner of the sets acts, and in `answer`, where the boarded player
acts. Decisions with a single legal action are still decisions. There is no `sets` if only one kind can take effect, no
`board` if nobody can be boarded, and no `discard` from an empty hand. With `calm_saves`, there is also a `sets` where
`calm` is possible.

| outcomes | phase | text | meaning |
|---|---|---|---|
| 8 | `deal`, `refill`, `draw` | `draw mutiny` | a card of the deck, by its kind |
| m | `map` | `map 17` | a map of the set, by its seed; only on a set of maps |

The probability of a kind is its share of the deck. All maps of a set are equally likely.

## Rewards

All rewards are paid in the last transition: 1 to the winner and -1 / (n - 1) to every other player, fallen or not. If
nobody wins, all players get 0. Before the last transition every reward is 0.

## End

- A ship comes home after sailing round the world: its player wins.
- The last ship falls: nobody wins.
- `max_turns` turns are finished: nobody wins.

If a single ship remains, it sails on. Players whose ships have fallen get no more turns. They remain in the list of
agents until the end.

`State.result()` says who came home, or why nobody did: "Player 0 wins: home in Mill after sailing round the world, in
turn 26 of 500." Hands are open in this game, so nothing is revealed at the end.

## Events

`State.history_strings()` describes what happened beyond the actions: sets of three that take effect, drifts, mutinies,
ships that run aground or are lost over the edge, turns that are missed or end early, cards that change hands or are
discarded, and discards that become the deck. `player 0: draw scurvy. Three scurvy of player 0 take effect: the ship
drifts to C0. Player 0's turn ends.` The drawn picture shows the latest events below its headline.

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

This is a final position, without the cards:

```json
{"game": "over_the_edge", "params": {"num_players": 2, "map": "pond", "boarding": true, "max_turns": 500},
 "phase": "over", "turn_player": 0, "turn": 40, "check_cards": false,
 "ships": [{"space": "A0", "home": "A0", "winding": -8, "skip": 0},
           {"space": null, "home": "A3", "winding": 0, "skip": 0}],
 "hands": [{}, {}], "deck": {}, "discards": {}, "winner": 0, "by_limit": false}
```

This is the beginning of a game on the map of seed 7 of a set, without the cards:

```json
{"game": "over_the_edge",
 "params": {"num_players": 2, "map": "random:0-9:rings=3:sectors=8:ports=3", "boarding": true, "max_turns": 500},
 "phase": "home", "turn_player": 0, "turn": 0, "map": 7, "check_cards": false,
 "ships": [{"space": null, "home": null, "winding": 0, "skip": 0},
           {"space": null, "home": null, "winding": 0, "skip": 0}],
 "hands": [{}, {}], "deck": {}, "discards": {}}
```

| key | meaning |
|---|---|
| `phase` | see below |
| `turn_player` | the player of the current or last turn; in `home` and `deal` the player who chooses or is dealt to |
| `turn` | turns finished before this one by all players, including missed turns |
| `map` | on a set of maps, the seed of the map; `null` in the phase `map` |
| `check_cards` | `false` allows the heaps to hold other cards than those of the game; omit it to check them |
| `ships` | for each player `space` and `home` as ids, `winding`, and `skip`, the turns to miss |
| `hands` | for each player the number of cards by kind, without kinds that have no card |
| `deck` | the same for the deck |
| `discards` | the same for the discards |
| `then` | in `sets` and the phases of a boarding, what follows: `play`, `second_step` or `end` (of the turn) |
| `target` | from `take` on, the boarded player |
| `take` | from `give` on, the kind that the boarder takes |
| `give` | in `answer`, the kind that the boarder gives |
| `winner` | in `over`, the winner or `null` |
| `by_limit` | in `over`, whether `max_turns` ended the game |

A winding is an integer, or a string such as `"7/2"` in lowest terms. `space` is `null` for a ship that has fallen.
Before a home is chosen, both `space` and `home` are `null`. If the deck is empty in a position at a chance node, the
discards become the deck.

The phases, in their order: `home`, `deal`, `trim`, `refill`, `draw`, `discard`, `depart`, `play`, `second_step`,
`sets`, `board`, `take`, `give`, `answer`, `over`. A turn consists of:

- in port: `trim` or `refill`, card by card, then `draw`, `discard`, `depart`;
- at sea: `draw`, perhaps `sets`, then `play`;
- after each step: perhaps `board`, `take`, `give`, `answer`, and perhaps `sets`; then `second_step`, or the next turn.

On a set of maps, the phase `map` comes before all others.

Inconsistent positions are rejected: cards that are not those of the game, a winding that does not fit the ship's space, a ship at
home with a winding other than 0 before the end, a fallen ship with cards, winding or turns to miss, and a phase that is
impossible for the turn player.

## Heuristic

The heuristic searches all sequences of its own decisions in the current turn, including second steps and boardings. It
chooses the sequence with the best resulting value of its own ship, minus half of the mean gain of the other ships.
Values are measured in turns:

- the cost of the cheapest route home round the world, in either direction, through ports and away from the rim
  (`player/routes_home.py`);
- the expected number of turns to the next port on that route with the cards in hand. Value iteration solves a small
  Markov decision process of a single ship in advance; it says when to leave port, what to discard there, and which card
  to sail with (`player/voyage_times.py`);
- the threat of one or two cards of a bad kind, depending on the distance to the void, the probability that the next
  card is of that kind, and whether a loyal crew is aboard;
- exposure: a position in which another ship may come and board costs six turns, times the probability that the other
  ship has or draws the card for it. The cost of the detour for the other ship reduces this, so a ship that follows
  counts more than one that would have to turn back. Three loyal crew remove the exposure. Exposure counts while 100
  turns or more remain;
- two turns more for a card that brings the ship home in its next turn.

When boarding, it takes the card that helps it most and gives the one that harms most, preferably a third `scurvy` to a
ship at the rim. In port it keeps bad cards to give away rather than a `dead_calm`. Ships that avoid each other could
stay in port forever. A ship whose hand carries it far, and at least as far as the hand of any other ship in port,
therefore prefers to leave. With six players such games are still long.

It does not model the turns of the others, except that they may come and board. It hinders a rival who is about to win
if it can board that rival in this turn. It does not sail out to intercept.

The first version, `heuristic:v0`, uses an exposure of three turns for every ship that holds the card to come, whatever
the detour, and none for ships that would have to draw it. The shipped policies were trained with v0. The next table
compares the current version with v0. The command is `python -m agents.evaluate --game over_the_edge --agent heuristic
--games 2000 --seed 9500000`, followed by the arguments in the table. With four players the opponent has three seats, so
equal strength would mean 0.25:

| further arguments | wins | 95 % interval | games without a winner |
|---|---|---|---|
| `--against heuristic:v0` | 0.576 | 0.554 to 0.597 | 23 |
| `--param map=pond --against heuristic:v0` | 0.602 | 0.580 to 0.623 | 0 |
| `--param num_players=4 --against heuristic:v0` | 0.308 | 0.288 to 0.329 | 1 |

The shipped policies against the current version (`--agent policies/over_the_edge/flat_earth --against heuristic`), with
the same seed. The policy for four players does better here than against `heuristic:v0`:

| policy | games | wins | 95 % interval | games without a winner |
|---|---|---|---|---|
| `flat_earth` | 2,000 | 0.576 | 0.554 to 0.597 | 37 |
| `pond` | 2,000 | 0.613 | 0.591 to 0.634 | 1 |
| `flat_earth_4` | 1,000 | 0.398 | 0.368 to 0.429 | 0 |

The heuristic is deterministic. Its weights were tuned by games against v0.
[The lab notebook](../../../docs/lab_notebook/policies.md#over_the_edge) gives results of v0.

## Values

`State.action_values()` returns the heuristic's value of each action for the player to act, in turns.
[Hints](../../../docs/explanation/features_and_hints.md#hints) rate every loss of 8 turns or more as equally bad.
You can override these weights:

| weight | default | range | meaning |
|---|---|---|---|
| `step` | 2.5 | 0 to 20 | cost of a step on the way home into a space from which drifts lead aground |
| `step_1` | 4 | 0 to 20 | cost of a step into a space at the rim, one drift from the void |
| `step_2` | 4.2 | 0 to 20 | cost of a step into a space two drifts from the void |
| `step_3` | 3.7 | 0 to 20 | cost of a step into a space three or more drifts from the void |
| `port_step` | 1.3 | 0 to 20 | cost of a step into a port |
| `loss` | 2 | 0 to 100 | cost of a drift where drifts lead aground |
| `loss_1` | 40 | 0 to 100 | cost of a drift at the rim |
| `loss_2` | 8 | 0 to 100 | cost of a drift one space from the rim |
| `loss_3` | 4 | 0 to 100 | cost of a drift farther from the rim |
| `mutiny_loss` | 3 | 0 to 100 | cost of a mutiny in addition to the lost progress |
| `threat_1` | 0.05 | 0 to 1 | share of a loss that counts with one bad card of the kind in hand |
| `threat_2` | 0.25 | 0 to 1 | share of a loss that counts with two of the kind |
| `crew` | 1.3 | -20 to 20 | value of the first loyal crew |
| `more_crew` | 0.06 | -20 to 20 | value of the second and of the third loyal crew |
| `winds` | 0.5 | -20 to 20 | value of holding favorable winds, one or more |
| `winning` | 2 | -20 to 20 | value of a card that brings the ship home in its next turn |
| `bad_card_in_port` | -0.02 | -20 to 20 | value of a bad card in port |
| `dead_calm_in_port` | -0.15 | -20 to 20 | value of a dead calm in port |
| `skipped` | -1 | -20 to 20 | value of a turn that the player will miss |
| `exposed` | -6 | -20 to 0 | value of exposure to a ship that has the card to come and board |
| `drawing` | 1 | 0 to 1 | share that counts of the probability that the other ship draws this card |
| `detour` | 1.4 | 0 to 5 | reduction of exposure for each turn that the detour costs the other ship |
| `refusal` | 1 | 0 to 1 | share of exposure removed by three loyal crew, which allow a refusal |
| `ready` | -4 | -20 to 0 | value of staying in port with a hand that carries as far as any in port, and far enough |
| `patience` | 100 | 0 to 127 | number of last turns of all players in which exposure is ignored |
| `fallen` | -60 | -1000 to 0 | value of a ship that has fallen |
| `rivals` | 0.5 | 0 to 5 | weight of the mean change of the other ships' values, which is subtracted |

`State.position_features(player)` returns these numbers for each player:

| feature | meaning |
|---|---|
| `value` | the value of the ship in turns, higher is better; ±1000 after a player has won |
| `way_home` | the cost of the cheapest route home by the weights of steps, in turns |
| `skip` | turns that the player will miss |
| `fair_weather` | cards of this kind in hand |
| `favorable_winds` | cards of this kind in hand |
| `loyal_crew` | cards of this kind in hand |
| `bad_cards` | mutiny, scurvy, stormy_seas and severe_damage cards in hand |
| `exposed` | the probability that another ship has the card to come and board |

## Version history

- v0: the first version.

## References

- David McCord, *Over the Edge!*, New Venture Games, 2012, thegamecrafter.com/games/overtheedge: the game and its rules.
"""  # noqa: E501  a table row is one line

from __future__ import annotations

from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter, Variant
from edge_envs.games.over_the_edge.map.charts import SHIPPED, MapParameter
from edge_envs.games.over_the_edge.pieces.deck import COUNTS, KINDS, CardsParameter

SMALL_SEA = "rings=4:sectors=12:ports=3:barriers=3"
"""The options of the maps in the split of training and test maps."""

GAME = GameType(
    __name__,
    version=0,
    title="Over the Edge!",
    parameters=(
        Parameter("num_players", int, 2, "number of players", low=2, high=6),
        MapParameter(
            "map", str, "flat_earth",
            "the name of a map, such as pond or random:7, or of a set, such as random:0-199, a path, or a dict",
            gives_meaning=True, shipped=SHIPPED,
        ),
        Parameter("boarding", bool, True, "whether ships at sea may be boarded"),
        Parameter(
            "max_turns", int, 500, "finished turns, including missed turns, after which the game ends",
            low=1, high=1_000_000,
        ),
        Parameter(
            "hand_size", int, 5, "number of cards dealt, and to which a player in port discards or draws",
            low=1, high=10, always_written=False,
        ),
        CardsParameter(
            "cards", dict, dict(zip(KINDS, COUNTS, strict=True)), "number of cards of each kind", always_written=False
        ),
        Parameter(
            "calm_saves", bool, False, "whether three dead_calm may save a ship from three stormy_seas",
            always_written=False,
        ),
    ),
    perfect_information=True,
    heuristics=("v0", "v1"),
    summary="2-6 ships race round a flat earth with open hands of cards",
    variants=(
        Variant("pond", {"map": "pond"}, above=("search:50",)),
        Variant("3p", {"num_players": 3}),
        Variant("4p", {"num_players": 4}),
        Variant("5p", {"num_players": 5}, board=False),
        Variant("6p", {"num_players": 6}, board=False),
        Variant("no_boarding", {"boarding": False}, board=False),
        Variant("maps", {"map": f"random:0-199:{SMALL_SEA}"}, board=False),
        Variant("new_maps", {"map": f"random:1000000-1000199:{SMALL_SEA}"}, board=False),
    ),
)  # fmt: skip
