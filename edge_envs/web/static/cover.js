/* The picture of a game, inserted into the page so that it follows the page's theme. */

import { h } from "./dom.js";
import { drawing } from "./viewer.js";

export function cover(game) {
  const figure = h("figure", { class: "cover", "aria-hidden": "true" });
  if (game.cover) fetch(game.cover).then((answer) => answer.text()).then((text) => figure.replaceChildren(drawing(text)), () => {});
  return figure;
}
