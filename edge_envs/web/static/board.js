/* A clickable picture for any game: a sequence of places and buttons, each with a key, selects an action. */

import { button, h } from "./dom.js";
import { play } from "./sound.js";
import { drawing, move } from "./viewer.js";

const NEAR = 18; // pixels: a click so close to an open place chooses it, so that small places are easy to hit
const MARGIN = 8; // pixels left of a row that is wider than the screen
const SMALLEST_TEXT = 11; // pixels, on a phone
const VALUE_HEIGHT = 13; // of a value, in units of the picture

function shape(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/* Write values in empty places, and next to others, the best first. They do not cover pieces, texts or each other; a value
   without room is left out, because the colour, the tooltip and the list also show it. */
function writeValues(svg, marks, rated) {
  const inverse = svg.getScreenCTM().inverse();
  const boxOf = (element) => {
    const box = element.getBoundingClientRect(), point = (x, y) => new DOMPoint(x, y).matrixTransform(inverse), low = point(box.left, box.top), high = point(box.right, box.bottom);
    return { left: low.x, right: high.x, top: low.y, bottom: high.y };
  };
  const drawn = [...svg.querySelectorAll("rect, circle, path, line, text")].filter((one) => !one.closest("[data-key], .values, .advice")).map(boxOf);
  const taken = [...svg.querySelectorAll("[data-piece], text, [data-stack]")].map(boxOf), { width, height } = svg.viewBox.baseVal;
  const places = rated.map(([{ x, y, width: wide, height: high }]) => ({ left: x, right: x + wide, top: y, bottom: y + high }));
  const overlap = (one, other) => Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) * Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
  rated.forEach(([box, { short }], rank) => {
    const text = shape("text", {});
    text.textContent = short;
    marks.append(text);
    const wide = text.getComputedTextLength() / 2 + 2, high = VALUE_HEIGHT / 2, x = box.x + box.width / 2, y = box.y + box.height / 2;
    const area = ([atX, atY]) => ({ left: atX - wide, right: atX + wide, top: atY - high, bottom: atY + high });
    const sum = (spot, others) => others.reduce((all, other) => all + overlap(area(spot), other), 0);
    const outside = [[x, box.y + box.height + high + 1], [x, box.y - high - 1], [box.x + box.width + wide + 1, y], [box.x - wide - 1, y]].filter((spot) => sum(spot, places) < 1);
    const inside = [[x, y], [x, box.y + box.height - high], [x, box.y + high]];
    const isEmpty = !drawn.some(({ left, right, top, bottom }) => left > box.x && right < box.x + box.width && top > box.y && bottom < box.y + box.height && (right - left) * (bottom - top) < box.width * box.height / 2);
    const spots = (isEmpty ? [...inside, ...outside] : [...outside, ...inside.reverse()])
      .map(([atX, atY]) => [Math.min(Math.max(atX, wide), width - wide), Math.min(Math.max(atY, high), height - high)]);
    const covered = spots.map((spot) => sum(spot, taken)), least = Math.min(...covered);
    if (least > 1 && rank > 0) return text.remove();
    const spot = spots[covered.indexOf(least)];
    text.setAttribute("x", spot[0]);
    text.setAttribute("y", spot[1]);
    return taken.push(area(spot));
  });
}

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
    this.advised = [];
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
    this.advised = [];
    this.figure.replaceChildren(after);
    this.places = [...after.querySelectorAll("[data-key]")];
    if (before && animated) play(move(before, after));
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

  /* Scroll an enlarged picture so that its open places, or those of another class, are in the middle. A row that is
     wider than the screen is shown from its beginning. */
  reveal(kind = "open") {
    const open = (this.places ?? []).filter((place) => place.classList.contains(kind)).map((place) => place.getBoundingClientRect());
    if (!open.length || this.figure.scrollWidth <= this.figure.clientWidth + 1) return;
    const view = this.figure.getBoundingClientRect();
    const ends = (low, high) => [Math.min(...open.map((box) => box[low])), Math.max(...open.map((box) => box[high]))];
    const [left, right] = ends("left", "right"), [top, bottom] = ends("top", "bottom");
    const isWideRow = right - left > view.width && bottom - top <= view.height;
    const across = isWideRow ? left - view.left - MARGIN : (left + right - view.left - view.right) / 2;
    this.figure.scrollBy(across, (top + bottom - view.top - view.bottom) / 2);
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
      place.classList.toggle("advised", this.advised.includes(key));
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
      ...labelled.map(([key, ways]) => button(this.labels[key], () => this.click(key), { "data-key": key, class: this.advised.includes(key) ? "open advised" : "open", title: this.tip(key, ways) })),
      ...(this.clicked.length ? [button("↶ undo choice", () => this.back(), { "data-do": "back", title: "Escape" })] : []),
    );
    this.soFar.textContent = this.clicked.length ? `Chosen: ${this.clicked.map((key) => this.labels[key] ?? readable(key)).join(", ")}. Continue, or press Escape to undo.` : "";
    this.colour(open);
    this.point();
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

  /* Show action values: a map from actions to `{value, text, short, share}`, where share is 1 for the best and 0 for the
   worst; or null. */
  value(values) {
    this.values = values;
    this.mark();
  }

  /* Ring the places of an action, or of none, with a line from each to the next. */
  advise(action) {
    this.advised = this.ways.find(([one]) => one === action)?.[2] ?? [];
    this.mark();
    this.reveal("advised");
  }

  point() {
    this.figure.querySelector(".advice")?.remove();
    const svg = this.figure.querySelector("svg");
    const places = this.advised.map((key) => this.places.find((place) => place.dataset.key === key)).filter(Boolean);
    if (!svg || !places.length) return;
    const group = shape("g", { class: "advice", "aria-hidden": "true" }), middles = places.map((place) => place.getBBox()).map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
    for (const name of ["halo", "ring"])
      for (const place of places) {
        const ring = place.cloneNode();
        for (const attribute of [...ring.getAttributeNames()]) if (/^(class|data-|tabindex|role|aria-|style|pointer)/.test(attribute)) ring.removeAttribute(attribute);
        ring.setAttribute("class", name);
        group.append(ring);
      }
    if (middles.length > 1) group.append(shape("polyline", { class: "line", points: middles.map((point) => point.join(",")).join(" ") }));
    svg.append(group);
  }

  colour(open) {
    this.figure.querySelector(".values")?.remove();
    const svg = this.figure.querySelector("svg");
    if (!svg) return;
    const marks = shape("g", { class: "values", "aria-hidden": "true" }), rated = [];
    for (const place of [...(this.places ?? []), ...this.buttons.querySelectorAll("[data-key]")]) {
      const best = this.values && this.best(open.get(place.dataset.key) ?? []);
      place.style.setProperty("--share", best ? best.share : 0);
      place.classList.toggle("valued", Boolean(best));
      if (!best) continue;
      if (place.tagName === "BUTTON") {
        place.textContent = `${this.labels[place.dataset.key]} ${best.text}`;
        continue;
      }
      rated.push([place.getBBox(), best]);
    }
    svg.append(marks);
    if (rated.length) writeValues(svg, marks, rated.sort(([, one], [, other]) => other.value - one.value));
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
