/** Dialogs over the page. The browser keeps the focus inside and returns it afterwards. */

import { h, iconButton, uniqueId } from "../core/dom.js";

/**
 * Opens a dialog.
 *
 * @param {{title: string, className: string, content: Node[], closeOnBackdrop?: boolean, onClose?: () => void}} options
 * @returns {HTMLDialogElement}
 */
export function openDialog({ title, className, content, closeOnBackdrop = false, onClose }) {
  const id = uniqueId("dialog");
  const close = iconButton("close", "Close", () => dialog.close(), { class: "dialog-close" });
  const dialog = h("dialog", { class: className, "aria-labelledby": id },
    h("header", { class: "dialog-head" }, h("h2", { id }, title), close), ...content);
  dialog.addEventListener("click", (event) => {
    if (closeOnBackdrop && event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
