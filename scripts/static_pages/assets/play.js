/* A game of falling_off against the exact solution, without a server. */

import { Board } from "./board.js";
import { button, h, options } from "./dom.js";
import { OVER, ROLL, Solution, applied, bestAction, isChance, legalActions, outcomes, start, DICE_SETS } from "./race.js";
import { Painter, inWords, waysOf } from "./race_picture.js";
import { theme } from "./theme.js";

const PAUSE = 650; // milliseconds between the steps of the opponent
const OPPONENTS = { perfect: "Perfect play", careless: "Careless: every fifth choice is random", random: "Random moves" };
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const YOU = 0;

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const halves = new Uint8Array(await new Response(stream).arrayBuffer()), count = halves.length / 2;
  return Uint16Array.from({ length: count }, (_, at) => halves[at] + 256 * halves[count + at]);
}

class Game {
  constructor(main, solution, drawings) {
    this.solution = solution;
    this.painter = new Painter(drawings);
    this.board = new Board((action) => this.decide(action));
    this.headline = h("p", { class: "headline", "aria-live": "assertive", id: "headline" });
    this.message = h("p", { class: "message", "aria-live": "polite", id: "message" });
    this.opponent = options(h("select", { "aria-label": "opponent" }), Object.entries(OPPONENTS), "perfect");
    this.first = options(h("select", { "aria-label": "who begins" }), [["you", "you begin"], ["other", "the opponent begins"]], "you");
    this.shows = h("input", { type: "checkbox", id: "values" });
    this.shows.addEventListener("change", () => this.rate());
    this.log = h("ol", { class: "log happened", tabindex: "0", "aria-label": "what happened" });
    main.append(h("div", { class: "table" }, this.board.whole, h("section", {},
      this.headline, this.message,
      h("p", { class: "row" }, button("New game", () => this.begin(), { class: "main", "data-do": "new" }), button("Hint", () => this.hint(), { "data-do": "hint" })),
      h("label", { class: "field tick" }, this.shows, h("span", { class: "name" }, "show the exact value of each choice")),
      h("p", { class: "row" }, this.opponent, this.first),
      h("h3", {}, "What happened"), this.log)));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.board.back();
    });
    this.begin();
  }

  begin() {
    clearTimeout(this.timer);
    this.position = { ...start(), player: this.first.value === "you" ? YOU : 1 - YOU };
    this.lost = 0;
    this.decisions = 0;
    this.log.replaceChildren();
    this.message.textContent = "";
    this.step();
  }

  name(player) {
    return player === YOU ? "you" : "opponent";
  }

  note(player, text) {
    this.log.append(h("li", {}, `${this.name(player)}: ${text}`));
    this.log.scrollTop = this.log.scrollHeight;
  }

  /* Show the position, and continue until it is your decision. */
  step() {
    const { position } = this, { phase, player } = position;
    const yours = !isChance(position) && phase !== OVER && player === YOU;
    const ways = yours ? waysOf(position) : [];
    this.board.show({ svg: this.painter.draw(position, [...new Set(ways.flatMap(([, , keys]) => keys))]), ways });
    this.headline.classList.toggle("over", phase === OVER);
    if (phase === OVER) return this.end();
    this.headline.textContent = yours ? `Your turn. ${phase === 1 ? "Keep the dice, or reroll some of them." : "Move a pawn: click it, then its new space."}` : `${player === YOU ? "You throw" : "The opponent plays"} …`;
    this.headline.classList.toggle("yours", yours);
    if (yours) return this.rate();
    this.timer = setTimeout(() => this.advance(), isChance(position) && player === YOU ? PAUSE / 2 : PAUSE);
    return undefined;
  }

  advance() {
    const { position } = this;
    if (!isChance(position)) return this.apply(this.chosen());
    let left = Math.random(), outcome = 0;
    const chances = outcomes(position);
    while (outcome < chances.length - 1 && left >= chances[outcome]) left -= chances[outcome++];
    return this.apply(outcome);
  }

  /* Return the opponent's choice. */
  chosen() {
    const careless = { perfect: 0, careless: 0.2, random: 1 }[this.opponent.value];
    const legal = legalActions(this.position);
    if (Math.random() < careless) return legal[Math.floor(Math.random() * legal.length)];
    return bestAction(this.solution.decisionValues(this.position));
  }

  apply(action) {
    const before = this.position, after = applied(before, action);
    this.position = after;
    if (isChance(before)) this.note(before.player, `${before.phase === ROLL ? "roll" : "reroll to"} ${thrown(before, after, action)}`);
    else this.note(before.player, inWords(before, action));
    if (after.phase === ROLL && after.owed > before.owed) this.note(before.player, "no sum moves a pawn: a storm! Two more turns are owed.");
    this.step();
  }

  decide(action) {
    const values = this.solution.decisionValues(this.position), best = bestAction(values), loss = values.get(best) - values.get(action);
    this.lost += loss;
    this.decisions += 1;
    this.message.textContent = loss < 0.0005 ? "That was the best choice." : `${inWords(this.position, best)} is better: you gave away ${percent(loss)}.`;
    this.apply(action);
  }

  hint() {
    if (!this.board.ways.length) return;
    const values = this.solution.decisionValues(this.position), best = bestAction(values);
    this.message.textContent = `Perfect play chooses ${inWords(this.position, best)} and wins with a probability of ${percent(values.get(best))}.`;
  }

  rate() {
    if (!this.shows.checked || !this.board.ways.length) return this.board.value(null);
    const values = this.solution.decisionValues(this.position), known = [...values.values()], low = Math.min(...known), high = Math.max(...known);
    return this.board.value(new Map([...values].map(([action, value]) => [action, { value, text: percent(value), share: high > low ? (value - low) / (high - low) : 1 }])));
  }

  end() {
    const won = this.position.player !== YOU;
    this.headline.textContent = won ? "You win: the opponent has lost all pawns." : "You lose: you have lost all pawns.";
    this.message.textContent = `Your ${this.decisions} decisions gave away ${percent(this.lost)} of winning probability in all.`;
  }
}

/* Return the dice after a throw, in words. */
function thrown(before, after, outcome) {
  if (before.phase === ROLL) return DICE_SETS[28 + outcome].join(" ");
  return after.dice ? DICE_SETS[after.dice].join(" ") : "nothing that moves a pawn";
}

theme();
const main = document.getElementById("main"), { table, drawings } = globalThis.FALLING_OFF;
unpacked(table).then((values) => new Game(main, new Solution(values), drawings));
