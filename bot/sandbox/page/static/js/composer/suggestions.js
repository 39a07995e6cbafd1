/** The list above the composer, and its heading. */

import { h } from "../core/dom.js";
import { Listbox } from "../core/listbox.js";

export class Suggestions {
  #owner = null;
  #onPick = () => {};

  constructor() {
    this.list = new Listbox({ label: "Suggestions", onPick: (item) => this.#onPick(item) });
    this.heading = h("p", { class: "suggestions-heading", role: "status" });
    this.element = h("div", { class: "suggestions", hidden: true }, this.heading, this.list.element);
  }

  /** True if something can be picked. */
  get open() {
    return !this.element.hidden && this.list.items.length > 0;
  }

  /**
   * @param {HTMLElement} owner the control that keeps the focus
   * @param {{heading: string, items: import("../core/listbox.js").Item[], onPick: (item: any) => void,
   *   short?: boolean}} content
   */
  show(owner, { heading, items, onPick, short = false }) {
    this.#take(owner);
    this.#onPick = onPick;
    this.element.classList.remove("waiting");
    this.element.classList.toggle("short", short);
    this.heading.textContent = items.length ? heading : `${heading}: nothing fits`;
    this.element.hidden = false;
    this.#expanded(items.length > 0);
    this.list.show(items);
  }

  /** Marks the list as outdated while an answer is awaited: it can no longer be picked from. */
  wait(owner, heading) {
    this.#take(owner);
    this.heading.textContent = heading;
    this.element.hidden = false;
    this.element.classList.add("waiting");
    this.list.activate(-1);
    this.list.items = [];
  }

  /** A sentence instead of a list. */
  say(owner, sentence) {
    this.#take(owner);
    this.list.clear();
    this.heading.textContent = sentence;
    this.element.hidden = false;
    this.element.classList.remove("waiting");
    this.#expanded(false);
  }

  hide() {
    this.element.hidden = true;
    this.#expanded(false);
    this.list.clear();
  }

  /** True if the active suggestion has this label. */
  is(text) {
    return this.open && this.list.items[this.list.active]?.label.toLowerCase() === text.trim().toLowerCase();
  }

  /** Handles the keys of an open list; true if the key was one of them. */
  key(event) {
    if (!this.open) return false;
    const { key } = event;
    if (key === "ArrowDown") this.list.move(1);
    else if (key === "ArrowUp") this.list.move(-1);
    else if ((key === "Enter" || key === "Tab") && !event.shiftKey && this.list.active >= 0) this.list.pick();
    else if (key === "Escape") this.hide();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Only a combobox may say whether its list is open; a text area just names the active option. */
  #expanded(open) {
    if (this.#owner?.getAttribute("role") === "combobox") this.#owner.setAttribute("aria-expanded", String(open));
  }

  #take(owner) {
    if (this.#owner !== owner) {
      this.#owner?.removeAttribute("aria-activedescendant");
      this.#expanded(false);
    }
    this.#owner = owner;
    this.list.ownedBy(owner);
  }
}
