/* Requests to the server. An answer with an `error` is thrown; after an answer with `wait` the request is repeated. */

const PATIENCE = 400; // milliseconds before a request is repeated

async function once(method, path, query, body) {
  const address = Object.keys(query).length ? `${path}?${new URLSearchParams(query)}` : path;
  const sent = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  let answer, told;
  try {
    answer = await fetch(address, sent);
    told = await answer.json();
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  if (!answer.ok) throw Object.assign(new Error(told.error), { status: answer.status });
  return [answer.status, told];
}

async function patiently(method, path, query, body, waiting) {
  for (;;) {
    const [status, told] = await once(method, path, query, body);
    if (status !== 202) return told;
    waiting(told.wait);
    await new Promise((done) => setTimeout(done, PATIENCE));
  }
}

/* Send a GET request. `waiting` receives the reason for a delay. */
export function get(path, query = {}, waiting = () => {}) {
  return patiently("GET", path, query, undefined, waiting);
}

export function post(path, body = {}, query = {}, waiting = () => {}) {
  return patiently("POST", path, query, body, waiting);
}

/* Return all games, requested once. */
let told = null;
export function games() {
  told ??= get("/api/games").catch((error) => { told = null; throw error; });
  return told;
}

/* Return a game with its editable documents. */
const known = new Map();
export async function gameNamed(name) {
  if (!(await games()).games.some((game) => game.name === name)) throw new Error(`There is no game ${name}.`);
  if (!known.has(name)) known.set(name, await get(`/api/games/${name}`));
  return known.get(name);
}
