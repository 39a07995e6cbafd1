/** Drawing a part of the page anew. */

/**
 * Replaces an element's children; a control that had the focus gives it to its successor with the same key.
 *
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} children
 */
export function redraw(parent, children) {
  const { activeElement } = document;
  const key = parent.contains(activeElement) ? activeElement.dataset.key : undefined;
  const { scrollTop } = parent;
  parent.replaceChildren(...children);
  parent.scrollTop = scrollTop;
  if (key) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** Calls `draw` once before the next frame however often it is asked to. */
export function coalesced(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    queueMicrotask(() => {
      asked = false;
      draw();
    });
  };
}
