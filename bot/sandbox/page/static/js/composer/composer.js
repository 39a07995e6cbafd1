/** The composer: for messages, and for commands with their options. */

import { h, icon } from "../core/dom.js";
import { nameOf, titleOf } from "../core/people.js";
import { signOf } from "../core/types.js";
import { entries, matching, named, typedOptions } from "./catalogue.js";
import { CommandBar } from "./command_bar.js";
import { mentionAt, mentionable, withMentions } from "./mentions.js";
import { Suggestions } from "./suggestions.js";
import { fitting } from "./values.js";

/** The largest number of characters in a message. */
const LONGEST = 2000;

export class Composer {
  #view;
  #run;
  #onSend;
  #channel = null;
  /** @type {CommandBar | null} */
  #bar = null;
  #drafts = new Map();
  #busy = false;
  /** Settled once the messages sent so far have arrived, one after the other. */
  #sending = Promise.resolve();

  /**
   * @param {import("../message/view.js").View} view
   * @param {(call: object, title: string) => Promise<void>} run runs a command; rejects with a sentence
   * @param {() => void} onSend is called when a command or a message goes out
   */
  constructor(view, run, onSend) {
    this.#view = view;
    this.#run = run;
    this.#onSend = onSend;
    this.suggestions = new Suggestions();
    this.input = h("textarea", {
      id: "composer", rows: "1", maxlength: LONGEST, "aria-autocomplete": "list", "aria-label": "Message",
    });
    this.alert = h("p", { class: "composer-alert", role: "alert", hidden: true });
    this.send = h("button", { type: "submit", class: "icon-button send", "aria-label": "Send" }, icon("send"));
    this.slot = h("div", { class: "composer-slot" }, this.input);
    this.hintSlot = h("div", { class: "composer-hint" });
    this.element = h("form", { class: "composer", autocomplete: "off" },
      this.suggestions.element, this.alert, this.hintSlot, h("div", { class: "composer-box" }, this.slot, this.send));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.input.addEventListener("input", () => this.#typed());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("blur", () => this.suggestions.hide());
    this.input.addEventListener("focus", () => this.#suggest());
  }

  /** Restores the member's draft in a channel. */
  show(channel) {
    const { session } = this.#view;
    this.#channel = channel;
    this.#leaveCommand();
    this.#say(null);
    this.input.value = this.#drafts.get(this.#draftKey) ?? "";
    const there = session.channels.get(channel);
    const where = `${signOf(there) === "hash" ? "#" : ""}${titleOf(there)}`;
    this.input.placeholder = `Message ${where} as ${nameOf(session.me)}`;
    this.input.setAttribute("aria-label", `Message ${where} as ${nameOf(session.me)}. Type a slash for commands.`);
    this.#grow();
  }

  focus() {
    if (this.#bar) this.#bar.focus();
    else this.input.focus();
  }

  /** Begins a command by its name, as if it had been typed. */
  startCommand(title) {
    const entry = entries(this.#view.session.commands).find((candidate) => candidate.title === title);
    if (entry) this.#enterCommand(entry, new Map());
    else this.#write(`/${title}`);
  }

  /** Reads the text again after the commands have changed or arrived: it may name one. */
  commandsChanged() {
    if (this.#bar || document.activeElement !== this.input || !this.input.value.startsWith("/")) return;
    this.#read();
  }

  /** Inserts a text at the caret. */
  insert(text) {
    if (this.#bar) this.#leaveCommand();
    const { value, selectionStart } = this.input;
    const space = selectionStart && !/\s$/.test(value.slice(0, selectionStart)) ? " " : "";
    this.input.setRangeText(`${space}${text} `, selectionStart, this.input.selectionEnd, "end");
    this.input.focus();
    this.#typed();
  }

  get #draftKey() {
    return `${this.#view.session.me.id} ${this.#channel}`;
  }

  #write(text) {
    this.#leaveCommand();
    this.input.value = text;
    this.input.focus();
    this.input.setSelectionRange(text.length, text.length);
    this.#typed();
  }

  #typed() {
    this.#say(null);
    this.#grow();
    this.#drafts.set(this.#draftKey, this.input.value);
    this.#read();
  }

  /** Opens the command that the text names, or shows suggestions. */
  #read() {
    const found = named(entries(this.#view.session.commands), this.input.value);
    if (found) this.#enterCommand(found.entry, typedOptions(found.entry, found.rest));
    else this.#suggest();
  }

  #grow() {
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
  }

  #suggest() {
    const { session } = this.#view;
    const { value, selectionStart } = this.input;
    if (/^\/[^\n]*$/.test(value)) {
      const items = matching(entries(session.commands), value.slice(1))
        .map((entry) => ({ label: `/${entry.title}`, hint: entry.description, value: entry }));
      const heading = session.application ? `Commands of ${session.application.name}` : "No bot has logged in yet";
      const onPick = (item) => this.#enterCommand(item.value, new Map());
      this.suggestions.show(this.input, { heading, items, onPick });
      return;
    }
    const mention = mentionAt(value, selectionStart);
    if (!mention) {
      this.suggestions.hide();
      return;
    }
    const items = fitting(mentionable(mention.mark, session), mention.typed);
    if (!items.length) this.suggestions.hide();
    else {
      this.suggestions.show(this.input, {
        heading: mention.mark === "@" ? "Members" : "Channels", items,
        onPick: (item) => {
          this.input.setRangeText(`${item.value} `, mention.from, selectionStart, "end");
          this.#typed();
        },
      });
    }
  }

  #enterCommand(entry, typed) {
    this.suggestions.hide();
    this.#say(null);
    this.input.value = "";
    this.#drafts.delete(this.#draftKey);
    const bar = new CommandBar(entry, {
      session: this.#view.session,
      channel: () => this.#channel,
      suggestions: this.suggestions,
      onSubmit: () => this.#submit(),
      onCancel: (keep) => (keep ? this.#write(`/${entry.title}`) : this.#write("")),
    });
    this.#showBar(bar);
    bar.fill(typed);
    bar.focus();
  }

  #showBar(bar) {
    this.#bar = bar;
    this.slot.replaceChildren(bar.element);
    this.hintSlot.replaceChildren(bar.hint);
  }

  #leaveCommand() {
    this.suggestions.hide();
    if (!this.#bar) return;
    this.#bar = null;
    this.slot.replaceChildren(this.input);
    this.hintSlot.replaceChildren();
  }

  #key(event) {
    const sends = event.key === "Enter" && !event.shiftKey && this.#exact(this.input.value.trim());
    if (event.isComposing || (!sends && this.suggestions.key(event))) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.#submit();
    }
  }

  /** The command whose whole name is this text. */
  #exact(text) {
    return entries(this.#view.session.commands).find(({ title }) => `/${title}` === text);
  }

  async #submit() {
    if (this.#busy) return;
    const key = this.#draftKey;
    try {
      if (this.#bar) await this.#sendCommand(this.#bar);
      else await this.#sendText(this.input.value.trim());
    } catch (error) {
      if (this.#draftKey === key) this.#say(error.message);
    }
  }

  async #sendCommand(bar) {
    let call;
    this.#setBusy(true);
    try {
      call = await bar.read();
    } finally {
      this.#setBusy(false);
    }
    if (this.#bar !== bar) return;
    const key = this.#draftKey;
    const channel = this.#channel;
    // What is typed from now on is the next message. If the focus has moved elsewhere meanwhile, it stays there.
    const { activeElement } = document;
    const free = activeElement === document.body || this.element.contains(activeElement);
    this.#say(null);
    this.#leaveCommand();
    this.#grow();
    if (free) this.input.focus();
    this.#onSend();
    try {
      await this.#run({ channel, ...call }, `/${bar.entry.title}`);
    } catch (error) {
      if (this.#draftKey === key && !this.#bar && !this.input.value) {
        const focused = document.activeElement === this.input;
        this.#showBar(bar);
        if (focused) bar.focus();
      }
      throw error;
    }
  }

  async #sendText(text) {
    if (!text) return;
    const { session } = this.#view;
    if (text.startsWith("/")) {
      const entry = this.#exact(text);
      if (!entry) throw new Error(`There is no command ${text.split(" ")[0]}. Type / to see them all.`);
      this.#enterCommand(entry, new Map());
      if (!this.#bar.missing) await this.#sendCommand(this.#bar);
      return;
    }
    const key = this.#draftKey;
    const channel = this.#channel;
    // Text typed from now on belongs to the next message.
    this.#write("");
    this.#onSend();
    const sent = this.#sending.then(() => session.api.say(channel, withMentions(text, session)));
    this.#sending = sent.catch(() => {});
    try {
      await sent;
    } catch (error) {
      this.#giveBack(key, text);
      throw error;
    }
  }

  /** Puts a text that could not be sent back into its draft, before text written since. */
  #giveBack(key, text) {
    const since = this.#drafts.get(key);
    this.#drafts.set(key, since ? `${text}\n${since}` : text);
    if (this.#draftKey !== key || this.#bar) return;
    this.input.value = this.#drafts.get(key);
    this.#grow();
  }

  #setBusy(busy) {
    this.#busy = busy;
    this.element.classList.toggle("busy", busy);
    this.send.toggleAttribute("disabled", busy);
  }

  #say(sentence) {
    this.alert.hidden = !sentence;
    this.alert.textContent = sentence ?? "";
  }
}
