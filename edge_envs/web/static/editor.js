/* Edit a position or another document of a game, as JSON and, if the game has an editor for it, by clicks. */

import { gameNamed, post } from "./api.js";
import { Board } from "./board.js";
import { attempt, button, field, h, save, store, stored } from "./dom.js";
import { control } from "./parameters.js";
import { setupForm } from "./setup.js";
import { readiness } from "./ready.js";

const TYPING_PAUSE = 350; // milliseconds after the last key before the input is checked

export async function showEditor(main, name, what = "position") {
  const game = await gameNamed(name);
  if (what !== "position" && !game.edits.includes(what)) throw new Error(`This game has no editor for a ${what}.`);
  const [line, stop] = readiness(name);
  const board = new Board((key) => use(key));
  const tools = h("div", { class: "toolbox" });
  const nameInput = h("input", { type: "text", maxlength: 60 }), nameField = h("label", { class: "field", hidden: true }, h("span", { class: "name" }), nameInput);
  const wrong = h("ul", { class: "wrong problems", role: "alert" });
  const report = h("pre", { class: "report" });
  const text = h("textarea", { spellcheck: "false", "aria-label": `the ${what} as JSON`, id: "document" });
  const play = button(what === "position" ? "Play from here" : `Play on this ${what}`, () => attempt(begin), { class: "main", "data-do": "begin" });
  const undo = button("↶ Undo", () => back(), { disabled: true, "data-do": "undo" });
  const download = button("Save", () => save(`${name}-${what}.json`, JSON.stringify(now.document, null, 1) + "\n"), { "data-do": "keep" });
  const continuation = h("section", { class: "card", hidden: true });
  const file = h("input", { type: "file", accept: ".json", "aria-label": "a file" });
  const past = [];
  const settings = h("details", { class: "panel" }, h("summary", {}, what === "position" ? "The game" : "Start from another"));
  let bad = false; // whether the last input differs from the document that is shown
  let now = null, tool = null, end = () => {}, requests = 0, timer = null;

  /* Request a step of the editor. Errors are shown with the problems. */
  async function ask(step, isStep = true) {
    const number = ++requests;
    const answer = await attempt(() => post("/api/editor", { game: name, edits: what, ...step }, {}, (why) => { line.textContent = why; }), refused);
    if (!answer || number !== requests) return false;
    line.textContent = "";
    if (now && isStep && JSON.stringify(now.document) !== JSON.stringify(answer.document)) past.push(now.document);
    now = answer;
    bad = false;
    end();
    continuation.hidden = true; // it belongs to the previous document
    show();
    return true;
  }

  function refused(message) {
    if (!message) return;
    wrong.replaceChildren(h("li", {}, message));
    play.disabled = download.disabled = bad || now === null || now.problems.length > 0;
  }

  function show() {
    wrong.replaceChildren(...now.problems.map((problem) => h("li", {}, problem.line)));
    play.disabled = now.problems.length > 0;
    download.disabled = false;
    report.textContent = now.report;
    undo.disabled = past.length === 0;
    if (document.activeElement !== text) text.value = JSON.stringify(now.document, null, 1);
    if (!now.tools.some((one) => one.id === tool)) tool = now.tools.find((one) => one.places)?.id ?? null;
    showTools();
  }

  /* Show the tools in groups, and open the places of the selected one. */
  function showTools() {
    const chosen = now.tools.find((one) => one.id === tool);
    const groups = [...new Set(now.tools.map((one) => one.group))];
    const focused = tools.contains(document.activeElement) ? document.activeElement.dataset.tool : null;
    tools.replaceChildren(...groups.map((group) => h("div", { class: "tools", role: "group", "aria-label": group }, h("span", { class: "faint" }, group),
      ...now.tools.filter((one) => one.group === group).map((one) => button(one.label, () => take(one), {
        "data-tool": one.id, "aria-pressed": one.places || one.asks ? String(one.id === tool) : null,
      })))));
    if (focused) tools.querySelector(`[data-tool="${focused}"]`)?.focus();
    nameField.hidden = !chosen?.asks;
    nameField.firstElementChild.textContent = chosen?.asks ?? "";
    const open = chosen?.places ? Object.entries(now.labels).filter(([key]) => key.startsWith(chosen.places)) : [];
    board.show({ svg: now.svg, ways: open.map(([key, label]) => [key, label, [key]]) });
  }

  function take(one) {
    if (!one.places && !one.asks) return edit({ tool: one.id });
    tool = one.id;
    showTools();
    if (one.asks) nameInput.focus();
    return undefined;
  }

  function use(key) {
    const chosen = now.tools.find((one) => one.id === tool);
    return edit({ tool, key, ...(chosen.asks ? { text: nameInput.value } : {}) });
  }

  async function edit(step) {
    if (!(await ask({ document: now.document, ...step }))) showTools();
  }

  nameInput.addEventListener("keydown", (event) => {
    const chosen = now.tools.find((one) => one.id === tool);
    if (event.key === "Enter" && !chosen.places) edit({ tool, text: nameInput.value });
  });

  function back() {
    return ask({ document: past.pop() }, false);
  }

  /* Read a document that was typed or loaded from a file. */
  async function read(source) {
    let found;
    bad = true;
    try {
      found = JSON.parse(source);
    } catch (error) {
      requests += 1;
      return refused(`This is not JSON: ${error.message}`);
    }
    return ask({ document: found });
  }

  async function begin() {
    end();
    if (what !== "position") {
      const last = stored(`setup ${name}`, {});
      store(`setup ${name}`, { ...last, params: { ...last.params, [what]: now.document } });
      location.hash = `#${name}`;
      return;
    }
    const [form, stopForm] = await setupForm(name, { position: now.document });
    end = stopForm;
    continuation.replaceChildren(h("h3", {}, "Play from here"), form);
    continuation.hidden = false;
    continuation.scrollIntoView({ block: "nearest" });
  }

  /* Change a parameter: adapt the document if the game has an editor for it, else start with a new one. */
  async function fit(parameter, read) {
    const value = await read();
    if (what !== "position") return ask({ params: { [parameter.name]: value } });
    const params = { ...now.document.params, [parameter.name]: value };
    return ask(game.edits.includes(what) ? { document: now.document, params } : { params });
  }

  function drawSettings() {
    const shown = game.parameters.filter((parameter) => what === "position" || parameter.name === what);
    settings.append(...shown.map((parameter) => {
      const [input, read] = control(parameter, now.document.params?.[parameter.name] ?? parameter.default);
      input.addEventListener("change", () => attempt(() => fit(parameter, read), refused));
      return field(parameter.description, input, parameter.name);
    }));
  }

  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => read(text.value), TYPING_PAUSE);
  });
  file.addEventListener("change", () => attempt(async () => {
    text.value = await file.files[0].text();
    await read(text.value);
  }));
  main.append(h("h2", {}, `${game.title}: ${what === "position" ? "set up a position" : `draw a ${what}`}`), line);
  if (await ask({})) drawSettings(); // before the rest is shown, so that nothing jumps
  main.append(
    h("div", { class: "table editing" },
      h("div", {}, tools, nameField, board.whole, report),
      h("section", {}, h("p", { class: "row" }, play, undo, download),
        wrong, continuation, settings, text, h("p", {}, "or from a file: ", file))),
  );
  return () => {
    stop();
    end();
    clearTimeout(timer);
  };
}
