/** The theme: light, dark, or that of the system; stored in the browser. Runs before the first paint. */

const KEY = "theme";
const ORDER = ["auto", "light", "dark"];

/** @returns {"auto" | "light" | "dark"} */
export function theme() {
  const kept = localStorage.getItem(KEY);
  return ORDER.includes(kept) ? kept : "auto";
}

/** The choice after the current one. */
export function nextTheme() {
  return ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length];
}

export function setTheme(choice) {
  localStorage.setItem(KEY, choice);
  apply();
}

function apply() {
  const choice = theme();
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

apply();
