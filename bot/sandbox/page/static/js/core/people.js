/** The display of people: a name and a coloured disc with initials. */

import { h } from "./dom.js";

/** @typedef {import("./types.js").User} User */

/** @param {User} user */
export const nameOf = (user) => user.global_name || user.username;

/** A channel's name; direct messages without one are named after the others in them. */
export const titleOf = (channel) => channel.name ?? (channel.recipients ?? []).map(nameOf).join(", ");

function initials(name) {
  const words = name.trim().split(/[\s_.-]+/).filter(Boolean);
  return words.slice(0, 2).map((word) => [...word][0]).join("").toUpperCase() || "?";
}

/** A hue that a name always gets, spread so that short names differ clearly. */
function hue(text) {
  let sum = 0;
  for (const char of text) sum = (sum * 31 + char.codePointAt(0)) % 9973;
  return Math.round((sum * 137.508) % 360);
}

/** @param {User} user */
export function avatar(user) {
  const disc = h("span", { class: user.bot ? "avatar bot" : "avatar", "aria-hidden": "true" }, initials(nameOf(user)));
  disc.style.setProperty("--hue", String(hue(nameOf(user))));
  return disc;
}
