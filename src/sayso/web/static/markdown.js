// A small Markdown renderer that builds nodes from text: paragraphs, headings, lists, quotes, tables,
// code, bold, italics. It is our own because an answer holds citations that become buttons, because
// it must not know raw HTML, images or links at all (a link could carry data out, an image would do so
// unasked), and because no sanitiser is needed where no markup is ever parsed.
import { el } from "./dom.js";

const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|__(.+?)__|(?<![\w*])\*([^\s*][^*]*?)\*(?![\w*])|\[((?:[FU]\d+)(?:\s*[,;]\s*[FU]\d+)*)\]/g;

// A citation stays on the line of the word that it follows.
function cited(before, chips) {
  const [, rest, word] = before.match(/^(.*?)(\S{1,24}\s*)$/s) ?? [null, before, ""];
  return [rest, word ? el("span", { class: "kept" }, word, ...chips) : null, ...(word ? [] : chips)].filter((node) => node !== null && node !== "");
}

function inline(text, cite) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const before = text.slice(at, found.index);
    at = found.index + found[0].length;
    if (found[6] !== undefined) { nodes.push(...cited(before, found[6].split(/[,;\s]+/).map((ref) => cite(ref, text)))); continue; }
    if (before) nodes.push(before);
    if (found[2] !== undefined) nodes.push(el("code", {}, found[2]));
    else if (found[3] ?? found[4]) nodes.push(el("strong", {}, ...inline(found[3] ?? found[4], cite)));
    else nodes.push(el("em", {}, ...inline(found[5], cite)));
  }
  if (at < text.length) nodes.push(text.slice(at));
  return nodes;
}

const ITEM = /^(\s*)([-*+•]|\d{1,3}[.)])\s+(.*)$/;
const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
const isRule = (line) => line !== undefined && /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(line) && line.includes("-");

export function rendered(text, cite) {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const nodes = [];
  let i = 0;
  while (i < lines.length) {
    const line = lines[i];
    if (!line.trim()) { i += 1; continue; }
    if (/^\s*(```|~~~)/.test(line)) {
      const fence = line.trim().slice(0, 3);
      const code = [];
      for (i += 1; i < lines.length && !lines[i].trim().startsWith(fence); i += 1) code.push(lines[i]);
      i += 1;
      nodes.push(el("pre", { tabindex: "0" }, el("code", {}, code.join("\n"))));
    } else if (/^#{1,6}\s/.test(line)) {
      nodes.push(el("h4", {}, ...inline(line.replace(/^#+\s+/, ""), cite)));
      i += 1;
    } else if (line.includes("|") && isRule(lines[i + 1])) {
      const head = el("tr", {}, ...cells(line).map((cell) => el("th", { scope: "col" }, ...inline(cell, cite))));
      const rows = [];
      for (i += 2; i < lines.length && lines[i].includes("|"); i += 1) rows.push(el("tr", {}, ...cells(lines[i]).map((cell) => el("td", {}, ...inline(cell, cite)))));
      nodes.push(el("div", { class: "scroll", tabindex: "0" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows))));
    } else if (ITEM.test(line)) {
      i = list(lines, i, nodes, cite);
    } else if (/^\s*>/.test(line)) {
      const quoted = [];
      for (; i < lines.length && /^\s*>/.test(lines[i]); i += 1) quoted.push(lines[i].replace(/^\s*>\s?/, ""));
      nodes.push(el("blockquote", {}, ...rendered(quoted.join("\n").replace(/^(\s*>)+/gm, ""), cite)));
    } else {
      const words = [];
      for (; i < lines.length && lines[i].trim() && !ITEM.test(lines[i]) && !/^\s*(```|~~~|>|#{1,6}\s)/.test(lines[i]); i += 1) words.push(lines[i].trim());
      nodes.push(el("p", {}, ...words.flatMap((part, n) => [...(n ? [el("br")] : []), ...inline(part, cite)])));
    }
  }
  return nodes;
}

function list(lines, start, nodes, cite) {
  const [, , mark] = lines[start].match(ITEM);
  const ordered = /\d/.test(mark);
  const box = el(ordered ? "ol" : "ul", ordered ? { start: parseInt(mark, 10) } : {});
  let i = start;
  for (; i < lines.length; i += 1) {
    const item = lines[i].match(ITEM);
    if (item) box.append(el("li", { class: item[1].length > 1 ? "deep" : undefined }, ...inline(item[3], cite)));
    else if (lines[i].trim() && /^\s{2,}/.test(lines[i]) && box.lastElementChild) box.lastElementChild.append(" ", ...inline(lines[i].trim(), cite));
    else break;
  }
  nodes.push(box);
  return i;
}
