/** Ids are 64-bit numbers written as text; a longer one is larger, equal lengths compare as text. */

/** Negative, zero or positive as `a` is older than, the same as or newer than `b`. */
export function compareIds(a, b) {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** The newer of two ids. */
export const newest = (a, b) => (compareIds(a, b) >= 0 ? a : b);
