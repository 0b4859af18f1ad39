// Marks, in a rendered answer, the sentences that no record backs, with the reason on hover and focus.
// It works on text nodes after rendering, so it knows no markup and can add none but its own.
import { el } from "./dom.js";
import { rendered } from "./markdown.js";
import { t } from "./strings.js";

// What rendering may drop or move is no part of a sentence's identity: white space and markup signs.
const DROPPED = /[\s*_`#|>\\~•+-]/u;
let tips = 0;
let shown = null;
let timer = 0;

// The characters that count, each with its text node and offset; citations and hidden words are passed over.
function letters(root) {
  const found = { text: "", places: [] };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) => (node.parentElement.closest(".chip, .sr") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
  while (walker.nextNode()) {
    const node = walker.currentNode;
    for (let offset = 0; offset < node.data.length; offset += 1) {
      if (DROPPED.test(node.data[offset])) continue;
      found.text += node.data[offset];
      found.places.push({ node, offset });
    }
  }
  return found;
}

const keyOf = (text) => letters(el("div", {}, ...rendered(text, () => ""))).text;

const sign = (char) => char !== undefined && DROPPED.test(char) && char.trim() !== "";

// Wraps the places from `start` up to `end` in marks, one for each text node that they touch. What lies
// between two of them belongs to the sentence, and so do signs that touch its ends.
function wrap(places, start, end) {
  const pieces = [];
  for (const { node, offset } of places.slice(start, end)) {
    const last = pieces.at(-1);
    if (last?.node === node) last.to = offset + 1;
    else pieces.push({ node, from: offset, to: offset + 1 });
  }
  return pieces.map(({ node, from, to }, n) => {
    if (n) from = 0;
    else while (sign(node.data[from - 1])) from -= 1;
    if (n < pieces.length - 1) to = node.data.length;
    else while (sign(node.data[to])) to += 1;
    node.splitText(to);
    const mark = el("mark", { class: "unbacked" });
    const words = node.splitText(from);
    words.replaceWith(mark);
    mark.append(words);
    return mark;
  });
}

export function dismiss() {
  clearTimeout(timer);
  if (!shown) return false;
  shown.hidden = true;
  shown = null;
  return true;
}

const later = () => { clearTimeout(timer); timer = setTimeout(dismiss, 180); };

function show(tip, mark) {
  if (shown !== tip) dismiss();
  clearTimeout(timer);
  shown = tip;
  tip.hidden = false;
  const box = mark.getClientRects()[0] ?? mark.getBoundingClientRect();
  const width = Math.min(320, innerWidth - 24);
  tip.style.maxWidth = `${width}px`;
  tip.style.left = `${Math.max(12, Math.min(box.left, innerWidth - tip.offsetWidth - 12))}px`;
  const above = box.top - tip.offsetHeight - 6;
  tip.style.top = `${above > 8 ? above : mark.getBoundingClientRect().bottom + 6}px`;
}

function explain(root, marks, reasons) {
  const id = `unbacked${(tips += 1)}`;
  const tip = el("div", { class: "tip", role: "tooltip", id, hidden: true }, el("strong", {}, t("unbacked")), ...reasons.map((reason) => el("p", {}, reason)));
  tip.addEventListener("mouseenter", () => clearTimeout(timer));
  tip.addEventListener("mouseleave", later);
  const [first] = marks;
  first.prepend(el("span", { class: "sr" }, `${t("unbacked")}: `));
  first.tabIndex = 0;
  first.setAttribute("aria-describedby", id);
  first.addEventListener("focus", () => show(tip, first));
  first.addEventListener("blur", later);
  for (const mark of marks) {
    mark.addEventListener("mouseenter", () => show(tip, mark));
    mark.addEventListener("mouseleave", later);
    mark.addEventListener("click", () => show(tip, mark));
  }
  root.append(tip);
}

// Marks each open one of `sentences` (those of the answer, in order); gives those that it could not find.
export function markUnbacked(root, sentences, reasonsFor) {
  const { text, places } = letters(root);
  const found = [];
  const missing = [];
  let after = 0;
  for (const sentence of sentences) {
    const key = keyOf(sentence.text);
    const start = key ? text.indexOf(key, after) : -1;
    if (start >= 0) after = start + key.length;
    if (sentence.verdict !== "unsupported") continue;
    if (start < 0) missing.push(sentence);
    else found.push([sentence, start, after]);
  }
  // From the end, so that splitting a text node moves no place that is still to come.
  for (const [sentence, start, end] of found.reverse()) explain(root, wrap(places, start, end), reasonsFor(sentence));
  return missing;
}

addEventListener("scroll", () => dismiss(), true);
addEventListener("resize", () => dismiss());
