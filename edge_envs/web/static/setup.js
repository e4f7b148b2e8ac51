/* The setup form of a game: parameters, seats, and the speed of agents. */

import { gameNamed, post } from "./api.js";
import { cover } from "./cover.js";
import { attempt, button, field, h, keep, kept, options } from "./dom.js";
import { control } from "./parameters.js";
import { readiness } from "./ready.js";

const PERSON = "human", LINKED = "linked";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/* Descriptions of the agents that need no training. */
const WORDS = {
  random: "random: does anything",
  heuristic: "heuristic: the game's own player",
  perfect: "perfect: never errs",
  flat_monte_carlo: "flat_monte_carlo: tries each choice in random games",
  turn: "turn: looks through the rest of its turn",
  one_turn: "one_turn: takes the greatest lead that its turn can bring",
};
const KINDS = { search: "looks ahead, the larger the number the further", heuristic: "the game's own player, as it was once", level: "the game's own player, absent-minded; less so the higher the level" };
const called = (agent) => {
  const [kind, text] = agent.split(":");
  return WORDS[agent] ?? (text && KINDS[kind] ? `${agent}: ${KINDS[kind]}` : agent);
};

/* Return whether an agent made for some parameters can play with other ones. */
const fits = (made, params) => !made || Object.entries(made).every(([name, value]) => !(name in params) || same(value, params[name]));

/* Return the form of a game. `start` may have a `position`, or a `record` and `at`, from which the game continues. */
export async function setupForm(name, start = {}) {
  const game = await gameNamed(name);
  const [line, stop] = readiness(name);
  let left = false; // set when the user has left this page
  const last = kept(localStorage, `setup ${name}`, {});
  const defaults = Object.fromEntries(game.parameters.map((parameter) => [parameter.name, parameter.default]));
  const from = start.position?.params ?? start.record?.params;
  const params = { ...defaults, ...(from ?? start.params ?? last.params) };
  const controls = new Map();
  const wrong = h("p", { class: "wrong", role: "alert" });
  const seats = h("ul", { class: "seats" });
  let sitting = (last.seats ?? []).slice();

  function seatSelects() {
    const number = params.num_players ?? 2;
    const agents = game.agents.filter((agent) => fits(agent.params, params));
    const others = game.agents.filter((agent) => !fits(agent.params, params));
    while (sitting.length < number) sitting.push(sitting.length === 0 ? PERSON : "heuristic");
    const known = new Set([PERSON, LINKED, ...agents.map((agent) => agent.name)]);
    sitting = sitting.map((one) => (known.has(one) ? one : "heuristic"));
    seats.replaceChildren(...Array.from({ length: number }, (_, seat) => {
      const select = options(h("select", { "aria-label": `player ${seat}`, "data-seat": seat }), [
        [PERSON, "a human player, here"], [LINKED, "a human player, by a link"], ...agents.map((agent) => [agent.name, called(agent.name)]),
      ], sitting[seat]);
      if (others.length && !from) {
        const group = h("optgroup", { label: "made for other parameters" });
        group.append(...others.map((agent) => h("option", { value: agent.name }, agent.name)));
        select.append(group);
      }
      select.addEventListener("change", () => {
        sitting[seat] = select.value;
        const other = others.find((agent) => agent.name === select.value);
        if (!other) return;
        Object.assign(params, other.params);
        drawParameters();
        seatSelects();
      });
      return h("li", {}, `player ${seat}`, select);
    }));
  }

  const parameters = h("div", {});
  function drawParameters() {
    controls.clear();
    parameters.replaceChildren(...game.parameters.map((parameter) => {
      const [input, read] = control(parameter, params[parameter.name]);
      const label = field(parameter.name, input, parameter.description);
      label.classList.toggle("tick", parameter.type === "bool");
      if (parameter.type === "bool") label.prepend(input);
      controls.set(parameter.name, [label, read]);
      input.addEventListener("change", async () => {
        await attempt(async () => { params[parameter.name] = await read(); }, (text) => tell(parameter.name, text));
        seatSelects();
      });
      return label;
    }));
  }

  /* Show an error message at its field, or below the form if it belongs to no field. */
  function tell(name, text) {
    for (const [label] of controls.values()) label.querySelector(".wrong").textContent = "";
    wrong.textContent = "";
    if (!text) return;
    const about = controls.get(name) ?? [...controls].find(([one]) => text.includes(`${one}=`) || text.startsWith(`${one}:`))?.[1];
    (about ? about[0].querySelector(".wrong") : wrong).textContent = text;
  }

  const together = h("input", { type: "checkbox", checked: Boolean(last.together) });
  const advice = h("input", { type: "checkbox", checked: last.advice ?? false });
  const pause = options(h("select", {}), [["0", "at once"], ["0.5", "after half a second"], ["1", "after a second"], ["2", "after two seconds"]], String(last.pause ?? 0.5));
  const seed = h("input", { type: "number", min: 0, placeholder: "a new one" });

  async function begin() {
    const wanted = { advice: advice.checked, pause: Number(pause.value), together: together.checked };
    if (from) Object.assign(wanted, start.position ? { position: start.position } : { record: start.record, at: start.at });
    else {
      for (const [one, [, read]] of controls) params[one] = await read();
      Object.assign(wanted, { game: name, params });
    }
    if (seed.value !== "") wanted.seed = Number(seed.value);
    wanted.seats = sitting.slice(0, params.num_players ?? 2).map((one) => (one === LINKED ? PERSON : one));
    const made = await post("/api/sittings", wanted, {}, (text) => { line.textContent = text; });
    keep(localStorage, `setup ${name}`, { params: from ? last.params : params, seats: sitting, ...wanted, position: undefined, record: undefined });
    if (left) {
      await post(`/api/sittings/${made.id}/close`, {}, { token: made.key });
      return;
    }
    const here = Object.fromEntries(Object.entries(made.tokens).filter(([seat]) => sitting[seat] !== LINKED));
    const links = Object.fromEntries(Object.entries(made.tokens).filter(([seat]) => sitting[seat] === LINKED));
    keep(sessionStorage, `sitting ${made.id}`, { key: made.key, here, links, wanted });
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
      await attempt(begin, (text) => tell(null, text));
      go.disabled = false;
    },
  },
  h("h3", {}, "Who plays"), seats,
  game.hidden && h("label", { class: "field tick" }, together, h("span", { class: "name" }, "all persons may see everything"), h("small", {}, "for one person who plays several seats; else the screen is handed over behind a curtain")),
  !from && h("details", { class: "panel", open: true }, h("summary", {}, "The game"), parameters),
  h("details", { class: "panel" }, h("summary", {}, "More"),
    field("agents move", pause),
    h("label", { class: "field tick" }, advice, h("span", { class: "name" }, "advice"), h("small", {}, "after each of my decisions, say what it gave away, if the game has a judge")),
    field("seed", seed, "the same seed brings the same chance")),
  wrong, h("p", { class: "row" }, go), line);
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
        h("p", {}, game.summary),
        h("p", { class: "row" },
          game.teaches && h("a", { href: `#${name}/learn` }, "Learn it in some minutes"),
          h("a", { href: `#${name}/rules` }, "Rules"),
          h("a", { href: `#${name}/edit` }, "Set up a position"),
          ...game.edits.filter((what) => what !== "position").map((what) => h("a", { href: `#${name}/edit/${what}` }, `Draw a ${what}`))),
        cover(game)),
      h("section", { class: "card" }, form)),
  );
  return stop;
}
