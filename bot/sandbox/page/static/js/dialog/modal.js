/** The form that a bot opens. */

import { button, h } from "../core/dom.js";
import { failureText } from "../core/interactions.js";
import { COMPONENT } from "../core/types.js";
import { markdown } from "../text/markdown.js";
import { openDialog } from "./dialog.js";
import { modalField } from "./fields.js";

/**
 * @param {{interaction: string, modal: import("../core/types.js").Modal}} opened
 * @param {import("../message/view.js").View} view
 */
export function openModal({ interaction, modal }, view) {
  const { session } = view;
  const fields = [];
  const parts = modal.components.map((component) => part(component, view, fields));
  const alert = h("p", { class: "failure", role: "alert", hidden: true });
  const submit = h("button", { type: "submit", class: "button primary" }, "Submit");
  const cancel = button("button secondary", "Cancel", () => dialog.close());
  const form = h("form", { class: "modal-form", novalidate: true },
    h("div", { class: "modal-parts" }, parts), alert, h("footer", { class: "dialog-foot" }, cancel, submit));
  const dialog = openDialog({ title: modal.title, className: "modal", content: [form] });

  const say = (sentence) => {
    alert.hidden = !sentence;
    alert.textContent = sentence ?? "";
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wrong = fields.find((field) => field.problem());
    if (wrong) {
      say(wrong.problem());
      wrong.focus();
      return;
    }
    say(null);
    submit.disabled = true;
    try {
      const values = Object.fromEntries(fields.map((field) => [field.customId, field.read()]));
      const outcome = await session.api.submit(interaction, modal.custom_id, values);
      if (outcome.outcome === "failed") say(`Something went wrong. ${failureText(outcome)} Try again.`);
      else {
        dialog.close();
        view.interactions.follow(outcome);
      }
    } catch (error) {
      say(error.message);
    } finally {
      submit.disabled = false;
    }
  });
  fields[0]?.focus();
}

/** One part of the form; the inputs found in it are added to `fields`. */
function part(component, view, fields) {
  if (component.type === COMPONENT.TEXT) return markdown(component.content, view.refs);
  const rows = component.type === COMPONENT.LABEL
    ? [{ input: component.component, label: component.label, description: component.description }]
    : (component.components ?? []).map((input) => ({ input, label: input.label ?? "", description: undefined }));
  return rows.map(({ input, label, description }) => {
    const field = modalField(input, { label, description, view });
    if (!field) return h("p", { class: "notice" }, `${label}: this page cannot show inputs of kind ${input.type}.`);
    fields.push(field);
    return field.element;
  });
}
