/* The analysis of a finished game: a graph of the win probability, the most costly decisions, and the accuracy of each
   player. */

import { alertWith, button, h, options } from "./dom.js";
import { graph, percent } from "./graph.js";

const BETWEEN = 600; // milliseconds between two requests for the progress

/* Show the analysis of a record in a part of the page. `scenes` are its scenes, `viewer` shows them, and `again(at)`
   continues the game from a position, unless it is null. `judges` are the names and titles of agents that can judge, and
   `ask(by)` requests the analysis by one of them. Return a function that stops the requests, and one to call for each
   scene. */
export function showAnalysis(part, record, scenes, viewer, again, judges, ask) {
  const players = scenes.returns.length;
  const bar = h("progress", { max: 1, value: 0, "aria-label": "progress of the analysis" }), status = h("p", { class: "faint", role: "status" });
  const picture = h("div", {}), list = h("ol", { class: "costly-list" }), table = h("div", {}), costlyHead = h("div", {}), accuracyHead = h("div", {}), choice = h("div", { class: "row", "aria-live": "polite" });
  const judge = options(h("select", { "aria-label": "judge of the analysis" }), [["", "the best judge"], ...judges], "");
  let open = true, mark = () => {}, run = 0;

  function show(one) {
    const scene = scenes.at.findLastIndex((at) => at <= one.at);
    viewer().stop();
    viewer().show(scene, false);
    choice.replaceChildren(h("p", {}, `Player ${one.player} chose ${one.chosen}, with a win probability of ${percent(one.probability - one.loss)}. Better: ${one.best}, ${percent(one.probability)}.`),
      again ? button("Try again from here", () => again(one.at), { class: "main", "data-do": "try" }) : "");
  }

  function draw(found) {
    const [drawn, move] = graph(found, players, record.history.length, Math.min(900, part.clientWidth || 720), show);
    mark = move;
    picture.replaceChildren(drawn);
    if (!found.ready) return;
    list.replaceChildren(...found.costly.map((one) => h("li", {}, button(`player ${one.player}: ${one.chosen} (−${percent(one.loss)}), better ${one.best}`, () => show(one)))));
    table.replaceChildren(h("p", {}, found.accuracy.map((share, player) => `player ${player}: ${share === null ? "no choice mattered" : percent(share)}`).join(" · ")));
  }

  async function follow() {
    const by = judge.value, own = ++run;
    alertWith("");
    bar.hidden = false;
    bar.value = 0;
    for (const one of [choice, list, table, costlyHead, accuracyHead]) one.replaceChildren();
    while (open && own === run) {
      let found;
      try {
        found = await ask(by);
      } catch (error) {
        if (own !== run) return undefined;
        status.textContent = "";
        judge.value = "";
        if (by) follow();
        return alertWith(error.message);
      }
      if (!open || own !== run) return undefined;
      draw(found);
      bar.value = found.of ? found.done / found.of : 1;
      status.textContent = found.ready ? `Judged by: ${found.by || "nobody"}.` : `${found.done} of ${found.of} decisions are judged; you can use the page meanwhile.`;
      if (found.ready) {
        bar.hidden = true;
        costlyHead.replaceChildren(h("h4", {}, found.costly.length ? "The most costly decisions" : "No decision cost much."));
        accuracyHead.replaceChildren(h("h4", {}, "Accuracy"), h("p", { class: "faint" }, "The share of the win probability at stake that a player kept: 100 % is the best choice each time, 0 % the worst."));
        return undefined;
      }
      await new Promise((done) => setTimeout(done, BETWEEN));
    }
    return undefined;
  }

  judge.addEventListener("change", follow);
  part.replaceChildren(h("h3", {}, "Analysis"), judges.length ? h("p", { class: "row" }, h("label", {}, "judged by ", judge)) : "", status, bar, picture, choice, costlyHead, list, accuracyHead, table);
  follow();
  return [() => { open = false; }, (scene) => mark(scenes.at[scene])];
}
