/* Titles of opponents with stars and ratings, and this browser's results against them: a ladder to climb. */

import { h, store, stored } from "./dom.js";

const LADDER = [-Infinity, 0, 600, 950, 1050]; // the lowest rating of one to five stars
const RANKS = ["Cabin boy", "Deckhand", "Boatswain", "Helmsman", "Navigator", "Captain", "Admiral"];

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/* Return the rungs of a game's ladder, pairs of an agent and a rank: its levels, as far as agents play them here. */
function rungs(game) {
  const offered = new Set(game.agents.map((agent) => agent.name));
  return game.levels.map((plain, at) => [`level:${at + 1}`, plain].find((name) => offered.has(name)))
    .map((name, at) => [name, RANKS[at] ?? RANKS.at(-1)]).filter(([name]) => name !== undefined);
}

/* Return the ratings of a game's agents with these parameters, {} if they were never rated. A level has the rating of
   the agent that plays it. */
export function ratingsFor(game, params) {
  const board = game.ratings.find((one) => Object.entries(one.params).every(([name, value]) => same(params[name], value)));
  const ratings = { ...board?.ratings };
  game.levels.forEach((name, at) => { if (name in ratings) ratings[`level:${at + 1}`] = ratings[name]; });
  return ratings;
}

/* Return the title of an agent in a list: its rank on the ladder, and its stars and rating, as far as it has them. */
export function ranked(game, { name, title, about }, ratings) {
  const rank = rungs(game).find(([one]) => one === name)?.[1], rating = ratings[name];
  const called = rank ? `${rank}: ${title}` : title;
  if (rating === undefined) return rank || !about ? called : `${called}: ${about}`;
  const stars = LADDER.filter((least) => rating >= least).length;
  return `${called} ${"★".repeat(stars)}${"☆".repeat(LADDER.length - stars)} ${rating}`;
}

/* Count the result of a finished match between one human player here and agents, once. */
export function countResult(id, view) {
  const humans = view.seats.filter((name) => name === "human");
  const counted = stored("counted", []);
  if (humans.length !== 1 || view.seat === null || view.turn !== "over" || counted.includes(id)) return;
  store("counted", [id, ...counted].slice(0, 200));
  const results = stored("results", {});
  const result = view.returns[view.seat] > 0 ? "won" : view.returns[view.seat] < 0 ? "lost" : "drawn";
  for (const name of new Set(view.seats.filter((one) => one !== "human"))) {
    const line = ((results[view.game] ??= {})[name] ??= { won: 0, lost: 0, drawn: 0 });
    line[result] += 1;
  }
  store("results", results);
}

/* Return the ladder of a game: its rungs with this browser's results, and the first one without a win. `choose(name)` is
   called for a rung that was clicked. */
export function ladder(game, choose) {
  const results = stored("results", {})[game.name] ?? {}, steps = rungs(game);
  const next = steps.find(([name]) => !results[name]?.won)?.[0];
  const line = ([name, rank]) => {
    const { won = 0, lost = 0, drawn = 0 } = results[name] ?? {};
    const record = won + lost + drawn ? `${won} won, ${lost} lost${drawn ? `, ${drawn} drawn` : ""}` : name === next ? "play this next" : "";
    return h("li", { class: won ? "beaten" : "" }, h("button", { type: "button", "data-level": name, onclick: () => choose(name) }, `${won ? "✓ " : ""}${rank}`), h("small", {}, record));
  };
  const others = Object.entries(results).filter(([name]) => !steps.some(([one]) => one === name)).map(([, one]) => one);
  const played = others.reduce((sum, { won, lost, drawn }) => sum + won + lost + drawn, 0), won = others.reduce((sum, one) => sum + one.won, 0);
  return h("details", { class: "panel ladder", open: true }, h("summary", {}, "The ladder"),
    h("ol", {}, steps.map(line)),
    played > 0 && h("p", { class: "faint" }, `Against other opponents you won ${won} of ${played} games.`));
}
