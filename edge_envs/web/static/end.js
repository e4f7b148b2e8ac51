/* The card at the end of a game: who won, by how much and why, and what can be done next. */

import { alertWith, attempt, button, h, save } from "./dom.js";

const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

/* Return the parts of the card below the headline. `act` has the functions that the buttons call. */
export function endCard(view, act) {
  const best = Math.max(...view.returns), isDrawn = view.returns.every((value) => value === best);
  const marked = (seat) => ({ class: view.returns[seat] === best && !isDrawn ? "winner" : "" });
  const player = (seat, scope) => h("th", { scope, ...marked(seat) }, seat === view.seat ? `you (player ${seat})` : `player ${seat}`, h("small", {}, view.seats[seat] === "human" ? "" : ` ${view.titles[seat]}`));
  const columns = { ...view.scores, return: view.returns.map((value) => signed(Number(value.toFixed(3)))) };
  const seats = view.returns.map((_, seat) => seat), heads = Object.keys(columns);
  const cell = (head, seat) => h("td", marked(seat), columns[head][seat]);
  const heading = (head, scope) => h("th", { scope }, head);
  const isWide = heads.length > seats.length; // then the players are columns, because the card is narrow
  const top = isWide ? seats.map((seat) => player(seat, "col")) : heads.map((head) => heading(head, "col"));
  const rows = isWide
    ? heads.map((head) => h("tr", {}, heading(head, "row"), ...seats.map((seat) => cell(head, seat))))
    : seats.map((seat) => h("tr", marked(seat), player(seat, "row"), ...heads.map((head) => cell(head, seat))));
  return [
    h("p", { class: "reason" }, view.result),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "scores" },
      h("table", { class: "scores" }, h("thead", {}, h("tr", {}, h("td", {}), ...top)), h("tbody", {}, rows))),
    act.invited && h("p", { class: "invited" }, "A rematch has begun."),
    h("p", { class: "row" },
      button(act.invited ? "Join the rematch" : "Rematch", act.rematch, { class: "main", "data-do": "again" }),
      button("Review the game", act.look, { "data-do": "review" }),
      button("Save a picture", () => attempt(() => savePicture(view.game, act.picture())), { "data-do": "picture" }),
      button("Save a GIF", (event) => saveFilm(event.target, act.film), { "data-do": "film" }),
      button("Save a replay", () => attempt(async () => save(`${view.game}.html`, (await act.replay()).html, "text/html")), { "data-do": "replay" })),
    act.saving,
  ].filter(Boolean);
}

async function saveFilm(pressed, film) {
  pressed.disabled = true;
  await attempt(film);
  pressed.disabled = false;
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
