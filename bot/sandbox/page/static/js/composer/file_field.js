/** An option of the command being composed that takes a file. It is uploaded when the command is sent. */

import { button, h, icon, uniqueId } from "../core/dom.js";

export class FileField {
  #session;

  /**
   * @param {import("../core/types.js").Option} option
   * @param {{session: import("../core/session.js").Session, suggestions: import("./suggestions.js").Suggestions,
   *   onRemove: (field: FileField) => void}} around
   */
  constructor(option, { session, suggestions, onRemove }) {
    this.option = option;
    this.#session = session;
    this.suggestions = suggestions;
    const id = uniqueId("field");
    this.input = h("input", { id, type: "file", "aria-required": String(Boolean(option.required)) });
    const remove = option.required
      ? null
      : button("field-remove", icon("close"), () => onRemove(this), { "aria-label": `Remove ${option.name}` });
    this.element = h("span", { class: "field" }, h("label", { for: id }, option.name), this.input, remove);
    this.input.addEventListener("change", () => this.#valid(true));
  }

  get empty() {
    return !this.input.files.length;
  }

  /** A file is chosen, never typed. */
  get text() {
    return "";
  }

  set text(_) {}

  /** @returns {Promise<string>} the id of the uploaded file; rejects with a sentence */
  async read() {
    return (await this.#session.api.upload(this.input.files[0])).id;
  }

  /** Autocomplete of other options does not include a file, which is not uploaded yet. */
  get valueIfAny() {
    return undefined;
  }

  get partial() {
    return undefined;
  }

  focus() {
    this.input.focus();
  }

  reject() {
    this.#valid(false);
  }

  suggest() {
    this.suggestions.hide();
  }

  forget() {}

  #valid(valid) {
    this.element.classList.toggle("invalid", !valid);
    if (valid) this.input.removeAttribute("aria-invalid");
    else this.input.setAttribute("aria-invalid", "true");
  }
}
