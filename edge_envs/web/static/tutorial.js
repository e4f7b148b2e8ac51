/* A tutorial: scenes with texts. In an exercise, only the correct action can be clicked. */

import { gameNamed, get } from "./api.js";
import { Board } from "./board.js";
import { button, h } from "./dom.js";
import { readiness } from "./ready.js";

export async function showTutorial(main, name) {
  const game = await gameNamed(name);
  const [line, stop] = readiness(name);
  main.append(h("h2", {}, `Learn ${game.title}`), line);
  const { scenes } = await get(`/api/games/${name}/tutorial`);
  const title = h("h3", { tabindex: "-1" }), text = h("p", { class: "lesson", "aria-live": "polite" });
  const hint = h("p", { class: "faint", "aria-live": "polite" }), log = h("ol", { class: "log happened", "aria-label": "what happened" });
  const back = button("← Back", () => show(now - 1)), next = button("Next →", () => show(now + 1), { class: "main" });
  const miss = () => { if (scenes[now].action) hint.textContent = "That is not the right choice. The right one is outlined on the board, or is a button above it."; };
  const board = new Board(() => show(now + 1), miss);
  const end = h("p", { class: "row", hidden: true }, h("a", { href: `#${name}` }, "Play a game now"), h("a", { href: `#${name}/rules` }, "Read all the rules"));
  let now = 0;

  function show(scene) {
    now = Math.max(0, Math.min(scenes.length - 1, scene));
    const one = scenes[now];
    title.textContent = `${now + 1} of ${scenes.length}: ${one.title}`;
    text.textContent = one.text;
    log.replaceChildren(...one.log.map(([, what]) => h("li", {}, what)));
    hint.textContent = one.action ? "It is your turn: click on the board, or press Next." : "";
    back.disabled = now === 0;
    next.disabled = now === scenes.length - 1;
    end.hidden = !next.disabled;
    if (matchMedia("(max-width: 800px)").matches) board.enlarge(Boolean(one.action));  // without a click, the text is about the whole board
    board.show({ svg: one.svg, ways: one.action ? [[0, one.action, one.way]] : [], labels: one.labels ?? {} });
  }

  main.append(h("div", { class: "table" }, board.whole, h("section", {}, title, text, hint, log, h("p", { class: "row" }, back, next), end)));
  const keys = (event) => {
    if (event.target.closest("button, input, select, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowRight") show(now + 1);
    if (event.key === "ArrowLeft") show(now - 1);
    if (event.key === "Escape") board.back();
  };
  document.addEventListener("keydown", keys);
  show(0);
  return () => {
    stop();
    document.removeEventListener("keydown", keys);
  };
}
