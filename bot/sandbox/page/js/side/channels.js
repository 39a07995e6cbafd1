/** The list of channels and threads. */

import { h, icon } from "../core/dom.js";
import { titleOf } from "../core/people.js";
import { isThread, signOf } from "../core/types.js";

const TEXT = 0;

/**
 * @param {import("../core/session.js").Session} session
 * @param {string | null} current the open channel
 * @param {{open: (channel: string) => void, newThread: (channel: any) => void}} actions
 * @returns {HTMLElement[]}
 */
export function channelList(session, current, { open, newThread }) {
  const rows = session.channelList.map((channel) => {
    const thread = isThread(channel);
    const title = titleOf(channel);
    const pings = session.pingCount(channel.id);
    const unread = session.isUnread(channel.id) && channel.id !== current;
    const button = h("button", {
      type: "button", class: `channel${unread ? " unread" : ""}`, "aria-current": channel.id === current ? "page" : null,
      "aria-label": [`${thread ? "Thread " : "Channel "}${title}`, pings ? `${pings} mentions` : null, unread ? "unread" : null].filter(Boolean).join(", "),
      data: { key: channel.id },
    }, icon(signOf(channel)), h("span", { class: "channel-name" }, title), pings ? h("span", { class: "count" }, String(pings)) : null);
    button.addEventListener("click", () => open(channel.id));
    const add = channel.type !== TEXT ? null : h("button", { type: "button", class: "icon-button small", "aria-label": `New thread in ${title}`, title: "New thread", data: { key: `new ${channel.id}` } }, icon("plus"));
    add?.addEventListener("click", () => newThread(channel));
    return h("li", { class: thread ? "thread-row" : "channel-row" }, button, add);
  });
  return [
    h("header", { class: "side-head" }, h("h1", {}, session.guild.name)),
    h("ul", { class: "channel-list" }, rows),
  ];
}
