/** Lists that float above the page, beside their control. */

const MARGIN = 6;

/**
 * Shows a popover beside an element or a point: below it where there is room, else above.
 *
 * @param {HTMLElement} popup an element with the `popover` attribute
 * @param {HTMLElement | {x: number, y: number}} anchor
 * @param {{matchWidth?: boolean}} [options] at least as wide as the anchor
 */
export function showBeside(popup, anchor, { matchWidth = false } = {}) {
  const box = anchor instanceof Element
    ? anchor.getBoundingClientRect()
    : { left: anchor.x, right: anchor.x, top: anchor.y, bottom: anchor.y, width: 0 };
  popup.style.minWidth = matchWidth ? `${box.width}px` : "";
  popup.style.maxHeight = "";
  if (!popup.matches(":popover-open")) popup.showPopover();
  const below = innerHeight - box.bottom - 2 * MARGIN;
  const above = box.top - 2 * MARGIN;
  const upwards = popup.offsetHeight > below && above > below;
  popup.style.maxHeight = `${Math.max(upwards ? above : below, 80)}px`;
  popup.style.top = `${upwards ? Math.max(box.top - popup.offsetHeight - MARGIN, MARGIN) : box.bottom + MARGIN}px`;
  popup.style.left = `${Math.max(MARGIN, Math.min(box.left, innerWidth - popup.offsetWidth - MARGIN))}px`;
}
