"use strict";

const $ = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");
let game, now = 0, timer = null;

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function drawing(scene) {
  const text = game.head + game.frames[scene].map((part) => game.parts[part]).join("") + "</svg>";
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

/* SVG's transforms as CSS writes them, so that they can be animated. */
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

/* Pieces of one name look alike: those that lie elsewhere than before have come from where one lies no more. */
function move(before, after) {
  if (still.matches) return;
  const old = places(before);
  for (const [name, pieces] of places(after)) {
    const was = (old.get(name) ?? []).map(([place]) => place);
    const left = was.filter((place) => !pieces.some(([there]) => there === place));
    for (const [place, piece] of pieces.filter(([there]) => !was.includes(there))) {
      const from = left.shift();
      if (from) piece.animate([{ transform: style(from) }, { transform: style(place) }], { duration: 180, easing: "ease-out" });
    }
  }
}

function show(scene, animated = true) {
  now = Math.max(0, Math.min(game.frames.length - 1, scene));
  const before = $("board").firstElementChild, after = drawing(now);
  $("board").replaceChildren(after);
  if (before && animated) move(before, after);
  $("slider").value = now;
  $("now").textContent = `scene ${now} of ${game.frames.length - 1}${now ? ": " + game.texts[now].join(", ") : ""}`;
  for (const line of $("log").children) line.classList.toggle("now", Number(line.value) === now);
  const line = $("log").querySelector(".now");
  $("log").scrollTop = line.offsetTop - $("log").offsetTop - $("log").clientHeight / 2;
  if (now === game.frames.length - 1) stop();
}

function stop() {
  clearInterval(timer);
  timer = null;
  $("play").textContent = "▶";
  $("play").ariaLabel = "play";
}

function play() {
  if (timer !== null) return stop();
  if (now === game.frames.length - 1) show(0, false);
  timer = setInterval(() => show(now + 1), 1000 / Number($("speed").value));
  $("play").textContent = "❚❚";
  $("play").ariaLabel = "pause";
}

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

const actions = {
  begin: () => show(0, false),
  back: () => show(now - 1),
  next: () => show(now + 1),
  end: () => show(game.frames.length - 1, false),
  play,
  theme: () => theme(document.documentElement.dataset.theme !== "dark"),
};
const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "begin", End: "end", " ": "play" };

async function start() {
  theme(matchMedia("(prefers-color-scheme: dark)").matches);
  game = await unpack($("data").textContent);
  $("slider").max = game.frames.length - 1;
  game.texts.forEach((texts, scene) => {
    const line = document.createElement("li"), button = document.createElement("button");
    line.value = scene;
    button.textContent = scene ? texts.join(", ") : "the start";
    button.addEventListener("click", () => { stop(); show(scene, false); });
    line.append(button);
    $("log").append(line);
  });
  for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", () => { if (id !== "play" && id !== "theme") stop(); action(); });
  $("slider").addEventListener("input", () => { stop(); show(Number($("slider").value), false); });
  $("speed").addEventListener("change", () => { if (timer !== null) { stop(); play(); } });
  document.addEventListener("keydown", (event) => {
    const control = event.target.closest("button, select, input");
    if (!(event.key in keys) || event.ctrlKey || event.altKey || event.metaKey || (control && (event.key === " " || control.id === "slider" || control.id === "speed"))) return;
    event.preventDefault();
    if (event.key !== " ") stop();
    actions[keys[event.key]]();
  });
  document.querySelector("main").hidden = false;
  show(0, false);
}

start();
