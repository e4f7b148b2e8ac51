/* Elements of the page. Texts go in as texts, never as markup. */

export const byId = (id) => document.getElementById(id);

/* An element with attributes and children; a function is a listener: `onclick: () => …`; null and false leave out. */
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

/* A field of a form with its label, a line that explains it, and room for what is wrong with it. */
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

/* Does something that may be refused, and says so. */
export async function attempt(work, told = alertWith) {
  try {
    told("");
    return await work();
  } catch (error) {
    if (error.name !== "AbortError") told(error.message);
    return undefined;
  }
}

/* What was kept in this tab, or for the next visit. */
export function kept(storage, name, otherwise) {
  try {
    return JSON.parse(storage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(storage, name, value) {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch { /* a private window keeps nothing */ }
}
