/* Listen for new versions of a match: through the worker that all pages of this browser share, or by a stream of this
   page where shared workers are not available. A page without the worker closes its stream while it is hidden. */

import { Stream } from "./stream.js";

let port = null, own = null, listening = null, broken = false;

function tell(news) {
  if (listening && news.id === listening.id) listening.tell(news);
}

/* Return whether a shared worker is available. Browsers that block site data refuse it, some only by an event. */
function connect() {
  if (port || broken) return !broken;
  try {
    const worker = new SharedWorker("/static/updates_worker.js", { type: "module", name: "updates" });
    worker.onerror = () => {
      broken = true;
      port = null;
      send();
    };
    port = worker.port;
    port.onmessage = ({ data }) => tell(data);
  } catch {
    broken = true;
  }
  return !broken;
}

function send() {
  const match = listening && { id: listening.id, token: listening.token };
  if (connect()) {
    port.postMessage(match);
    return;
  }
  own ??= new Stream(tell);
  own.watch(new Map(match && !document.hidden ? [[match.id, match.token]] : []));
}

/* Listen to a match until `ignore` is called. `tell` receives `{version}`, `{closed}` or `{broken}`. */
export function listen(id, token, tellPage) {
  listening = { id, token, tell: tellPage };
  send();
}

export function ignore(id) {
  if (listening?.id !== id) return;
  listening = null;
  send();
}

document.addEventListener("visibilitychange", () => { if (own && listening) send(); });
