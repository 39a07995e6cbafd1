/** Values of options: reading them from text, and listing those that can be picked. */

import { nameOf } from "../core/people.js";
import { OPTION } from "../core/types.js";

/**
 * @typedef {import("../core/types.js").Option} Option
 * @typedef {import("../core/session.js").Session} Session
 */

const KINDS = {
  [OPTION.INTEGER]: "a whole number", [OPTION.NUMBER]: "a number", [OPTION.BOOLEAN]: "True or False",
  [OPTION.USER]: "a member", [OPTION.CHANNEL]: "a channel", [OPTION.ROLE]: "a role", [OPTION.MENTIONABLE]: "a member",
  [OPTION.ATTACHMENT]: "a file",
};

/** A short description of the values that an option takes. */
export function kindText(option) {
  const range = [
    option.min_value === undefined ? null : `from ${option.min_value}`,
    option.max_value === undefined ? null : `up to ${option.max_value}`,
  ].filter(Boolean);
  return [KINDS[option.type], ...range].filter(Boolean).join(" ");
}

/** True if an option's value must be one of a list. */
export const isClosed = (option) => Boolean(option.choices?.length)
  || [OPTION.BOOLEAN, OPTION.USER, OPTION.CHANNEL, OPTION.ROLE, OPTION.MENTIONABLE].includes(option.type);

/**
 * Everything that can be picked for an option without asking the bot; null if it is typed freely.
 *
 * @param {Option} option
 * @param {Session} session
 * @returns {import("../core/listbox.js").Item[] | null}
 */
export function pickable(option, session) {
  if (option.choices?.length) return option.choices.map(({ name, value }) => ({ label: name, value }));
  switch (option.type) {
    case OPTION.BOOLEAN:
      return [{ label: "True", value: true }, { label: "False", value: false }];
    case OPTION.USER:
    case OPTION.MENTIONABLE:
      return session.choosable.map((member) => {
        const hint = member.id === session.me.id ? "you" : member.bot ? "App" : "";
        return { label: nameOf(member), value: member.id, person: member, hint };
      });
    case OPTION.CHANNEL:
      return session.channelList.filter(({ name }) => name).map(({ name, id }) => ({ label: `#${name}`, value: id }));
    case OPTION.ROLE:
      return session.guild.roles.map(({ name, id }) => ({ label: `@${name.replace(/^@/, "")}`, value: id }));
    default:
      return null;
  }
}

const bare = (text) => text.trim().replace(/^[@#]/, "").toLowerCase();

/** The items that begin with the typed text, then those that contain it, without regard to a leading "@" or "#". */
export function fitting(items, typed) {
  const sought = bare(typed);
  const starts = items.filter(({ label }) => bare(label).startsWith(sought));
  return [...starts, ...items.filter((item) => !starts.includes(item) && bare(item.label).includes(sought))];
}

/**
 * Reads the text typed for an option.
 *
 * @param {Option} option
 * @param {string} text not empty
 * @param {Session} session
 * @returns {any} the value
 * @throws {Error} with a sentence that says what the option takes
 */
export function readValue(option, text, session) {
  if (isClosed(option)) {
    const exact = pickable(option, session).find(({ label }) => bare(label) === bare(text));
    if (exact) return exact.value;
    const wanted = KINDS[option.type] ?? "one of the choices";
    throw new Error(`${option.name}: “${text}” is not on the list. Pick ${wanted}.`);
  }
  if (option.type !== OPTION.INTEGER && option.type !== OPTION.NUMBER) return text;
  const number = Number(text.trim());
  const whole = option.type === OPTION.INTEGER;
  if (!Number.isFinite(number) || (whole && !Number.isInteger(number))) {
    throw new Error(`${option.name}: “${text}” is not ${KINDS[option.type]}.`);
  }
  if (number < (option.min_value ?? -Infinity)) throw new Error(`${option.name} must be at least ${option.min_value}.`);
  if (number > (option.max_value ?? Infinity)) throw new Error(`${option.name} must be at most ${option.max_value}.`);
  return number;
}
