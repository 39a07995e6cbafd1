/** Lines between the messages and the composer: whom to switch to, and what is wrong with the connection. */

import { h } from "../core/dom.js";
import { avatar, nameOf, titleOf } from "../core/people.js";

/** @typedef {import("../core/session.js").Session} Session */

/**
 * @param {Session} session
 * @param {Map<string, Session>} sessions
 * @param {string} current the open channel
 * @param {{act: (member: string, channel: string) => void}} actions
 * @returns {HTMLElement[]}
 */
export function banners(session, sessions, current, actions) {
  const lines = [];
  if (!session.live) lines.push(h("p", { class: "banner warning", role: "status" }, "Connecting to the local server…"));
  else if (session.application && !session.application.online) lines.push(h("p", { class: "banner warning", role: "status" }, `${session.application.name} is offline.`));
  else if (!session.application) lines.push(h("p", { class: "banner warning", role: "status" }, "No bot has logged in yet."));
  for (const other of sessions.values()) {
    const channel = other.pingedChannel;
    if (other === session || !channel) continue;
    const name = nameOf(other.me);
    const button = h("button", { type: "button", class: "button primary small", data: { key: `banner ${other.me.id}` } }, `Switch to ${name}`);
    button.addEventListener("click", () => actions.act(other.me.id, channel));
    lines.push(h("p", { class: "banner call", role: "status" }, avatar(other.me),
      h("span", { class: "words" }, h("strong", {}, name), ` was mentioned in ${titleOf(other.channels.get(channel))}.`), button));
  }
  const typing = session.typists(current).map((id) => session.members.get(id)).filter(Boolean).map(nameOf);
  if (typing.length) lines.push(h("p", { class: "banner typing" }, `${typing.join(", ")} ${typing.length > 1 ? "are" : "is"} typing…`));
  return lines;
}
