/** Components, classic rows and the newer layout kinds, as elements of the page. */

import { accent, h } from "../core/dom.js";
import { COMPONENT } from "../core/types.js";
import { markdown } from "../text/markdown.js";
import { buttonElement, selectElement } from "./controls.js";
import { fileElement, isPicture, picture } from "./media.js";
import { keepRoom } from "./room.js";

/**
 * @typedef {import("../core/types.js").Component} Component
 * @typedef {import("../core/types.js").Message} Message
 * @typedef {import("./view.js").View} View
 */

/** @param {Component[]} components @param {Message} message @param {View} view */
export function componentElements(components, message, view) {
  return components.map((component) => componentElement(component, message, view));
}

/** @type {Record<number, (component: any, message: Message, view: View) => HTMLElement>} */
const DRAW = {
  [COMPONENT.ROW]: (row, message, view) =>
    h("div", { class: `row ${across(row)}`.trim() }, componentElements(row.components ?? [], message, view)),
  [COMPONENT.BUTTON]: buttonElement,
  [COMPONENT.STRING_SELECT]: selectElement,
  [COMPONENT.USER_SELECT]: selectElement,
  [COMPONENT.ROLE_SELECT]: selectElement,
  [COMPONENT.MENTIONABLE_SELECT]: selectElement,
  [COMPONENT.CHANNEL_SELECT]: selectElement,
  [COMPONENT.TEXT]: (text, message, view) => markdown(text.content ?? "", view.refs),
  [COMPONENT.SECTION]: (section, message, view) =>
    h("div", { class: "section" },
      h("div", { class: "section-texts" }, componentElements(section.components ?? [], message, view)),
      section.accessory ? h("div", { class: "accessory" }, componentElement(section.accessory, message, view)) : null),
  [COMPONENT.THUMBNAIL]: ({ media, description, spoiler }, message, view) =>
    picture(media, { alt: description, spoiler, className: "picture thumbnail" }, view),
  [COMPONENT.GALLERY]: (gallery, message, view) => galleryElement(gallery.items ?? [], view),
  [COMPONENT.FILE]: ({ file, name, size }) => fileElement(name ?? file.url.split("/").at(-1), size, file.url),
  [COMPONENT.SEPARATOR]: ({ divider = true, spacing = 1 }) =>
    h("hr", { class: `separator${divider ? "" : " plain"}${spacing === 2 ? " wide" : ""}` }),
  [COMPONENT.CONTAINER]: containerElement,
};

/** Three to five buttons with short words share the width of a phone; others break into several rows. */
function across(row) {
  const labels = (row.components ?? []).map((it) => it.label ?? "");
  const short = labels.every((it) => it.split(" ").every((word) => word.length <= LONGEST_WORD));
  return short ? { 3: "three", 4: "four", 5: "five" }[labels.length] ?? "" : "";
}

const LONGEST_WORD = 7;

function componentElement(component, message, view) {
  const draw = DRAW[component.type];
  if (draw) return draw(component, message, view);
  return h("p", { class: "notice" }, `This page cannot show components of kind ${component.type}.`);
}

function containerElement(container, message, view) {
  const className = container.spoiler ? "container covered" : "container";
  const parts = container.components ?? [];
  const element = h("div", { class: className }, componentElements(parts, message, view));
  keepRoom(element, message);
  accent(element, container.accent_color);
  element.addEventListener("click", () => element.classList.remove("covered"), { capture: true });
  return element;
}

function galleryElement(items, view) {
  return h("div", { class: `gallery count-${Math.min(items.length, 4)}` }, items.map((item) => {
    const media = item.media ?? {};
    if (media.url && !isPicture(media)) return fileElement(media.url.split("/").at(-1), media.size, media.url);
    return picture(media, { alt: item.description, spoiler: item.spoiler }, view);
  }));
}
