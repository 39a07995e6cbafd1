/** The dialog for the name of a new thread. */

import { h } from "../core/dom.js";
import { openDialog } from "./dialog.js";

/**
 * @param {import("../core/types.js").Channel} channel
 * @param {(name: string) => Promise<string>} create makes it; answers its id
 * @param {(thread: string) => void} open
 */
export function askThreadName(channel, create, open) {
  const input = h("input", { type: "text", id: "thread-name", maxlength: "100", autocomplete: "off" });
  const alert = h("p", { class: "failure", role: "alert", hidden: true });
  const label = h("label", { class: "field-label", for: "thread-name" }, "Name");
  const submit = h("button", { type: "submit", class: "button primary" }, "Create thread");
  const form = h("form", { class: "modal-form" },
    h("div", { class: "modal-parts" }, h("div", { class: "modal-field" }, label, input)),
    alert, h("footer", { class: "dialog-foot" }, submit));
  const dialog = openDialog({ title: `New thread in #${channel.name}`, className: "modal", content: [form] });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = input.value.trim();
    submit.disabled = true;
    try {
      if (!name) throw new Error("A thread needs a name.");
      const thread = await create(name);
      // Close first: nothing behind an open dialog can take the focus.
      dialog.close();
      open(thread);
    } catch (error) {
      alert.hidden = false;
      alert.textContent = error.message;
      input.focus();
    } finally {
      submit.disabled = false;
    }
  });
  input.focus();
}
