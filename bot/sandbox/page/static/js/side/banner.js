/** Lines between the messages and the composer: pings of other members, and problems of the connection. */

import { button, h } from "../core/dom.js";
import { avatar, nameOf, titleOf } from "../core/people.js";
import { isDirect } from "../core/types.js";

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
  const wrong = warning(session);
  if (wrong) lines.push(h("p", { class: "banner warning", role: "status" }, wrong));
  for (const other of sessions.values()) {
    const channel = other.pingedChannel;
    if (other === session || !channel) continue;
    const name = nameOf(other.me);
    const key = `banner ${other.me.id}`;
    const act = () => actions.act(other.me.id, channel);
    const there = other.channels.get(channel);
    const where = isDirect(there) ? `direct messages with ${titleOf(there)}` : titleOf(there);
    const words = ` was mentioned in ${where}.`;
    lines.push(h("p", { class: "banner call", role: "status" }, avatar(other.me),
      h("span", { class: "words" }, h("strong", {}, name), words),
      button("button primary small", `Switch to ${name}`, act, { data: { key } })));
  }
  const typing = session.typists(current).map((id) => session.members.get(id)).filter(Boolean).map(nameOf);
  const verb = typing.length > 1 ? "are" : "is";
  if (typing.length) lines.push(h("p", { class: "banner typing" }, `${typing.join(", ")} ${verb} typing…`));
  return lines;
}

/** The reason why the bot cannot be used, or null. */
function warning({ live, application }) {
  if (!live) return "Connecting to the local server…";
  if (!application) return "No bot has logged in yet.";
  return application.online ? null : `${application.name} is offline.`;
}
