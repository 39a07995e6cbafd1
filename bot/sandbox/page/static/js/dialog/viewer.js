/** A picture in full size, with its alt text below. */

import { h } from "../core/dom.js";
import { openDialog } from "./dialog.js";

/** @param {{src: string, alt: string}} image */
export function showImage({ src, alt }) {
  const img = h("img", { src, alt });
  const stage = h("div", { class: "viewer-stage" }, img);
  const words = alt ? h("p", { class: "viewer-alt" }, alt) : null;
  const original = h("a", { href: src, target: "_blank", rel: "noopener noreferrer" }, "Open original");
  const dialog = openDialog({
    title: "Picture",
    className: "viewer",
    closeOnBackdrop: true,
    content: [stage, h("footer", { class: "viewer-foot" }, words, original)],
  });
  stage.addEventListener("click", (event) => {
    if (event.target === stage) dialog.close();
  });
}
