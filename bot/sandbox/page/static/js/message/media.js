/** Pictures and files. */

import { button, h, icon, safeUrl, uniqueId } from "../core/dom.js";

/** @typedef {import("./view.js").View} View */

const PICTURE = /\.(png|jpe?g|gif|webp|avif|bmp|svg)$/i;

/** Whether an attachment or media item is a picture. */
export function isPicture(item) {
  if (item.content_type) return item.content_type.startsWith("image/");
  return PICTURE.test(new URL(item.url, location.href).pathname);
}

/**
 * A picture that opens in full size, with a badge that shows its alt text.
 *
 * @param {{url: string, width?: number | null, height?: number | null}} media
 * @param {{alt?: string | null, spoiler?: boolean, className?: string}} about
 * @param {View} view
 */
export function picture(media, { alt = "", spoiler = false, className = "picture" }, view) {
  const src = safeUrl(media.url);
  if (!src) return h("p", { class: "notice" }, "A picture with an address that cannot be shown.");
  // The size is known before the picture is: nothing jumps when it arrives.
  const size = { width: media.width || null, height: media.height || null };
  const img = h("img", { src, alt: alt || "", ...size, draggable: "false", decoding: "async" });
  const press = () => {
    if (figure.classList.contains("covered")) figure.classList.remove("covered");
    else view.showImage({ src, alt: alt || "" });
  };
  const open = button("picture-open", img, press, { "aria-label": alt ? `Open picture: ${alt}` : "Open picture" });
  const frame = h("div", { class: "picture-frame" }, open);
  const figure = h("figure", { class: spoiler ? `${className} covered` : className }, frame);
  if (media.width && media.height) {
    figure.classList.add("sized");
    figure.style.setProperty("--width", String(media.width));
    figure.style.setProperty("--height", String(media.height));
  }
  if (alt) {
    const { badge, text } = altText(alt);
    figure.append(badge, text);
  }
  return figure;
}

/** A picture's description, and the badge that shows it. */
function altText(alt) {
  const text = h("figcaption", { class: "alt-text", id: uniqueId("alt"), hidden: true }, alt);
  const toggle = () => {
    text.hidden = !text.hidden;
    badge.setAttribute("aria-expanded", String(!text.hidden));
  };
  const label = "Show the picture's description";
  const props = { "aria-expanded": "false", "aria-controls": text.id, "aria-label": label, title: label };
  const badge = button("alt-badge", "ALT", toggle, props);
  return { badge, text };
}

/** An attachment or a component's media item, whichever kind of file it is. */
export function attachmentElement(attachment, view) {
  const spoiler = Boolean(attachment.spoiler) || attachment.filename?.startsWith("SPOILER_");
  if (isPicture(attachment)) return picture(attachment, { alt: attachment.description, spoiler }, view);
  return fileElement(attachment.filename, attachment.size, attachment.url);
}

/** A card that leads to a file. `size` is in bytes. */
export function fileElement(name, size, url) {
  return h("a", { class: "file", href: safeUrl(url), target: "_blank", rel: "noopener noreferrer" },
    icon("file"),
    h("span", { class: "file-name" }, name || "file"),
    size ? h("span", { class: "file-size" }, sizeText(size)) : null);
}

function sizeText(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
