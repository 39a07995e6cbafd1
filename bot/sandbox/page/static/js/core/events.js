/** A member's events socket, which reconnects by itself after a restart of the server. */

const RETRY_MS = [250, 500, 1000, 2000, 4000];

export class Events {
  #url;
  #onOpen;
  #onEvent;
  #onLost;
  #failures = 0;
  #socket = null;
  #timer = 0;
  #closed = false;

  /**
   * @param {string} url
   * @param {{open: () => void, event: (event: any) => void, lost: () => void}} listeners
   *   `open` follows every (re)connection: missed changes must be read again then.
   */
  constructor(url, { open, event, lost }) {
    this.#url = url;
    this.#onOpen = open;
    this.#onEvent = event;
    this.#onLost = lost;
    this.#connect();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #connect() {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#failures = 0;
      this.#onOpen();
    });
    socket.addEventListener("message", ({ data }) => this.#onEvent(JSON.parse(data)));
    socket.addEventListener("close", () => {
      if (this.#closed) return;
      this.#onLost();
      const pause = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)];
      this.#failures += 1;
      this.#timer = setTimeout(() => this.#connect(), pause);
    });
  }
}
