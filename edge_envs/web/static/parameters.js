/* Controls for the parameters of games, which tell themselves what is possible. */

import { h, options } from "./dom.js";

/* A control for a parameter, and a function that reads it. */
export function control(parameter, value) {
  const { name, type, choices, shipped } = parameter;
  if (type === "bool") {
    const box = h("input", { type: "checkbox", name, checked: value === true });
    return [box, async () => box.checked];
  }
  if (shipped) {
    const given = typeof value === "object";
    const select = options(h("select", { name }), [...shipped.map((one) => [one, one]), ["", given ? "your own" : "a file of your own …"]], given ? "" : value);
    const file = h("input", { type: "file", accept: ".json", hidden: true, "aria-label": `a file for ${name}` });
    let own = given ? value : null;
    select.addEventListener("change", () => { file.hidden = select.value !== ""; });
    file.addEventListener("change", async () => { own = JSON.parse(await file.files[0].text()); });
    return [h("span", { class: "row" }, select, file), async () => (select.value === "" ? own ?? value : select.value)];
  }
  if (choices) {
    const select = options(h("select", { name }), choices.map((one) => [String(one), String(one)]), String(value));
    return [select, async () => choices.find((one) => String(one) === select.value)];
  }
  if (type !== "int") {
    const input = h("input", { type: "text", name, value: JSON.stringify(value), spellcheck: "false" });
    return [input, async () => {
      try {
        return JSON.parse(input.value);
      } catch {
        throw new Error(`${name}: this is no JSON`);
      }
    }];
  }
  const input = h("input", { type: "number", name, value, min: parameter.low, max: parameter.high, required: true });
  return [input, async () => (input.value === "" ? input.value : Number(input.value))];
}
