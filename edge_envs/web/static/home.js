/* The start page, with all games. */

import { games } from "./api.js";
import { cover } from "./cover.js";
import { h } from "./dom.js";

export async function showHome(main) {
  const catalog = await games();
  main.append(
    h("h2", {}, "The games"),
    h("p", {}, "Four board games about the edge of the world. Play alone against agents, with others at this screen, or in two windows with a link."),
    h("ul", { class: "cards" }, catalog.games.map((game) => h("li", { class: "card" },
      cover(game),
      h("h2", {}, game.title),
      h("p", {}, game.summary),
      h("p", { class: "row" },
        h("a", { href: `#${game.name}` }, "Play"),
        game.teaches && h("a", { href: `#${game.name}/learn` }, "Learn"),
        h("a", { href: `#${game.name}/rules` }, "Rules"))))),
    h("p", { class: "faint" }, "Everything stays on this machine: the page contacts only the program that you started."),
  );
}
