/* The graph of an analysis: the win probability over time, with marks of the costly decisions. */

const HEIGHT = 150, LEFT = 44, RIGHT = 8, TOP = 8, BOTTOM = 20;
const COLOURS = ["#e69f00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]; // those of the pieces

export const percent = (share) => `${Math.round(100 * share)} %`;

function shape(tag, attributes, ...children) {
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
export function graph({ points, costly }, players, last, width, open) {
  const x = (at) => LEFT + (width - LEFT - RIGHT) * at / Math.max(1, last);
  const y = (share) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  const lines = [0, 0.5, 1].map((share) => shape("g", {},
    shape("line", { x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share), class: "grid" }),
    shape("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end" }, percent(share))));
  const shown = curves(points, players).slice(0, players === 2 ? 1 : players);
  const paths = shown.map((curve, player) => shape("polyline", { points: curve.map(([at, share]) => `${x(at)},${y(share)}`).join(" "), class: "curve", stroke: COLOURS[player] }));
  const marks = costly.map((one) => {
    const share = players === 2 && one.player === 1 ? 1 - one.probability + one.loss : one.probability - one.loss;
    const mark = shape("circle", { cx: x(one.at), cy: y(share), r: 6, class: "costly" }, shape("title", {}, `player ${one.player}: ${one.chosen}, −${percent(one.loss)}`));
    mark.addEventListener("click", () => open(one));
    return mark;
  });
  const now = shape("line", { x1: LEFT, x2: LEFT, y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor" });
  const picture = shape("svg", { width, height: HEIGHT, class: "graph", role: "img", "aria-label": players === 2 ? "win probability of player 0 over time" : "win probability of each player over time" }, ...lines, ...paths, now, ...marks,
    shape("text", { x: LEFT, y: HEIGHT - 4 }, players === 2 ? "win probability of player 0" : "win probability of each player"));
  return [picture, (at) => { for (const name of ["x1", "x2"]) now.setAttribute(name, x(at)); }];
}
