/** The commands that can be typed, with subcommands as entries of their own, and the search for them. */

import { COMMAND, OPTION } from "../core/types.js";

/**
 * One line of the command list.
 *
 * @typedef {{command: import("../core/types.js").Command, path: string, title: string, description: string,
 *   options: import("../core/types.js").Option[]}} Entry
 *   `path` is "group sub", "sub" or empty; `title` is what is typed, without the slash
 */

/** @param {import("../core/types.js").Command[]} commands @returns {Entry[]} by title */
export function entries(commands) {
  const slash = commands.filter((command) => (command.type ?? COMMAND.SLASH) === COMMAND.SLASH);
  return slash.flatMap((command) => leaves(command, command, [])).sort((a, b) => a.title.localeCompare(b.title));
}

function leaves(command, node, path) {
  const subs = (node.options ?? []).filter(({ type }) => type === OPTION.SUBCOMMAND || type === OPTION.GROUP);
  if (subs.length) return subs.flatMap((sub) => leaves(command, sub, [...path, sub.name]));
  return [{
    command, path: path.join(" "), title: [command.name, ...path].join(" "),
    description: node.description, options: node.options ?? [],
  }];
}

/** Entries whose title begins with the typed text, then those that contain it elsewhere. */
export function matching(all, typed) {
  const sought = typed.toLowerCase().trim();
  const place = ({ title }) => title.toLowerCase().indexOf(sought);
  return [...all.filter((entry) => place(entry) === 0), ...all.filter((entry) => place(entry) > 0)];
}

/**
 * The entry that a text like "/move c4" has finished naming, and the rest of the text; null before that.
 *
 * @param {Entry[]} all
 * @param {string} text
 * @returns {{entry: Entry, rest: string} | null}
 */
export function named(all, text) {
  const lower = text.toLowerCase();
  const found = all
    .filter(({ title }) => lower.startsWith(`/${title.toLowerCase()} `))
    .sort((a, b) => b.title.length - a.title.length)[0];
  return found ? { entry: found, rest: text.slice(found.title.length + 2) } : null;
}

/**
 * The value of each option in a typed line: "name: value" pairs, and words before the first name to the first option.
 *
 * @param {Entry} entry
 * @param {string} rest
 * @returns {Map<string, string>}
 */
export function typedOptions(entry, rest) {
  const values = new Map();
  if (!rest.trim() || !entry.options.length) return values;
  const names = entry.options.map(({ name }) => name.replace(/[^\p{L}\p{N}_-]/gu, "")).join("|");
  const parts = rest.split(new RegExp(`(?:^|\\s)(${names}):`, "u"));
  if (parts[0].trim()) values.set(entry.options[0].name, parts[0].trim());
  for (let at = 1; at < parts.length; at += 2) values.set(parts[at], parts[at + 1].trim());
  return values;
}
