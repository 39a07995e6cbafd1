/** The people here: whom one can act as, and the bot. */

import { h, icon } from "../core/dom.js";
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
  const button = h("button", {
    type: "button", class: `person${me ? " me" : ""}${pings ? " called" : ""}`, "aria-pressed": String(me), data: { key: member.id },
    "aria-label": me ? `${name}: you act as this member` : [`Switch to ${name}`, pings ? `${pings} mentions` : null].filter(Boolean).join(", "),
  }, avatar(member), h("span", { class: "words" }, h("span", { class: "label" }, name),
    h("span", { class: "hint" }, me ? "That's you" : pings ? `Switch to ${name}` : "")), pings ? h("span", { class: "count" }, String(pings)) : null);
  button.addEventListener("click", () => actions.act(member.id));
  return row(button, member, actions);
}

function botRow(bot, application, actions) {
  const online = application?.id === bot.id && application.online;
  const button = h("button", { type: "button", class: "person", "aria-haspopup": "menu", data: { key: bot.id } }, avatar(bot),
    h("span", { class: "words" }, h("span", { class: "label" }, nameOf(bot), h("span", { class: "badge" }, "APP")),
      h("span", { class: online ? "hint online" : "hint" }, online ? "Online" : "Offline")));
  button.addEventListener("click", () => actions.menu(bot, button));
  return row(button, bot, actions);
}

function row(button, user, actions) {
  const more = h("button", { type: "button", class: "icon-button small", "aria-haspopup": "menu", "aria-label": `More about ${nameOf(user)}`, data: { key: `more ${user.id}` } }, icon("more"));
  more.addEventListener("click", () => actions.menu(user, more));
  const element = h("li", { class: "person-row" }, button, more);
  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    actions.menu(user, { x: event.clientX, y: event.clientY });
  });
  return element;
}
