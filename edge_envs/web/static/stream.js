/* One stream of updates for any number of matches. `tell` receives `{id, version}`, `{id, closed}` or `{id, broken}`. */

const AGAIN = 1500, LONGEST = 30000; // first and longest delay before a broken stream is reopened, in milliseconds

export class Stream {
  constructor(tell) {
    this.tell = tell;
    this.tokens = new Map(); // of the matches, by id
    this.source = null;
    this.wait = AGAIN;
  }

  /* Set the matches to listen to: a map from ids to tokens. */
  watch(tokens) {
    const same = tokens.size === this.tokens.size && [...tokens].every(([id, token]) => this.tokens.get(id) === token);
    this.tokens = tokens;
    if (!same || (tokens.size && !this.source)) this.open();
  }

  open() {
    this.source?.close();
    this.source = null;
    clearTimeout(this.timer);
    if (!this.tokens.size) return;
    const query = new URLSearchParams([...this.tokens].map(([id, token]) => ["match", `${id}:${token}`]));
    const source = new EventSource(`/api/events?${query}`);
    this.source = source;
    source.onmessage = (event) => {
      this.wait = AGAIN;
      this.tell(JSON.parse(event.data));
    };
    source.addEventListener("closed", (event) => {
      const { id } = JSON.parse(event.data);
      this.tokens.delete(id);
      if (!this.tokens.size) this.close();
      this.tell({ id, closed: true });
    });
    source.onerror = () => {
      for (const id of this.tokens.keys()) this.tell({ id, broken: true });
      if (source !== this.source || source.readyState !== EventSource.CLOSED) return; // the browser reconnects
      this.source = null;
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST);
    };
  }

  close() {
    this.source?.close();
    this.source = null;
    clearTimeout(this.timer);
  }
}
