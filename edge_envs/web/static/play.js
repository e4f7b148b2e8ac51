/* The page of a running game: the position, the current task, and everything that a player can request. A `Session`
   shows one match, as the human players at this screen may see it. */

import { games, get, post, stringify } from "./api.js";
import { Board } from "./board.js";
import { alertWith, attempt, button, h, options, save, store, stored } from "./dom.js";
import { endCard } from "./end.js";
import { countResult } from "./levels.js";
import { accessTo, anyToken, dropAccess, keepAccess } from "./matches.js";
import { PAUSES } from "./parameters.js";
import { qrCode } from "./qr.js";
import { passRecord } from "./replays.js";
import { ignore, listen } from "./updates.js";

const HUMAN = "human", LINKED = "linked";
const PATIENCE = 2; // seconds that an agent thinks before the page shows a clock
const FILM_PATIENCE = 400; // milliseconds between two requests for the progress of a GIF

/* A line of the log; the consequences follow the action in an element of their own. */
function logLine([, text]) {
  const end = text.indexOf(". ");
  return end < 0 ? h("li", {}, text) : h("li", { class: "eventful" }, `${text.slice(0, end)} `, h("em", {}, text.slice(end + 2)));
}

class Session {
  constructor(id, saved) {
    this.id = id;
    this.path = `/api/sittings/${id}`;
    this.key = saved.key;
    this.here = saved.here;
    this.links = saved.links;
    this.seat = this.seats[0] ?? null; // the seat whose view is shown
    this.lifted = null; // the seat that has lifted the curtain
    this.view = null;
    this.hidden = false; // whether the curtain is down
    this.sent = null; // the revision for which a decision is on its way
    this.changing = false;
    this.lost = false;
    this.whole = false; // whether the complete log is shown
    this.adviceAt = null;
    this.wants = false;
    this.syncing = null;
    this.guest = false; // whether this page is opened by a guest on the local network
    this.lan = null; // the address of this page for guests on the local network
    this.build();
  }

  get seats() {
    return Object.keys(this.here).map(Number);
  }

  keep() {
    keepAccess(this.id, { key: this.key, here: this.here, links: this.links });
  }

  token(seat = this.seat) {
    return (this.changing ? null : this.here[seat]) ?? this.key ?? anyToken(this);
  }

  build() {
    this.board = new Board((action, text) => this.play(action, text));
    this.headline = h("p", { class: "headline", "aria-live": "assertive", id: "headline" });
    this.clock = h("span", { class: "clock", id: "clock" });
    this.stop = button("Stop", () => this.stopAgent(), { title: "stop the agent that is thinking", "data-do": "stop", class: "stop" });
    this.news = h("p", { class: "news", id: "news", "aria-live": "polite" });
    this.curtain = h("div", { class: "curtain", hidden: true });
    this.end = h("section", { class: "end", id: "end", tabindex: "-1", "aria-label": "the result", hidden: true });
    this.message = h("p", { class: "message", "aria-live": "polite", id: "message" });
    this.people = h("ul", { class: "seats" });
    this.log = h("ol", { class: "log happened", tabindex: "0", "aria-label": "what happened" }); // it scrolls
    this.takeback = button("↩ Take back", () => this.takeBack(), { title: "take back my last decision (u)", "data-do": "takeback" });
    this.hint = button("Hint", () => this.ask("hint"), { title: "show a good choice (h)", "data-do": "hint" });
    this.showValues = button("Show values", () => this.ask("worth"), { title: "show the value of each choice (w)", "data-do": "worth" });
    this.judge = h("select", { "aria-label": "judge of the values" });
    this.advice = h("input", { type: "checkbox", id: "advice" });
    this.advice.addEventListener("change", () => this.set({ advice: this.advice.checked }));
    this.evaluates = h("input", { type: "checkbox", id: "evaluates", checked: stored("evaluation", false) });
    this.evaluates.addEventListener("change", () => {
      store("evaluation", this.evaluates.checked);
      this.showEvaluation(this.view);
    });
    this.share = h("span", { class: "share" });
    this.evaluation = h("div", { class: "evaluation", id: "evaluation", hidden: true }, h("div", { class: "bar", "aria-hidden": "true" }, this.share), h("small", { role: "status" }));
    this.evaluated = null; // the revision of the position that the bar shows
    this.saving = h("p", { class: "faint", role: "status", id: "saving" });
    this.pause = options(h("select", {}), PAUSES, "0");
    this.pause.addEventListener("change", () => this.set({ pause: Number(this.pause.value) }));
    this.list = h("ul", { class: "actions" });
    this.actions = h("details", { class: "panel", id: "actions" }, h("summary", {}, "All choices as a list"), this.list);
    this.position = button("Save the position", () => this.file("position"), { "data-do": "position" });
    this.record = button("Save the record", () => this.file("record"), { "data-do": "record" });
    this.look = button("Look back", () => this.lookBack(), { title: "replay the whole game, scene by scene", "data-do": "look" });
    this.retry = button("Let the agent try again", () => this.set({}), { hidden: true, class: "main", "data-do": "retry" });
    this.text = h("pre", { class: "report", tabindex: "0", "aria-label": "text of the position" });
    this.links_ = h("p", { class: "row faint links" });
    this.element = h("div", { class: "table match" },
      h("div", { class: "task" }, this.headline, h("p", { class: "row waiting" }, this.clock, this.stop, this.retry), this.curtain),
      this.board.element,
      h("section", { class: "turn", "aria-label": "controls" },
        this.end,
        this.board.above,
        this.news,
        this.evaluation,
        h("p", { class: "row buttons" }, this.takeback, this.hint, this.showValues, this.judge),
        this.message,
        this.actions),
      h("section", { class: "side", "aria-label": "the game so far" },
        h("details", { class: "panel", open: true }, h("summary", {}, "What happened"), this.log),
        h("details", { class: "panel", open: true }, h("summary", {}, "Players"), this.people),
        h("details", { class: "panel" }, h("summary", {}, "Save and settings"),
          h("p", { class: "row" }, this.look, this.position, this.record),
          h("label", { class: "field" }, h("span", { class: "name" }, "agents move"), this.pause),
          h("label", { class: "field tick" }, this.advice, h("span", { class: "name" }, "advice"), h("small", {}, "after each of my decisions")),
          h("label", { class: "field tick" }, this.evaluates, h("span", { class: "name" }, "evaluation bar"), h("small", {}, "my win probability, when it is my turn"))),
        h("details", { class: "panel" }, h("summary", {}, "Text of the position"), this.text),
        this.links_));
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
    const waiting = (text) => { this.headline.textContent = text; };
    if (this.seats.length > 1) {
      view = await get(this.path, { token: this.token(), public: 1 }, waiting);
      if (view.turn === "human" && this.seats.includes(view.player)) this.sit(view.player);
      hidden = view.curtain && this.lifted !== this.seat;
    }
    this.hidden = hidden;
    if (!hidden) view = await get(this.path, this.query, waiting);
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
    this.headline.textContent = this.task(view, hidden, yours);
    this.headline.classList.toggle("yours", yours);
    this.headline.classList.toggle("over", view.turn === "over");
    this.element.classList.remove("pending");
    this.showClock(view);
    this.showCurtain(view, hidden);
    if (!before || before.revision !== view.revision || before.seat !== view.seat || before.ways.length !== view.ways.length) {
      this.board.show(view, Boolean(before));
      this.message.textContent = "";
      this.adviceAt = null;  // advice stays until the next decision, however often others move
      this.listActions(null);
    }
    this.showNews(view, before);
    this.showEvaluation(view, hidden);
    this.showEnd(view, before);
    this.showPeople();
    this.log.replaceChildren(...view.log.map(logLine));
    if (this.whole) attempt(() => this.wholeLog());
    else if (view.transitions > view.log.length) this.log.prepend(h("li", {}, button(`Show ${view.transitions - view.log.length} earlier`, () => attempt(() => this.wholeLog()))));
    this.log.scrollTop = this.log.scrollHeight;
    this.text.textContent = view.text;
    const can = hidden ? {} : view.can;
    this.takeback.disabled = this.seats.length > 1 ? view.curtain || this.lastHere === undefined : !can.takeback;
    this.takeback.title = this.seats.length > 1 ? `take back the last decision of player ${this.lastHere ?? "?"} (u)` : "take back my last decision (u)";
    this.hint.disabled = !can.hint;
    this.showValues.disabled = this.judge.disabled = !can.worth;
    this.position.disabled = this.record.disabled = !view.can.keep;
    this.look.disabled = !view.can.keep || (this.guest && view.turn !== "over");
    this.retry.hidden = view.turn !== "halted";
    this.advice.checked = view.settings.advice;
    this.pause.value = String(view.settings.pause);
    if (view.advice && !hidden && view.advice.at !== this.adviceAt) {
      this.adviceAt = view.advice.at;
      this.say(`${view.advice.text}\n${view.advice.sum}`);
    }
  }

  /* The line that says what to do, or who is waited for. */
  task(view, hidden, yours) {
    if (view.turn === "over") return this.seats.length > 1 ? "The game is over." : `${view.outcome}.`;
    if (hidden && this.seats.includes(view.player) && view.turn === "human") return `Waiting for player ${view.player}.`;
    return (yours && this.seats.length > 1 ? `Player ${view.seat}: ` : "") + view.headline;
  }

  /* While an agent thinks, show for how long, and a button that stops it. */
  showClock(view) {
    clearInterval(this.ticking);
    const since = Date.now() - 1000 * view.waiting;
    const thinks = view.turn === "agent";
    const tick = () => {
      const seconds = Math.floor((Date.now() - since) / 1000);
      const shown = thinks && seconds >= PATIENCE;
      this.clock.textContent = shown ? `${seconds} s` : "";
      this.stop.classList.toggle("shown", shown);
    };
    tick();
    if (thinks) this.ticking = setInterval(tick, 250);
  }

  async stopAgent() {
    await attempt(() => post(`${this.path}/stop`, {}, { token: this.token() }));
  }

  showCurtain(view, hidden) {
    this.curtain.hidden = !(hidden && view.turn === "human" && this.seats.includes(view.player));
    if (this.curtain.hidden) return;
    this.curtain.replaceChildren(h("p", {}, `Pass the screen to player ${view.player}. The picture shows only public information now.`),
      button(`I am player ${view.player}`, () => attempt(async () => {
        this.lifted = this.seat;
        await this.sync();
        this.board.figure.focus({ preventScroll: true });
      }), { class: "main", "data-do": "lift" }));
  }

  /* Show what happened besides the decisions: storms, falls, forced moves. */
  showNews(view, before) {
    const text = (view.events ?? []).join(" ");
    this.news.hidden = !text;
    if (this.news.textContent === text) return;
    this.news.replaceChildren(...(view.events ?? []).map((event) => h("span", { class: before ? "event new" : "event" }, `${event} `)));
  }

  /* At the own decisions, show the own win probability in a bar. In between, the bar keeps the last one. */
  async showEvaluation(view, hidden = this.hidden) {
    const wanted = this.evaluates.checked && !hidden && view.turn !== "over";
    this.evaluation.hidden = !wanted;
    if (!wanted) this.evaluated = null;
    const position = `${view.revision} ${view.seat}`, yours = view.turn === "human" && view.seat !== null && view.player === view.seat;
    this.evaluation.classList.toggle("old", this.evaluated !== position);
    if (!wanted || !yours || this.evaluated === position || this.evaluating === position) return;
    this.evaluating = position;
    this.evaluation.lastChild.textContent ||= "Judging the position …";
    const found = await get(`${this.path}/evaluation`, { token: this.token(), revision: view.revision }).catch(() => null); // the bar is not worth an alert
    if (this.evaluating === position) this.evaluating = null;
    if (!found || found.probability === null || `${this.view.revision} ${this.view.seat}` !== position) return;
    this.evaluated = position;
    const text = `${Math.round(100 * found.probability)} %`;
    this.share.style.width = text.replace(" ", "");
    this.evaluation.lastChild.textContent = `${this.seats.length > 1 ? `Win probability of player ${view.seat}` : "Your win probability"}: ${text}. Judge: ${found.by}.`;
    this.evaluation.classList.remove("old");
  }

  /* Request a page, or the progress of a GIF, of this finished match. */
  reviewed(what) {
    return post(`${this.path}/${what}`, {}, { token: this.token() });
  }

  /* Save the whole game as a GIF, which the server draws in the background. */
  async saveFilm() {
    for (;;) {
      const film = await this.reviewed("film");
      this.saving.textContent = film.ready ? "" : `Drawing the GIF: ${Math.round(100 * film.done / film.of)} %`;
      if (film.ready) return save(`${this.view.game}.gif`, Uint8Array.from(atob(film.gif), (letter) => letter.charCodeAt(0)), "image/gif");
      await new Promise((done) => setTimeout(done, FILM_PATIENCE));
      if (!this.element.isConnected) return undefined;
    }
  }

  /* Show the result and what can be done next. */
  showEnd(view, before) {
    const over = view.turn === "over";
    this.element.classList.toggle("ended", over);
    this.end.hidden = !over;
    if (over && before?.turn !== "over") this.board.enlarge(false);
    if (over) countResult(this.id, view);
    if (!over) return;
    this.end.replaceChildren(...endCard(view, {
      rematch: () => this.rematch(),
      look: () => this.lookBack(),
      picture: () => this.board.figure.querySelector("svg"),
      film: () => this.saveFilm(),
      saving: this.saving,
      replay: () => this.reviewed("page"),
      invited: Boolean(view.rematch),
    }));
    if (before && before.turn !== "over" && document.activeElement === document.body) this.end.focus({ preventScroll: true }); // the last choice had it
  }

  seatLine(name, seat) {
    const view = this.view;
    const line = h("li", { class: view.player === seat && view.turn !== "over" ? "to-move" : "" }, `player ${seat}`);
    const own = seat in this.here;
    if (this.key !== null) {
      const agents = (this.agents ?? []).map((agent) => [agent.name, agent.title]);
      const known = agents.some(([one]) => one === name) || name === HUMAN ? [] : [[name, view.titles[seat]]];
      const select = options(h("select", { "aria-label": `who is player ${seat}`, "data-seat": seat }), [[HUMAN, "a human player"], ...agents, ...known], name);
      select.addEventListener("change", () => attempt(() => this.change(seat, select.value)));
      line.append(select);
    } else line.append(h("span", {}, view.titles[seat]));
    if (own) line.append(h("small", {}, "here"));
    if (view.returns?.some((value) => value !== 0)) line.append(h("small", {}, `return ${view.returns[seat] > 0 ? "+" : ""}${view.returns[seat]}`));
    if (view.invited.includes(seat) && seat in this.links) {
      const link = `${this.id}/${this.links[seat]}`, address = `${this.lan ?? `${location.origin}/`}#play/${link}`;
      const input = h("input", { type: "text", readonly: true, value: address, "aria-label": `the link for player ${seat}` });
      input.addEventListener("focus", () => input.select());
      const about = this.lan ? "open this link on another device in this network; it works once:" : "open this link in another window; it works once:";
      line.append(h("small", {}, about), input, button("Copy", () => navigator.clipboard?.writeText(address)), this.lan && qrCode(link));
    } else if (own && this.seats.length > 1) {
      line.append(button("create a link", () => attempt(() => this.change(seat, LINKED, this.here[seat]))));
    }
    return line;
  }

  /* Change who plays a seat. During the request, the token of the seat may be invalid. */
  async change(seat, player, credential = this.here[seat] ?? this.key) {
    ignore(this.id);
    this.changing = true;
    try {
      const { token, link } = await post(`${this.path}/seats`, { seat, player }, { token: credential });
      delete this.here[seat];
      delete this.links[seat];
      if (token) this.here[seat] = token;
      if (link) this.links[seat] = link;
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
    const chosen = document.activeElement?.closest?.(".seats select");
    if (chosen && this.people.contains(chosen) && this.view.seats[chosen.dataset.seat] === chosen.value) return; // the list is open
    this.people.replaceChildren(...this.view.seats.map((name, seat) => this.seatLine(name, seat)));
  }

  /* Send a decision. Further decisions for the same revision are ignored until the server has answered. The stream may
     show the next position, and another player here may decide, before the answer arrives. */
  async play(action, text) {
    const { revision } = this.view;
    if (this.sent === revision) return;
    this.sent = revision;
    this.board.keepsFocus ||= this.element.contains(document.activeElement);
    this.element.classList.add("pending");
    this.headline.textContent = `You chose: ${text} …`;
    const done = await attempt(() => post(`${this.path}/actions`, { action, revision }, { token: this.token() }));
    if (this.sent === revision) {
      this.sent = null;
      this.element.classList.remove("pending");
    }
    if (!done && this.view.revision === revision) {
      this.board.show(this.view, false);
      this.headline.textContent = this.task(this.view, this.hidden, true);
    }
    await this.answered(done);
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
    if (settings.advice === false) this.say("");
    if (done && "advice" in settings && settings.advice && !done.advice) {
      this.advice.checked = false;
      this.say("This game has no judge.");
    }
  }

  /* Show a message; one with columns in letters of equal width. */
  say(text) {
    this.message.textContent = text;
    this.message.classList.toggle("columns", /\n  /.test(text));
  }

  /* Request a hint or the values of all actions. */
  async ask(what) {
    const { revision } = this.view;
    const query = { token: this.token(), ...(what === "worth" && this.judge.value ? { by: this.judge.value } : {}) };
    this.say("Thinking …");
    const found = await attempt(() => get(`${this.path}/${what}`, query, (text) => this.say(text)));
    if (!found || this.view.revision !== revision) {
      this.say("");
      return;
    }
    if (what === "hint") {
      this.say(found.text);
      this.board.advise(found.action);
    } else this.rateActions(found);
  }

  rateActions({ by, unit, digits, percent, values, iterations }) {
    const known = values.filter(([, , value]) => value !== null).map(([, , value]) => value);
    const low = Math.min(...known), high = Math.max(...known);
    const written = (value) => (percent ? `${(100 * value).toFixed(1)} %` : value.toFixed(digits));
    const ratings = new Map(values.filter(([, , value]) => value !== null).map(([action, , value]) =>
      [action, { value, text: written(value), short: percent ? `${Math.round(100 * value)} %` : written(value), share: high > low ? (value - low) / (high - low) : 1 }]));
    this.say(known.length ? `${by} rates each choice, in ${unit.replace(/^of /, "")}; greener is better.` : `${by} cannot rate these choices.`);
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
      h("li", {}, h("button", { type: "button", onclick: () => this.play(action, text) }, h("span", {}, text), h("span", {}, rating)))));
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
    this.log.replaceChildren(...log.map(logLine));
  }

  async file(what) {
    const found = await attempt(() => get(`${this.path}/${what}`, { token: this.token() }));
    if (found) save(`${this.view.game}-${what}.json${what === "record" ? "l" : ""}`, stringify(found, what === "record" ? undefined : 1) + "\n");
  }

  async lookBack() {
    const record = await attempt(() => get(`${this.path}/record`, { token: this.token() }));
    if (!record) return;
    passRecord(record, this.guest ? { id: this.id, token: this.token() } : null);
    location.hash = "#replays";
  }

  /* Start, or join, a new game with the same players. Their tokens and links also give access to it. */
  rematch() {
    return attempt(async () => {
      const { id } = await post(`${this.path}/rematch`, {}, { token: this.token() });
      keepAccess(id, { key: this.key, here: this.here, links: this.links });
      location.hash = `#play/${id}`;
    });
  }

  /* Listen for new versions of the game. Each triggers a request. */
  listen() {
    listen(this.id, this.token(), ({ version, closed, broken }) => {
      if (broken) return this.loseServer();
      if (closed) return this.loseMatch();
      if (this.lost) alertWith("");
      if (this.lost || !this.view || this.view.version < version) attempt(() => this.sync());
      this.lost = false;
      return undefined;
    });
  }

  /* Handle a broken stream: the server may be gone. */
  async loseServer() {
    this.lost = true;
    try {
      await get(this.path, { token: this.token(), public: 1 });
      alertWith("");
    } catch (error) {
      if (error.status === 404) return this.gone("This game no longer exists.");
      alertWith(error.message);
    }
    return undefined;
  }

  /* Handle a stream that has ended: the server has closed the game, or keeps it only in a file until a page requests it. */
  async loseMatch() {
    try {
      await this.sync();
      this.listen();
    } catch (error) {
      if (error.status === 404) this.gone("This game was closed.");
      else this.loseServer();
    }
  }

  gone(why) {
    this.close();
    dropAccess(this.id);
    if (this.view) this.board.show({ svg: this.view.svg });
    this.headline.textContent = why;
    for (const one of [this.takeback, this.hint, this.showValues, this.look, this.position, this.record]) one.disabled = true;
  }

  close() {
    ignore(this.id);
    clearInterval(this.ticking);
    document.body.classList.remove("playing");
    document.title = "Games at the edge of the world";
  }

  async begin(main) {
    const catalog = await games();
    this.guest = catalog.guest;
    await this.sync();
    this.keep();
    this.lan = catalog.guest ? null : catalog.lan;
    const game = catalog.games.find((one) => one.name === this.view.game);
    const same = ({ params }) => !params || Object.entries(params).every(([name, value]) => JSON.stringify(this.view.params[name]) === JSON.stringify(value));
    this.agents = game.agents.filter(same);
    const titled = (agents) => agents.map((agent) => [agent.name, agent.title]);
    const policies = titled(this.agents.filter((agent) => agent.params && !agent.name.startsWith("search:")));
    const searches = titled(this.agents.filter((agent) => agent.name.startsWith("search:")));
    options(this.judge, [...(this.view.can.judged ? [["best", "the best judge"]] : []), ["playouts", "random games"], ...(this.view.can.perfect ? [["perfect", "perfect play, slowly"]] : []), ...searches, ...policies]);
    this.showPeople();
    this.links_.replaceChildren(h("a", { href: `#${game.name}` }, "New game"), game.teaches && h("a", { href: `#${game.name}/learn` }, "Learn"), h("a", { href: `#${game.name}/rules` }, "Rules"));
    document.body.classList.add("playing");
    main.append(h("h2", { class: "quiet" }, game.title), this.element);
    this.board.reveal();
    this.listen();
  }
}

export async function showPlay(main, id, code) {
  const known = accessTo(id);
  if (code) {
    history.replaceState(null, "", `#play/${id}`);
    const { seat, token } = await post(`/api/sittings/${id}/join`, { code });
    known.here[seat] = token;
    keepAccess(id, known);
  }
  const session = new Session(id, known);
  if (session.token() === undefined) throw new Error("This game is played in another browser; open the link for your seat.");
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
