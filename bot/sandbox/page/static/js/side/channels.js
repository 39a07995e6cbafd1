/** The list of channels and threads. */

import { button, countBadge, h, icon, iconButton } from "../core/dom.js";
import { titleOf } from "../core/people.js";
import { isDirect, isThread, signOf, stateOf } from "../core/types.js";

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
    const kind = thread ? "Thread" : isDirect(channel) ? "Direct messages" : "Channel";
    const state = stateOf(channel);
    const label = [`${kind} ${title}`, state, pings && `${pings} mentions`, unread && "unread"];
    const content = [icon(signOf(channel)), h("span", { class: "channel-name" }, title),
      state ? h("span", { class: "channel-state" }, state) : null, countBadge(pings)];
    const line = button(`channel${unread ? " unread" : ""}`, content, () => open(channel.id), {
      "aria-current": channel.id === current ? "page" : null, "aria-label": label.filter(Boolean).join(", "),
      data: { key: channel.id },
    });
    const props = { class: "small", data: { key: `new ${channel.id}` } };
    const add = iconButton("plus", `New thread in ${title}`, () => newThread(channel), props);
    return h("li", { class: thread ? "thread-row" : "channel-row" }, line, channel.type === TEXT ? add : null);
  });
  return [
    h("header", { class: "side-head" }, h("h1", {}, session.guild.name)),
    h("ul", { class: "channel-list" }, rows),
  ];
}
