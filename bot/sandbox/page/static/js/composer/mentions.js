/** Completing "@name" and "#channel" in a message, and turning them into mentions. */

import { nameOf } from "../core/people.js";

/** @typedef {import("../core/session.js").Session} Session */

/**
 * The mention being typed just before the caret.
 *
 * @returns {{mark: "@" | "#", typed: string, from: number} | null}
 */
export function mentionAt(text, caret) {
  const match = /(^|\s)([@#])([\p{L}\p{N}_.-]*)$/u.exec(text.slice(0, caret));
  return match && { mark: match[2], typed: match[3], from: match.index + match[1].length };
}

/** The channels that have a name: all but direct messages. */
const named = (session) => session.channelList.filter(({ name }) => name);

/** A pattern that matches exactly this text. */
const literal = (text) => text.replace(/[^\p{L}\p{N}]/gu, (char) => `\\u{${char.codePointAt(0).toString(16)}}`);

/** @param {Session} session @returns {import("../core/listbox.js").Item[]} */
export function mentionable(mark, session) {
  if (mark === "#") return named(session).map(({ name }) => ({ label: `#${name}`, value: `#${name}` }));
  return session.choosable.map((member) => ({
    label: nameOf(member), value: `@${nameOf(member)}`, person: member, hint: member.bot ? "App" : "",
  }));
}

/** The text with every known "@Name" and "#channel" replaced by Discord's mentions. */
export function withMentions(text, session) {
  const names = [
    ...[...session.members.values()].map((member) => [`@${nameOf(member)}`, `<@${member.id}>`]),
    ...named(session).map((channel) => [`#${channel.name}`, `<#${channel.id}>`]),
  ].sort(([a], [b]) => b.length - a.length);
  if (!names.length) return text;
  const known = new Map(names);
  const any = names.map(([name]) => literal(name)).join("|");
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}<])(?:${any})(?![\\p{L}\\p{N}_])`, "gu"), (name) => known.get(name));
}
