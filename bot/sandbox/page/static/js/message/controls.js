/** Buttons and select menus of messages. */

import { button, emojiPicture, h, icon, safeUrl } from "../core/dom.js";
import { nameOf } from "../core/people.js";
import { COMPONENT } from "../core/types.js";
import { Select } from "./select.js";

/**
 * @typedef {import("../core/types.js").Component} Component
 * @typedef {import("../core/types.js").Message} Message
 * @typedef {import("./view.js").View} View
 */

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "secondary" };
const LINK = 5;

/** An emoji on a control, whose label says the same in words. */
function emojiElement(emoji) {
  if (!emoji?.name) return null;
  return emoji.id ? emojiPicture(emoji, "") : h("span", { class: "emoji" }, emoji.name);
}

/** @param {Component} component @param {Message} message @param {View} view */
export function buttonElement(component, message, view) {
  const { style, url, disabled, emoji, custom_id: customId = "" } = component;
  const content = [emojiElement(emoji), component.label ? h("span", {}, component.label) : null];
  if (style === LINK) {
    return h("a", {
      class: "button link", href: safeUrl(url), target: "_blank", rel: "noopener noreferrer",
      "aria-disabled": disabled ? "true" : null,
    }, content, icon("external"));
  }
  const waiting = view.interactions.waiting(message.id);
  const busy = waiting === customId;
  const className = `button ${STYLES[style] ?? "secondary"}${busy ? " busy" : ""}`;
  return button(className, content, () => view.press(message, customId), {
    disabled: Boolean(disabled),
    // While an answer is awaited the controls keep their focus, so they are not really disabled.
    "aria-disabled": waiting !== undefined ? "true" : null,
    "aria-busy": busy ? "true" : null,
    "aria-label": component.label || emoji?.name || "Button",
    data: { key: customId },
  });
}

/** @param {Component} select @param {Message} message @param {View} view */
export function selectElement(select, message, view) {
  const waiting = view.interactions.waiting(message.id);
  const remembered = view.interactions.chosen(message.id, select);
  return new Select({
    label: select.placeholder || "Choose",
    placeholder: select.placeholder,
    items: selectItems(select, view, remembered),
    min: select.min_values ?? 1,
    max: select.max_values ?? 1,
    disabled: Boolean(select.disabled),
    busy: waiting === select.custom_id,
    paused: waiting !== undefined,
    key: select.custom_id,
    onCommit: (values) => view.choose(message, select, values),
  }).element;
}

/**
 * What a select menu offers.
 *
 * @param {Component} select
 * @param {View} view
 * @param {string[] | undefined} remembered values chosen before, instead of the defaults
 * @returns {import("./select.js").SelectItem[]}
 */
export function selectItems(select, view, remembered = undefined) {
  const defaults = remembered ?? (select.default_values ?? []).map(({ id }) => id);
  const selected = (id) => defaults.includes(id);
  const members = () => view.session.choosable.map((member) => ({
    value: member.id, label: nameOf(member), hint: member.bot ? "App" : "", person: member,
    selected: selected(member.id),
  }));
  switch (select.type) {
    case COMPONENT.STRING_SELECT:
      return (select.options ?? []).map((option) => ({
        value: option.value,
        label: option.label,
        hint: option.description ?? "",
        lead: emojiElement(option.emoji),
        selected: remembered ? remembered.includes(option.value) : Boolean(option.default),
      }));
    case COMPONENT.USER_SELECT:
    case COMPONENT.MENTIONABLE_SELECT:
      return members();
    case COMPONENT.CHANNEL_SELECT:
      return view.session.channelList
        .filter(({ name, type }) => name && (!select.channel_types?.length || select.channel_types.includes(type)))
        .map(({ id, name }) => ({ value: id, label: `#${name}`, hint: "", selected: selected(id) }));
    default:
      return [];
  }
}
