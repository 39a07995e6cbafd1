/**
 * Building the page's elements. Text only ever enters the page as text nodes or
 * attribute values, so no text of a user can become markup.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with properties and children.
 *
 * `class` is the class name; `on` maps event names to listeners; `data` fills `dataset`; a boolean
 * switches an attribute on or off; null and undefined are left out; anything else is an attribute.
 * Children may be nodes, texts, arrays of them, or null.
 *
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...any} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (typeof value === "boolean" && !name.startsWith("aria-")) element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

const ICONS = {
  hash: "M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16",
  direct: "M4 5h16v11H11l-5 4v-4H4Z",
  thread: "M5 4v9a3 3 0 0 0 3 3h11M15 12l4 4-4 4",
  menu: "M4 7h16M4 12h16M4 17h16",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5"
    + "a6.5 6.5 0 0 1 3.5 5.5",
  auto: "M12 3a9 9 0 1 0 0 18ZM12 3a9 9 0 0 1 0 18",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4"
    + "M6.4 17.6 5 19",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
  play: "M7 4v16l13-8Z",
  close: "M6 6l12 12M18 6 6 18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  plus: "M12 5v14M5 12h14",
  send: "M4 12 20 4l-5 16-3.5-6.5L4 12Z",
  down: "M12 5v14M6 13l6 6 6-6",
  chevron: "M6 9l6 6 6-6",
  check: "M5 12.5l4.5 4.5L19 7.5",
  file: "M6 3h8l4 4v14H6ZM14 3v4h4",
  external: "M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0"
    + " 0-5Z",
};

/**
 * A line icon, hidden from assistive technology: the text beside it has its meaning.
 *
 * @param {keyof typeof ICONS} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

let serial = 0;

/** An id that no other element of this page has. */
export function uniqueId(prefix) {
  serial += 1;
  return `${prefix}-${serial}`;
}

/**
 * A button.
 *
 * @param {string} className
 * @param {any} content
 * @param {(event: Event) => void} press
 * @param {Record<string, any>} [props] further properties, as `h` takes them
 */
export function button(className, content, press, props = {}) {
  return h("button", { type: "button", class: className, on: { click: press }, ...props }, content);
}

/** A button that is an icon; `label` is its name and its tooltip. */
export function iconButton(name, label, press, { class: more = "", ...props } = {}) {
  return button(`icon-button ${more}`.trim(), icon(name), press, { "aria-label": label, title: label, ...props });
}

/** Gives an element the accent colour that a bot chose, a number like 0xC0392B; null leaves it as it is. */
export function accent(element, colour) {
  if (!Number.isInteger(colour)) return;
  element.style.setProperty("--accent-colour", `#${colour.toString(16).padStart(6, "0")}`);
}

/** A number in a small disc; nothing for zero. */
export function countBadge(number) {
  return number ? h("span", { class: "count" }, String(number)) : null;
}

/** The picture of an emoji that an application or a server has of its own. `alt` is what stands for it in words. */
export function emojiPicture({ id, name }, alt) {
  return h("img", { class: "emoji", src: `/emojis/${id}.png`, alt, title: `:${name}:`, draggable: "false" });
}

/** The address if it leads to a page or file over HTTP, else null. */
export function safeUrl(address) {
  try {
    const url = new URL(address, location.href);
    return ["http:", "https:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
