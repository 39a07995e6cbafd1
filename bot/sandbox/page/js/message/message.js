/** One message. */

import { h, icon } from "../core/dom.js";
import { avatar, nameOf } from "../core/people.js";
import { markdown } from "../text/markdown.js";
import { fullText, sentText } from "../text/time.js";
import { componentElements } from "./components.js";
import { embedElement } from "./embeds.js";
import { attachmentElement } from "./media.js";

/**
 * @typedef {import("../core/types.js").Message} Message
 * @typedef {import("./view.js").View} View
 */

const V2_FLAG = 1 << 15;
const EPHEMERAL_FLAG = 1 << 6;
const REPLY = 19;
const CONTEXT_COMMAND = 23;
const JOINED = 7;
const THREAD_STARTED = 18;
const THREAD_FIRST = 21;

/** Whether only its reader sees a message. */
export const isEphemeral = (message) => Boolean(message.ephemeral_for) || Boolean((message.flags ?? 0) & EPHEMERAL_FLAG);

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
  const element = h("article", {
    class: classes.join(" "), tabindex: "-1", data: { id: message.id }, "aria-label": `${nameOf(message.author)}, ${fullText(new Date(message.timestamp))}`,
  },
  contextLine(message, view),
  compact ? h("span", { class: "gutter" }, timeOf(message)) : avatarButton(message, view),
  h("div", { class: "body" },
    compact ? null : headLine(message, view),
    content(message, view),
    (message.attachments ?? []).length && !((message.flags ?? 0) & V2_FLAG)
      ? h("div", { class: "attachments" }, message.attachments.map((attachment) => attachmentElement(attachment, view))) : null,
    (message.embeds ?? []).map((embed) => embedElement(embed, view)),
    message.components?.length ? h("div", { class: "components" }, componentElements(message.components, message, view)) : null,
    failureLine(message, view),
    ephemeralLine(message, view)),
  tools(message, view));
  return element;
}

function timeOf(message) {
  const date = new Date(message.timestamp);
  return h("time", { class: "sent", datetime: date.toISOString(), title: fullText(date) }, sentText(date));
}

function avatarButton(message, view) {
  const button = h("button", { type: "button", class: "avatar-button", tabindex: "-1", "aria-hidden": "true" }, avatar(message.author));
  return withUserMenu(button, message.author, view);
}

function withUserMenu(button, user, view) {
  button.addEventListener("click", () => view.userMenu(user, button));
  button.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    event.stopPropagation();
    view.userMenu(user, { x: event.clientX, y: event.clientY });
  });
  return button;
}

function headLine(message, view) {
  const author = h("button", { type: "button", class: "author", "aria-haspopup": "menu" }, nameOf(message.author));
  return h("header", { class: "head" },
    withUserMenu(author, message.author, view),
    message.author.bot ? h("span", { class: "badge" }, "APP") : null,
    timeOf(message));
}

/** The line above a message that says what it answers. */
function contextLine(message, view) {
  const command = commandOf(message);
  if (command) {
    const slash = message.type === CONTEXT_COMMAND ? "" : "/";
    return h("div", { class: "context" }, hook(), avatar(command.user),
      h("strong", {}, nameOf(command.user)), " used ", h("span", { class: "command-name" }, `${slash}${command.name}`));
  }
  const answered = answeredBy(message, view);
  if (!answered) return null;
  return h("div", { class: "context" }, hook(), avatar(answered.author),
    h("strong", {}, nameOf(answered.author)), " ", h("span", { class: "snippet" }, answered.content || "a message with more than text"));
}

/** The line from a message up to what it answers. */
const hook = () => h("span", { class: "hook", "aria-hidden": "true" });

/** The message that another one replies to, if it is known here. */
export function answeredBy(message, view) {
  const id = message.message_reference?.message_id;
  if (message.referenced_message || message.type !== REPLY || !id) return message.referenced_message ?? null;
  return view.session.timeline(message.channel_id).messages.find((other) => other.id === id) ?? null;
}

function content(message, view) {
  if (message.state === "thinking") {
    return h("p", { class: "thinking", role: "status" }, h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
      `${nameOf(message.author)} is thinking…`);
  }
  if (message.state === "failed" && !message.content) return h("p", { class: "failure" }, "The bot did not answer in time.");
  if (message.type === JOINED) return h("p", { class: "system" }, "joined the server.");
  if (message.type === THREAD_STARTED) return h("p", { class: "system" }, "started a thread: ", h("strong", {}, message.content));
  if (message.type === THREAD_FIRST && !message.content) return h("p", { class: "system" }, "The thread begins here.");
  const text = message.content ? markdown(message.content, view.refs) : null;
  if (!message.edited_timestamp) return text;
  const mark = h("span", { class: "edited", title: fullText(new Date(message.edited_timestamp)) }, "(edited)");
  if (!text) return h("div", { class: "markdown edited-alone" }, mark);
  const last = text.lastElementChild;
  (last?.matches("p") ? last : text).append(" ", mark);
  return text;
}

function failureLine(message, view) {
  const why = view.interactions.failure(message.id);
  return why ? h("p", { class: "failure", role: "alert" }, why) : null;
}

function ephemeralLine(message, view) {
  if (!isEphemeral(message) && !message.local) return null;
  const dismiss = h("button", { type: "button", class: "plain-link", data: { key: "dismiss" } }, "Dismiss message");
  dismiss.addEventListener("click", () => view.dismiss(message));
  return h("p", { class: "only-you" }, icon("eye"), "Only you can see this · ", dismiss);
}

function tools(message, view) {
  if (message.local) return null;
  const more = h("button", { type: "button", class: "icon-button", "aria-haspopup": "menu", "aria-label": "More about this message", data: { key: "more" } }, icon("more"));
  more.addEventListener("click", () => view.messageMenu(message, more));
  return h("div", { class: "tools" }, more);
}
