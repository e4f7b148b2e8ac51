/* Shows the analysis of the game below the viewer of a page. */

function showAnalysis({ analysis, players, at }) {
  const open = (one) => {
    viewer.stop();
    viewer.show(at.findLastIndex((before) => before <= one.at), false);
  };
  const [picture, mark] = graph(analysis, players, at.at(-1), Math.min(900, document.body.clientWidth - 24), open);
  const list = element("ol", { class: "costly-list" }, ...analysis.costly.map((one) => {
    const line = element("button", { type: "button" }, `player ${one.player}: ${one.chosen} (−${percent(one.loss)}), better ${one.best}`);
    line.addEventListener("click", () => open(one));
    return element("li", {}, line);
  }));
  const kept = analysis.accuracy.map((share, player) => `player ${player}: ${share === null ? "no choice mattered" : percent(share)}`).join(" · ");
  main.after(element("section", { id: "analysis", "aria-label": "analysis" }, element("h2", {}, "Analysis"), element("p", {}, `Judged by: ${analysis.by}. Accuracy: ${kept}.`), picture, list));
  viewer.shown = (scene) => mark(at[scene]);
}

showAnalysis(viewer.game);
