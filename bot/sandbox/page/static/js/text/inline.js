/** Discord's inline markup, read into a tree of plain objects. */

/**
 * @typedef {{type: "text", text: string}
 *   | {type: "strong" | "em" | "underline" | "strike" | "spoiler", children: Inline[]}
 *   | {type: "code", text: string}
 *   | {type: "link", href: string, title?: string, children: Inline[]}
 *   | {type: "user" | "role" | "channel", id: string}
 *   | {type: "command", name: string} | {type: "everyone", name: string} | {type: "emoji", name: string, id: string}
 *   | {type: "time", seconds: number, style: string}} Inline
 */

/** Marks that enclose a span; a longer one stands before its own beginning. */
const SPANS = [
  ["**", "strong"], ["__", "underline"], ["~~", "strike"], ["||", "spoiler"], ["*", "em"], ["_", "em"],
];

/** The largest depth of nested spans: nobody needs more, and a hostile text would take too long. */
const DEPTH = 16;

const CODE = /(`+)([^]*?[^`])\1(?!`)/y;
const ADDRESS = "https?://(?:[^\\s<>()\"]|\\([^\\s<>()\"]*\\))+";
const LINK = new RegExp(`\\[((?:\\\\.|[^\\]\\\\\\n])+)\\]\\(<?(${ADDRESS})>?(?:\\s+"([^"\\n]*)")?\\)`, "y");
const BARE = new RegExp(ADDRESS, "y");

/** Rules without nesting: a sticky pattern, and the object for its match. */
const ATOMS = [
  [/\\([^\p{L}\p{N}\s])/uy, (m) => ({ type: "text", text: m[1] })],
  [CODE, (m) => ({ type: "code", text: unpad(m[2]) })],
  [new RegExp(`<(${ADDRESS})>`, "y"), (m) => plainLink(m[1])],
  [/<@!?(\d{1,20})>/y, (m) => ({ type: "user", id: m[1] })],
  [/<@&(\d{1,20})>/y, (m) => ({ type: "role", id: m[1] })],
  [/<#(\d{1,20})>/y, (m) => ({ type: "channel", id: m[1] })],
  [/<\/([^:>\n]{1,100}):(\d{1,20})>/y, (m) => ({ type: "command", name: m[1] })],
  [/<a?:(\w{2,32}):(\d{1,20})>/y, (m) => ({ type: "emoji", name: m[1], id: m[2] })],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, (m) => ({ type: "time", seconds: Number(m[1]), style: m[2] ?? "f" })],
  [/@(everyone|here)\b/y, (m) => ({ type: "everyone", name: m[1] })],
];

function plainLink(href) {
  return { type: "link", href, children: [{ type: "text", text: href }] };
}

/** Code that begins or ends with a backtick is written with a space between; the space is not shown. */
function unpad(code) {
  return /^ ?`|` ?$/.test(code) ? code.replace(/^ (?=`)/, "").replace(/(?<=`) $/, "") : code;
}

function matchAt(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function runLength(source, at) {
  let end = at;
  while (source[end] === source[at]) end += 1;
  return end - at;
}

const isWord = (char) => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

/** The index where the span opened by `mark` before `from` closes, or -1. Code and escaped characters are skipped. */
function closing(source, from, mark) {
  for (let at = from; at < source.length;) {
    if (source[at] === "\\") {
      at += 2;
      continue;
    }
    const code = source[at] === "`" && matchAt(CODE, source, at);
    if (code) {
      at += code[0].length;
      continue;
    }
    if (source[at] !== mark[0]) {
      at += 1;
      continue;
    }
    const run = runLength(source, at);
    // Two of a mark close the double span and one the single: "*a **b***" ends both, the inner first.
    if (mark.length === 2 && run >= 2) return at + run - 2;
    if (mark.length === 1 && run % 2 === 1) return at + run - 1;
    at += run;
  }
  return -1;
}

function spanAt(source, at, depth) {
  for (const [mark, type] of SPANS) {
    if (!source.startsWith(mark, at)) continue;
    const from = at + mark.length;
    const end = closing(source, from, mark);
    if (end <= from) continue;
    const inside = source.slice(from, end);
    if (/^[*_~|]+$/.test(inside) || (mark.length === 1 && /^\s/.test(inside))) continue;
    if (mark === "_" && (isWord(source[at - 1]) || isWord(source[end + 1]))) continue;
    return { node: { type, children: inline(inside, depth + 1) }, end: end + mark.length };
  }
  return null;
}

function linkAt(source, at, depth) {
  const link = source[at] === "[" && matchAt(LINK, source, at);
  if (link) {
    const node = { type: "link", href: link[2], title: link[3], children: inline(link[1], depth + 1) };
    return { node, end: at + link[0].length };
  }
  const bare = source[at] === "h" && !isWord(source[at - 1]) && matchAt(BARE, source, at);
  if (!bare) return null;
  const href = bare[0].replace(/[.,:;!?'*_~|\]]+$/, "");
  return { node: plainLink(href), end: at + href.length };
}

function atomAt(source, at) {
  for (const [pattern, build] of ATOMS) {
    const match = matchAt(pattern, source, at);
    if (match) return { node: build(match), end: at + match[0].length };
  }
  return null;
}

/**
 * @param {string} source
 * @param {number} [depth] how many spans are open around it
 * @returns {Inline[]}
 */
export function inline(source, depth = 0) {
  const nodes = [];
  const addText = (text) => {
    const last = nodes.at(-1);
    if (last?.type === "text") last.text += text;
    else nodes.push({ type: "text", text });
  };
  for (let at = 0; at < source.length;) {
    const special = /[\\`<@[h*_~|]/.test(source[at]);
    const found = special
      && (atomAt(source, at) ?? (depth < DEPTH ? linkAt(source, at, depth) ?? spanAt(source, at, depth) : null));
    if (!found) {
      addText(source[at]);
      at += 1;
      continue;
    }
    if (found.node.type === "text") addText(found.node.text);
    else nodes.push(found.node);
    at = found.end;
  }
  return nodes;
}
