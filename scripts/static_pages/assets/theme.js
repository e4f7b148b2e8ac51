/* The theme of a page: that of the system, until the user chooses another one. */

import { byId, store, stored } from "./dom.js";

export function theme() {
  let now = stored("theme", matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const apply = () => { document.documentElement.dataset.theme = now; };
  apply();
  byId("theme").addEventListener("click", () => {
    now = now === "dark" ? "light" : "dark";
    store("theme", now);
    apply();
  });
}
