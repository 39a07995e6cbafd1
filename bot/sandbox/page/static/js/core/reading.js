/**
 * The newest message that a member has read in each channel, and the pings that they have not seen yet.
 * It is in the browser's storage, so that windows side by side and a reload agree.
 */

import { compareIds, newest } from "./ids.js";

/** Emits "change". */
export class Reading extends EventTarget {
  #key;

  /** @param {string} member */
  constructor(member) {
    super();
    this.#key = `reading:${member}`;
    addEventListener("storage", ({ key }) => {
      if (key === this.#key) this.#changed();
    });
  }

  /** The id of the newest message read in a channel; "0" before the first. */
  seen(channel) {
    return this.#load()[channel]?.seen ?? "0";
  }

  /** The ids of the unseen messages in a channel that mention the member. */
  pings(channel) {
    return this.#load()[channel]?.pings ?? [];
  }

  /** Everything up to and including `message` has been read. */
  markRead(channel, message) {
    this.#edit(channel, (entry) => {
      entry.seen = newest(entry.seen, message);
      entry.pings = entry.pings.filter((id) => compareIds(id, entry.seen) > 0);
    });
  }

  /** A message mentions the member. */
  addPing(channel, message) {
    this.#edit(channel, (entry) => {
      if (compareIds(message, entry.seen) > 0 && !entry.pings.includes(message)) entry.pings.push(message);
    });
  }

  /** Forgets the pings of deleted messages. @param {(id: string) => boolean} gone */
  dropPings(channel, gone) {
    this.#edit(channel, (entry) => {
      entry.pings = entry.pings.filter((id) => !gone(id));
    });
  }

  #edit(channel, change) {
    const all = this.#load();
    const entry = all[channel] ?? { seen: "0", pings: [] };
    const before = JSON.stringify(entry);
    change(entry);
    if (JSON.stringify(entry) === before) return;
    all[channel] = entry;
    localStorage.setItem(this.#key, JSON.stringify(all));
    this.#changed();
  }

  #load() {
    try {
      return JSON.parse(localStorage.getItem(this.#key)) ?? {};
    } catch {
      return {};
    }
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
