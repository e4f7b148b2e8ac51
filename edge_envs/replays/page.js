/* Starts a page that contains the data of a game. */

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

theme(matchMedia("(prefers-color-scheme: dark)").matches);
const main = document.querySelector("main");
const viewer = new Viewer(main, await unpack(document.getElementById("data").textContent));
const button = element("button", { type: "button", title: "light or dark", "aria-label": "light or dark", "data-do": "theme" }, "◐");
button.addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
viewer.bar.append(button);
main.hidden = false;
