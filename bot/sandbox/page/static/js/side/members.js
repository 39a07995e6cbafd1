/** The list of members and the bot. */

import { button, countBadge, h, iconButton } from "../core/dom.js";
import { avatar, nameOf } from "../core/people.js";

/**
 * @typedef {import("../core/session.js").Session} Session
 * @typedef {import("../core/types.js").User} User
 */

/**
 * @param {Session} session the acting member's
 * @param {Map<string, Session>} sessions every member's, by id
 * @param {{act: (member: string) => void, menu: (user: User, anchor: any) => void}} actions
 * @returns {HTMLElement[]}
 */
export function memberList(session, sessions, actions) {
  const { application, humans } = session;
  const bots = [...session.members.values()].filter((member) => member.bot);
  return [
    h("header", { class: "side-head" }, h("h2", {}, "Act as")),
    h("p", { class: "side-note" }, "Press a name to go on as that member."),
    h("ul", { class: "people" }, humans.map((member) => humanRow(member, session, sessions, actions))),
    h("header", { class: "side-head" }, h("h2", {}, "Apps")),
    bots.length
      ? h("ul", { class: "people" }, bots.map((bot) => botRow(bot, application, actions)))
      : h("p", { class: "side-note" }, "No bot has logged in yet."),
  ];
}

function humanRow(member, session, sessions, actions) {
  const name = nameOf(member);
  const me = member.id === session.me.id;
  const pings = me ? 0 : sessions.get(member.id)?.pingCount() ?? 0;
  const hint = me ? "That's you" : pings ? `Switch to ${name}` : "";
  const words = h("span", { class: "words" }, h("span", { class: "label" }, name), h("span", { class: "hint" }, hint));
  const className = `person${me ? " me" : ""}${pings ? " called" : ""}`;
  const line = button(className, [avatar(member), words, countBadge(pings)], () => actions.act(member.id), {
    "aria-pressed": String(me), data: { key: member.id },
    "aria-label": me ? `${name}: you act as this member` : `Switch to ${name}${pings ? `, ${pings} mentions` : ""}`,
  });
  return row(line, member, actions);
}

function botRow(bot, application, actions) {
  const online = application?.id === bot.id && application.online;
  const words = h("span", { class: "words" },
    h("span", { class: "label" }, nameOf(bot), h("span", { class: "badge" }, "APP")),
    h("span", { class: online ? "hint online" : "hint" }, online ? "Online" : "Offline"));
  const line = button("person", [avatar(bot), words], () => actions.menu(bot, line), {
    "aria-haspopup": "menu", data: { key: bot.id },
  });
  return row(line, bot, actions);
}

function row(line, user, actions) {
  const more = iconButton("more", `More about ${nameOf(user)}`, () => actions.menu(user, more), {
    class: "small", "aria-haspopup": "menu", data: { key: `more ${user.id}` },
  });
  const element = h("li", { class: "person-row" }, line, more);
  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    actions.menu(user, { x: event.clientX, y: event.clientY });
  });
  return element;
}
