/* Replays: show the records in a file of JSON lines scene by scene, and continue playing from any scene. */

import { showAnalysis } from "./analysis.js";
import { gameNamed, post } from "./api.js";
import { attempt, button, h, options, save } from "./dom.js";
import { setupForm } from "./setup.js";
import { Viewer } from "./viewer.js";

const OVER = -4; // the player of a scene after the end of the game
const MOST_BYTES = 64 * 1024 * 1024, MOST_LISTED = 200;

const signed = (value) => (value > 0 ? `+${value}` : String(value));

function listed(record, number) {
  const returns = Array.isArray(record.returns) ? record.returns.map(signed).join(" ") : "?";
  return `${number}: ${record.game ?? "?"}, ${record.history?.length ?? 0} transitions, returns ${returns}${record.forfeit ? ", forfeited" : ""}`;
}

/* Parse records from JSON lines or one JSON object. */
function recordsIn(text) {
  const lines = text.split("\n").map((line, at) => [line.trim(), at + 1]).filter(([line]) => line);
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return lines.map(([line, at]) => {
      try {
        return JSON.parse(line);
      } catch (error) {
        throw new Error(`line ${at} is not JSON: ${error.message}`);
      }
    });
  }
}

const closers = new WeakMap();

function close(part) {
  closers.get(part)?.();
  closers.delete(part);
}

/* Show a record in a part of the page, in place of the previous one, as one player or everyone sees it. */
async function showRecord(part, record, player = null) {
  close(part);
  const status = h("p", { class: "faint", role: "status" }, "Loading the game …");
  part.replaceChildren(status);
  const ask = () => post("/api/replays", { record, ...(player === null ? {} : { player }) }, {}, (text) => { status.textContent = text; });
  const found = await Promise.all([ask(), gameNamed(record.game)]).catch((error) => {
    if (status.isConnected) part.replaceChildren();
    throw error;
  });
  if (!status.isConnected) return; // the user has opened another record or page
  const [scenes, game] = found;
  const place = h("div", { class: "viewer" }), continuation = h("section", { class: "card", hidden: true });
  const seats = Array.from({ length: scenes.returns.length }, (_, seat) => [String(seat), `player ${seat}`]);
  const perspective = options(h("select", {}), [["", "everyone"], ...seats], player === null ? "" : String(player));
  perspective.addEventListener("change", () => attempt(() => showRecord(part, record, perspective.value === "" ? null : Number(perspective.value))));
  let stop = () => {};
  const continueFrom = async (at) => {
    viewer.stop();
    stop();
    const [form, end] = await setupForm(record.game, { record, at });
    stop = end;
    continuation.replaceChildren(h("h3", {}, `Continue from scene ${viewer.now}`), form);
    continuation.hidden = false;
    form.scrollIntoView({ block: "nearest" });
  };
  const on = button("Continue from here", () => attempt(() => continueFrom(scenes.at[viewer.now])));
  part.replaceChildren(
    h("h3", {}, `${scenes.title}, returns ${scenes.returns.map(signed).join(" ")}`),
    h("p", { class: "row" }, on, button("Save the record", () => save(`${record.game}.jsonl`, JSON.stringify(record) + "\n")),
      button("Save as a page", () => attempt(async () => save(`${record.game}.html`, (await post("/api/replays/page", { record, ...(player === null ? {} : { player }) })).html, "text/html")), { "data-do": "page", title: "with the analysis, if it is complete" }),
      game.hidden && h("label", {}, "seen by ", perspective)),
    continuation, place,
  );
  let follow = () => {}, stopAnalysis = () => {};
  const viewer = new Viewer(place, scenes, (scene) => {
    on.disabled = scenes.players[scene] < 0;
    follow(scene);
  });
  if (!record.forfeit && scenes.players.at(-1) === OVER) {
    const analysis = h("section", { class: "analysis", id: "analysis" });
    part.append(analysis);
    const fits = ({ params, judges }) => judges && params && Object.entries(params).every(([name, value]) => JSON.stringify(record.params?.[name]) === JSON.stringify(value));
    const judges = game.agents.filter(fits).map((agent) => [agent.name, agent.title]);
    [stopAnalysis, follow] = showAnalysis(analysis, record, scenes, () => viewer, (at) => attempt(() => continueFrom(at)), judges);
  }
  closers.set(part, () => {
    viewer.close();
    stopAnalysis();
    stop();
  });
}

/* The record that another page has passed to this one. */
let passed = null;
export function passRecord(record) {
  passed = record;
}

export async function showReplays(main) {
  const place = h("div", {}), wrong = h("p", { class: "wrong", role: "alert" });
  const list = h("select", { "aria-label": "games in the file", hidden: true });
  const file = h("input", { type: "file", accept: ".jsonl,.json", "aria-label": "a file of recorded games" });
  let records = [];
  const open = (record) => attempt(() => showRecord(place, record), (text) => { wrong.textContent = text; });
  file.addEventListener("change", () => attempt(async () => {
    if (file.files[0].size > MOST_BYTES) throw new Error(`The file is larger than ${MOST_BYTES / 1024 / 1024} MB.`);
    records = recordsIn(await file.files[0].text());
    const odd = records.findIndex((one) => one === null || typeof one !== "object" || Array.isArray(one));
    if (odd >= 0) throw new Error(`game ${odd} of the file is not a JSON object`);
    if (!records.length) throw new Error("This file contains no game.");
    options(list, records.slice(0, MOST_LISTED).map((record, number) => [String(number), listed(record, number)]), "0");
    list.hidden = false;
    wrong.textContent = records.length > MOST_LISTED ? `The first ${MOST_LISTED} of ${records.length} games are listed.` : "";
    await open(records[0]);
  }, (text) => { wrong.textContent = text; }));
  list.addEventListener("change", () => open(records[Number(list.value)]));
  main.append(
    h("h2", {}, "Replays"),
    h("p", {}, "Replay recorded games: from ", h("code", {}, "scripts/play.py --record"), ", from training and evaluation, or saved on this page."),
    h("p", { class: "row" }, file, list), wrong, place,
  );
  if (passed !== null) {
    records = [passed];
    passed = null;
    await open(records[0]);
  }
  return () => close(place);
}
