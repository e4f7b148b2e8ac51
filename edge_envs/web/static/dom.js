/* Elements of the page. Strings never become markup. */

export const byId = (id) => document.getElementById(id);

/* Return an element with attributes and children. A function is a listener, as in `onclick: () => …`; null and false are
   omitted. */
export function h(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false && value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined));
  return made;
}

/* Return a phrase as a sentence. */
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`.replace(/(\d)-(\d)/g, "$1–$2");

export function button(text, act, attributes = {}) {
  return h("button", { type: "button", ...attributes, onclick: act }, text);
}

/* Return a form field with a label, a line of explanation and a place for an error message. */
export function field(label, control, about = "") {
  return h("label", { class: "field" }, h("span", { class: "name" }, label), control, about && h("small", {}, about), h("em", { class: "wrong", "aria-live": "polite" }));
}

export function options(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  return select;
}

export function save(name, text, type = "application/json") {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function alertWith(text) {
  byId("alert").textContent = text;
  byId("alert").hidden = !text;
}

/* Run a function and show its error message, if any. */
export async function attempt(work, report = alertWith) {
  try {
    report("");
    return await work();
  } catch (error) {
    if (error.name !== "AbortError") report(error.message);
    return undefined;
  }
}

/* Values that this browser keeps for the next visit. If it blocks site data, even reading `localStorage` throws; the
   values then last as long as the page. */
const remembered = new Map();

export function stored(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? remembered.get(name)) ?? otherwise;
  } catch {
    return remembered.has(name) ? JSON.parse(remembered.get(name)) : otherwise;
  }
}

export function store(name, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(name, text);
    remembered.delete(name);
  } catch {
    remembered.set(name, text);
  }
}

export function forget(name) {
  remembered.delete(name);
  try {
    localStorage.removeItem(name);
  } catch { /* blocked: there is nothing to remove */ }
}
