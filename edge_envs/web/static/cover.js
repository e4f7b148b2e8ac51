/* The picture of a game, inserted into the page so that it follows the page's theme. */

import { h } from "./dom.js";
import { drawing } from "./viewer.js";

/* Return the picture, and a promise that is fulfilled when it is loaded. */
export function loadCover(game) {
  const figure = h("figure", { class: "cover", "aria-hidden": "true" });
  if (!game.cover) return [figure, Promise.resolve()];
  return [figure, fetch(game.cover).then((answer) => answer.text()).then((text) => figure.replaceChildren(drawing(text)), () => {})];
}

export function cover(game) {
  return loadCover(game)[0];
}
