/* Viewer for the scenes of a game: pictures, animated pieces, slider, keyboard shortcuts and speeds. */

const still = matchMedia("(prefers-reduced-motion: reduce)");
const STEP = 180; // duration of a move in milliseconds
const MOST_CARDS = 12; // that fly at once

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

/* The changes of pieces. Pieces with the same name look alike, so each piece in a new place comes from a place that such
   a piece has left. Each change is a kind and a function that animates it. */
function movedPieces(before, after) {
  const old = places(before), now = places(after), changes = [];
  for (const [name, pieces] of now) {
    const was = old.get(name) ?? [];
    const left = was.filter(([place]) => !pieces.some(([there]) => there === place));
    for (const [place, piece] of pieces.filter(([there]) => !was.some(([one]) => one === there))) {
      const { motion } = piece.dataset;
      if (motion === "tumble") {
        changes.push(["tumble", () => tumble(piece, place)]);
        continue;
      }
      const [from, other] = left.shift() ?? [];
      if (!from) continue;
      const kind = motion && !(motion === "fall" && other.dataset.motion === "fall") ? motion : "slide";
      changes.push([kind, () => ({ fall, drift, slide })[kind](piece, from, place)]);
    }
    changes.push(...left.map(([place, piece]) => ["vanish", () => vanish(piece, place, after)]));
  }
  for (const [name, pieces] of old)
    if (!now.has(name)) changes.push(...pieces.filter(([, piece]) => piece.dataset.motion !== "tumble").map(([place, piece]) => ["vanish", () => vanish(piece, place, after)]));
  return changes;
}

function slide(piece, from, to) {
  piece.animate([{ transform: style(from) }, { transform: style(to) }], { duration: STEP, easing: "ease-out" });
}

function drift(piece, from, to) {
  const [x, y] = shift(from), [toX, toY] = shift(to);
  const on = (share, turn) => ({ transform: `translate(${x + share * (toX - x)}px, ${y + share * (toY - y) - 14 * Math.sin(Math.PI * share)}px) rotate(${turn}deg)`, opacity: 1 - 0.5 * Math.sin(Math.PI * share) });
  piece.animate([0, 0.25, 0.5, 0.75, 1].map((share, at) => on(share, [0, -9, 9, -6, 0][at])), { duration: 5 * STEP, easing: "ease-in-out" });
}

/* Move a piece to the edge, from where it tumbles into the void. */
function fall(piece, from, to) {
  const [x, y] = shift(from), [toX, toY] = shift(to), turn = Number(/rotate\((\S+)\)/.exec(to)?.[1] ?? 0);
  const on = (atX, atY, turned, size) => ({ transform: `translate(${atX}px, ${atY}px) rotate(${turned}deg) scale(${size})` });
  piece.animate([on(x, y, 0, 1.2), { ...on(x + 0.75 * (toX - x), y + 0.75 * (toY - y) - 12, 0, 1.2), offset: 0.4 }, { ...on(toX, toY + 26, turn + 300, 0.55), offset: 0.8 }, on(toX, toY, turn + 360, 1)],
    { duration: 4.5 * STEP, easing: "ease-in-out" });
}

function tumble(die, place) {
  const [x, y] = shift(place), chance = Math.random();
  const on = (up, turn, size) => ({ transform: `translate(${x}px, ${y - up}px) rotate(${turn}deg) scale(${size})` });
  die.animate([on(26 + 10 * chance, -360 - 180 * chance, 0.7), on(0, -120, 1.1), on(9, -40, 1), on(0, 0, 1)], { duration: (2.5 + chance) * STEP, easing: "ease-out" });
}

/* Play an animation of an element that is only shown meanwhile. */
function passing(svg, shape, frames, options) {
  for (const name of ["data-stack", "data-count", "data-piece"]) shape.removeAttribute(name);
  shape.setAttribute("pointer-events", "none");
  svg.append(shape);
  shape.animate(frames, options).onfinish = () => shape.remove();
}

function vanish(piece, place, svg) {
  const start = style(place);
  passing(svg, piece.cloneNode(true), [{ transform: start, opacity: 1 }, { transform: `${start} rotate(160deg) scale(.1)`, opacity: 0 }], { duration: 2 * STEP, easing: "ease-in" });
}

/* Return the x and y by which a transform shifts. */
function shift(transform) {
  return /translate\((\S+) (\S+)\)/.exec(transform)?.slice(1).map(Number) ?? [0, 0];
}

/* Cards fly from stacks that shrink to stacks of the same name that grow. */
function flownCards(before, after) {
  const stacks = (svg) => [...svg.querySelectorAll("[data-stack]")];
  const key = (stack) => `${stack.dataset.stack} ${stack.getAttribute("x")} ${stack.getAttribute("y")}`;
  const counts = (all) => new Map(all.map((stack) => [key(stack), Number(stack.dataset.count)]));
  const old = stacks(before), now = stacks(after), oldCounts = counts(old), nowCounts = counts(now);
  const changed = (all, one, other) => all.flatMap((stack) => Array(Math.max(0, one.get(key(stack)) - (other.get(key(stack)) ?? 0))).fill(stack));
  const shrunk = changed(old, oldCounts, nowCounts), grown = changed(now, nowCounts, oldCounts), changes = [];
  for (const target of grown) {
    const at = shrunk.findIndex((stack) => stack.dataset.stack === target.dataset.stack);
    if (at >= 0 && changes.length < MOST_CARDS) changes.push(["fly", ((source, nth) => () => fly(source, target, after, nth))(shrunk[at], changes.length)]);
    if (at >= 0) shrunk.splice(at, 1);
  }
  return changes;
}

function fly(source, target, svg, nth) {
  const [x, y] = ["x", "y"].map((name) => target.getAttribute(name) - source.getAttribute(name));
  passing(svg, source.cloneNode(true), [{ transform: "translate(0, 0)" }, { transform: `translate(${x / 2}px, ${y / 2 - 24}px)` }, { transform: `translate(${x}px, ${y}px)` }],
    { duration: 2.5 * STEP, delay: 60 * nth, easing: "ease-in-out", fill: "backwards" });
}

/* The land of each owner: `data-land` has the owner, the squares in a row, the size of a square, and a bitboard. */
function lands(svg) {
  return new Map([...svg.querySelectorAll("[data-land]")].map((path) => {
    const [owner, width, size, squares] = path.dataset.land.split(" ");
    return [owner, { path, width: Number(width), size: Number(size), squares: BigInt(`0x${squares}`) }];
  }));
}

/* The sea, or the other owner's land, recedes from squares of new land. */
function risenLand(before, after) {
  const old = lands(before), sea = after.querySelector("[data-sea]")?.getAttribute("fill"), changes = [];
  for (const [owner, { path, width, size, squares }] of lands(after)) {
    const gained = squares & ~(old.get(owner)?.squares ?? 0n);
    for (let square = 0; gained >> BigInt(square); square++) {
      if (!(gained >> BigInt(square) & 1n)) continue;
      const other = [...old].find(([name, land]) => name !== owner && land.squares >> BigInt(square) & 1n)?.[1];
      changes.push(["rise", () => rise(path, other?.path.getAttribute("fill") ?? sea, square % width * size, Math.floor(square / width) * size, size)]);
    }
  }
  return changes;
}

function rise(path, fill, x, y, size) {
  const cover = document.createElementNS(path.namespaceURI, "rect");
  for (const [name, value] of Object.entries({ x: 0, y: 0, width: size, height: size, fill })) cover.setAttribute(name, value);
  const at = `translate(${x}px, ${y}px)`;
  passing(path.parentElement, cover, [{ transform: `${at} scale(1, 1)` }, { transform: `${at} scale(1, .85)`, offset: 0.3 }, { transform: `${at} scale(1, 0)` }], { duration: 4 * STEP, easing: "ease-in" });
}

/* A storm: lightning, and the ground shakes. */
function storms(before, after) {
  const sum = (svg) => [...svg.querySelectorAll("[data-storm]")].reduce((all, { dataset }) => all + Number(dataset.storm), 0);
  const frames = [
    { transform: "none", filter: "none" }, { transform: "translateX(-5px) rotate(-.4deg)", filter: "brightness(.6)" }, { transform: "translateX(-3px)", filter: "brightness(1.8)" },
    { transform: "translateX(5px) rotate(.4deg)", filter: "brightness(.7)" }, { transform: "translateX(-5px) rotate(-.4deg)", filter: "brightness(.6)" },
    { transform: "translateX(3px)", filter: "brightness(1.8)" }, { transform: "translateX(4px)", filter: "brightness(.8)" }, { transform: "none", filter: "none" },
  ];
  return sum(after) > sum(before) ? [["storm", () => after.animate(frames, { duration: 5 * STEP })]] : [];
}

/* Animate the changes from one picture to the next, unless motion is switched off. Return the kinds of the changes: slide,
   vanish, fall, drift, tumble, fly, rise, storm. */
export function move(before, after) {
  const changes = [movedPieces, flownCards, risenLand, storms].flatMap((find) => find(before, after));
  if (!still.matches && document.documentElement.dataset.still !== "yes") for (const [, animate] of changes) animate();
  return new Set(changes.map(([kind]) => kind));
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
