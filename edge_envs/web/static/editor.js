/* Setting up a position, or another document of a game, as JSON and, where the game has an editor for it, by clicks. */

import { gameNamed, post } from "./api.js";
import { Board } from "./board.js";
import { attempt, button, h, kept, keep, save } from "./dom.js";
import { setupForm } from "./setup.js";
import { readiness } from "./ready.js";

const REST = 350; // milliseconds without a key until what was typed is looked at

export async function showEditor(main, name, what = "position") {
  const game = await gameNamed(name);
  const [line, stop] = readiness(name);
  const byClicks = (game.edits ?? []).includes(what);
  const board = new Board((key) => edit(key));
  const tools = h("div", { class: "tools", role: "group", "aria-label": "tools" });
  const wrong = h("ul", { class: "wrong", role: "alert" });
  const report = h("pre", { class: "report" });
  const text = h("textarea", { spellcheck: "false", "aria-label": `the ${what} as JSON`, id: "document" });
  const play = button("Play from here", () => attempt(begin), { class: "main", "data-do": "begin" });
  const undo = button("↶ Undo", () => back(), { disabled: true, "data-do": "undo" });
  const onward = h("section", { class: "card", hidden: true });
  const file = h("input", { type: "file", accept: ".json", "aria-label": "a file" });
  let now = null, tool = null, past = [], end = () => {}, asked = 0, timer = null;

  /* Looks at a document: its picture, and what is wrong with it. */
  async function look(wanted) {
    const number = ++asked;
    const told = await attempt(() => post("/api/editor", { game: name, what, ...wanted }, {}, (text) => { line.textContent = text; }), refused);
    if (!told || number !== asked) return null;
    line.textContent = "";
    now = told;
    show();
    return told;
  }

  function refused(message) {
    wrong.replaceChildren(...(message ? [h("li", {}, message)] : []));
    play.disabled = Boolean(message);
  }

  function show() {
    wrong.replaceChildren(...now.problems.map((problem) => h("li", {}, problem.text)));
    play.disabled = now.problems.length > 0;
    report.textContent = now.report ?? "";
    if (document.activeElement !== text) text.value = JSON.stringify(now.document, null, 1);
    const chosen = now.tools?.find((one) => one.id === tool) ?? now.tools?.find((one) => !one.immediate);
    tool = chosen?.id ?? null;
    tools.replaceChildren(...(now.tools ?? []).map((one) => button(one.label, () => take(one), {
      "data-tool": one.id, "aria-pressed": one.immediate ? null : String(one.id === tool),
    })));
    board.show({ svg: now.svg, ways: (now.keys ?? []).map((key) => [key, key.replace(/^[a-z]+-/, ""), [key]]) });
    for (const place of board.places) place.classList.toggle("trouble", now.problems.some((problem) => problem.key === place.dataset.key));
    undo.disabled = past.length === 0;
  }

  function take(one) {
    if (one.immediate) return edit(null, one.id);
    tool = one.id;
    return show();
  }

  async function edit(key, by = tool) {
    const before = now.document;
    const told = await look({ document: before, tool: by, ...(key === null ? {} : { key }) });
    if (told) past.push(before);
    else if (now) board.show({ svg: now.svg, ways: (now.keys ?? []).map((one) => [one, one, [one]]) });
    undo.disabled = past.length === 0;
  }

  async function back() {
    if (past.length) await look({ document: past.pop() });
    undo.disabled = past.length === 0;
  }

  /* What was typed, or read from a file. */
  async function read(source) {
    let found;
    try {
      found = JSON.parse(source);
    } catch (error) {
      asked += 1;
      return refused(`This is no JSON: ${error.message}`);
    }
    const before = now?.document;
    if (await look({ document: found }) && before) past.push(before);
    undo.disabled = past.length === 0;
    return undefined;
  }

  async function begin() {
    end();
    if (what !== "position") {
      const last = kept(localStorage, `setup ${name}`, {});
      keep(localStorage, `setup ${name}`, { ...last, params: { ...last.params, [what]: now.document } });
      location.hash = `#${name}`;
      return;
    }
    const [form, stopForm] = await setupForm(name, { position: now.document });
    end = stopForm;
    onward.replaceChildren(h("h3", {}, "Play from here"), form);
    onward.hidden = false;
    onward.scrollIntoView({ block: "nearest" });
  }

  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => read(text.value), REST);
  });
  file.addEventListener("change", () => attempt(async () => {
    text.value = await file.files[0].text();
    await read(text.value);
  }));
  main.append(
    h("h2", {}, `${game.title}: ${what === "position" ? "set up a position" : `draw a ${what}`}`), line,
    h("div", { class: "table" },
      h("div", {}, byClicks && tools, board.element, report),
      h("section", {}, h("p", { class: "row" }, play, undo, button("Keep it", () => save(`${name}-${what}.json`, JSON.stringify(now.document, null, 1) + "\n"), { "data-do": "keep" })),
        wrong, onward, text, h("p", {}, "or from a file: ", file))),
  );
  await look({});
  return () => {
    stop();
    end();
    clearTimeout(timer);
  };
}
