/** A menu beside a control or the pointer. */

import { button, h } from "../core/dom.js";
import { showBeside } from "../core/popup.js";

/**
 * Opens a menu. It closes when an item is picked, on Escape, or when the focus leaves it.
 *
 * @param {HTMLElement | {x: number, y: number}} anchor
 * @param {string} label what the menu is about
 * @param {{heading?: string, items: {label: string, pick: () => void}[]}[]} groups empty ones are left out
 */
export function openMenu(anchor, label, groups) {
  const before = document.activeElement;
  const itemElement = ({ label: text, pick }) => {
    const picked = () => {
      close(true);
      pick();
    };
    const item = button("menu-item", text, picked, { role: "menuitem", tabindex: "-1" });
    item.addEventListener("pointerenter", () => item.focus());
    return item;
  };
  const groupElement = ({ heading, items }) => h("div", { role: "group", "aria-label": heading },
    heading ? h("p", { class: "menu-heading" }, heading) : null, items.map(itemElement));
  const menu = h("div", { class: "popup menu", popover: "manual", role: "menu", "aria-label": label, tabindex: "-1" },
    groups.filter(({ items }) => items.length).map(groupElement));
  const items = [...menu.querySelectorAll(".menu-item")];

  let closed = false;
  const close = (restore) => {
    // Removing the menu moves the focus, which calls this again.
    if (closed) return;
    closed = true;
    removeEventListener("resize", drop);
    menu.remove();
    if (restore && before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  const drop = () => close(false);
  const step = (by) => {
    const at = items.indexOf(document.activeElement);
    items.at((at + by + items.length) % items.length)?.focus();
  };
  const keys = {
    ArrowDown: () => step(1), ArrowUp: () => step(items.includes(document.activeElement) ? -1 : 0),
    Home: () => items[0]?.focus(), End: () => items.at(-1)?.focus(), Escape: () => close(true), Tab: () => close(true),
  };
  menu.addEventListener("keydown", (event) => {
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (!menu.contains(relatedTarget)) drop();
  });
  addEventListener("resize", drop);
  document.body.append(menu);
  showBeside(menu, anchor);
  (items[0] ?? menu).focus({ preventScroll: true });
}
