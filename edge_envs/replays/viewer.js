/* Viewer for the scenes of a game: pictures, animated pieces, slider, keyboard shortcuts and speeds. */

const still = matchMedia("(prefers-reduced-motion: reduce)");
const STEP = 180; // duration of a move in milliseconds

/* Return an SVG picture as an element of the page, without running scripts in it. */
export function drawing(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

/* Convert an SVG transform to CSS, so that it can be animated. */
function style(transform) {
  return transform
    .replace(/translate\((\S+) (\S+)\)/, "translate($1px, $2px)")
    .replace(/rotate\((\S+)\)/, "rotate($1deg)");
}

function places(svg) {
  const found = new Map();
  for (const piece of svg.querySelectorAll("[data-piece]")) {
    const name = piece.dataset.piece;
    found.set(name, [...(found.get(name) ?? []), [piece.getAttribute("transform"), piece]]);
  }
  return found;
}

/* Animate the pieces from one picture to the next. Pieces with the same name look alike, so each piece in a new place
   comes from a place that such a piece has left. */
export function move(before, after) {
  if (still.matches || document.documentElement.dataset.still === "yes") return;
  const old = places(before);
  for (const [name, pieces] of places(after)) {
    const was = (old.get(name) ?? []).map(([place]) => place);
    const left = was.filter((place) => !pieces.some(([there]) => there === place));
    for (const [place, piece] of pieces.filter(([there]) => !was.includes(there))) {
      const from = left.shift();
      if (from) piece.animate([{ transform: style(from) }, { transform: style(place) }], { duration: STEP, easing: "ease-out" });
    }
  }
}

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const BUTTONS = [
  ["begin", "⇤", "first scene", "Home"],
  ["back", "←", "previous scene", "←"],
  ["play", "▶", "play", "space"],
  ["next", "→", "next scene", "→"],
  ["end", "⇥", "last scene", "End"],
];
const KEYS = { Home: "begin", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "end" };

/* Viewer of a game in an element of a page. `game` has `head`, `parts`, `frames` and `texts`; `shown` is called with the
   number of each scene that is shown. */
export class Viewer {
  constructor(root, game, shown = () => {}) {
    this.game = game;
    this.shown = shown;
    this.now = 0;
    this.timer = null;
    this.board = element("figure", { tabindex: "0", "aria-label": "the position", class: "board" });
    this.buttons = {};
    const bar = element("nav", { "aria-label": "scenes" });
    for (const [name, sign, label, key] of BUTTONS) {
      const button = element("button", { type: "button", title: `${label} (${key})`, "aria-label": label, "data-do": name }, sign);
      button.addEventListener("click", () => this.do(name));
      this.buttons[name] = button;
      bar.append(button);
    }
    this.speed = element("select", { "data-do": "speed" });
    for (const number of [1, 2, 4, 8]) this.speed.append(element("option", { value: number }, `${number} a second`));
    this.speed.value = "2";
    this.speed.addEventListener("change", () => { if (this.timer !== null) { this.stop(); this.play(); } });
    bar.append(element("label", {}, "speed ", this.speed));
    this.bar = bar;
    this.slider = element("input", { type: "range", min: 0, max: game.frames.length - 1, value: 0, "aria-label": "scene" });
    this.slider.addEventListener("input", () => { this.stop(); this.show(Number(this.slider.value), false); });
    this.line = element("p", { "aria-live": "polite", class: "now" });
    this.log = element("ol", { start: "0", "aria-label": "what happened", class: "log" });
    game.texts.forEach((texts, scene) => {
      const button = element("button", { type: "button" }, scene ? texts.join(" · ") : "the start");
      button.addEventListener("click", () => { this.stop(); this.show(scene, false); });
      this.log.append(element("li", { value: scene }, button));
    });
    this.side = element("section", {}, bar, this.slider, this.line, this.log);
    root.replaceChildren(this.board, this.side);
    this.listen = (event) => this.key(event);
    document.addEventListener("keydown", this.listen);
    this.show(0, false);
  }

  get last() {
    return this.game.frames.length - 1;
  }

  do(name) {
    if (name === "play") return this.play();
    this.stop();
    if (name === "begin") this.show(0, false);
    if (name === "back") this.show(this.now - 1);
    if (name === "next") this.show(this.now + 1);
    if (name === "end") this.show(this.last, false);
  }

  key(event) {
    const control = event.target.closest("button, select, input, textarea");
    const taken = control && (event.key === " " || control.matches("input, select, textarea"));
    if (!(event.key in KEYS) || event.ctrlKey || event.altKey || event.metaKey || taken) return;
    event.preventDefault();
    this.do(KEYS[event.key]);
  }

  show(scene, animated = true) {
    const { head, parts, frames, texts } = this.game;
    this.now = Math.max(0, Math.min(this.last, scene));
    const before = this.board.firstElementChild;
    const after = drawing(head + frames[this.now].map((part) => parts[part]).join("") + "</svg>");
    this.board.replaceChildren(after);
    if (before && animated) move(before, after);
    this.slider.value = this.now;
    this.line.textContent = `scene ${this.now} of ${this.last}${this.now ? ": " + texts[this.now].join(" · ") : ""}`;
    for (const line of this.log.children) line.classList.toggle("now", line.value === this.now);
    const line = this.log.children[this.now];
    this.log.scrollTop = line.offsetTop - this.log.offsetTop - this.log.clientHeight / 2;
    if (this.now === this.last) this.stop();
    this.shown(this.now);
  }

  play() {
    if (this.timer !== null) return this.stop();
    if (this.now === this.last) this.show(0, false);
    this.timer = setInterval(() => this.show(this.now + 1), 1000 / Number(this.speed.value));
    this.tell("❚❚", "pause");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.tell("▶", "play");
  }

  tell(sign, label) {
    this.buttons.play.textContent = sign;
    this.buttons.play.ariaLabel = label;
  }

  close() {
    this.stop();
    document.removeEventListener("keydown", this.listen);
  }
}
