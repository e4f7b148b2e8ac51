/* The rules of falling_off with two players, and its exact values. The numbers of pawn sets, dice sets, actions and
   outcomes are those of the package. */

const PAWNS = 4, DICE = 3, FIRST_ROLL = 28;
export const PLACES = [0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]; // 0 is the start, 14 is over the edge
export const OFF = PLACES.length - 1;
export const ROLL = 0, REROLL = 1, REROLLED = 2, MOVE = 3, OVER = 4; // phases
export const FIRST_MOVE = 8;

/* Return all sorted tuples of `count` of the numbers from `low` to `high`, in lexicographic order. */
function tuples(low, high, count) {
  if (count === 0) return [[]];
  const found = [];
  for (let first = low; first <= high; first += 1) found.push(...tuples(first, high, count - 1).map((rest) => [first, ...rest]));
  return found;
}

const numbered = (sets) => new Map(sets.map((set, number) => [set.join(), number]));
const sorted = (values) => [...values].sort((one, other) => one - other);

export const PAWN_SETS = tuples(0, OFF, PAWNS); // places by index
const NUMBER_OF_PAWNS = numbered(PAWN_SETS);
export const ALL_OFF = PAWN_SETS.length - 1;
export const MOVES = PLACES.flatMap((_, from) => PLACES.map((_, to) => [from, to])).filter(([from, to]) => from < to);
const REMAINING = PAWN_SETS.map((places) => places.reduce((sum, place) => sum + OFF - place, 0));
const BY_REMAINING = PAWN_SETS.map((_, number) => number).sort((one, other) => REMAINING[one] - REMAINING[other]);

/* Return the pawn set after a move. */
export function moved(pawns, [from, to]) {
  const places = [...PAWN_SETS[pawns]];
  places[places.indexOf(from)] = to;
  return NUMBER_OF_PAWNS.get(sorted(places).join());
}

/* The moves of each pawn set: [number of the move, index of the new place, pawn set after it]. */
const MOVES_OF = PAWN_SETS.map((places, pawns) => MOVES.flatMap((move, number) => (places.includes(move[0]) ? [[number, move[1], moved(pawns, move)]] : [])));

export const DICE_SETS = [0, 1, 2, 3].flatMap((count) => tuples(1, 6, count));
const NUMBER_OF_DICE = numbered(DICE_SETS);
const total = (dice) => dice.reduce((sum, die) => sum + die, 0);
const without = (dice, at) => dice.filter((_, index) => index !== at);
const TARGET = DICE_SETS.map((dice) => (total(dice) < 4 ? 0 : PLACES.indexOf(Math.min(total(dice), 14)))); // 0: names no place

/* The dice sets with one die less, three for each set, and with one die more, six for each set of fewer than three dice.
   Smaller sets repeat their last die. */
const LESS = Uint8Array.from(DICE_SETS.flatMap((dice) => [0, 1, 2].map((at) => NUMBER_OF_DICE.get(without(dice, Math.min(at, dice.length - 1)).join()))));
const MORE = Uint8Array.from(DICE_SETS.slice(0, FIRST_ROLL).flatMap((dice) => [1, 2, 3, 4, 5, 6].map((die) => NUMBER_OF_DICE.get(sorted([...dice, die]).join()))));

/* The dice that a subset of a roll keeps: bit i is set if die i is rerolled. */
const keptDice = (dice, subset) => NUMBER_OF_DICE.get(DICE_SETS[dice].filter((_, die) => !((subset >> die) & 1)).join());

/* The outcomes of throwing `count` dice, with the number of ways to throw each. */
const OUTCOMES = [0, 1, 2, 3].map((count) => tuples(1, 6, count).map((dice) => {
  const same = Object.values(dice.reduce((counts, die) => ({ ...counts, [die]: (counts[die] ?? 0) + 1 }), {}));
  const factorial = (number) => (number < 2 ? 1 : number * factorial(number - 1));
  return [dice, factorial(count) / same.reduce((product, number) => product * factorial(number), 1)];
}));
const CHANCE_OF_ROLL = OUTCOMES[DICE].map(([, ways]) => ways / 6 ** DICE);

/* Return the places that sums of some of the dice name, by index. */
function named(dice) {
  const values = DICE_SETS[dice];
  const sums = Array.from({ length: 2 ** values.length - 1 }, (_, subset) => total(values.filter((_, die) => ((subset + 1) >> die) & 1)));
  return new Set(sums.filter((sum) => sum >= 4).map((sum) => PLACES.indexOf(Math.min(sum, 14))));
}
const NAMED = DICE_SETS.map((_, dice) => named(dice));

// A game

export function start() {
  return { pawns: [0, 0], player: 0, owed: 1, phase: ROLL, dice: 0 };
}

export const isChance = ({ phase }) => phase === ROLL || phase === REROLLED;

/* Return the legal actions of a decision. */
export function legalActions({ pawns, player, phase, dice }) {
  if (phase === REROLL) {
    const kept = [0, 1, 2, 3, 4, 5, 6, 7].map((subset) => keptDice(dice, subset));
    return kept.flatMap((set, subset) => (kept.indexOf(set) === subset ? [subset] : []));
  }
  return MOVES_OF[pawns[player]].filter(([, to]) => NAMED[dice].has(to)).map(([number]) => FIRST_MOVE + number);
}

/* Return the outcomes at a chance node, with their probabilities. */
export function outcomes({ dice }) {
  const count = DICE - DICE_SETS[dice].length;
  return OUTCOMES[count].map(([, ways]) => ways / 6 ** count);
}

/* Return the position after an action, or after an outcome at a chance node. */
export function applied(position, action) {
  const { pawns, player, owed, phase, dice } = position;
  if (phase === ROLL) return { ...position, phase: REROLL, dice: FIRST_ROLL + action };
  if (phase === REROLL && action > 0) return { ...position, phase: REROLLED, dice: keptDice(dice, action) };
  if (phase === REROLL) return used(position, dice);
  if (phase === REROLLED) return used(position, NUMBER_OF_DICE.get(sorted([...DICE_SETS[dice], ...OUTCOMES[DICE - DICE_SETS[dice].length][action][0]]).join()));
  const after = pawns.with(player, moved(pawns[player], MOVES[action - FIRST_MOVE]));
  if (after[player] === ALL_OFF) return { pawns: after, player, owed: 0, phase: OVER, dice: 0 };
  const next = owed > 1 ? { player, owed: owed - 1 } : { player: 1 - player, owed: 1 };
  return { pawns: after, ...next, phase: ROLL, dice: 0 };
}

/* Continue with a move, or with a storm if no move exists. */
function used(position, dice) {
  const after = { ...position, phase: MOVE, dice };
  return legalActions(after).length ? after : { ...position, phase: ROLL, dice: 0, owed: position.owed + 1 };
}

// Values

/* Exact values. `table[mine * 1365 + theirs]` is the probability that the player about to roll wins with one turn owed and
   perfect play of both, in units of 1/65535. All other values follow from it. */
export class Solution {
  constructor(table) {
    this.table = table;
    this.theirs = -1;
  }

  /* Compute the values against one pawn set of the other player, of positions with up to `most` remaining moves:
     `values[owed][mine]`, before a roll. With as many turns owed as remaining moves, the player loses. */
  against(theirs, most = REMAINING[0]) {
    if (this.theirs === theirs && this.most >= most) return this.values;
    const size = PAWN_SETS.length, rows = REMAINING[0];
    this.values = Array.from({ length: rows }, () => new Float64Array(size));
    for (let mine = 0; mine < ALL_OFF; mine += 1) this.values[0][mine] = 1 - this.table[theirs * size + mine] / 65535;
    for (const mine of BY_REMAINING) {
      if (mine === ALL_OFF || REMAINING[mine] > most) continue;
      for (let turns = REMAINING[mine] - 1; turns > 0; turns -= 1) this.values[turns][mine] = turnValue(this.values, mine, turns);
    }
    Object.assign(this, { theirs, most });
    return this.values;
  }

  /* Return the probability that the player to decide wins, for each legal action. */
  decisionValues(position) {
    const { pawns, player, owed, phase, dice } = position;
    const mine = pawns[player], values = this.against(pawns[1 - player], REMAINING[mine]);
    if (phase === MOVE) {
      const after = new Map(MOVES_OF[mine].map(([number, , set]) => [FIRST_MOVE + number, set]));
      return new Map(legalActions(position).map((action) => [action, (values[owed - 1] ?? LOST)[after.get(action)]]));
    }
    diceValues(values, mine, owed);
    return new Map(legalActions(position).map((subset) => [subset, best[keptDice(dice, subset)]]));
  }
}

const best = new Float64Array(DICE_SETS.length), gains = new Float64Array(PLACES.length);
const LOST = new Float64Array(PAWN_SETS.length); // the values with more turns owed than anybody survives
const TARGETS = MOVES_OF.map((moves) => Uint8Array.from(moves, ([, to]) => to)), AFTER = MOVES_OF.map((moves) => Uint16Array.from(moves, ([, , set]) => set));

/* Write the value of each dice set to `best`: of three dice as they are, and of fewer when the missing ones are thrown. */
function diceValues(values, mine, owed) {
  const targets = TARGETS[mine], after = AFTER[mine], next = values[owed - 1] ?? LOST;
  gains.fill(-1);
  for (let move = 0; move < targets.length; move += 1) if (next[after[move]] > gains[targets[move]]) gains[targets[move]] = next[after[move]];
  best[0] = -1;
  for (let dice = 1; dice < best.length; dice += 1) {
    best[dice] = gains[TARGET[dice]];
    raise(dice);
  }
  const storm = values[owed + 1]?.[mine] ?? 0;
  for (let dice = FIRST_ROLL; dice < best.length; dice += 1) if (best[dice] < 0) best[dice] = storm;
  for (let dice = FIRST_ROLL - 1; dice >= 0; dice -= 1) {
    let sum = 0;
    for (let more = 6 * dice; more < 6 * dice + 6; more += 1) sum += best[MORE[more]];
    best[dice] = sum / 6;
  }
}

/* Raise the value of a dice set to those of the sets within it. */
function raise(dice) {
  for (let less = 3 * dice; less < 3 * dice + 3; less += 1) if (best[LESS[less]] > best[dice]) best[dice] = best[LESS[less]];
}

/* Return the value of a turn before its roll: the player keeps the best of the dice sets within the roll. */
function turnValue(values, mine, owed) {
  diceValues(values, mine, owed);
  let value = 0;
  for (let dice = 1; dice < best.length; dice += 1) {
    raise(dice);
    if (dice >= FIRST_ROLL) value += CHANCE_OF_ROLL[dice - FIRST_ROLL] * best[dice];
  }
  return value;
}

/* Return the action with the highest value; among equals, the lowest id. */
export function bestAction(values) {
  return [...values].reduce((one, other) => (other[1] > one[1] ? other : one))[0];
}
