/* The setup form of a game: parameters, seats, and the speed of agents. */

import { gameNamed, post } from "./api.js";
import { cover } from "./cover.js";
import { attempt, button, field, h, options, sentence, store, stored } from "./dom.js";
import { PAUSES, control } from "./parameters.js";
import { ladder, ranked, ratingsFor } from "./levels.js";
import { keepAccess } from "./matches.js";
import { readiness } from "./ready.js";

const HUMAN = "human", LINKED = "linked";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);


/* Return whether an agent made for some parameters can play with other ones. */
const fits = (made, params) => !made || Object.entries(made).every(([name, value]) => !(name in params) || same(value, params[name]));

/* Return the form of a game. `start` may have a `position`, or a `record` and `at`, from which the game continues. */
export async function setupForm(name, start = {}) {
  const game = await gameNamed(name);
  const [line, stop] = readiness(name);
  let left = false; // set when the user has left this page
  const last = stored(`setup ${name}`, {});
  const defaults = Object.fromEntries(game.parameters.map((parameter) => [parameter.name, parameter.default]));
  const from = start.position?.params ?? start.record?.params;
  const params = { ...defaults, ...(from ?? start.params ?? last.params) };
  const controls = new Map();
  const wrong = h("p", { class: "wrong", role: "alert" });
  const seats = h("ul", { class: "seats" });
  let players = (last.seats ?? []).slice();

  function seatSelects() {
    const number = params.num_players ?? 2;
    const agents = game.agents.filter((agent) => fits(agent.params, params)), ratings = ratingsFor(game, params);
    const others = game.agents.filter((agent) => !fits(agent.params, params));
    while (players.length < number) players.push(players.length === 0 ? HUMAN : "heuristic");
    const known = new Set([HUMAN, LINKED, ...agents.map((agent) => agent.name)]);
    players = players.map((one) => (known.has(one) ? one : "heuristic"));
    seats.replaceChildren(...Array.from({ length: number }, (_, seat) => {
      const select = options(h("select", { "aria-label": `player ${seat}`, "data-seat": seat }), [
        [HUMAN, "a human player, here"], [LINKED, "a human player, by a link"], ...agents.map((agent) => [agent.name, ranked(game, agent, ratings)]),
      ], players[seat]);
      if (others.length && !from) {
        const group = h("optgroup", { label: "made for other parameters" });
        group.append(...others.map((agent) => h("option", { value: agent.name }, agent.title)));
        select.append(group);
      }
      select.addEventListener("change", () => {
        players[seat] = select.value;
        const other = others.find((agent) => agent.name === select.value);
        if (!other) return;
        Object.assign(params, other.params);
        drawParameters();
        seatSelects();
      });
      return h("li", {}, `player ${seat}`, select);
    }));
  }

  /* Put a level in the first seat of an agent. */
  const opponents = game.levels.length > 0 && !from && ladder(game, (name) => {
    const seat = players.findIndex((one) => one !== HUMAN && one !== LINKED);
    players[seat < 0 ? players.length - 1 : seat] = name;
    seatSelects();
  });

  const parameters = h("div", {});
  function drawParameters() {
    controls.clear();
    parameters.replaceChildren(...game.parameters.map((parameter) => {
      const [input, read] = control(parameter, params[parameter.name]);
      const label = field(parameter.description, input, parameter.name);
      label.classList.toggle("tick", parameter.type === "bool");
      if (parameter.type === "bool") label.prepend(input);
      controls.set(parameter.name, [label, read]);
      input.addEventListener("change", async () => {
        await attempt(async () => { params[parameter.name] = await read(); }, (text) => showError(parameter.name, text));
        seatSelects();
      });
      return label;
    }));
  }

  /* Show an error message at its field, or below the button if it belongs to no field. */
  function showError(name, text) {
    for (const [label] of controls.values()) label.querySelector(".wrong").textContent = "";
    wrong.textContent = "";
    if (!text) return;
    const about = controls.get(name) ?? [...controls].find(([one]) => text.includes(`${one}=`) || text.startsWith(`${one}:`))?.[1];
    (about ? about[0].querySelector(".wrong") : wrong).textContent = text;
    about?.[0].scrollIntoView({ block: "nearest" });
  }

  const together = h("input", { type: "checkbox", checked: Boolean(last.together) });
  const advice = h("input", { type: "checkbox", checked: last.advice ?? false });
  const pause = options(h("select", {}), PAUSES, String(last.pause ?? 0.5));
  const seed = h("input", { type: "number", min: 0, placeholder: "random" });

  async function begin() {
    const request = { advice: advice.checked, pause: Number(pause.value), together: together.checked };
    if (from) Object.assign(request, start.position ? { position: start.position } : { record: start.record, at: start.at });
    else {
      for (const [one, [, read]] of controls) params[one] = await read();
      Object.assign(request, { game: name, params });
    }
    if (seed.value !== "") request.seed = Number.isSafeInteger(Number(seed.value)) ? Number(seed.value) : seed.value.replace(/^0+/, "");
    request.seats = players.slice(0, params.num_players ?? 2);
    const made = await post("/api/sittings", request, {}, (text) => { line.textContent = text; });
    store(`setup ${name}`, { params: from ? last.params : params, seats: players, ...request, position: undefined, record: undefined });
    if (left) {
      await post(`/api/sittings/${made.id}/close`, {}, { token: made.key });
      return;
    }
    keepAccess(made.id, { key: made.key, here: made.tokens, links: made.links });
    location.hash = `#play/${made.id}`;
  }

  drawParameters();
  seatSelects();
  const go = button("Begin", () => {}, { class: "main" });
  go.type = "submit";
  const form = h("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      go.disabled = true;
      await attempt(begin, (text) => showError(null, text));
      go.disabled = false;
    },
  },
  h("h3", {}, "Players"), seats,
  game.hidden && h("label", { class: "field tick" }, together, h("span", { class: "name" }, "all human players may see everything"), h("small", {}, "for one human player with several seats; otherwise the page asks the players to pass the screen and hides the board meanwhile")),
  h("div", { class: "begin" }, go, line), wrong, opponents,
  !from && h("details", { class: "panel", open: true }, h("summary", {}, "The game"), parameters),
  h("details", { class: "panel" }, h("summary", {}, "More"),
    field("agents move", pause),
    h("label", { class: "field tick" }, advice, h("span", { class: "name" }, "advice"), h("small", {}, "after each of my decisions, say how much it gave away, if the game has a judge")),
    field("seed", seed, "the same seed gives the same chance outcomes")),
  );
  form.noValidate = true;
  return [form, () => {
    left = true;
    stop();
  }];
}

export async function showSetup(main, name, start = {}) {
  const game = await gameNamed(name);
  const [form, stop] = await setupForm(name, start);
  main.append(
    h("div", { class: "two" },
      h("section", {},
        h("h2", {}, game.title),
        h("p", {}, sentence(game.summary)),
        h("p", { class: "row" },
          game.teaches && h("a", { href: `#${name}/learn` }, "Learn it in a few minutes"),
          h("a", { href: `#${name}/rules` }, "Rules"),
          h("a", { href: `#${name}/edit` }, "Set up a position"),
          ...game.edits.filter((what) => what !== "position").map((what) => h("a", { href: `#${name}/edit/${what}` }, `Draw a ${what}`))),
        cover(game)),
      h("section", { class: "card" }, form)),
  );
  return stop;
}
