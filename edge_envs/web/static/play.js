/* The page of a running game: the position, the current task, and everything that a player can request. A `Session`
   shows one match, as the human players at this screen may see it. */

import { games, get, post } from "./api.js";
import { Board } from "./board.js";
import { alertWith, attempt, button, h, options, save, store, stored } from "./dom.js";
import { passRecord } from "./replays.js";

const HUMAN = "human";
const AGAIN = 1500, LONGEST = 30000; // first and longest delay before a broken stream is reopened, in milliseconds

class Session {
  constructor(id, saved) {
    this.id = id;
    this.path = `/api/sittings/${id}`;
    this.key = saved.key ?? null;
    this.here = saved.here ?? {};
    this.links = saved.links ?? {};
    this.request = saved.request ?? null;
    this.seat = this.seats[0] ?? null; // the seat whose view is shown
    this.lifted = null; // the seat that has lifted the curtain
    this.view = null;
    this.hidden = false; // whether the curtain is down
    this.sending = false;
    this.changing = false;
    this.lost = false;
    this.wait = AGAIN;
    this.whole = false; // whether the complete log is shown
    this.adviceAt = null;
    this.wants = false;
    this.syncing = null;
    this.build();
  }

  get seats() {
    return Object.keys(this.here).map(Number);
  }

  keep() {
    store(sessionStorage, `sitting ${this.id}`, { key: this.key, here: this.here, links: this.links, request: this.request });
  }

  token(seat = this.seat) {
    return (this.changing ? null : this.here[seat]) ?? this.key ?? Object.values(this.here)[0];
  }

  build() {
    this.board = new Board((action) => this.play(action));
    this.headline = h("p", { class: "headline", "aria-live": "assertive", id: "headline" });
    this.curtain = h("div", { class: "curtain", hidden: true });
    this.message = h("p", { class: "message", "aria-live": "polite", id: "message" });
    this.people = h("ul", { class: "seats" });
    this.log = h("ol", { class: "log happened", "aria-label": "what happened" });
    this.takeback = button("↩ Take back", () => this.takeBack(), { title: "take back my last decision (u)", "data-do": "takeback" });
    this.hint = button("Hint", () => this.ask("hint"), { title: "show a good choice (h)", "data-do": "hint" });
    this.showValues = button("Show values", () => this.ask("worth"), { title: "show the value of each choice (w)", "data-do": "worth" });
    this.judge = h("select", { "aria-label": "judge of the values" });
    this.advice = h("input", { type: "checkbox", id: "advice" });
    this.advice.addEventListener("change", () => this.set({ advice: this.advice.checked }));
    this.pause = options(h("select", {}), [["0", "at once"], ["0.5", "after half a second"], ["1", "after a second"], ["2", "after two seconds"]], "0");
    this.pause.addEventListener("change", () => this.set({ pause: Number(this.pause.value) }));
    this.list = h("ul", { class: "actions" });
    this.actions = h("details", { class: "panel", id: "actions" }, h("summary", {}, "All choices as a list"), this.list);
    this.position = button("Save the position", () => this.file("position"), { "data-do": "position" });
    this.record = button("Save the record", () => this.file("record"), { "data-do": "record" });
    this.look = button("Look back", () => this.lookBack(), { title: "replay the whole game, scene by scene", "data-do": "look" });
    this.again = button("Play again", () => this.playAgain(), { class: "main", hidden: true, "data-do": "again" });
    this.retry = button("Let the agent try again", () => this.set({}), { hidden: true });
    this.text = h("pre", { class: "report" });
    this.element = h("div", { class: "table" },
      h("div", {}, this.headline, this.curtain, this.board.element),
      h("section", { "aria-label": "controls" },
        h("p", { class: "row" }, this.again, this.retry, this.takeback, this.hint),
        h("p", { class: "row" }, this.showValues, this.judge),
        this.message,
        this.actions,
        h("details", { class: "panel", open: true }, h("summary", {}, "What happened"), this.log),
        h("details", { class: "panel", open: true }, h("summary", {}, "Players"), this.people),
        h("details", { class: "panel" }, h("summary", {}, "Save and settings"),
          h("p", { class: "row" }, this.look, this.position, this.record),
          h("label", { class: "field" }, h("span", { class: "name" }, "agents move"), this.pause),
          h("label", { class: "field tick" }, this.advice, h("span", { class: "name" }, "advice"), h("small", {}, "after each of my decisions"))),
        h("details", { class: "panel" }, h("summary", {}, "Text of the position"), this.text)));
  }

  /* Show the newest view. Requests run one at a time; a call during a request causes another request after it. */
  sync() {
    this.wants = true;
    this.syncing ??= this.fetchAll();
    return this.syncing;
  }

  async fetchAll() {
    try {
      while (this.wants) await this.fetch();
    } finally {
      this.syncing = null; // immediately, so that no call between the last check and this line is lost
    }
  }

  async fetch() {
    this.wants = false;
    let view = null, hidden = false;
    if (this.seats.length > 1) {
      view = await get(this.path, { token: this.token(), public: 1 });
      if (view.turn === "human" && this.seats.includes(view.player)) this.sit(view.player);
      hidden = view.curtain && this.lifted !== this.seat;
    }
    this.hidden = hidden;
    if (!hidden) view = await get(this.path, this.query);
    this.show(view, hidden);
  }

  sit(seat) {
    if (this.seat !== seat) this.lifted = null;
    this.seat = seat;
  }

  /* Show a view, unless a newer one is shown. `hidden` is true while the curtain is down. */
  show(view, hidden = false) {
    const before = this.view;
    if (before && view.version < before.version && view.seat === before.seat) return;
    this.view = view;
    this.hidden = hidden;
    const yours = view.turn === "human" && view.seat !== null && view.player === view.seat;
    document.title = `${yours ? "● " : ""}${view.title}`;
    const who = yours && this.seats.length > 1 ? `Player ${view.seat}: ` : "";
    const shared = view.turn === "over" && this.seats.length > 1 && view.returns;
    this.headline.textContent = shared ? `The game is over: ${view.returns.map((value, seat) => `player ${seat} ${value > 0 ? "+" : ""}${value}`).join(", ")}. ${view.result}` : who + (hidden && this.seats.includes(view.player) && view.turn === "human" ? `Waiting for player ${view.player}.` : view.headline);
    this.headline.classList.toggle("yours", yours);
    this.headline.classList.toggle("over", view.turn === "over");
    this.curtain.hidden = !(hidden && view.turn === "human" && this.seats.includes(view.player));
    if (!this.curtain.hidden) {
      this.curtain.replaceChildren(h("p", {}, `Pass the screen to player ${view.player}. The picture shows only public information now.`),
        button(`I am player ${view.player}`, () => attempt(async () => {
          this.lifted = this.seat;
          await this.sync();
          this.board.figure.focus({ preventScroll: true });
        }), { class: "main", "data-do": "lift" }));
    }
    if (!before || before.revision !== view.revision || before.seat !== view.seat || before.ways.length !== view.ways.length) {
      this.board.show(view, Boolean(before));
      this.message.textContent = "";
      this.adviceAt = null;  // advice stays until the next decision, however often others move
      this.listActions(null);
    }
    this.showPeople();
    this.log.replaceChildren(...view.log.map(([, text]) => h("li", {}, text)));
    if (this.whole) attempt(() => this.wholeLog());
    else if (view.transitions > view.log.length) this.log.prepend(h("li", {}, button(`Show ${view.transitions - view.log.length} earlier`, () => attempt(() => this.wholeLog()))));
    this.log.scrollTop = this.log.scrollHeight;
    this.text.textContent = view.text;
    const can = hidden ? {} : view.can;
    this.takeback.disabled = this.seats.length > 1 ? view.curtain || this.lastHere === undefined : !can.takeback;
    this.takeback.title = this.seats.length > 1 ? `take back the last decision of player ${this.lastHere ?? "?"} (u)` : "take back my last decision (u)";
    this.hint.disabled = !can.hint;
    this.showValues.disabled = this.judge.disabled = !can.worth;
    this.position.disabled = this.record.disabled = this.look.disabled = !view.can.keep;
    this.again.hidden = view.turn !== "over" || !this.request;
    this.retry.hidden = view.turn !== "halted";
    this.advice.checked = view.settings.advice;
    this.pause.value = String(view.settings.pause);
    if (view.advice && !hidden && view.advice.at !== this.adviceAt) {
      this.adviceAt = view.advice.at;
      this.message.textContent = `${view.advice.text}\n${view.advice.sum}`;
    }
  }

  seatLine(name, seat) {
    const view = this.view;
    const line = h("li", { class: view.player === seat && view.turn !== "over" ? "to-move" : "" }, `player ${seat}`);
    const own = seat in this.here;
    if (this.key !== null) {
      const agents = (this.agents ?? []).map((agent) => [agent.name, agent.name]);
      const known = agents.some(([one]) => one === name) || name === HUMAN ? [] : [[name, name]];
      const select = options(h("select", { "aria-label": `who is player ${seat}`, "data-seat": seat }), [[HUMAN, "a human player"], ...agents, ...known], name);
      select.addEventListener("change", () => attempt(() => this.change(seat, select.value)));
      line.append(select);
    } else line.append(h("span", {}, name === HUMAN ? "a human player" : name));
    if (own) line.append(h("small", {}, "here"));
    if (view.returns?.some((value) => value !== 0)) line.append(h("small", {}, `return ${view.returns[seat] > 0 ? "+" : ""}${view.returns[seat]}`));
    if (seat in this.links) {
      const address = `${location.origin}/#play/${this.id}/${this.links[seat]}`;
      const field = h("input", { type: "text", readonly: true, value: address, "aria-label": `the link for player ${seat}` });
      field.addEventListener("focus", () => field.select());
      line.append(h("small", {}, "open this link in another window:"), field, button("Copy", () => navigator.clipboard?.writeText(address)));
    } else if (own && this.seats.length > 1) {
      line.append(button("create a link", () => {
        this.links[seat] = this.here[seat];
        delete this.here[seat];
        if (this.seat === seat) this.seat = this.seats[0] ?? null;
        this.keep();
        attempt(() => this.sync());
      }));
    }
    return line;
  }

  /* Change who plays a seat. During the request, the token of the seat may be invalid. */
  async change(seat, player) {
    this.source?.close();
    this.changing = true;
    try {
      const { token } = await post(`${this.path}/seats`, { seat, player }, { token: this.key });
      delete this.here[seat];
      delete this.links[seat];
      if (token) this.here[seat] = token;
      if (this.seat === null || !(this.seat in this.here)) this.seat = this.seats[0] ?? null;
      this.keep();
    } finally {
      this.changing = false;
      this.showPeople();
      this.listen();
    }
    await this.sync();
  }

  showPeople() {
    this.people.replaceChildren(...this.view.seats.map((name, seat) => this.seatLine(name, seat)));
  }

  /* Send a decision. Further decisions are ignored until the server has answered. */
  async play(action) {
    if (this.sending) return;
    this.sending = true;
    this.board.keepsFocus ||= this.element.contains(document.activeElement);
    const { revision } = this.view;
    try {
      const done = await attempt(() => post(`${this.path}/actions`, { action, revision }, { token: this.token() }));
      if (!done) this.board.show(this.view, false);
      await this.answered(done);
    } finally {
      this.sending = false;
    }
  }

  async takeBack() {
    this.board.keepsFocus = true;
    const token = this.token(this.seats.length > 1 ? this.lastHere : this.seat);
    const done = await attempt(() => post(`${this.path}/takeback`, {}, { token }));
    await this.answered(done);
  }

  /* Show the answer to a decision. With several human players, another one may be next. */
  answered(view) {
    if (view && this.seats.length === 1) return this.show(view);
    return attempt(() => this.sync(), () => {});
  }

  async set(settings) {
    const done = await attempt(() => post(`${this.path}/settings`, settings, { token: this.token() }));
    if (settings.advice === false) this.message.textContent = "";
    if (done && "advice" in settings && settings.advice && !done.advice) {
      this.advice.checked = false;
      this.message.textContent = "This game has no judge.";
    }
  }

  /* Request a hint or the values of all actions. */
  async ask(what) {
    const { revision } = this.view;
    const query = { token: this.token(), ...(what === "worth" && this.judge.value ? { by: this.judge.value } : {}) };
    this.message.textContent = "Thinking …";
    const found = await attempt(() => get(`${this.path}/${what}`, query, (text) => { this.message.textContent = text; }));
    if (!found || this.view.revision !== revision) {
      this.message.textContent = "";
      return;
    }
    if (what === "hint") this.message.textContent = found.text;
    else this.rateActions(found);
  }

  rateActions({ by, unit, digits, values, iterations }) {
    const known = values.filter(([, , value]) => value !== null).map(([, , value]) => value);
    const low = Math.min(...known), high = Math.max(...known);
    const ratings = new Map(values.filter(([, , value]) => value !== null).map(([action, , value]) =>
      [action, { value, text: value.toFixed(digits), share: high > low ? (value - low) / (high - low) : 1 }]));
    this.message.textContent = known.length ? `${by} rates each choice, in ${unit.replace(/^of /, "")}; greener is better.` : `${by} cannot rate these choices.`;
    this.board.value(ratings);
    const counted = (place) => iterations ? ` (${iterations[place]} iteration${iterations[place] === 1 ? "" : "s"})` : "";
    this.listActions(values.map(([action, text], place) =>
      [action, text, ratings.has(action) ? `${ratings.get(action).text}${counted(place)}` : ""]));
    this.actions.open = true;
  }

  listActions(ranked) {
    const all = ranked ?? this.view.ways.map(([action, text]) => [action, text, ""]);
    this.actions.hidden = !all.length;
    this.list.replaceChildren(...all.map(([action, text, rating]) =>
      h("li", {}, h("button", { type: "button", onclick: () => this.play(action) }, h("span", {}, text), h("span", {}, rating)))));
  }

  /* The query for a view: of the seat, or the public one while the curtain is down. */
  get query() {
    return { token: this.token(), ...(this.hidden || this.changing || this.seat === null ? { public: 1 } : {}) };
  }

  /* The seat on this page that decided last. */
  get lastHere() {
    return this.view.log.map(([player]) => player).findLast((player) => this.seats.includes(player));
  }

  async wholeLog() {
    this.whole = true;
    const { log } = await get(`${this.path}/log`, this.query);
    this.log.replaceChildren(...log.map(([, text]) => h("li", {}, text)));
  }

  async file(what) {
    const found = await attempt(() => get(`${this.path}/${what}`, { token: this.token() }));
    if (found) save(`${this.view.game}-${what}.json${what === "record" ? "l" : ""}`, JSON.stringify(found, null, what === "record" ? undefined : 1) + "\n");
  }

  async lookBack() {
    const record = await attempt(() => get(`${this.path}/record`, { token: this.token() }));
    if (!record) return;
    passRecord(record);
    location.hash = "#replays";
  }

  /* Start a new game with the same seats. Players with links get new ones. */
  playAgain() {
    return attempt(async () => {
      const { seed, ...rest } = this.request;
      const request = { ...rest, seats: this.view.seats };
      const made = await post("/api/sittings", request);
      const part = (linked) => Object.fromEntries(Object.entries(made.tokens).filter(([seat]) => seat in this.links === linked));
      store(sessionStorage, `sitting ${made.id}`, { key: made.key, here: part(false), links: part(true), request });
      location.hash = `#play/${made.id}`;
    });
  }

  /* Listen for new versions of the game. Each event is a version number and triggers a request. */
  listen() {
    this.source = new EventSource(`${this.path}/events?${new URLSearchParams({ token: this.token() })}`);
    this.source.onmessage = (event) => {
      if (this.lost) alertWith("");
      if (this.lost || !this.view || this.view.version < Number(event.data)) attempt(() => this.sync());
      this.lost = false;
      this.wait = AGAIN;
    };
    this.source.addEventListener("closed", () => this.gone("This game was closed."));
    this.source.onerror = () => this.loseServer();
  }

  /* Handle a broken stream: the server or this game may be gone. */
  async loseServer() {
    this.lost = true;
    const stream = this.source;
    try {
      await get(this.path, { token: this.token(), public: 1 });
    } catch (error) {
      if (error.status === 404) return this.gone("This game no longer exists.");
      alertWith(error.message);
    }
    if (stream !== this.source || stream.readyState !== EventSource.CLOSED) return undefined; // the browser reconnects
    this.later = setTimeout(() => this.listen(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST);
    return undefined;
  }

  gone(why) {
    this.close();
    this.board.show({ svg: this.view.svg });
    this.headline.textContent = why;
    for (const one of [this.takeback, this.hint, this.showValues, this.again, this.look, this.position, this.record]) one.disabled = true;
  }

  close() {
    this.source?.close();
    clearTimeout(this.later);
    document.title = "Games at the edge of the world";
  }

  async begin(main) {
    await this.sync();
    const catalog = await games();
    const game = catalog.games.find((one) => one.name === this.view.game);
    const same = ({ params }) => !params || Object.entries(params).every(([name, value]) => JSON.stringify(this.view.params[name]) === JSON.stringify(value));
    this.agents = game.agents.filter(same);
    const policies = this.agents.filter((agent) => agent.params && !agent.name.startsWith("search:")).map((agent) => [agent.name, agent.name]);
    const searches = this.agents.filter((agent) => agent.name.startsWith("search:")).map((agent) => [agent.name, agent.name]);
    options(this.judge, [...(this.view.can.judged ? [["best", "the best judge"]] : []), ["playouts", "random games"], ...(this.view.can.perfect ? [["perfect", "perfect play, slowly"]] : []), ...searches, ...policies]);
    this.showPeople();
    main.append(h("h2", { class: "quiet" }, game.title), h("p", { class: "row faint" }, h("a", { href: `#${game.name}` }, "New game"), game.teaches && h("a", { href: `#${game.name}/learn` }, "Learn"), h("a", { href: `#${game.name}/rules` }, "Rules")), this.element);
    this.listen();
  }
}

export async function showPlay(main, id, token) {
  const known = stored(sessionStorage, `sitting ${id}`, { here: {} });
  if (token) {
    const { seat } = await get(`/api/sittings/${id}`, { token });
    if (seat !== null) known.here[seat] = token;
    store(sessionStorage, `sitting ${id}`, known);
    history.replaceState(null, "", `#play/${id}`);
  }
  const session = new Session(id, known);
  if (session.token() === undefined) throw new Error("This game is played in another window; open the link for your seat.");
  await session.begin(main);
  const keys = (event) => {
    if (event.key === "Escape" && session.board.back()) return event.preventDefault();
    if (event.target.closest("input:not([type=checkbox]), select, textarea") || event.ctrlKey || event.altKey || event.metaKey) return undefined;
    const press = { u: session.takeback, h: session.hint, w: session.showValues }[event.key];
    if (press && !press.disabled) press.click();
    return undefined;
  };
  document.addEventListener("keydown", keys);
  return () => {
    document.removeEventListener("keydown", keys);
    session.close();
  };
}
