/* Replays: show the records in a file of JSON lines scene by scene, and continue playing from any scene. */

import { showAnalysis } from "./analysis.js";
import { gameNamed, games, parse, post, stringify } from "./api.js";
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
    return [parse(text)].flat();
  } catch {
    return lines.map(([line, at]) => {
      try {
        return parse(line);
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

/* Return the requests about a record. Guests may not send records; they name their finished match instead. */
function requestsFor(record, match) {
  if (match) {
    const ask = (what, waiting) => post(`/api/sittings/${match.id}/${what}`, {}, { token: match.token }, waiting);
    return { scenes: (player, waiting) => ask("scenes", waiting), page: () => ask("page"), analysis: () => ask("analysis") };
  }
  const seen = (player) => ({ record, ...(player === null ? {} : { player }) });
  return {
    scenes: (player, waiting) => post("/api/replays", seen(player), {}, waiting),
    page: (player) => post("/api/replays/page", seen(player)),
    analysis: (by) => post("/api/analyses", { record, ...(by ? { by } : {}) }),
  };
}

/* Show a record in a part of the page, in place of the previous one, as one player or everyone sees it. For a guest,
   `match` is the match that it comes from; guests cannot continue games. */
async function showRecord(part, record, player = null, match = null) {
  close(part);
  const status = h("p", { class: "faint", role: "status" }, "Loading the game …");
  part.replaceChildren(status);
  const requests = requestsFor(record, match);
  const found = await Promise.all([requests.scenes(player, (text) => { status.textContent = text; }), gameNamed(record.game)]).catch((error) => {
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
    h("p", { class: "row" }, !match && on, button("Save the record", () => save(`${record.game}.jsonl`, stringify(record) + "\n")),
      button("Save as a page", () => attempt(async () => save(`${record.game}.html`, (await requests.page(player)).html, "text/html")), { "data-do": "page", title: "with the analysis, if it is complete" }),
      game.hidden && !match && h("label", {}, "seen by ", perspective)),
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
    const judges = match ? [] : game.agents.filter(fits).map((agent) => [agent.name, agent.title]);
    [stopAnalysis, follow] = showAnalysis(analysis, record, scenes, () => viewer, match ? null : (at) => attempt(() => continueFrom(at)), judges, requests.analysis);
  }
  closers.set(part, () => {
    viewer.close();
    stopAnalysis();
    stop();
  });
}

/* The record that another page has passed to this one, and for a guest the match that it comes from. */
let passed = null;
export function passRecord(record, match = null) {
  passed = { record, match };
}

export async function showReplays(main) {
  const { guest } = await games();
  const place = h("div", {}), wrong = h("p", { class: "wrong", role: "alert" });
  const list = h("select", { "aria-label": "games in the file", hidden: true });
  const file = h("input", { type: "file", accept: ".jsonl,.json", "aria-label": "a file of recorded games" });
  let records = [];
  const open = (record, match) => attempt(() => showRecord(place, record, null, match), (text) => { wrong.textContent = text; });
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
    !guest && h("p", {}, "Replay recorded games: from ", h("code", {}, "scripts/play.py --record"), ", from training and evaluation, or saved on this page."),
    guest ? "" : h("p", { class: "row" }, file, list), wrong, place,
  );
  if (passed !== null) {
    const { record, match } = passed;
    records = [record];
    passed = null;
    await open(record, match);
  }
  return () => close(place);
}
