/** Drawing waits while a control is pressed: one that is replaced or moved meanwhile would never hear of its click. */

const CONTROLS = "button, a, label, [role=option]";

/** A press that lasts longer holds nothing up any more, in milliseconds. */
const LONGEST = 1000;

let pressed = false;
let timer = 0;
/** What waits for the end of the press. @type {Set<() => void>} */
const waiting = new Set();

function released() {
  pressed = false;
  clearTimeout(timer);
  const due = [...waiting];
  waiting.clear();
  for (const draw of due) draw();
}

addEventListener("pointerdown", ({ button, target }) => {
  if (button !== 0 || !(target instanceof Element) || !target.closest(CONTROLS)) return;
  pressed = true;
  clearTimeout(timer);
  timer = setTimeout(released, LONGEST);
}, true);
// The click follows at once, and what it leads to is drawn at once.
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => setTimeout(released), true);
addEventListener("click", () => {
  pressed = false;
}, true);

/** Draws now, or once the press under way is over; the same function only once. @param {() => void} draw */
export function undisturbed(draw) {
  if (pressed) waiting.add(draw);
  else draw();
}
