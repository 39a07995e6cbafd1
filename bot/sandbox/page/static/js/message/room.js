/** The room for the picture of a message: as high as possible with all in sight that is below the picture. */

/** The least room so far by message, in pixels: a board keeps its size from move to move. */
const LEAST = new Map();
/** A board grows again only if the room is so many times as large, as after the texts and buttons of a first move. */
const LARGER = 1.25;
/** The size of the window for which that holds. */
let measuredFor = "";

/** A picture is at least so high, even if that is more than the room. */
const LOWEST = 200;
/** More than this below a message is no mention of it but other messages, which may lie out of sight. */
const MOST_BELOW = 130;

const WATCHED = new WeakSet();

const SIZES = new ResizeObserver((entries) => {
  for (const element of new Set(entries.flatMap(({ target }) => partsIn(target)))) measure(element);
});

/** The parts of messages whose room depends on the size of an element. */
function partsIn(element) {
  const all = element.matches(".scroller, .messages");
  return all ? [...element.querySelectorAll("[data-room]")] : [element.parentElement];
}

/** Keeps the room for the picture among the parts of a message up to date. */
export function keepRoom(element, message) {
  element.dataset.room = message.id;
  const known = currentSizes().get(message.id);
  if (known !== undefined) element.style.setProperty("--room", `${Math.max(known, LOWEST)}px`);
  for (const child of element.children) {
    if (!child.matches(".gallery")) SIZES.observe(child);
  }
}

function measure(element) {
  const shown = element?.querySelector(":scope > .gallery img");
  const whole = element?.closest("article");
  const scroller = element?.closest(".scroller");
  if (!shown || !whole || !scroller) return;
  const list = whole.parentElement;
  for (const watched of [scroller, list].filter((it) => !WATCHED.has(it))) {
    WATCHED.add(watched);
    SIZES.observe(watched);
  }
  const description = element.querySelector(":scope > .gallery .alt-text");
  const [{ bottom: end }, { bottom }] = [list, whole].map((it) => it.getBoundingClientRect());
  const rest = bottom - shown.getBoundingClientRect().bottom - (description?.offsetHeight ?? 0);
  const reserved = Number.parseFloat(getComputedStyle(element).getPropertyValue("--below"));
  const below = Math.max(reserved, end - bottom <= MOST_BELOW ? end - bottom : 0);
  const sizes = currentSizes();
  const free = Math.floor(scroller.clientHeight - rest - below);
  const least = sizes.get(element.dataset.room) ?? free;
  const room = free > LARGER * Math.max(least, LOWEST) ? free : Math.min(free, least);
  sizes.set(element.dataset.room, room);
  element.style.setProperty("--room", `${Math.max(room, LOWEST)}px`);
}

/** The least room by message; none after the window has changed its size. */
function currentSizes() {
  const size = `${innerWidth} x ${innerHeight}`;
  if (size !== measuredFor) LEAST.clear();
  measuredFor = size;
  return LEAST;
}
