/** The room for the picture of a message: as high as possible with all that is below the picture in sight. */

/** The least room so far by message, in pixels: a board keeps its size from move to move. */
const LEAST = new Map();
/** The size of the window for which that holds. */
let measuredFor = "";

const WATCHED = new WeakSet();

const SIZES = new ResizeObserver((entries) => {
  for (const element of new Set(entries.flatMap(({ target }) => partsIn(target)))) measure(element);
});

/** The parts of messages whose room depends on the size of an element. */
function partsIn(element) {
  return element.matches(".scroller") ? [...element.querySelectorAll("[data-room]")] : [element.parentElement];
}

/** Keeps the room for the picture among the parts of a message up to date. */
export function keepRoom(element, message) {
  element.dataset.room = message.id;
  const known = currentSizes().get(message.id);
  if (known !== undefined) element.style.setProperty("--room", `${known}px`);
  for (const child of element.children) {
    if (!child.matches(".gallery")) SIZES.observe(child);
  }
}

function measure(element) {
  const shown = element?.querySelector(":scope > .gallery img");
  const whole = element?.closest("article");
  const scroller = element?.closest(".scroller");
  if (!shown || !whole || !scroller) return;
  if (!WATCHED.has(scroller)) {
    WATCHED.add(scroller);
    SIZES.observe(scroller);
  }
  const description = element.querySelector(":scope > .gallery .alt-text");
  const rest = whole.getBoundingClientRect().bottom - shown.getBoundingClientRect().bottom - (description?.offsetHeight ?? 0);
  const sizes = currentSizes();
  const room = Math.min(Math.floor(scroller.clientHeight - rest), sizes.get(element.dataset.room) ?? Infinity);
  sizes.set(element.dataset.room, room);
  element.style.setProperty("--room", `${room}px`);
}

/** The least room by message; none after the window has changed its size. */
function currentSizes() {
  const size = `${innerWidth} x ${innerHeight}`;
  if (size !== measuredFor) LEAST.clear();
  measuredFor = size;
  return LEAST;
}
