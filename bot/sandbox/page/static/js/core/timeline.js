/** The messages of one channel as one member sees them, oldest first. */

import { compareIds } from "./ids.js";

/** @typedef {import("./types.js").Message} Message */

/** The number of messages in one page of history. */
export const PAGE = 50;

export class Timeline {
  /** @type {Message[]} */
  messages = [];
  /** True if the newest messages have been read. */
  loaded = false;
  /** True if the channel's first message is here. */
  complete = false;

  /** Replaces an older state of a message, or puts a new one in its place. */
  put(message) {
    const at = this.messages.findIndex((other) => compareIds(other.id, message.id) >= 0);
    if (at < 0) this.messages.push(message);
    else this.messages.splice(at, this.messages[at].id === message.id ? 1 : 0, message);
  }

  /** Adds a new message, or a newer state of one. Messages older than all that were read come with their page. */
  hear(message) {
    const { oldest } = this;
    if (this.complete || !oldest || compareIds(message.id, oldest.id) >= 0) this.put(message);
  }

  remove(id) {
    this.messages = this.messages.filter((message) => message.id !== id);
  }

  /**
   * Takes the newest page from the server. Older messages stay only if there is no gap between;
   * messages that exist only in this page always stay.
   *
   * @param {Message[]} page
   */
  refresh(page) {
    const first = page[0]?.id;
    const known = this.messages.filter((message) => !message.local);
    const joins = first !== undefined && known.some(({ id }) => compareIds(id, first) >= 0);
    const older = joins ? known.filter(({ id }) => compareIds(id, first) < 0) : [];
    const local = this.messages.filter((message) => message.local);
    this.complete = older.length ? this.complete : page.length < PAGE;
    this.loaded = true;
    this.messages = [...older, ...page];
    for (const message of local) this.put(message);
  }

  /** @param {Message[]} page what came before the oldest message known */
  prepend(page) {
    this.complete = page.length < PAGE;
    for (const message of page) this.put(message);
  }

  /** The oldest message the server knows of. */
  get oldest() {
    return this.messages.find((message) => !message.local);
  }

  /** The newest message the server knows of. */
  get newest() {
    return this.messages.findLast((message) => !message.local);
  }
}
