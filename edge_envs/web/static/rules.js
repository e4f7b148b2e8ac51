/* The rules page of a game, as printed by `edge-envs rules`. */

import { gameNamed, get } from "./api.js";
import { cover } from "./cover.js";
import { h } from "./dom.js";

export async function showRules(main, name) {
  const game = await gameNamed(name);
  const { html } = await get(`/api/games/${name}/rules`);
  const page = new DOMParser().parseFromString(html, "text/html");
  main.append(
    h("h2", {}, `${game.title}: the rules`),
    h("p", { class: "row" }, h("a", { href: `#${name}` }, "Play"), game.teaches && h("a", { href: `#${name}/learn` }, "Learn")),
    h("div", { class: "rules" }, cover(game)),
    h("article", { class: "rules" }, ...document.importNode(page.body, true).childNodes),
  );
}
