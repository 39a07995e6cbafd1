/** One message. */

import { button, h, icon, iconButton } from "../core/dom.js";
import { avatar, nameOf } from "../core/people.js";
import { COMPONENT } from "../core/types.js";
import { inlineMarkdown, markdown } from "../text/markdown.js";
import { fullText, sentText } from "../text/time.js";
import { componentElements } from "./components.js";
import { embedElement } from "./embeds.js";
import { attachmentElement } from "./media.js";
import { keepRoom } from "./room.js";

/**
 * @typedef {import("../core/types.js").Message} Message
 * @typedef {import("./view.js").View} View
 */

const V2_FLAG = 1 << 15;
const EPHEMERAL_FLAG = 1 << 6;
const REPLY = 19;
const CONTEXT_COMMAND = 23;
const PIN_ADDED = 6;
const JOINED = 7;
const THREAD_STARTED = 18;
const THREAD_FIRST = 21;

const hasFlag = (message, flag) => Boolean((message.flags ?? 0) & flag);

/** True if only one member sees a message. */
export const isEphemeral = (message) => Boolean(message.ephemeral_for) || hasFlag(message, EPHEMERAL_FLAG);

/** The command a message answers, or null. */
export function commandOf(message) {
  const user = message.interaction_metadata?.user ?? message.interaction?.user;
  const name = message.interaction?.name ?? message.interaction_metadata?.name;
  return user && name ? { user, name } : null;
}

/**
 * @param {Message} message
 * @param {{compact: boolean}} place `compact` leaves out what the message above it says already
 * @param {View} view
 */
export function messageElement(message, { compact }, view) {
  const { session } = view;
  const classes = ["message"];
  if (compact) classes.push("compact");
  if (session.mentionsMe(message)) classes.push("pinged");
  if (isEphemeral(message) || message.local) classes.push("ephemeral");
  const label = `${nameOf(message.author)}, ${fullText(new Date(message.timestamp))}`;
  // In the newer layout, components show the files of a message.
  const attachments = hasFlag(message, V2_FLAG) ? [] : message.attachments ?? [];
  return h("article", { class: classes.join(" "), tabindex: "-1", data: { id: message.id }, "aria-label": label },
    contextLine(message, view),
    compact ? h("span", { class: "gutter" }, timeOf(message)) : avatarButton(message, view),
    h("div", { class: "body" },
      compact ? null : headLine(message, view),
      content(message, view),
      group("attachments", attachments.map((attachment) => attachmentElement(attachment, view))),
      (message.embeds ?? []).map((embed) => embedElement(embed, view)),
      components(message, view),
      failureLine(message, view),
      ephemeralLine(message, view)),
    tools(message, view));
}

/** The components below the text of a message; null if there are none. */
function components(message, view) {
  const element = group("components", marked(componentElements(message.components ?? [], message, view), message));
  if (element) keepRoom(element, message);
  return element;
}

/** Wraps elements in another one; null if there are none. */
const group = (className, elements) => (elements.length ? h("div", { class: className }, elements) : null);

function timeOf(message) {
  const date = new Date(message.timestamp);
  return h("time", { class: "sent", datetime: date.toISOString(), title: fullText(date) }, sentText(date));
}

function avatarButton(message, view) {
  const hidden = { tabindex: "-1", "aria-hidden": "true" };
  return userButton("avatar-button", avatar(message.author), message.author, view, hidden);
}

/** A button that opens a user's menu, as does the right button of the mouse. */
function userButton(className, content, user, view, props) {
  const element = button(className, content, () => view.userMenu(user, element), props);
  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    event.stopPropagation();
    view.userMenu(user, { x: event.clientX, y: event.clientY });
  });
  return element;
}

function headLine(message, view) {
  return h("header", { class: "head" },
    userButton("author", nameOf(message.author), message.author, view, { "aria-haspopup": "menu" }),
    message.author.bot ? h("span", { class: "badge" }, "APP") : null,
    timeOf(message));
}

/** The line above a message about the message or command that it answers. */
function contextLine(message, view) {
  const command = commandOf(message);
  if (command) {
    const slash = message.type === CONTEXT_COMMAND ? "" : "/";
    return h("div", { class: "context" }, hook(), avatar(command.user),
      h("strong", {}, nameOf(command.user)), " used ", h("span", { class: "command-name" }, `${slash}${command.name}`));
  }
  const answered = answeredBy(message, view);
  if (!answered) return null;
  const snippet = inlineMarkdown(excerpt(answered), view.refs);
  return h("div", { class: "context" }, hook(), avatar(answered.author),
    h("strong", {}, nameOf(answered.author)), " ", h("span", { class: "snippet" }, snippet));
}

/** The first line of a message's text, without the marks of a heading; else what it has instead. */
function excerpt(message) {
  const words = [message.content, ...textsIn(message.components)].find((text) => text?.trim());
  return words?.trim().split("\n")[0].replace(/^(#+|-#|>) /, "") ?? "a message without text";
}

/** The texts of components, in their order. */
function textsIn(components = []) {
  return components.flatMap((it) => (it.type === COMPONENT.TEXT ? [it.content] : textsIn(it.components)));
}

/** The drawn line from a message up to that line. */
const hook = () => h("span", { class: "hook", "aria-hidden": "true" });

/** The message that another one replies to, if it is known here. */
function answeredBy(message, view) {
  const id = message.message_reference?.message_id;
  if (message.referenced_message || message.type !== REPLY || !id) return message.referenced_message ?? null;
  return view.session.timeline(message.channel_id).messages.find((other) => other.id === id) ?? null;
}

function content(message, view) {
  const system = (...words) => h("p", { class: "system" }, words);
  if (message.state === "thinking") {
    const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
    return h("p", { class: "thinking", role: "status" }, dots, `${nameOf(message.author)} is thinking…`);
  }
  if (message.state === "failed") return h("p", { class: "failure" }, "The bot did not answer in time.");
  if (message.type === JOINED) return system("joined the server.");
  if (message.type === PIN_ADDED) return system("pinned a message to this channel.");
  if (message.type === THREAD_STARTED) return system("started a thread: ", h("strong", {}, message.content));
  if (message.type === THREAD_FIRST && !message.content) return system("The thread begins here.");
  const text = message.content ? markdown(message.content, view.refs) : null;
  if (!message.edited_timestamp) return text;
  if (!text) return message.components?.length ? null : h("div", { class: "markdown" }, editedMark(message));
  const last = text.lastElementChild;
  (last?.matches("p") ? last : text).append(" ", editedMark(message));
  return text;
}

const editedMark = (message) =>
  h("span", { class: "edited", title: fullText(new Date(message.edited_timestamp)) }, "(edited)");

/** The components of a message; those of an edited message without text of its own say so at their end. */
function marked(elements, message) {
  const last = elements.at(-1);
  if (!last || message.content || !message.edited_timestamp) return elements;
  if (!last.matches(".markdown")) return [...elements, h("div", { class: "markdown" }, editedMark(message))];
  (last.lastElementChild ?? last).append(" ", editedMark(message));
  return elements;
}

function failureLine(message, view) {
  const why = view.interactions.failure(message.id);
  return why ? h("p", { class: "failure", role: "alert" }, why) : null;
}

function ephemeralLine(message, view) {
  if (!isEphemeral(message) && !message.local) return null;
  const dismiss = button("plain-link", "Dismiss message", () => view.dismiss(message), { data: { key: "dismiss" } });
  return h("p", { class: "only-you" }, icon("eye"), "Only you can see this · ", dismiss);
}

function tools(message, view) {
  if (message.local) return null;
  const open = () => view.messageMenu(message, more);
  const more = iconButton("more", "More about this message", open, { "aria-haspopup": "menu", data: { key: "more" } });
  return h("div", { class: "tools" }, more);
}
