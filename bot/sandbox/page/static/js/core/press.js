/** Delays drawing while a control is pressed: a control that is replaced or moved meanwhile would get no click. */

const CONTROLS = "button, a, label, [role=option]";

/** The longest delay by a press, in milliseconds. */
const LONGEST = 1000;

let pressed = false;
let timer = 0;
/** Functions that wait for the end of the press. @type {Set<() => void>} */
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
// The click follows at once, and its changes are drawn at once.
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => setTimeout(released), true);
addEventListener("click", () => {
  pressed = false;
}, true);

/** Draws now, or once the press under way is over; the same function only once. @param {() => void} draw */
export function undisturbed(draw) {
  if (pressed) waiting.add(draw);
  else draw();
}
