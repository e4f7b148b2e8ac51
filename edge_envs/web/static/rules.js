/* The rules page of a game, as printed by `edge-envs rules`. */

import { gameNamed, get } from "./api.js";
import { loadCover } from "./cover.js";
import { h } from "./dom.js";

export async function showRules(main, name) {
  const game = await gameNamed(name);
  const [picture, loaded] = loadCover(game);
  const [{ html }] = await Promise.all([get(`/api/games/${name}/rules`), loaded]); // a later picture would move the text
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const wide of page.querySelectorAll("pre, table")) { // they scroll, so the keyboard must reach them
    wide.setAttribute("tabindex", "0");
    if (wide.tagName === "PRE") wide.setAttribute("role", "group");
    if (wide.tagName === "PRE") wide.setAttribute("aria-label", "example");
  }
  for (const head of page.querySelectorAll("th:empty")) { // screen readers announce empty headings
    if (head.cellIndex === 0) for (const cell of head.closest("table").querySelectorAll("tbody td:first-child")) headOfRow(page, cell);
    head.replaceWith(page.createElement("td"));
  }
  main.append(
    h("h2", {}, `${game.title}: the rules`),
    h("p", { class: "row" }, h("a", { href: `#${name}` }, "Play"), game.teaches && h("a", { href: `#${name}/learn` }, "Learn")),
    h("div", { class: "rules" }, picture),
    h("article", { class: "rules" }, ...document.importNode(page.body, true).childNodes),
  );
}

/* Make the first cell of a row its heading: the column has none. */
function headOfRow(page, cell) {
  const heading = page.createElement("th");
  heading.scope = "row";
  heading.append(...cell.childNodes);
  cell.replaceWith(heading);
}
