/** Replacing a drawn message by its newer state without flicker and without losing the focus. */

import { Select } from "./select.js";

/** How long a new picture may hold a message back, in milliseconds. */
const PATIENCE = 1500;

const OPEN = ".select-trigger[aria-expanded='true']";

/**
 * Waits until the pictures that `older` does not show yet can be painted.
 *
 * @param {HTMLElement} fresh
 * @param {HTMLElement} older
 * @returns {Promise<void> | null} null when there is nothing to wait for
 */
export function picturesReady(fresh, older) {
  const shown = new Set([...older.querySelectorAll("img")].map((img) => img.src));
  const awaited = [...fresh.querySelectorAll("img")].filter((img) => !shown.has(img.src) && !img.complete);
  if (!awaited.length) return null;
  const decoded = Promise.allSettled(awaited.map((img) => img.decode()));
  return Promise.race([decoded, new Promise((resolve) => setTimeout(resolve, PATIENCE))]).then(() => undefined);
}

/** Puts `fresh` where `older` is: pictures already painted move over, and so do the focus and an open menu. */
export function swap(older, fresh) {
  const painted = new Map([...older.querySelectorAll("img")].map((img) => [img.src, img]));
  const focus = focusPlace(older);
  const menu = older.querySelector(OPEN);
  for (const img of fresh.querySelectorAll("img")) {
    const same = painted.get(img.src);
    if (!same) continue;
    painted.delete(img.src);
    for (const { name, value } of img.attributes) same.setAttribute(name, value);
    img.replaceWith(same);
  }
  const read = [...older.querySelectorAll(".alt-badge")].map((badge) => badge.getAttribute("aria-expanded") === "true");
  older.replaceWith(fresh);
  fresh.querySelectorAll(".alt-badge").forEach((badge, index) => {
    if (read[index]) badge.click();
  });
  if (focus) restoreFocus(fresh, focus);
  if (menu) Select.goOn(menu, fresh.querySelector(`.select-trigger[data-key="${CSS.escape(menu.dataset.key)}"]`));
}

const controls = (root) => [...root.querySelectorAll("button:not([disabled]):not([tabindex='-1']), a[href]")];

function focusPlace(root) {
  const { activeElement } = document;
  if (!activeElement || !root.contains(activeElement)) return null;
  return { key: activeElement.dataset.key, index: controls(root).indexOf(activeElement) };
}

/** To the same control; else, as its id changes with every move, to the one in its place; else to the message. */
function restoreFocus(root, { key, index }) {
  const all = controls(root);
  const same = all.find((control) => key && control.dataset.key === key);
  const inItsPlace = index >= 0 ? all[Math.min(index, all.length - 1)] : null;
  (same ?? inItsPlace ?? root).focus({ preventScroll: true });
}
