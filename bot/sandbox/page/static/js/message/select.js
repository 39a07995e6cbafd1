/** A select menu: one value or several, chosen by pointer or keyboard. */

import { button, h, icon } from "../core/dom.js";
import { Listbox } from "../core/listbox.js";
import { showBeside } from "../core/popup.js";

/** @typedef {import("../core/listbox.js").Item} SelectItem */

/** How long typed letters count as one word, in milliseconds. */
const TYPING = 700;

/** Select menus by the control that opens them. @type {WeakMap<Element, Select>} */
const MENUS = new WeakMap();

export class Select {
  #options;
  #chosen;
  /** What is ticked while the list is open. */
  #draft = [];
  #typed = "";
  #typedAt = 0;

  /**
   * @param {{label: string, placeholder?: string, items: SelectItem[], min: number, max: number,
   *   disabled?: boolean, busy?: boolean, paused?: boolean, key?: string,
   *   onCommit: (values: string[]) => void}} options
   *   `busy` shows that an answer is awaited; as long as it is `paused` the list does not open;
   *   `onCommit` gets what was chosen, in the menu's order, once the choosing is done
   */
  constructor(options) {
    this.#options = options;
    this.#chosen = options.items.filter((item) => item.selected).map((item) => item.value);
    const { label, disabled, busy, paused, key } = options;
    this.list = new Listbox({ label, multiple: this.#multiple, onPick: (item) => this.#picked(item) });
    this.trigger = h("button", {
      type: "button", class: `select-trigger${busy ? " busy" : ""}`, role: "combobox", "aria-haspopup": "listbox",
      "aria-expanded": "false", "aria-label": label, "aria-busy": busy ? "true" : null,
      "aria-disabled": paused ? "true" : null,
      disabled: Boolean(disabled), data: { key: key ?? "" },
    });
    MENUS.set(this.trigger, this);
    this.list.ownedBy(this.trigger);
    this.foot = h("div", { class: "select-foot" });
    this.popup = h("div", { class: "popup", popover: "manual" }, this.list.element, this.foot);
    // A press in the list must not take the focus away: the list would close before it is heard.
    this.popup.addEventListener("mousedown", (event) => event.preventDefault());
    this.element = h("div", { class: "select" }, this.trigger, this.popup);
    this.trigger.addEventListener("click", () => (this.#open ? this.#close() : this.#show()));
    this.trigger.addEventListener("keydown", (event) => this.#key(event));
    this.trigger.addEventListener("blur", () => this.#close());
    this.#label();
  }

  /** The values chosen at present. */
  get values() {
    return this.#chosen;
  }

  get #multiple() {
    return this.#options.max > 1;
  }

  get #open() {
    return this.trigger.getAttribute("aria-expanded") === "true";
  }

  #label() {
    const { items, placeholder } = this.#options;
    const names = items.filter((item) => this.#chosen.includes(item.value)).map((item) => item.label);
    this.trigger.replaceChildren(
      h("span", { class: names.length ? "value" : "value placeholder" }, names.join(", ") || placeholder || "Choose"),
      icon("chevron"),
    );
    const { label } = this.#options;
    this.trigger.setAttribute("aria-label", names.length ? `${label}: ${names.join(", ")}` : label);
  }

  /** Opens as the menu of an older trigger was left: what is still offered stays ticked, at the same option. */
  static goOn(older, fresh) {
    const [from, to] = [MENUS.get(older), MENUS.get(fresh)];
    if (!from || !to) return;
    to.#show();
    if (!to.#open) return;
    const values = to.#options.items.map(({ value }) => value);
    to.#draft = from.#draft.filter((value) => values.includes(value)).slice(0, to.#options.max);
    to.#draw(Math.max(values.indexOf(from.list.items[from.list.active]?.value), 0));
    to.#place();
  }

  #show() {
    if (this.#options.paused) return;
    this.#draft = [...this.#chosen];
    this.trigger.setAttribute("aria-expanded", "true");
    const first = this.#options.items.findIndex((item) => this.#chosen.includes(item.value));
    this.#draw(Math.max(first, 0));
    this.#place();
    this.list.activate(this.list.active);
    addEventListener("scroll", this.#scrolled, { capture: true });
    addEventListener("resize", this.#close);
  }

  #place() {
    showBeside(this.popup, this.trigger, { matchWidth: true });
  }

  /** The list goes along with its control, as when a message that arrives moves it; out of sight it closes. */
  #scrolled = (event) => {
    if (this.popup.contains(event.target)) return;
    const { top, bottom } = this.trigger.getBoundingClientRect();
    if (bottom > 0 && top < innerHeight) this.#place();
    else this.#close();
  };

  #close = () => {
    if (!this.#open) return;
    this.trigger.setAttribute("aria-expanded", "false");
    this.trigger.removeAttribute("aria-activedescendant");
    removeEventListener("scroll", this.#scrolled, { capture: true });
    removeEventListener("resize", this.#close);
    if (this.popup.matches(":popover-open")) this.popup.hidePopover();
  };

  #draw(active) {
    const { items, max } = this.#options;
    const full = this.#draft.length >= max;
    this.list.show(items.map((item) => {
      const selected = this.#draft.includes(item.value);
      return { ...item, selected, disabled: this.#multiple && full && !selected };
    }), active);
    if (!items.length) this.list.element.replaceChildren(h("p", { class: "nothing" }, "Nothing to choose from."));
    this.foot.replaceChildren(...(this.#multiple ? this.#footer() : []));
  }

  #footer() {
    const { min, max } = this.#options;
    const range = min === max ? `Choose ${max}` : `Choose ${min} to ${max}`;
    const props = { tabindex: "-1", disabled: !this.#enough };
    const done = button("button primary small", "Done", () => this.#commit(), props);
    return [h("span", { "aria-live": "polite" }, `${range} · ${this.#draft.length} chosen`), done];
  }

  get #enough() {
    return this.#draft.length >= Math.min(this.#options.min, this.#options.items.length);
  }

  #picked(item) {
    const ticked = this.#draft.includes(item.value);
    if (!this.#multiple) {
      this.#draft = ticked && this.#options.min === 0 ? [] : [item.value];
      this.#commit();
      return;
    }
    this.#draft = ticked ? this.#draft.filter((value) => value !== item.value) : [...this.#draft, item.value];
    this.#draw(this.list.active);
  }

  #commit() {
    if (!this.#enough) return;
    const order = this.#options.items.map((item) => item.value);
    this.#chosen = order.filter((value) => this.#draft.includes(value));
    this.#close();
    this.#label();
    this.#options.onCommit(this.#chosen);
  }

  #key(event) {
    const { key } = event;
    if (!this.#open) {
      if (!["ArrowDown", "ArrowUp", "Enter", " "].includes(key)) return;
      event.preventDefault();
      this.#show();
      return;
    }
    const last = this.#options.items.length - 1;
    const steps = {
      ArrowDown: () => this.list.move(1), ArrowUp: () => this.list.move(-1),
      Home: () => this.list.activate(0), End: () => this.list.activate(last),
    };
    if (steps[key]) steps[key]();
    else if (key === "Escape") this.#close();
    else if (key === "Enter" && this.#multiple) this.#commit();
    else if (key === "Enter" || key === " ") this.list.pick();
    else if (key.length === 1 && !event.ctrlKey && !event.metaKey) this.#seek(key);
    else return;
    event.preventDefault();
    // An open dialog or command must not take the same Escape as its own.
    event.stopPropagation();
  }

  /** Goes to the next option that begins with what was typed. */
  #seek(letter) {
    const now = Date.now();
    this.#typed = (now - this.#typedAt < TYPING ? this.#typed : "") + letter.toLowerCase();
    this.#typedAt = now;
    const at = this.#options.items.findIndex((item) => item.label.toLowerCase().startsWith(this.#typed));
    if (at >= 0) this.list.activate(at);
  }
}
