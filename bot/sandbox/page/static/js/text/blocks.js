/** Discord's block markup, read into a tree of plain objects; `inline.js` reads the texts inside. */

import { inline } from "./inline.js";

/**
 * @typedef {import("./inline.js").Inline} Inline
 * @typedef {{type: "paragraph" | "subtext", children: Inline[]}
 *   | {type: "heading", level: number, children: Inline[]}
 *   | {type: "code", language: string, text: string}
 *   | {type: "quote", blocks: Block[]}
 *   | {type: "list", ordered: boolean, start: number, items: {children: Inline[], lists: Block[]}[]}} Block
 */

const FENCE = /^((?:\\.|(?!```)[^\n])*)```(?:([\w+#.-]+)\n)?\n?([^]*?)\n?```/;
const ITEM = /^( *)([-*]|\d{1,9}\.) +(\S[^\n]*)(?:\n|$)/;
const CONTINUATION = /^ {2,}(?! |[-*] |\d{1,9}\. )([^\n]+)(?:\n|$)/;
const STARTS = /^(?:> |>>> |#{1,3} +\S|-# +\S| *(?:[-*]|\d{1,9}\.) +\S)/;

const QUOTE = /^(?:>(?: [^\n]*|(?=\n|$))(?:\n|$))+/;

/** Each function reads the beginning of the text, and returns its blocks and its length, or null. */
const READERS = [
  function heading(text) {
    const match = /^(#{1,3}) +(\S[^\n]*)(?:\n|$)/.exec(text);
    return match && {
      found: [{ type: "heading", level: match[1].length, children: inline(match[2].trimEnd()) }],
      length: match[0].length,
    };
  },
  function subtext(text) {
    const match = /^-# +(\S[^\n]*)(?:\n|$)/.exec(text);
    return match && { found: [{ type: "subtext", children: inline(match[1]) }], length: match[0].length };
  },
  list,
];

/** A quote of some lines or of all the rest. Quotes do not nest. */
function quote(text) {
  const rest = /^>>> ([^]*)/.exec(text);
  const lines = text.startsWith("> ") ? QUOTE.exec(text) : null;
  if (!rest && !lines) return null;
  const inside = rest ? rest[1] : lines[0].replace(/\n$/, "").replace(/^> ?/gm, "");
  return { found: [{ type: "quote", blocks: read(inside, READERS) }], length: (rest ?? lines)[0].length };
}

function list(text) {
  const entries = [];
  let length = 0;
  for (;;) {
    const rest = text.slice(length);
    const item = ITEM.exec(rest);
    const more = !item && entries.length ? CONTINUATION.exec(rest) : null;
    if (item) entries.push({ indent: item[1].length, mark: item[2], text: item[3] });
    else if (more) entries.at(-1).text += `\n${more[1]}`;
    else break;
    length += (item ?? more)[0].length;
  }
  return entries.length ? { found: nest(entries), length } : null;
}

/** Entries with more indentation than the one before form a list inside it. */
function nest(entries) {
  const lists = [];
  for (let at = 0; at < entries.length;) {
    const { indent, mark, text } = entries[at];
    let end = at + 1;
    while (end < entries.length && entries[end].indent > indent) end += 1;
    const item = { children: inline(text), lists: nest(entries.slice(at + 1, end)) };
    const ordered = mark.endsWith(".");
    if (lists.at(-1)?.ordered === ordered) lists.at(-1).items.push(item);
    else lists.push({ type: "list", ordered, start: ordered ? parseInt(mark, 10) : 1, items: [item] });
    at = end;
  }
  return lists;
}

/** Lines up to the next block; spans may run over several lines. */
function paragraph(text) {
  const lines = text.split("\n");
  let count = 1;
  while (count < lines.length && !STARTS.test(lines[count]) && !lines[count].includes("```")) count += 1;
  const own = lines.slice(0, count).join("\n");
  return { source: own, length: own.length + 1 };
}

/**
 * @param {string} source
 * @returns {Block[]}
 */
export function blocks(source) {
  return read(source, [quote, ...READERS]);
}

function read(source, readers) {
  const found = [];
  let text = source;
  while (text) {
    const quoted = readers.includes(quote) && text.startsWith("> ");
    const fence = quoted ? null : FENCE.exec(text);
    if (fence) {
      if (fence[1].trim()) found.push(...read(fence[1], readers));
      found.push({ type: "code", language: fence[2] ?? "", text: fence[3] });
      text = text.slice(fence[0].length).replace(/^\n/, "");
      continue;
    }
    const block = readers.reduce((result, reader) => result ?? reader(text), null);
    if (block) {
      found.push(...block.found);
      text = text.slice(block.length);
      continue;
    }
    const { source: lines, length } = paragraph(text);
    found.push({ type: "paragraph", children: inline(lines) });
    text = text.slice(length);
  }
  return found;
}
