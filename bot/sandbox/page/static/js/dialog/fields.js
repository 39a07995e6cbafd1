/** The fields of a modal: each draws one input component, reads its value and describes problems with it. */

import { h, uniqueId } from "../core/dom.js";
import { COMPONENT } from "../core/types.js";
import { selectItems } from "../message/controls.js";
import { Select } from "../message/select.js";

/**
 * @typedef {import("../core/types.js").Component} Component
 * @typedef {{element: HTMLElement, customId: string, read: () => any, problem: () => string | null,
 *   focus: () => void}} Field
 *   `read` gives the value to submit; `problem` a sentence or null
 */

const PARAGRAPH = 2;

/** Input components by kind. */
const BUILD = {
  [COMPONENT.TEXT_INPUT]: textField,
  [COMPONENT.STRING_SELECT]: selectField,
  [COMPONENT.USER_SELECT]: selectField,
  [COMPONENT.ROLE_SELECT]: selectField,
  [COMPONENT.MENTIONABLE_SELECT]: selectField,
  [COMPONENT.CHANNEL_SELECT]: selectField,
  [COMPONENT.RADIO_GROUP]: radioField,
  [COMPONENT.CHECKBOX_GROUP]: checkboxGroupField,
  [COMPONENT.CHECKBOX]: checkboxField,
};

/**
 * @param {Component} component an input
 * @param {{label: string, description?: string, view: import("../message/view.js").View}} about
 * @returns {Field | null} null if this page has no such input
 */
export function modalField(component, about) {
  return BUILD[component.type]?.(component, about) ?? null;
}

const required = (component) => component.required ?? true;

function heading(component, label, description, { id, forId }) {
  const must = required(component) ? h("span", { class: "must", title: "required" }, " *") : null;
  return [
    h(forId ? "label" : "span", { class: "field-label", for: forId, id }, label, must),
    description ? h("span", { class: "field-description", id: `${id}-description` }, description) : null,
  ];
}

/** @returns {Field} */
function textField(component, { label, description }) {
  const id = uniqueId("input");
  const long = component.style === PARAGRAPH;
  const input = h(long ? "textarea" : "input", {
    id, type: long ? null : "text", rows: long ? "4" : null, autocomplete: "off", placeholder: component.placeholder,
    maxlength: component.max_length ?? 4000, "aria-required": String(required(component)),
    "aria-describedby": description ? `${id}-label-description` : null,
  });
  input.value = component.value ?? "";
  const counter = h("span", { class: "counter", "aria-hidden": "true" });
  const count = () => {
    counter.textContent = component.max_length ? `${input.value.length} / ${component.max_length}` : "";
  };
  input.addEventListener("input", count);
  count();
  return {
    customId: component.custom_id,
    element: h("div", { class: "modal-field" },
      heading(component, label, description, { id: `${id}-label`, forId: id }), input, counter),
    read: () => input.value,
    focus: () => input.focus(),
    problem: () => {
      if (!input.value.trim()) return required(component) ? `${label} is still missing.` : null;
      const least = component.min_length ?? 0;
      return input.value.length < least ? `${label} needs at least ${least} characters.` : null;
    },
  };
}

/** @returns {Field} */
function selectField(component, { label, description, view }) {
  const id = uniqueId("input");
  const least = required(component) ? component.min_values ?? 1 : 0;
  const select = new Select({
    label, placeholder: component.placeholder, items: selectItems(component, view), min: least,
    max: component.max_values ?? 1, disabled: component.disabled, key: component.custom_id, onCommit: () => {},
  });
  return {
    customId: component.custom_id,
    element: h("div", { class: "modal-field" }, heading(component, label, description, { id }), select.element),
    read: () => select.values,
    focus: () => select.trigger.focus(),
    problem: () => amountProblem(label, select.values.length, least, component.max_values ?? 1),
  };
}

function amountProblem(label, amount, least, most) {
  if (amount < least) return amount || least > 1 ? `${label}: choose at least ${least}.` : `${label} is still missing.`;
  return amount > most ? `${label}: choose at most ${most}.` : null;
}

/** One box with its label and description. */
function choice(kind, name, option) {
  const box = h("input", { type: kind, name, value: option.value });
  box.checked = Boolean(option.default);
  const hint = option.description ? h("span", { class: "hint" }, option.description) : null;
  const words = h("span", { class: "words" }, h("span", { class: "label" }, option.label), hint);
  return h("label", { class: "choice" }, box, words);
}

function choices(kind, component, { label, description }) {
  const id = uniqueId("input");
  const boxes = component.options.map((option) => choice(kind, id, option));
  const element = h("div", {
    class: "modal-field", role: kind === "radio" ? "radiogroup" : "group", "aria-labelledby": id,
    "aria-describedby": description ? `${id}-description` : null,
  }, heading(component, label, description, { id }), boxes);
  const inputs = boxes.map((box) => box.querySelector("input"));
  return { element, inputs, checked: () => inputs.filter((input) => input.checked).map((input) => input.value) };
}

/** @returns {Field} */
function radioField(component, about) {
  const { element, inputs, checked } = choices("radio", component, about);
  return {
    customId: component.custom_id, element, read: () => checked()[0] ?? null, focus: () => inputs[0]?.focus(),
    problem: () => (required(component) && !checked().length ? `${about.label} is still missing.` : null),
  };
}

/** @returns {Field} */
function checkboxGroupField(component, about) {
  const { element, inputs, checked } = choices("checkbox", component, about);
  const least = required(component) ? component.min_values ?? 1 : 0;
  const most = component.max_values ?? component.options.length;
  return {
    customId: component.custom_id, element, read: checked, focus: () => inputs[0]?.focus(),
    problem: () => amountProblem(about.label, checked().length, least, most),
  };
}

/** @returns {Field} */
function checkboxField(component, { label, description }) {
  const option = { value: "true", label, description, default: component.default };
  const element = choice("checkbox", uniqueId("input"), option);
  const box = element.querySelector("input");
  return {
    customId: component.custom_id, element: h("div", { class: "modal-field" }, element),
    read: () => box.checked, focus: () => box.focus(), problem: () => null,
  };
}
