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

export function save(name, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: name });
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

/* Read a value that `store` kept: for this tab (sessionStorage) or for the next visit (localStorage). */
export function stored(storage, name, otherwise) {
  try {
    return JSON.parse(storage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function store(storage, name, value) {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch { /* storage may be disabled, as in private windows */ }
}
