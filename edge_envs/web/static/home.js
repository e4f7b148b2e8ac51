/* The start page: matches to continue, and all games. */

import { games, get, post } from "./api.js";
import { cover } from "./cover.js";
import { button, h, sentence } from "./dom.js";
import { accessTo, anyToken, dropAccess, matchIds } from "./matches.js";
import { puzzleCard } from "./puzzle.js";

const MOST_SHOWN = 8;

function status({ turn, player, seat, result, transitions }) {
  if (turn === "over") return result;
  if (turn === "human") return player === seat ? "It is your turn." : `Player ${player} is to move.`;
  return `${transitions} moves and rolls so far.`;
}

/* Show the matches of this browser that the server still has. Matches that it no longer has are forgotten. */
async function showMatches(section) {
  const found = await Promise.all(matchIds().map(async (id) => {
    const access = accessTo(id), token = anyToken(access);
    if (token === undefined) return null;
    try {
      return { id, access, ...await get(`/api/sittings/${id}/about`, { token }) };
    } catch (error) {
      if (error.status === 404) dropAccess(id);
      return null;
    }
  }));
  const matches = found.filter(Boolean).sort((one, other) => (one.turn === "over") - (other.turn === "over") || other.saved - one.saved);
  section.hidden = !matches.length;
  section.replaceChildren(h("h2", {}, "Your matches"), h("ul", { class: "matches" }, matches.slice(0, MOST_SHOWN).map((match) => {
    const line = h("li", {},
      h("a", { href: `#play/${match.id}` }, `${match.turn === "over" ? "Look at" : "Continue"} ${match.title}`),
      h("span", { class: "faint" }, status(match)),
      button("Remove", async () => {
        if (match.access.key) await post(`/api/sittings/${match.id}/close`, {}, { token: match.access.key }).catch(() => {});
        dropAccess(match.id);
        line.remove();
        section.hidden = !section.querySelector("li");
      }, { "aria-label": `remove this match of ${match.title}` }));
    return line;
  })));
}

export async function showHome(main) {
  const catalog = await games();
  const matches = h("section", { hidden: true, id: "matches" });
  if (catalog.guest) {
    main.append(h("h2", {}, "Welcome"), h("p", {}, "You are a guest on this page. To play, open the link or scan the QR code of your seat, which the host can show you."),
      h("ul", {}, catalog.games.map((game) => h("li", {}, `${game.title}: `, game.teaches && h("a", { href: `#${game.name}/learn` }, "Learn"), " ", h("a", { href: `#${game.name}/rules` }, "Rules")))), matches);
    showMatches(matches);
    return;
  }
  main.append(
    h("h2", {}, "The games"),
    h("p", {}, "Four board games about the edge of the world. Play alone against agents, with others at this screen, or in two windows with a link."),
    h("ul", { class: "cards" }, catalog.games.map((game) => h("li", { class: "card" },
      cover(game),
      h("h2", {}, game.title),
      h("p", {}, sentence(game.summary)),
      h("p", { class: "row" },
        h("a", { href: `#${game.name}`, class: "main", "aria-label": `Play ${game.title}` }, "Play"),
        game.teaches && h("a", { href: `#${game.name}/learn`, "aria-label": `Learn ${game.title}` }, "Learn"),
        h("a", { href: `#${game.name}/rules`, "aria-label": `Rules of ${game.title}` }, "Rules"))))),
    puzzleCard(),
    matches,
    h("p", { class: "faint" }, "Everything stays on this machine: the page contacts only the program that you started."),
  );
  showMatches(matches);
}
