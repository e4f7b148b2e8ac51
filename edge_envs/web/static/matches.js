/* The matches that this browser has joined, the newest first: their keys, tokens and links. They outlive the page and
   the server, which keeps its matches in files. */

import { forget, store, stored } from "./dom.js";

const MOST = 40;

export function matchIds() {
  return stored("matches", []);
}

export function accessTo(id) {
  return { key: null, here: {}, links: {}, ...stored(`match ${id}`, {}) };
}

export function keepAccess(id, access) {
  store(`match ${id}`, access);
  const ids = [id, ...matchIds().filter((one) => one !== id)];
  ids.slice(MOST).forEach((old) => forget(`match ${old}`));
  store("matches", ids.slice(0, MOST));
}

export function dropAccess(id) {
  forget(`match ${id}`);
  store("matches", matchIds().filter((one) => one !== id));
}

/* Return a token for requests about a match: of a seat here, or the key. */
export function anyToken({ key, here }) {
  return Object.values(here)[0] ?? key ?? undefined;
}
