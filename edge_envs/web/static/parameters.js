/* Form controls for the parameters of games, made from the declarations of the parameters. */

import { h, options } from "./dom.js";

/* How long agents wait between their moves, in seconds. */
export const PAUSES = [["0", "at once"], ["0.5", "after half a second"], ["1", "after a second"], ["2", "after two seconds"]];

function parsed(name, text) {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name}: this is not JSON`);
  }
}

/* Return a control for a parameter, and a function that reads it. */
export function control(parameter, value) {
  const { name, type, choices, shipped } = parameter;
  if (type === "bool") {
    const box = h("input", { type: "checkbox", name, checked: value === true });
    return [box, async () => box.checked];
  }
  if (shipped) {
    const given = !shipped.includes(value);
    const select = options(h("select", { name }), [...shipped.map((one) => [one, one]), ["", given ? "your own" : "a file of your own …"]], given ? "" : value);
    const file = h("input", { type: "file", accept: ".json", hidden: true, "aria-label": `a file for ${name}` });
    let own = given ? Promise.resolve(typeof value === "object" ? value : JSON.stringify(value)) : null;
    select.addEventListener("change", () => { file.hidden = select.value !== ""; });
    file.addEventListener("change", () => { own = file.files.length ? file.files[0].text() : null; });
    return [h("span", { class: "row" }, select, file), async () => {
      if (select.value !== "") return select.value;
      if (own === null) throw new Error(`${name}: choose a file`);
      return parsed(name, await own);
    }];
  }
  if (choices) {
    const select = options(h("select", { name }), choices.map((one) => [String(one), String(one)]), String(value));
    return [select, async () => choices.find((one) => String(one) === select.value)];
  }
  if (type !== "int") {
    const input = h("input", { type: "text", name, value: JSON.stringify(value), spellcheck: "false" });
    return [input, async () => parsed(name, input.value)];
  }
  const input = h("input", { type: "number", name, value, min: parameter.low, max: parameter.high, required: true });
  return [input, async () => {
    const number = Number(input.value), { low = -Infinity, high = Infinity } = parameter;
    if (input.value !== "" && Number.isInteger(number) && number >= low && number <= high) return number;
    throw new Error(`invalid ${name}=${input.value === "" ? "nothing" : input.value}: expected ${low} to ${high}`);
  }];
}
