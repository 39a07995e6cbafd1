/**
 * A list of options of which one is active. Focus stays with the control that owns the list;
 * that control names the active option in its `aria-activedescendant`.
 */

import { h, icon, uniqueId } from "./dom.js";
import { avatar } from "./people.js";

/**
 * @typedef {{value: any, label: string, hint?: string, lead?: Node | null,
 *   person?: import("./types.js").User, selected?: boolean, disabled?: boolean}} Item
 */

export class Listbox {
  /** @type {Item[]} */
  items = [];
  /** The index of the active item, or -1. */
  active = -1;
  #onPick;
  #multiple;
  #owner = null;

  /** @param {{label: string, multiple?: boolean, onPick: (item: Item) => void}} options */
  constructor({ label, multiple = false, onPick }) {
    this.#onPick = onPick;
    this.#multiple = multiple;
    this.element = h("div", {
      class: "listbox", role: "listbox", id: uniqueId("listbox"), "aria-label": label,
      "aria-multiselectable": multiple ? "true" : null,
    });
    // A press must not take the focus away from the owner.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** The control that keeps the focus and tells which option is active. */
  ownedBy(control) {
    this.#owner = control;
    control.setAttribute("aria-controls", this.element.id);
  }

  /** @param {Item[]} items @param {number} [active] */
  show(items, active = items.length ? 0 : -1) {
    this.items = items;
    this.element.replaceChildren(...items.map((item, index) => this.#option(item, index)));
    this.activate(active);
  }

  clear() {
    this.show([]);
  }

  /** Moves the active index by `step`, wrapping at the ends. */
  move(step) {
    const count = this.items.length;
    if (!count) return;
    const from = this.active < 0 && step < 0 ? count : this.active;
    this.activate((from + step + count) % count);
  }

  activate(index) {
    this.active = index;
    [...this.element.children].forEach((option, place) => {
      option.classList.toggle("active", place === index);
      if (!this.#multiple) option.setAttribute("aria-selected", String(place === index));
    });
    const option = this.element.children[index];
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.#owner?.setAttribute("aria-activedescendant", option.id);
    else this.#owner?.removeAttribute("aria-activedescendant");
  }

  /** Picks the active item; false if there is none. */
  pick() {
    const item = this.items[this.active];
    if (!item || item.disabled) return false;
    this.#onPick(item);
    return true;
  }

  #option(item, index) {
    const option = h("div", {
      class: "option", role: "option", id: uniqueId("option"),
      "aria-selected": this.#multiple ? String(Boolean(item.selected)) : "false",
      "aria-disabled": item.disabled ? "true" : null,
    },
    this.#multiple ? h("span", { class: "tick" }, item.selected ? icon("check") : null) : null,
    item.person ? avatar(item.person) : item.lead ?? null,
    h("span", { class: "words" },
      h("span", { class: "label" }, item.label),
      item.hint ? h("span", { class: "hint" }, item.hint) : null),
    !this.#multiple && item.selected ? icon("check") : null);
    option.addEventListener("pointermove", () => {
      if (this.active !== index) this.activate(index);
    });
    option.addEventListener("click", () => {
      this.activate(index);
      this.pick();
    });
    return option;
  }
}
