/* Starts a page that contains the data of a game, once `boot.js` has unpacked them. */

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

theme(matchMedia("(prefers-color-scheme: dark)").matches);
const main = document.querySelector("main");
const viewer = new Viewer(main, globalThis.unpacked);
const button = element("button", { type: "button", title: "light or dark", "aria-label": "light or dark", "data-do": "theme" }, "◐");
button.addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
viewer.bar.append(button);
main.hidden = false;
