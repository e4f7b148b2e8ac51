/* The analysis of a finished game: a graph of the win probability, the most costly decisions, and the accuracy of each
   player. */

import { post } from "./api.js";
import { alertWith, button, h } from "./dom.js";

const BETWEEN = 600; // milliseconds between two requests for the progress
const HEIGHT = 150, LEFT = 44, RIGHT = 8, TOP = 8, BOTTOM = 20;
const COLOURS = ["#e69f00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]; // those of the pieces

const percent = (share) => `${Math.round(100 * share)} %`;

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/* Return the win probabilities of each player: lists of [at, probability]. With two players every decision is a point of
   both; with more, it is one of its player. */
function curves(points, players) {
  return Array.from({ length: players }, (_, player) => points.filter((point) => players === 2 || point[1] === player)
    .map(([at, decider, probability, loss]) => [at, decider === player ? probability - loss : 1 - probability + loss]));
}

/* Draw the graph of an analysis, `width` pixels wide. `open` shows the position before a decision. Return the graph, and
   a function that marks a position, given its number of transitions. */
function graph({ points, costly }, players, last, width, open) {
  const x = (at) => LEFT + (width - LEFT - RIGHT) * at / Math.max(1, last);
  const y = (share) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  const lines = [0, 0.5, 1].map((share) => svg("g", {},
    svg("line", { x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share), class: "grid" }),
    svg("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end" }, percent(share))));
  const shown = curves(points, players).slice(0, players === 2 ? 1 : players);
  const paths = shown.map((curve, player) => svg("polyline", { points: curve.map(([at, share]) => `${x(at)},${y(share)}`).join(" "), class: "curve", stroke: COLOURS[player] }));
  const marks = costly.map((one) => {
    const share = players === 2 && one.player === 1 ? 1 - one.probability + one.loss : one.probability - one.loss;
    const mark = svg("circle", { cx: x(one.at), cy: y(share), r: 6, class: "costly" }, svg("title", {}, `player ${one.player}: ${one.chosen}, −${percent(one.loss)}`));
    mark.addEventListener("click", () => open(one));
    return mark;
  });
  const now = svg("line", { x1: LEFT, x2: LEFT, y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor" });
  const picture = svg("svg", { width, height: HEIGHT, class: "graph", role: "img", "aria-label": players === 2 ? "win probability of player 0 over time" : "win probability of each player over time" }, ...lines, ...paths, now, ...marks,
    svg("text", { x: LEFT, y: HEIGHT - 4 }, players === 2 ? "win probability of player 0" : "win probability of each player"));
  return [picture, (at) => { for (const name of ["x1", "x2"]) now.setAttribute(name, x(at)); }];
}

/* Show the analysis of a record in a part of the page. `scenes` are its scenes, `viewer` shows them, and `again(at)`
   continues the game from a position. Return a function that stops the requests, and one to call for each scene. */
export function showAnalysis(part, record, scenes, viewer, again) {
  const players = scenes.returns.length;
  const bar = h("progress", { max: 1, value: 0, "aria-label": "progress of the analysis" }), status = h("p", { class: "faint", role: "status" });
  const picture = h("div", {}), list = h("ol", { class: "costly-list" }), table = h("div", {}), choice = h("div", { class: "row", "aria-live": "polite" });
  let open = true, mark = () => {};

  function show(one) {
    const scene = scenes.at.findLastIndex((at) => at <= one.at);
    viewer().stop();
    viewer().show(scene, false);
    choice.replaceChildren(h("p", {}, `Player ${one.player} chose ${one.chosen}, with a win probability of ${percent(one.probability - one.loss)}. Better: ${one.best}, ${percent(one.probability)}.`),
      button("Try again from here", () => again(one.at), { class: "main", "data-do": "try" }));
  }

  function draw(found) {
    const [drawn, move] = graph(found, players, record.history.length, Math.min(900, part.clientWidth || 720), show);
    mark = move;
    picture.replaceChildren(drawn);
    if (!found.ready) return;
    list.replaceChildren(...found.costly.map((one) => h("li", {}, button(`player ${one.player}: ${one.chosen} (−${percent(one.loss)}), better ${one.best}`, () => show(one)))));
    table.replaceChildren(h("p", {}, found.accuracy.map((share, player) => `player ${player}: ${share === null ? "no choice mattered" : percent(share)}`).join(" · ")));
  }

  async function follow() {
    while (open) {
      let found;
      try {
        found = await post("/api/analyses", { record });
      } catch (error) {
        status.textContent = "";
        return alertWith(error.message);
      }
      if (!open) return undefined;
      draw(found);
      bar.value = found.of ? found.done / found.of : 1;
      status.textContent = found.ready ? `Judged by: ${found.by || "nobody"}.` : `${found.done} of ${found.of} decisions are judged; you can use the page meanwhile.`;
      if (found.ready) {
        bar.hidden = true;
        list.before(h("h4", {}, found.costly.length ? "The most costly decisions" : "No decision cost much."));
        table.before(h("h4", {}, "Accuracy"), h("p", { class: "faint" }, "The share of the win probability at stake that a player kept: 100 % is the best choice each time, 0 % the worst."));
        return undefined;
      }
      await new Promise((done) => setTimeout(done, BETWEEN));
    }
    return undefined;
  }

  part.replaceChildren(h("h3", {}, "Analysis"), status, bar, picture, choice, list, table);
  follow();
  return [() => { open = false; }, (scene) => mark(scenes.at[scene])];
}
