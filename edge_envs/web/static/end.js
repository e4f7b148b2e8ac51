/* The card at the end of a game: who won, by how much and why, and what can be done next. */

import { alertWith, attempt, button, h, save } from "./dom.js";

const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

/* Return the parts of the card below the headline. `act` has the functions that the buttons call. */
export function endCard(view, act) {
  const heads = Object.keys(view.scores);
  const best = Math.max(...view.returns);
  const rows = view.returns.map((value, seat) => h("tr", { class: value === best ? "winner" : "" },
    h("th", { scope: "row" }, seat === view.seat ? `you (player ${seat})` : `player ${seat}`, h("small", {}, view.seats[seat] === "human" ? "" : ` ${view.titles[seat]}`)),
    ...heads.map((head) => h("td", {}, view.scores[head][seat])),
    h("td", {}, signed(Number(value.toFixed(3))))));
  return [
    h("p", { class: "reason" }, view.result),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "scores" },
      h("table", { class: "scores" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "player"), ...[...heads, "return"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows))),
    act.invited && h("p", { class: "invited" }, "A rematch has begun."),
    h("p", { class: "row" },
      button(act.invited ? "Join the rematch" : "Rematch", act.rematch, { class: "main", "data-do": "again" }),
      button("Review the game", act.look, { "data-do": "review" }),
      button("Save a picture", () => attempt(() => savePicture(view.game, act.picture())), { "data-do": "picture" }),
      button("Save a replay", () => attempt(async () => save(`${view.game}.html`, (await act.replay()).html, "text/html")), { "data-do": "replay" })),
  ].filter(Boolean);
}

/* Save the picture of the board as PNG, with the colours of the page's theme. */
async function savePicture(name, svg) {
  const copy = svg.cloneNode(true), shown = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, at) => {
    const { fill, stroke } = getComputedStyle(shown[at]);
    if (element.hasAttribute("fill")) element.setAttribute("fill", fill);
    if (element.hasAttribute("stroke")) element.setAttribute("stroke", stroke);
  });
  const width = 2 * Number(svg.getAttribute("width")), height = 2 * Number(svg.getAttribute("height"));
  const picture = new Image(width, height);
  picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await picture.decode();
  const canvas = h("canvas", { width, height });
  canvas.getContext("2d").drawImage(picture, 0, 0, width, height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) return alertWith("This browser cannot save the picture.");
  return save(`${name}.png`, blob, "image/png");
}
