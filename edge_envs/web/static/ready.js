/* While a game is compiled, show how long it has taken; the page stays usable. */

import { post } from "./api.js";
import { h } from "./dom.js";

const BETWEEN = 700; // milliseconds between two requests

/* Return a status line for a page, and a function that stops its updates. */
export function readiness(name) {
  const line = h("p", { class: "faint readiness", role: "status" });
  let open = true;
  async function look() {
    while (open) {
      let state;
      try {
        ({ readiness: state } = await post(`/api/games/${name}`));
      } catch (error) {
        line.textContent = error.message;
        return;
      }
      if (state.state === "ready") {
        line.textContent = "";
        return;
      }
      if (state.state === "failed") {
        line.textContent = `This game cannot be compiled: ${state.error}`;
        return;
      }
      line.textContent = `The game is being compiled: ${Math.round(state.seconds ?? 0)} s. The first time takes up to a minute; meanwhile you can use this page.`;
      await new Promise((done) => setTimeout(done, BETWEEN));
    }
  }
  look();
  return [line, () => { open = false; }];
}
