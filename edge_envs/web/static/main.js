/* Choose the page by the part of the address after `#`. */

import { games } from "./api.js";
import { alertWith, attempt, byId, h, store, stored } from "./dom.js";
import { showEditor } from "./editor.js";
import { showHome } from "./home.js";
import { showPlay } from "./play.js";
import { showPuzzle } from "./puzzle.js";
import { showReplays } from "./replays.js";
import { showRules } from "./rules.js";
import { showSetup } from "./setup.js";
import { soundIsOn, switchSound } from "./sound.js";
import { showTutorial } from "./tutorial.js";

/* `#`, `#replays`, `#puzzle`, `#puzzle/DATE`, `#play/ID/TOKEN`, `#GAME`, `#GAME/with/PARAMETERS` (as JSON), `#GAME/learn`, `#GAME/rules`,
   `#GAME/edit`. Each page returns a function to call when the user leaves it. */
const PARTS = { learn: showTutorial, rules: showRules, edit: showEditor, with: showVariant };

function showVariant(main, name, params) {
  return showSetup(main, name, { params: JSON.parse(params) });
}

const TITLE = document.title;
let leave = () => {};
let visits = 0;

async function route() {
  const visit = ++visits;
  const main = h("div", {}); // a page that is left while it loads continues in its own element, which is not shown
  leave();
  leave = () => {};
  alertWith("");
  byId("main").replaceChildren(main);
  const left = await attempt(async () => {
    const [first = "", second, third] = decodeURIComponent(location.hash.slice(1)).split("/");
    if (first === "") return showHome(main);
    if (first === "replays") return showReplays(main);
    if (first === "puzzle") return showPuzzle(main, second);
    if (first === "play") return showPlay(main, second, third);
    if (second !== undefined && !Object.hasOwn(PARTS, second)) throw new Error("Unknown page.");
    return second === undefined ? showSetup(main, first) : PARTS[second](main, first, third);
  });
  if (visit !== visits) return left?.();
  leave = left ?? leave;
  const heading = main.querySelector("h2");
  heading?.setAttribute("tabindex", "-1");
  if (visit > 1) heading?.focus({ preventScroll: true });
  document.title = [heading?.textContent, TITLE].filter(Boolean).join(" · ");
  return undefined;
}

function applyTheme(theme, still) {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.still = still ? "yes" : "no";
  byId("motion").ariaPressed = String(!still);
}

const dark = matchMedia("(prefers-color-scheme: dark)").matches;
let theme = stored("theme", dark ? "dark" : "light");
let still = stored("still", false);
applyTheme(theme, still);
byId("theme").addEventListener("click", () => {
  theme = theme === "dark" ? "light" : "dark";
  store("theme", theme);
  applyTheme(theme, still);
});
byId("motion").addEventListener("click", () => {
  still = !still;
  store("still", still);
  applyTheme(theme, still);
});
const showSound = () => { byId("sound").ariaPressed = String(soundIsOn()); };
byId("sound").addEventListener("click", () => {
  switchSound();
  showSound();
});
showSound();
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
games().then(({ guest }) => { byId("replays").hidden = guest; }, () => {}); // guests cannot open files
addEventListener("hashchange", route);
addEventListener("pagehide", () => leave());
addEventListener("pageshow", (event) => event.persisted && route());
route();
