/** The line above the messages: the channel, the acting member, and the page's buttons. */

import { button, countBadge, h, icon, iconButton } from "../core/dom.js";
import { avatar, nameOf, titleOf } from "../core/people.js";
import { nextTheme, theme } from "../core/theme.js";
import { signOf, stateOf } from "../core/types.js";

/** @typedef {import("../core/session.js").Session} Session */

/**
 * @param {Session} session
 * @param {Map<string, Session>} sessions
 * @param {string} current the open channel
 * @param {{act: (member: string) => void, channels: () => void, members: () => void,
 *   launch: () => void, theme: (choice: string) => void}} actions
 * @returns {HTMLElement[]}
 */
export function topLine(session, sessions, current, actions) {
  const channel = session.channels.get(current);
  const topic = channel && (channel.topic || stateOf(channel));
  const elsewhere = session.pingCount() - session.pingCount(current);
  return [
    drawerButton("menu", "Channels", "drawer-left", actions.channels, elsewhere),
    h("h2", { class: "top-title" }, channel ? [icon(signOf(channel)), h("span", {}, titleOf(channel))] : null),
    topic ? h("p", { class: "top-topic" }, topic) : h("span", { class: "top-topic" }),
    switcher(session, sessions, actions.act),
    session.application?.activity ? iconButton("play", "Open the Activity", actions.launch, { data: { key: "launch" } }) : null,
    themeButton(actions.theme),
    drawerButton("people", "Members", "drawer-right", actions.members, 0),
  ].filter(Boolean);
}

/** The members as a row of avatars, each of which switches to the member. */
function switcher(session, sessions, act) {
  return h("div", { class: "switcher", role: "group", "aria-label": "Acting as" },
    h("span", { class: "switcher-label" }, "Acting as"),
    session.humans.map((member) => {
      const me = member.id === session.me.id;
      const pings = me ? 0 : sessions.get(member.id)?.pingCount() ?? 0;
      const name = nameOf(member);
      const content = [avatar(member), me ? h("span", { class: "switch-name" }, name) : null, countBadge(pings)];
      return button(`switch${me ? " me" : ""}`, content, () => act(member.id), {
        "aria-pressed": String(me), title: me ? `You act as ${name}` : `Switch to ${name}`,
        "aria-label": me ? `${name}, acting` : `Switch to ${name}${pings ? `, ${pings} mentions` : ""}`,
        data: { key: `switch ${member.id}` },
      });
    }));
}

function drawerButton(name, title, className, press, pings) {
  const label = pings ? `${title}, ${pings} mentions` : title;
  const element = iconButton(name, label, press, { class: className, data: { key: className } });
  if (pings) element.append(countBadge(pings));
  return element;
}

function themeButton(set) {
  const names = { auto: "as the system", light: "light", dark: "dark" };
  const label = `Colours: ${names[theme()]}. Change to ${names[nextTheme()]}`;
  return iconButton(theme(), label, () => set(nextTheme()), { data: { key: "theme" } });
}
