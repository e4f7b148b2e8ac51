/* A clickable picture for any game: a sequence of places and buttons, each with a key, selects an action. */

import { button, h } from "./dom.js";
import { drawing, move } from "./viewer.js";

const NEAR = 18; // pixels: a click so close to an open place chooses it, so that small places are easy to hit
const SMALLEST_TEXT = 11; // pixels, on a phone

/* Return a key as a screen reader should read it: c4 for `sq-c4`. */
const readable = (key) => key.replace(/^[a-z]+-/, "");

export class Board {
  /* `choose(action, text)` is called when the clicked keys leave one action, `miss()` when a click matches no key. */
  constructor(choose, miss = () => {}) {
    this.choose = choose;
    this.miss = miss;
    this.figure = h("figure", { class: "board", tabindex: "0", "aria-label": "the position" });
    this.buttons = h("div", { class: "keys", role: "group", "aria-label": "choices" });
    this.soFar = h("p", { class: "so-far", "aria-live": "polite" });
    this.zoom = button("", () => this.enlarge(!this.isLarge), { class: "zoom", "data-do": "zoom" });
    this.keepsFocus = false;
    this.above = h("div", { class: "place above" }, this.buttons, this.soFar);
    this.element = h("div", { class: "place" }, this.figure, this.zoom);
    this.whole = h("div", {}, this.above, this.element);
    this.enlarge(matchMedia("(max-width: 800px)").matches);
    this.ways = [];
    this.labels = {};
    this.clicked = [];
    this.values = null;
    this.figure.addEventListener("click", (event) => this.onClick(event));
    this.figure.addEventListener("keydown", (event) => this.onKey(event));
  }

  /* Show a picture with the ways of the actions: [action, text, keys]. */
  show({ svg, ways = [], labels = {} }, animated = true) {
    const before = this.figure.querySelector("svg"), after = drawing(svg);
    const focused = this.keepsFocus || this.hasFocus;
    const key = this.focusedKey ?? document.activeElement?.dataset?.key;
    this.keepsFocus = false;
    this.focusedKey = null;
    this.ways = ways;
    this.labels = labels;
    this.clicked = [];
    this.values = null;
    this.figure.replaceChildren(after);
    this.places = [...after.querySelectorAll("[data-key]")];
    if (before && animated) move(before, after);
    this.scale(after);
    this.mark();
    if (before === null || ways.length) this.reveal();
    if (focused && ways.length) (this.places.find((place) => place.dataset.key === key && place.hasAttribute("tabindex")) ?? this.figure).focus({ preventScroll: true });
  }

  get hasFocus() {
    return this.element.contains(document.activeElement) || this.above.contains(document.activeElement);
  }

  /* On a small screen, show the picture at a readable size, where it can be scrolled, or the whole picture. */
  enlarge(large) {
    this.isLarge = large;
    this.figure.classList.toggle("large", large);
    this.zoom.textContent = large ? "Whole board" : "Larger";
    if (large) this.reveal();
  }

  /* Set the width at which all text of the picture is readable. */
  scale(svg) {
    const sizes = [...svg.querySelectorAll("text")].map((text) => Number(text.getAttribute("font-size"))).filter(Boolean);
    const width = Number(svg.getAttribute("width"));
    this.figure.style.setProperty("--readable", `${Math.ceil(width * SMALLEST_TEXT / Math.min(SMALLEST_TEXT, ...sizes))}px`);
  }

  /* Scroll an enlarged picture so that its open places are in the middle. */
  reveal() {
    const open = (this.places ?? []).filter((place) => place.classList.contains("open")).map((place) => place.getBoundingClientRect());
    if (!open.length || this.figure.scrollWidth <= this.figure.clientWidth + 1) return;
    const view = this.figure.getBoundingClientRect();
    const middle = (low, high) => (Math.min(...open.map((box) => box[low])) + Math.max(...open.map((box) => box[high]))) / 2;
    this.figure.scrollBy(middle("left", "right") - (view.left + view.right) / 2, middle("top", "bottom") - (view.top + view.bottom) / 2);
  }

  /* The ways that start with the clicked keys. */
  get left() {
    return this.ways.filter(([, , keys]) => this.clicked.every((key, at) => keys[at] === key));
  }

  /* The possible next keys, each with its ways. */
  get open() {
    const found = new Map();
    for (const way of this.left) {
      const key = way[2][this.clicked.length];
      if (!found.has(key)) found.set(key, []);
      found.get(key).push(way);
    }
    return found;
  }

  /* Mark the open and the clicked keys, and show their values. */
  mark() {
    const open = this.open;
    for (const place of this.places ?? []) {
      const key = place.dataset.key, ways = open.get(key);
      place.classList.toggle("open", Boolean(ways));
      place.classList.toggle("chosen", this.clicked.includes(key) && !ways);
      for (const name of ["tabindex", "role", "aria-label"]) place.removeAttribute(name);
      place.replaceChildren();
      if (!ways) continue;
      place.setAttribute("tabindex", "0");
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", this.label(key, ways));
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = this.tip(key, ways);
      place.append(title);
    }
    const labelled = [...open].filter(([key]) => key in this.labels);
    this.buttons.replaceChildren(
      ...labelled.map(([key, ways]) => button(this.labels[key], () => this.click(key), { "data-key": key, class: "open", title: this.tip(key, ways) })),
      ...(this.clicked.length ? [button("↶ undo choice", () => this.back(), { "data-do": "back", title: "Escape" })] : []),
    );
    this.soFar.textContent = this.clicked.length ? `Chosen: ${this.clicked.map((key) => this.labels[key] ?? readable(key)).join(", ")}. Continue, or press Escape to undo.` : "";
    this.colour(open);
  }

  label(key, ways) {
    const best = this.best(ways);
    const value = best === null ? "" : `, value ${best.text}`;
    return ways.length === 1 ? `${ways[0][1]}${value}` : `${this.labels[key] ?? readable(key)}, ${ways.length} choices${value}`;
  }

  tip(key, ways) {
    const shown = ways.slice(0, 8).map(([action, text]) => (this.values?.has(action) ? `${text}: ${this.values.get(action).text}` : text));
    return [...shown, ...(ways.length > shown.length ? [`and ${ways.length - shown.length} more`] : [])].join("\n");
  }

  best(ways) {
    const known = ways.map(([action]) => this.values?.get(action)).filter(Boolean);
    return known.length ? known.reduce((one, other) => (other.value > one.value ? other : one)) : null;
  }

  /* Show action values: a map from actions to `{value, text, share}`, where share is 1 for the best and 0 for the worst;
   or null. */
  value(values) {
    this.values = values;
    this.mark();
  }

  colour(open) {
    this.figure.querySelector(".values")?.remove();
    const svg = this.figure.querySelector("svg");
    if (!svg) return;
    const marks = document.createElementNS("http://www.w3.org/2000/svg", "g");
    marks.setAttribute("class", "values");
    marks.setAttribute("aria-hidden", "true");
    for (const place of [...(this.places ?? []), ...this.buttons.querySelectorAll("[data-key]")]) {
      const best = this.values && this.best(open.get(place.dataset.key) ?? []);
      place.style.setProperty("--share", best ? best.share : 0);
      place.classList.toggle("valued", Boolean(best));
      if (!best) continue;
      if (place.tagName === "BUTTON") {
        place.textContent = `${this.labels[place.dataset.key]} ${best.text}`;
        continue;
      }
      const box = place.getBBox(), text = document.createElementNS("http://www.w3.org/2000/svg", "text");
      text.setAttribute("x", box.x + box.width / 2);
      text.setAttribute("y", box.y + box.height - 3); // on the lower edge, so that it does not cover the place
      text.textContent = best.text;
      marks.append(text);
    }
    svg.append(marks);
  }

  click(key) {
    const ways = this.open.get(key);
    if (!ways) return false;
    this.clicked.push(key);
    let left = this.left;
    if (left.length === 1) {
      this.send(left[0]);
      return true;
    }
    while (this.open.size === 1) this.clicked.push([...this.open.keys()][0]); // skip forced choices
    left = this.left;
    this.mark();
    this.refocus();
    return true;
  }

  send([action, text]) {
    this.keepsFocus = this.hasFocus;
    this.focusedKey = document.activeElement?.dataset?.key ?? null;
    this.ways = [];
    this.clicked = [];
    this.values = null;
    this.mark();
    this.choose(action, text);
  }

  /* Keep the focus on the board if its place is no longer open. */
  refocus() {
    if (this.element.contains(document.activeElement) && document.activeElement.hasAttribute("tabindex")) return;
    if (document.activeElement === document.body || !document.activeElement?.isConnected) this.figure.focus({ preventScroll: true });
  }

  /* Undo the last key; return whether there was one. */
  back() {
    if (!this.clicked.length) return false;
    const left = this.left.length;
    do this.clicked.pop(); while (this.clicked.length && this.left.length === left);
    this.mark();
    this.refocus();
    return true;
  }

  onClick(event) {
    const key = event.target.closest?.("[data-key]")?.dataset.key ?? this.nearest(event.clientX, event.clientY);
    if (key && this.click(key)) return;
    this.back();
    this.miss();
  }

  /* The key of the open place nearest to a point of the window, if one is near enough. */
  nearest(x, y) {
    const far = ({ left, right, top, bottom }) => Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
    const small = ({ width, height }) => Math.max(0, NEAR - Math.min(width, height) / 2);
    const near = (this.places ?? []).filter((place) => place.classList.contains("open")).map((place) => [place, place.getBoundingClientRect()])
      .filter(([, box]) => far(box) <= small(box)).sort(([, one], [, other]) => far(one) - far(other));
    return near[0]?.[0].dataset.key;
  }

  onKey(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    const key = event.target.closest?.("[data-key]")?.dataset.key;
    if (key === undefined) return;
    event.preventDefault();
    this.click(key);
  }
}
