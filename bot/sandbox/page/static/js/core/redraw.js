/** Drawing a part of the page again. */

import { undisturbed } from "./press.js";

/**
 * Replaces the children of an element that have changed. A control with the focus passes it on to the
 * new control with the same key. Unchanged children stay the same elements.
 *
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} children
 */
export function redraw(parent, children) {
  const drawn = [...parent.children];
  const wanted = children.map((child, place) => (drawn[place]?.isEqualNode(child) ? drawn[place] : child));
  if (wanted.length === drawn.length && wanted.every((child, place) => child === drawn[place])) return;
  const { activeElement } = document;
  const key = parent.contains(activeElement) ? activeElement.dataset.key : undefined;
  const { scrollTop } = parent;
  parent.replaceChildren(...wanted);
  parent.scrollTop = scrollTop;
  if (key) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** Calls `draw` once before the next frame, or after a press that is under way, however often it is asked to. */
export function coalesced(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    queueMicrotask(() => undisturbed(() => {
      asked = false;
      draw();
    }));
  };
}
