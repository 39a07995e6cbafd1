/** Discord's markup as elements of the page. */

import { button, emojiPicture, h, safeUrl } from "../core/dom.js";
import { blocks } from "./blocks.js";
import { inline } from "./inline.js";
import { timeElement } from "./time.js";

/**
 * What the markup may refer to.
 *
 * @typedef {{
 *   userName: (id: string) => string | null,
 *   roleName: (id: string) => string | null,
 *   channelName: (id: string) => string | null,
 *   isMe: (id: string) => boolean,
 *   openChannel: (id: string) => void,
 *   startCommand: (name: string) => void,
 * }} References
 */

const SPAN_TAGS = { strong: "strong", em: "em", underline: "u", strike: "s" };

/**
 * @param {string} source
 * @param {References} refs
 * @returns {HTMLElement} a div of class "markdown"
 */
export function markdown(source, refs) {
  return h("div", { class: "markdown" }, blocks(source).map((block) => blockElement(block, refs)));
}

/** Markup without blocks, for texts of one line: labels, titles, names of fields. */
export function inlineMarkdown(source, refs) {
  return inline(source).map((node) => inlineElement(node, refs));
}

function blockElement(block, refs) {
  switch (block.type) {
    case "heading":
      // The page uses h1 and h2 itself, so headings of messages begin with h3.
      return h(`h${block.level + 2}`, { class: `heading-${block.level}` }, inlines(block, refs));
    case "subtext":
      return h("p", { class: "subtext" }, inlines(block, refs));
    case "quote":
      return h("blockquote", {}, block.blocks.map((inner) => blockElement(inner, refs)));
    case "code":
      return h("pre", { tabindex: "0", "aria-label": "Code" },
        h("code", { data: { language: block.language } }, block.text));
    case "list":
      return h(block.ordered ? "ol" : "ul", { start: block.ordered ? block.start : null },
        block.items.map(({ children, lists }) =>
          h("li", {}, inlines({ children }, refs), lists.map((inner) => blockElement(inner, refs)))));
    default:
      return h("p", {}, inlines(block, refs));
  }
}

const inlines = (node, refs) => node.children.map((child) => inlineElement(child, refs));

/** @returns {Node | string} */
function inlineElement(node, refs) {
  switch (node.type) {
    case "text":
      return node.text;
    case "code":
      return h("code", { class: "inline" }, node.text);
    case "spoiler":
      return spoiler(inlines(node, refs));
    case "link": {
      const href = safeUrl(node.href);
      const props = { href, title: node.title, target: "_blank", rel: "noopener noreferrer" };
      return href ? h("a", props, inlines(node, refs)) : h("span", {}, inlines(node, refs));
    }
    case "user":
      return h("span", { class: refs.isMe(node.id) ? "mention me" : "mention", data: { user: node.id } },
        `@${refs.userName(node.id) ?? "unknown"}`);
    case "role":
      return h("span", { class: "mention" }, `@${refs.roleName(node.id) ?? "unknown"}`);
    case "everyone":
      return h("span", { class: "mention me" }, `@${node.name}`);
    case "channel":
      return channelMention(node.id, refs);
    case "command":
      return button("mention", `/${node.name}`, () => refs.startCommand(node.name));
    case "emoji":
      return emojiPicture(node, `:${node.name}:`);
    case "time":
      return timeElement(new Date(node.seconds * 1000), node.style);
    default:
      return h(SPAN_TAGS[node.type], {}, inlines(node, refs));
  }
}

function channelMention(id, refs) {
  const name = refs.channelName(id);
  if (name === null) return h("span", { class: "mention" }, "#unknown");
  return button("mention", `#${name}`, () => refs.openChannel(id));
}

/** Hidden from sight and from assistive technology until it is pressed. */
function spoiler(children) {
  const inside = h("span", { class: "inside", "aria-hidden": "true" }, children);
  const label = "Spoiler: press to show";
  const cover = h("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": label }, inside);
  const reveal = (event) => {
    if (cover.classList.contains("shown")) return;
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    cover.classList.add("shown");
    cover.removeAttribute("role");
    cover.removeAttribute("tabindex");
    cover.removeAttribute("aria-label");
    inside.removeAttribute("aria-hidden");
  };
  cover.addEventListener("click", reveal);
  cover.addEventListener("keydown", reveal);
  return cover;
}
