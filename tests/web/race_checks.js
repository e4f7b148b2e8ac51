/* What the tests ask of the rules and values of the page that needs no server. Arrays are returned as base64. */

import { ALL_OFF, FIRST_MOVE, MOVES, PAWN_SETS, Solution, applied, isChance, legalActions, moved, outcomes, start } from "./race.js";

const OVER = 4, FIRST_ROLL = 28, ROLLS = 56, ACTIONS = 74, MOST_OWED = 8;
let solution = null;

function packed(array) {
  const all = new Uint8Array(array.buffer), parts = [];
  for (let at = 0; at < all.length; at += 8192) parts.push(String.fromCharCode(...all.subarray(at, at + 8192)));
  return btoa(parts.join(""));
}

/* Read a table whose low bytes come first. */
function read(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0)), half = bytes.length / 2;
  solution = new Solution(Uint16Array.from({ length: half }, (_, at) => bytes[at] + 256 * bytes[half + at]));
}

/* Return the mask of legal actions for each pawn set and roll. */
function legal(phase) {
  const masks = new Uint8Array(PAWN_SETS.length * ROLLS * ACTIONS);
  for (let mine = 0; mine < PAWN_SETS.length; mine += 1) {
    for (let roll = 0; roll < ROLLS; roll += 1) {
      const position = { pawns: [0, mine], player: 1, owed: 1, phase, dice: FIRST_ROLL + roll };
      for (const action of legalActions(position)) masks[(mine * ROLLS + roll) * ACTIONS + action] = 1;
    }
  }
  return packed(masks);
}

/* Return the pawn set after each move; 0 if no pawn can make it. */
function movedSets() {
  const after = PAWN_SETS.flatMap((places, pawns) => MOVES.map((move) => (places.includes(move[0]) ? moved(pawns, move) : 0)));
  return packed(Uint16Array.from(after));
}

/* Return the positions of a game after each of its actions. */
function game(actions) {
  let position = start();
  return actions.map((action) => {
    position = applied(position, action);
    const { pawns, player, owed, phase, dice } = position;
    const chances = isChance(position) ? outcomes(position) : [];
    return [...pawns, player, owed, phase, dice, phase === OVER || chances.length ? [] : legalActions(position), chances];
  });
}

/* Return the values of all pawn sets of the player to roll, with one to eight turns owed. */
function values(theirs) {
  const known = solution.against(theirs), rows = new Float64Array(MOST_OWED * PAWN_SETS.length);
  for (let owed = 1; owed <= MOST_OWED; owed += 1) rows.set(known[owed], (owed - 1) * PAWN_SETS.length);
  return packed(rows);
}

/* Return the value of each action for each roll. */
function decisions([mine, theirs, owed, phase]) {
  const found = new Float64Array(ROLLS * ACTIONS).fill(NaN);
  for (let roll = 0; roll < ROLLS; roll += 1) {
    const position = { pawns: [mine, theirs], player: 0, owed, phase, dice: FIRST_ROLL + roll };
    for (const [action, value] of solution.decisionValues(position)) found[ACTIONS * roll + action] = value;
  }
  return packed(found);
}

globalThis.checks = { read, legal, movedSets, game, values, decisions, constants: () => [ALL_OFF, FIRST_MOVE] };
