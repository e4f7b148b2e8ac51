/* The daily puzzle: one position in which one choice is the best. An answer shows the value of every choice. */

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { attempt, button, h, store, stored } from "./dom.js";
import { setupForm } from "./setup.js";

const percent = (share) => `${(100 * share).toFixed(1)} %`;

/* Return the date of today in this browser, such as 2026-11-26. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

function daysBefore(day, count) {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() - count);
  return date.toISOString().slice(0, 10);
}

/* Return the number of days in a row, up to a day, whose puzzles were solved at the first try. */
function streak(day) {
  const results = stored("puzzles", {});
  let count = 0;
  while (results[daysBefore(day, count)] === true) count += 1;
  return count;
}

/* Return the part of the start page about the puzzle of today. */
export function puzzleCard() {
  const result = stored("puzzles", {})[today()], name = h("span", {});
  get("/api/puzzles").then(({ title }) => { name.textContent = ` ${title}.`; }, () => {});
  const days = streak(today());
  return h("section", { class: "card puzzle-card" }, h("h2", {}, "Puzzle of the day"),
    h("p", {}, "One position, one best move. Can you find it?", name),
    h("p", { class: "row" }, h("a", { href: "#puzzle" }, result === undefined ? "Solve it" : "Look at it again"),
      result !== undefined && h("span", { class: "faint" }, result ? `✓ solved${days > 1 ? `, ${days} days in a row` : ""}` : "tried")));
}

export async function showPuzzle(main, wanted) {
  const day = wanted ?? today();
  const status = h("p", { class: "faint", role: "status" }, "Loading the puzzle …");
  main.append(h("h2", {}, "Puzzle of the day"), status);
  const puzzle = await get(`/api/puzzles/${day}`, {}, (why) => { status.textContent = `${why[0].toUpperCase()}${why.slice(1)} …`; });
  status.textContent = `${puzzle.day} · ${puzzle.title} · player ${puzzle.player} to decide · ${puzzle.exact ? "exact values" : `values by ${puzzle.judge}`}`;
  const question = h("h3", { class: "question" }, puzzle.question), task = h("p", {}, `You are player ${puzzle.player}: ${puzzle.task}`);
  const verdict = h("p", { class: "message", "aria-live": "assertive", id: "verdict" });
  const list = h("ul", { class: "actions" }), continuation = h("section", { class: "card", hidden: true });
  const again = button("Try again", () => show(), { "data-do": "again", hidden: true });
  const onward = button("Play from here", () => attempt(begin), { "data-do": "begin" });
  const board = new Board((action) => attempt(() => answer(action)));
  let end = () => {};

  function show() {
    again.hidden = true;
    verdict.textContent = "";
    list.replaceChildren(...puzzle.ways.map(([action, text]) => h("li", {}, button(text, () => attempt(() => answer(action))))));
    board.show(puzzle, false);
    board.figure.focus({ preventScroll: true });
  }

  async function answer(action) {
    const found = await post(`/api/puzzles/${day}/answer`, { action });
    const results = stored("puzzles", {}), known = found.values.map(([, , value]) => value), low = Math.min(...known), high = Math.max(...known);
    if (!(day in results)) store("puzzles", { ...results, [day]: found.right });
    board.show({ svg: puzzle.svg, ways: puzzle.ways, labels: puzzle.labels }, false);
    board.value(new Map(found.values.map(([one, , value]) => [one, { value, text: percent(value), share: high > low ? (value - low) / (high - low) : 1 }])));
    const chosen = found.values.find(([one]) => one === action)?.[2];
    const days = found.right ? streak(day) : 0;
    verdict.textContent = found.right
      ? `Right: ${found.chosen} keeps ${percent(high)}.${days > 1 ? ` That is day ${days} in a row.` : ""}`
      : `${found.chosen} ${chosen === undefined ? "was not considered" : `leaves ${percent(chosen)}`}. The best choice is ${found.best}, with ${percent(high)}.`;
    again.hidden = found.right;
    list.replaceChildren(...found.values.map(([one, text, value]) => h("li", {}, button(`${text}: ${percent(value)}`, () => attempt(() => answer(one))))));
  }

  async function begin() {
    end();
    const [form, stop] = await setupForm(puzzle.game, { position: puzzle.position });
    end = stop;
    continuation.replaceChildren(h("h3", {}, "Play from here"), form);
    continuation.hidden = false;
    continuation.scrollIntoView({ block: "nearest" });
  }

  const earlier = Array.from({ length: 7 }, (_, count) => daysBefore(today(), count + 1));
  main.append(h("div", { class: "table" }, board.whole, h("section", {}, question, task, verdict, h("p", { class: "row" }, again, onward),
    h("details", { class: "panel", id: "choices" }, h("summary", {}, "All choices as a list"), list), continuation,
    h("p", { class: "faint" }, "Earlier puzzles: ", ...earlier.flatMap((one) => [h("a", { href: `#puzzle/${one}` }, one), " "])))));
  show();
  const keys = (event) => { if (event.key === "Escape") board.back(); };
  document.addEventListener("keydown", keys);
  return () => {
    end();
    document.removeEventListener("keydown", keys);
  };
}
