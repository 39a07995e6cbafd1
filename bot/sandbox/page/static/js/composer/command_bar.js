/** A command being composed: its name and a field for each option. */

import { button, h, iconButton } from "../core/dom.js";
import { failureText } from "../core/interactions.js";
import { OPTION } from "../core/types.js";
import { FileField } from "./file_field.js";
import { OptionField } from "./option_field.js";
import { kindText } from "./values.js";

/** @typedef {import("./catalogue.js").Entry} Entry */

export class CommandBar {
  #context;
  /** @type {(OptionField | FileField)[]} */
  #fields = [];
  #focused = null;

  /**
   * @param {Entry} entry
   * @param {{session: import("../core/session.js").Session, channel: () => string,
   *   suggestions: import("./suggestions.js").Suggestions, onSubmit: () => void,
   *   onCancel: (keep: boolean) => void}} context
   *   `onCancel(true)` goes back to the typed name, `onCancel(false)` drops the command
   */
  constructor(entry, context) {
    this.entry = entry;
    this.#context = context;
    this.hint = h("p", { class: "command-hint", role: "status" });
    this.fields = h("span", { class: "fields" });
    this.more = h("span", { class: "more-options" });
    const cancel = () => context.onCancel(false);
    const close = iconButton("close", `Cancel /${entry.title}`, cancel, { class: "command-close" });
    this.chip = h("span", { class: "command-chip", tabindex: "-1" }, `/${entry.title}`);
    this.element = h("div", { class: "command-bar", role: "group", "aria-label": `Command /${entry.title}` },
      this.chip, this.fields, this.more, close);
    for (const option of entry.options) if (option.required) this.#add(option);
    this.#drawMore();
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("focusin", (event) => this.#focusIn(event));
    this.element.addEventListener("focusout", () => this.#suspend());
    this.#drawHint();
  }

  /** Fills fields from a typed line. @param {Map<string, string>} typed */
  fill(typed) {
    for (const [name, text] of typed) {
      const option = this.entry.options.find((candidate) => candidate.name === name);
      if (option) (this.#field(name) ?? this.#add(option)).text = text;
    }
    this.#drawMore();
  }

  /** Puts the focus into the first empty field, else the last, else the command itself. */
  focus() {
    const target = this.#fields.find((field) => field.empty) ?? this.#fields.at(-1);
    if (!target) {
      this.chip.focus();
      return;
    }
    target.focus();
  }

  /**
   * The finished call.
   *
   * @returns {Promise<{name: string, subcommand?: string, options: Record<string, any>}>}
   * @throws {Error} with a sentence that says what is missing or wrong; the field in question has the focus then
   */
  async read() {
    const options = {};
    for (const field of this.#fields) {
      const { option } = field;
      if (field.empty && !option.required) continue;
      try {
        if (field.empty) throw new Error(`${option.name} is still missing: ${option.description.replace(/\.$/, "")}.`);
        options[option.name] = await field.read();
      } catch (error) {
        field.reject();
        field.input.focus();
        throw error;
      }
    }
    return { ...this.#call(), options };
  }

  /** True if a required option is empty. */
  get missing() {
    return this.#fields.some((field) => field.empty && field.option.required);
  }

  #call() {
    return { name: this.entry.command.name, ...(this.entry.path ? { subcommand: this.entry.path } : {}) };
  }

  #field(name) {
    return this.#fields.find((field) => field.option.name === name);
  }

  #add(option) {
    const Field = option.type === OPTION.ATTACHMENT ? FileField : OptionField;
    const field = new Field(option, {
      session: this.#context.session,
      suggestions: this.#context.suggestions,
      ask: (focused) => this.#askBot(focused),
      onPicked: (picked) => this.#advance(picked),
      onRemove: (removed) => this.#remove(removed),
    });
    this.#fields.push(field);
    this.fields.append(field.element);
    return field;
  }

  #remove(field) {
    field.forget();
    const at = this.#fields.indexOf(field);
    this.#fields.splice(at, 1);
    field.element.remove();
    this.#context.suggestions.hide();
    this.#drawMore();
    const before = this.#fields[Math.max(at - 1, 0)];
    (before?.input ?? this.chip).focus();
  }

  /** Buttons for the options that may be left out. */
  #drawMore() {
    const left = this.entry.options.filter((option) => !this.#field(option.name));
    this.more.replaceChildren(...left.map((option) => {
      const add = () => {
        const field = this.#add(option);
        this.#drawMore();
        field.input.focus();
      };
      const label = `Add ${option.name}: ${option.description}`;
      return button("add-option", `+ ${option.name}`, add, { title: option.description, "aria-label": label });
    }));
  }

  #drawHint() {
    const option = this.#focused?.option;
    if (!option) {
      this.hint.replaceChildren(h("strong", {}, `/${this.entry.title}`), " ", this.entry.description, " ",
        this.entry.options.length ? "" : h("span", { class: "need" }, "Enter sends"));
      return;
    }
    const need = [option.required ? "required" : "optional", kindText(option)].filter(Boolean).join(" · ");
    const words = [h("strong", {}, option.name), " ", option.description, " "];
    this.hint.replaceChildren(...words, h("span", { class: "need" }, need));
  }

  #focusIn(event) {
    this.#focused = this.#fields.find((field) => field.input === event.target) ?? null;
    this.#drawHint();
    if (this.#focused) this.#focused.suggest();
    else this.#context.suggestions.hide();
  }

  #suspend() {
    this.#focused?.forget();
    this.#focused = null;
    this.#context.suggestions.hide();
  }

  /** After a pick, moves the focus to the next required field. */
  #advance(field) {
    const next = this.#fields.find((other) => other !== field && other.empty && other.option.required);
    next?.input.focus();
  }

  #key(event) {
    const field = this.#focused;
    // A suggestion that is typed in full needs no Enter of its own.
    const whole = event.key === "Enter" && !event.isComposing && field && this.#context.suggestions.is(field.text);
    if (this.#context.suggestions.key(event)) {
      if (whole && !this.missing) this.#context.onSubmit();
      return;
    }
    if (event.key === "Enter" && !event.isComposing && (field || event.target === this.chip)) {
      event.preventDefault();
      this.#context.onSubmit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.#context.onCancel(false);
    } else if (event.key === "Backspace" && (event.target === this.chip || (field && !field.text))) {
      event.preventDefault();
      if (field && !field.option.required) this.#remove(field);
      else if (!field || this.#fields[0] === field) this.#context.onCancel(true);
      else this.#fields[this.#fields.indexOf(field) - 1].input.focus();
    } else if (event.key === ":" && field) this.#nameTyped(event, field);
    else if (event.target === this.chip) this.#typedAtChip(event);
  }

  /** If all options are optional, typing opens the first one and puts the letter there. */
  #typedAtChip(event) {
    if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) return;
    this.more.querySelector("button")?.click();
  }

  /** "size:" typed in a field opens that option, as in Discord. */
  #nameTyped(event, field) {
    const word = /(?:^|\s)([\p{L}\p{N}_-]+)$/u.exec(field.text.slice(0, field.input.selectionStart));
    const option = word && this.entry.options.find(({ name }) => name === word[1]);
    if (!option) return;
    event.preventDefault();
    field.text = field.text.slice(0, word.index);
    const target = this.#field(option.name) ?? this.#add(option);
    this.#drawMore();
    target.input.focus();
    if (target === field) field.suggest();
  }

  async #askBot(focused) {
    const options = {};
    for (const field of this.#fields) {
      const value = field.option === focused ? field.partial : field.valueIfAny;
      if (value !== undefined) options[field.option.name] = value;
    }
    const { session, channel } = this.#context;
    const call = { channel: channel(), ...this.#call(), options, focused: focused.name };
    const outcome = await session.api.autocomplete(call);
    if (outcome.outcome === "failed") throw new Error(failureText(outcome));
    return outcome.choices ?? [];
  }
}
