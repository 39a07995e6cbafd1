/** Classic embeds. */

import { accent, h, safeUrl } from "../core/dom.js";
import { inlineMarkdown, markdown } from "../text/markdown.js";
import { sentText } from "../text/time.js";
import { picture } from "./media.js";

/** @param {any} embed Discord's embed object @param {import("./view.js").View} view */
export function embedElement(embed, view) {
  const fields = (embed.fields ?? []).map((field) => fieldElement(field, view));
  const element = h("div", { class: "embed" },
    embed.thumbnail?.url ? picture(embed.thumbnail, { className: "picture thumbnail" }, view) : null,
    embed.author?.name ? h("div", { class: "embed-author" }, linked(embed.author.name, embed.author.url)) : null,
    embed.title ? h("div", { class: "embed-title" }, linked(inlineMarkdown(embed.title, view.refs), embed.url)) : null,
    embed.description ? markdown(embed.description, view.refs) : null,
    fields.length ? h("dl", { class: "embed-fields" }, fields) : null,
    embed.image?.url ? picture(embed.image, { alt: embed.image.description }, view) : null,
    footer(embed));
  accent(element, embed.color);
  return element;
}

function linked(content, url) {
  const href = url ? safeUrl(url) : null;
  return href ? h("a", { href, target: "_blank", rel: "noopener noreferrer" }, content) : content;
}

function fieldElement(field, view) {
  return h("div", { class: field.inline ? "embed-field inline" : "embed-field" },
    h("dt", {}, inlineMarkdown(field.name, view.refs)), h("dd", {}, markdown(field.value, view.refs)));
}

function footer({ footer: words, timestamp }) {
  const parts = [words?.text, timestamp ? sentText(new Date(timestamp)) : null].filter(Boolean);
  return parts.length ? h("div", { class: "embed-footer" }, parts.join(" · ")) : null;
}
