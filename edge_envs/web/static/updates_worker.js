/* A shared worker that holds the stream for all pages of a browser, because browsers allow only six connections to a
   server. Each page sends the match that it shows, as `{id, token}`, or null when the user leaves it. */

import { Stream } from "./stream.js";

const shown = new Map(); // the match of each page, by its port

const stream = new Stream((news) => {
  for (const [port, match] of shown) if (match?.id === news.id) port.postMessage(news);
});

globalThis.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data: match }) => {
    if (match === null) shown.delete(port);
    else shown.set(port, match);
    stream.watch(new Map([...shown.values()].map(({ id, token }) => [id, token])));
  };
};
