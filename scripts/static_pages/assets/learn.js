/* A tutorial without a server. */

import { showTutorial } from "./tutorial.js";
import { byId } from "./dom.js";
import { theme } from "./theme.js";

const { name } = globalThis.LESSON.game;
theme();
showTutorial(byId("main"), name).then(() => {
  const links = { [`#${name}`]: `game-${name}.html`, [`#${name}/rules`]: "index.html" };
  const names = { [`#${name}`]: "Watch a famous game", [`#${name}/rules`]: "All games" };
  for (const link of byId("main").querySelectorAll("a[href^='#']")) {
    const here = link.getAttribute("href");
    link.textContent = names[here];
    link.setAttribute("href", links[here]);
  }
});
