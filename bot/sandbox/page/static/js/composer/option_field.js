/** One option of the command being composed: its name and the typed value. */

import { button, h, icon, uniqueId } from "../core/dom.js";
import { fitting, pickable, readValue } from "./values.js";

/** @typedef {import("../core/types.js").Option} Option */

/** How long to wait for more typing before asking the bot, in milliseconds. */
const PAUSE = 120;

export class OptionField {
  #session;
  #picked = null;
  #ask;
  #suggestions;
  #onPicked;
  /** The number of requests to the bot: only the answer to the latest one is shown. */
  #latest = 0;

  /**
   * @param {Option} option
   * @param {{session: import("../core/session.js").Session, suggestions: import("./suggestions.js").Suggestions,
   *   ask: (option: Option) => Promise<import("../core/types.js").Choice[]>,
   *   onPicked: (field: OptionField) => void, onRemove: (field: OptionField) => void}} around
   */
  constructor(option, { session, suggestions, ask, onPicked, onRemove }) {
    this.option = option;
    this.#session = session;
    this.#suggestions = suggestions;
    this.#ask = ask;
    this.#onPicked = onPicked;
    const id = uniqueId("field");
    this.input = h("input", {
      id, type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", size: "8",
      "aria-autocomplete": "list", "aria-expanded": "false", "aria-required": String(Boolean(option.required)),
      maxlength: option.max_length ?? 6000,
    });
    const remove = option.required
      ? null
      : button("field-remove", icon("close"), () => onRemove(this), { "aria-label": `Remove ${option.name}` });
    this.element = h("span", { class: "field" }, h("label", { for: id }, option.name), this.input, remove);
    this.input.addEventListener("input", () => {
      this.#picked = null;
      this.#valid(true);
      this.suggest();
    });
  }

  get empty() {
    return !this.#picked && !this.input.value.trim();
  }

  /** The typed or picked value, as text. */
  get text() {
    return this.input.value;
  }

  set text(text) {
    this.#picked = null;
    this.input.value = text;
  }

  /** @returns {any} the option's value; throws an Error with a sentence if the text is not one */
  read() {
    return this.#picked ? this.#picked.value : readValue(this.option, this.input.value.trim(), this.#session);
  }

  /** The value if it can be read, else undefined. */
  get valueIfAny() {
    try {
      return this.empty ? undefined : this.read();
    } catch {
      return undefined;
    }
  }

  /** The value that is sent to the bot while this field is being typed. */
  get partial() {
    return this.#picked ? this.#picked.value : this.input.value;
  }

  /** Puts the caret at the end. */
  focus() {
    this.input.focus();
    this.input.setSelectionRange(this.text.length, this.text.length);
  }

  reject() {
    this.#valid(false);
  }

  /** Shows suggestions for this option, or nothing after a value was picked. */
  suggest() {
    this.#latest += 1;
    if (this.#picked) {
      this.#suggestions.hide();
    } else if (this.option.autocomplete) this.#askBot(this.#latest);
    else {
      const items = pickable(this.option, this.#session);
      if (items) this.#offer(fitting(items, this.input.value));
      else this.#suggestions.hide();
    }
  }

  /** Ignores answers that have not arrived yet. */
  forget() {
    this.#latest += 1;
  }

  #offer(items) {
    const onPick = (item) => this.#pick(item);
    this.#suggestions.show(this.input, { heading: this.option.name, items, short: true, onPick });
  }

  #pick(item) {
    this.#picked = item;
    this.input.value = item.label;
    this.#valid(true);
    this.#suggestions.hide();
    this.#onPicked(this);
  }

  async #askBot(question) {
    this.#suggestions.wait(this.input, `${this.option.name}: loading…`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (question !== this.#latest) return;
    try {
      const choices = await this.#ask(this.option);
      if (question === this.#latest) this.#offer(choices.map(({ name, value }) => ({ label: name, value })));
    } catch (error) {
      if (question === this.#latest) this.#suggestions.say(this.input, `${this.option.name}: ${error.message}`);
    }
  }

  #valid(valid) {
    this.element.classList.toggle("invalid", !valid);
    if (valid) this.input.removeAttribute("aria-invalid");
    else this.input.setAttribute("aria-invalid", "true");
  }
}
