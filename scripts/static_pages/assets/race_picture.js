/* Pictures of positions of falling_off, from the drawings that the page contains. The places have the keys of the
   package's pictures. */

import { DICE_SETS, MOVE, MOVES, OVER, PAWN_SETS, FIRST_MOVE, REROLL, REROLLED, ROLL, PLACES, legalActions } from "./race.js";

const name = (place) => ({ 0: "start", 14: "off" })[PLACES[place]] ?? String(PLACES[place]);

/* Return an action, or an outcome at a chance node, in words. */
export function inWords({ phase, dice }, action) {
  if (phase === MOVE) return `move ${MOVES[action - FIRST_MOVE].map(name).join(" ")}`;
  const thrown = rerolled(dice, action);
  return thrown.length ? `reroll ${thrown.join(" ")}` : "keep";
}

const rerolled = (dice, subset) => DICE_SETS[dice].filter((_, die) => (subset >> die) & 1);

/* Return, for each legal action, its words and the keys to click. */
export function waysOf(position) {
  return legalActions(position).map((action) => {
    if (position.phase === MOVE) {
      const [from, to] = MOVES[action - FIRST_MOVE].map(name);
      return [action, inWords(position, action), [`pawn-${position.player}-${from}`, `space-${position.player}-${to}`]];
    }
    return [action, inWords(position, action), [["reroll", ...rerolled(position.dice, action)].join("-").replace(/^reroll$/, "keep")]];
  });
}

export class Painter {
  constructor(drawings) {
    this.d = drawings;
  }

  /* Draw a position as SVG; `clicks` are the keys that can be clicked. */
  draw(position, clicks = []) {
    const { width, height, board } = this.d;
    const shown = [board, this.outline(position), ...[0, 1].map((player) => this.pawns(position, player)), this.headline(position), this.dice(position)];
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="DejaVu Sans, Verdana, sans-serif"><g>${shown.join("")}</g><g>${clicks.map((key) => this.field(position, key)).join("")}</g></svg>`;
  }

  y(player) {
    return this.d.top + this.d.lane * player;
  }

  text(x, y, text, size, bold = true) {
    return `<text x="${x}" y="${y}" font-size="${size}" fill="${this.d.ink}"${bold ? ' font-weight="bold"' : ""}>${text}</text>`;
  }

  outline({ player, phase, owed }) {
    if (phase === OVER) return "";
    const { left, edge, lane, colours, storm } = this.d, y = this.y(player);
    const cloud = owed > 1 ? `<g transform="translate(${left - 13} ${y + lane / 2})">${storm.replace("×2", `×${owed}`)}</g>` : "";
    return `<rect x="${left - 24}" y="${y + 2}" width="${edge - left + 20}" height="${lane - 4}" rx="8" fill="none" stroke="${colours[player]}" stroke-width="2.5"/>${cloud}`;
  }

  pawns({ pawns }, player) {
    const { places, lane, pawns: large, small } = this.d, middle = this.y(player) + lane / 2, drawn = [];
    PLACES.forEach((place, index) => {
      const count = PAWN_SETS[pawns[player]].filter((one) => one === index).length, x = places[index][0];
      const wide = place === 0 ? count : Math.min(count, 2), rows = Math.ceil(count / (wide || 1));
      for (let pawn = 0; pawn < count; pawn += 1) {
        const row = Math.floor(pawn / wide), column = pawn % wide;
        if (place === 14) drawn.push(`<g transform="translate(${x + 22 * (pawn - (count - 1) / 2)} ${middle - 5 + (pawn % 2) * 4}) rotate(${70 + 55 * pawn})">${small[player]}</g>`);
        else drawn.push(`<g data-piece="pawn-${player}" transform="translate(${x + (column - (wide - 1) / 2) * (place === 0 ? 24 : 18)} ${middle + (row - (rows - 1) / 2) * 24})">${(rows === 1 ? large : small)[player]}</g>`);
      }
    });
    return drawn.join("");
  }

  headline({ player, owed, phase, dice }) {
    const { left, lane, top } = this.d, values = DICE_SETS[dice].join(" ");
    const turns = owed === 1 ? "1 turn" : `${owed} turns`;
    const text = phase === OVER ? `over: player ${1 - player} wins: player ${player} has lost all pawns.` : `player ${player} owes ${turns} and ${{
      [ROLL]: "rolls three dice", [REROLL]: `rolled ${values}: keep, or reroll some`, [REROLLED]: `keeps ${values || "nothing"} and throws the rest again`, [MOVE]: `has ${values}: moves a pawn`,
    }[phase]}`;
    return this.text(left, top + 2 * lane + 25, text, 13.5);
  }

  dice({ phase, dice }) {
    if (phase === ROLL || phase === OVER) return "";
    const { dice: faces, left } = this.d, values = DICE_SETS[dice], y = this.diceLine;
    const shown = [0, 1, 2].map((die) => `<g transform="translate(${left + 18 + 40 * die} ${y})">${faces[values[die] ?? 0]}</g>`);
    return shown.join("") + (phase === REROLL ? this.buttons({ phase, dice }).map((one) => one.svg).join("") : "");
  }

  get diceLine() {
    return this.d.top + 2 * this.d.lane + 60;
  }

  /* Return the buttons of the rerolls: their keys, places and drawings. */
  buttons(position) {
    const { left, card, mark, arrow, thrown: faces } = this.d, y = this.diceLine, made = [];
    let x = left + 138;
    for (const [action, , [key]] of waysOf(position)) {
      const thrown = rerolled(position.dice, action), width = thrown.length ? 30 + 20 * thrown.length : 54;
      const inside = thrown.length
        ? `<g transform="translate(${x + 14} ${y})">${arrow}</g>${thrown.map((value, k) => `<g transform="translate(${x + 35 + 20 * k} ${y})">${faces[value]}</g>`).join("")}`
        : `<text x="${x + width / 2}" y="${y + 4.5}" font-size="13" text-anchor="middle" fill="${this.d.ink}">keep</text>`;
      made.push({ key, x, width, svg: `<rect x="${x}" y="${y - 16}" width="${width}" height="32" rx="7" fill="${card}" stroke="${mark}" stroke-width="1.4"/>${inside}` });
      x += width + 5;
    }
    return made;
  }

  field(position, key) {
    const rect = (x, y, width, height, radius) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="none" pointer-events="all" data-key="${key}"/>`;
    const [, kind, player, place] = key.match(/^(pawn|space)-(\d)-(\w+)$/) ?? [];
    if (!kind) {
      const { x, width } = this.buttons(position).find((one) => one.key === key);
      return rect(x, this.diceLine - 16, width, 32, 7);
    }
    const [middle, width] = this.d.places[PLACES.findIndex((_, index) => name(index) === place)];
    return rect(middle - width / 2, this.y(Number(player)) + 7, width, this.d.lane - 14, 5);
  }
}
