/** Points in time as Discord writes them; relative ones keep counting. */

import { h } from "../core/dom.js";

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

const UNITS = [
  ["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1],
];

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const formats = Object.fromEntries(
  Object.entries(STYLES).map(([style, options]) => [style, new Intl.DateTimeFormat(undefined, options)]),
);

/** "in 3 hours" or "2 days ago", `seconds` from now. */
export function relativeText(seconds) {
  const size = Math.abs(seconds);
  // Rounded, so that what lies a day ahead is not "in 23 hours" a second later: a unit begins half of the next smaller
  // unit early.
  const [unit, length] = UNITS.find(([, least], at) => size + (UNITS[at + 1]?.[1] ?? 0) / 2 >= least) ?? UNITS.at(-1);
  return relative.format(Math.round(seconds / length), unit);
}

/** @param {Date} date @param {string} style one of Discord's letters */
export function timeText(date, style) {
  if (Number.isNaN(date.getTime())) return "Invalid date";
  if (style === "R") return relativeText((date.getTime() - Date.now()) / 1000);
  return formats[style].format(date);
}

/** A `<time>` element; with style "R" `keepCounting` keeps it up to date. */
export function timeElement(date, style, className = "timestamp") {
  const valid = !Number.isNaN(date.getTime());
  return h("time", {
    class: className,
    datetime: valid ? date.toISOString() : null,
    title: valid ? formats.F.format(date) : null,
    data: style === "R" ? { relative: "" } : {},
  }, timeText(date, style));
}

/** Updates every relative time on the page each second. */
export function keepCounting() {
  setInterval(() => {
    for (const element of document.querySelectorAll("time[data-relative][datetime]")) {
      const text = timeText(new Date(element.getAttribute("datetime")), "R");
      if (element.textContent !== text) element.textContent = text;
    }
  }, 1000);
}

/** The time of a message: only the time for today, day and time for earlier days. */
export function sentText(date) {
  const today = new Date().toDateString() === date.toDateString();
  return today ? formats.t.format(date) : `${formats.d.format(date)} ${formats.t.format(date)}`;
}

export const dayText = (date) => formats.D.format(date);
export const fullText = (date) => formats.F.format(date);
