/** The messages of the open channel: drawn, scrolled, paged and marked as read. */

import { button, h, icon } from "../core/dom.js";
import { compareIds } from "../core/ids.js";
import { titleOf } from "../core/people.js";
import { undisturbed } from "../core/press.js";
import { isThread, signOf } from "../core/types.js";
import { dayText } from "../text/time.js";
import { commandOf, isEphemeral, messageElement } from "./message.js";
import { ScrollHold } from "./scroll.js";
import { picturesReady, swap } from "./swap.js";

/** @typedef {import("../core/types.js").Message} Message */

/** Messages of one author within this time stand under one name, in milliseconds. */
const TOGETHER = 7 * 60 * 1000;

export class Feed {
  #view;
  #channel = null;
  /** What is drawn, by key: messages by id, dividers by a name. */
  #drawn = new Map();
  /** The id of the message above the divider "New"; null hides it. */
  #newAfter = null;
  #readingOlder = false;

  /** @param {import("./view.js").View} view */
  constructor(view) {
    this.#view = view;
    this.list = h("div", { class: "messages" });
    const log = { role: "log", tabindex: "0", "aria-relevant": "additions" };
    this.scroller = h("div", { class: "scroller", ...log }, this.list);
    const jump = () => {
      this.hold.toEnd();
      this.scroller.focus({ preventScroll: true });
    };
    this.jump = button("jump", null, jump, { hidden: true });
    this.element = h("div", { class: "feed-inside" }, this.scroller, this.jump);
    this.hold = new ScrollHold(this.scroller, this.list, () => this.#scrolled());
    addEventListener("focus", () => this.#scrolled());
  }

  /** Draws another channel, at its newest message. */
  show(channel) {
    const { session } = this.#view;
    this.#channel = channel;
    this.#drawn.clear();
    this.list.replaceChildren();
    const seen = session.reading.seen(channel);
    this.#newAfter = seen !== "0" && session.isUnread(channel) ? seen : null;
    this.scroller.setAttribute("aria-label", `Messages in ${titleOf(session.channels.get(channel))}`);
    this.#draw();
    this.hold.toEnd();
  }

  /** Draws all changes. */
  draw() {
    undisturbed(this.#draw);
  }

  #draw = () => {
    this.hold.note();
    const timeline = this.#view.session.timeline(this.#channel);
    this.#noteNews(timeline);
    // Only the member's own presses and commands are answered so; the answer must not appear out of sight.
    const answered = timeline.messages.some((it) => isEphemeral(it) && !this.#drawn.has(it.id));
    const wanted = this.#wanted(timeline);
    const keep = new Set(wanted);
    for (const child of [...this.list.children]) if (!keep.has(child)) child.remove();
    wanted.forEach((element, place) => {
      const there = this.list.children[place];
      if (there !== element) this.list.insertBefore(element, there ?? null);
    });
    if (answered) this.hold.toEnd();
    else this.hold.restore();
    this.#scrolled();
  };

  /** Draws a message again although it is the same: its controls have changed. */
  redraw(id) {
    const entry = this.#drawn.get(id);
    if (!entry) return;
    entry.message = null;
    this.draw();
  }

  #wanted(timeline) {
    const { session } = this.#view;
    const elements = [];
    const keys = new Set();
    const add = (key, build) => {
      keys.add(key);
      if (!this.#drawn.has(key)) this.#drawn.set(key, { element: build() });
      elements.push(this.#drawn.get(key).element);
    };
    if (!timeline.loaded) add("loading", () => h("p", { class: "nothing" }, "Loading messages…"));
    if (timeline.complete) add("intro", () => intro(session.channels.get(this.#channel)));
    let above = null;
    let newShown = false;
    for (const message of timeline.messages) {
      const day = new Date(message.timestamp).toDateString();
      const newDay = above === null ? timeline.complete : new Date(above.timestamp).toDateString() !== day;
      if (newDay) add(`day ${day}`, () => divider(dayText(new Date(message.timestamp))));
      if (!newShown && this.#isNew(message)) {
        newShown = true;
        add("new", () => divider("New", "new"));
      }
      const compact = above !== null && !newDay && joins(above, message);
      keys.add(message.id);
      elements.push(this.#message(message, compact));
      above = message;
    }
    for (const key of this.#drawn.keys()) if (!keys.has(key)) this.#drawn.delete(key);
    return elements;
  }

  #isNew({ id, author }) {
    return this.#newAfter !== null && compareIds(id, this.#newAfter) > 0 && author.id !== this.#view.session.me.id;
  }

  /** The element of a message. A newer state replaces it as soon as its pictures are loaded. */
  #message(message, compact) {
    const entry = this.#drawn.get(message.id);
    if (entry && entry.message === message && entry.compact === compact) return entry.element;
    const fresh = messageElement(message, { compact }, this.#view);
    if (!entry) {
      this.#drawn.set(message.id, { message, compact, element: fresh });
      return fresh;
    }
    Object.assign(entry, { message, compact, fresh });
    const take = () => {
      if (entry.fresh !== fresh) return;
      entry.fresh = null;
      this.hold.note();
      swap(entry.element, fresh);
      entry.element = fresh;
      this.hold.restore();
    };
    const ready = picturesReady(fresh, entry.element);
    if (ready) ready.then(() => undisturbed(take));
    else take();
    return entry.element;
  }

  /** True if the newest message is visible. */
  get #attentive() {
    return this.hold.atEnd && document.hasFocus() && !document.hidden;
  }

  #noteNews({ newest }) {
    const { session } = this.#view;
    if (!newest) return;
    const seen = session.reading.seen(this.#channel);
    const unread = seen !== "0" && compareIds(newest.id, seen) > 0;
    if (newest.author.id === session.me.id) this.#newAfter = null;
    else if (this.#newAfter === null && unread && !this.#attentive) this.#newAfter = seen;
  }

  #scrolled() {
    if (this.#channel === null) return;
    const { session } = this.#view;
    const timeline = session.timeline(this.#channel);
    const read = this.#lastRead(timeline);
    if (read) session.reading.markRead(this.#channel, read.id);
    this.jump.hidden = this.hold.atEnd;
    const seen = session.reading.seen(this.#channel);
    const unread = timeline.messages.filter(({ local, id }) => !local && compareIds(id, seen) > 0).length;
    const words = unread ? `${unread} new ${unread === 1 ? "message" : "messages"}` : "Jump to the newest";
    this.jump.replaceChildren(words, icon("down"));
    if (this.hold.nearStart) this.#older();
  }

  /** The newest message that is visible to its end; nothing if the window has no focus. */
  #lastRead({ messages, newest }) {
    if (this.#attentive) return newest;
    if (!document.hasFocus() || document.hidden || !this.#view.session.isUnread(this.#channel)) return null;
    const end = this.scroller.getBoundingClientRect().bottom;
    const ends = ({ id }) => this.#drawn.get(id)?.element.getBoundingClientRect().bottom;
    return messages.findLast((message) => !message.local && ends(message) <= end);
  }

  async #older() {
    const { session } = this.#view;
    const timeline = session.timeline(this.#channel);
    if (this.#readingOlder || !timeline.loaded || timeline.complete) return;
    this.#readingOlder = true;
    try {
      await session.readOlder(this.#channel);
    } catch {
      // Scrolling up again tries again.
    } finally {
      this.#readingOlder = false;
    }
  }
}

/** True if a message is grouped under the name of the one above it. */
function joins(above, message) {
  return above.author.id === message.author.id
    && new Date(message.timestamp) - new Date(above.timestamp) < TOGETHER
    && !commandOf(message) && !message.message_reference
    && isEphemeral(above) === isEphemeral(message)
    && Boolean(above.local) === Boolean(message.local);
}

function divider(text, kind = "day") {
  return h("div", { class: `divider ${kind}`, role: "separator" }, h("span", {}, text));
}

function intro(channel) {
  return h("div", { class: "intro" },
    h("span", { class: "intro-mark" }, icon(signOf(channel))),
    h("h2", {}, titleOf(channel)),
    h("p", {}, channel.topic || `This is the beginning of ${isThread(channel) ? "the thread" : titleOf(channel)}.`));
}
