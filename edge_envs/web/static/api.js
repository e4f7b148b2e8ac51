/* Requests to the server. An answer with an `error` is thrown; after an answer with `wait` the request is repeated. */

/* JSON with seeds of 64 bits. A number of JavaScript has only 53, so seeds of 16 digits and more are strings on this page. */
export function parse(text) {
  return JSON.parse(text.replace(/([{,\s]"seed"\s*:\s*)(\d{16,})/g, '$1"$2"'));
}

export function stringify(value, space) {
  return JSON.stringify(value, null, space)?.replace(/([{,\s]"seed"\s*:\s*)"(\d{16,})"/g, "$1$2");
}

const PATIENCE = 400; // milliseconds before a request is repeated

async function request(method, path, query, body) {
  const address = Object.keys(query).length ? `${path}?${new URLSearchParams(query)}` : path;
  const sent = body === undefined ? { method } : { method, body: stringify(body), headers: { "content-type": "application/json" } };
  let answer, reply;
  try {
    answer = await fetch(address, sent);
    reply = parse(await answer.text());
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  if (!answer.ok) throw Object.assign(new Error(reply.error), { status: answer.status });
  return [answer.status, reply];
}

async function requestUntilReady(method, path, query, body, waiting) {
  for (;;) {
    const [status, reply] = await request(method, path, query, body);
    if (status !== 202) return reply;
    waiting(reply.wait);
    await new Promise((done) => setTimeout(done, PATIENCE));
  }
}

/* Send a GET request. `waiting` receives the reason for a delay. */
export function get(path, query = {}, waiting = () => {}) {
  return requestUntilReady("GET", path, query, undefined, waiting);
}

export function post(path, body = {}, query = {}, waiting = () => {}) {
  return requestUntilReady("POST", path, query, body, waiting);
}

/* Return all games, requested once. */
let catalog = null;
export function games() {
  catalog ??= get("/api/games").catch((error) => { catalog = null; throw error; });
  return catalog;
}

/* Return a game with its editable documents. */
const known = new Map();
export async function gameNamed(name) {
  if (!(await games()).games.some((game) => game.name === name)) throw new Error(`Unknown game ${name}.`);
  if (!known.has(name)) known.set(name, await get(`/api/games/${name}`));
  return known.get(name);
}
