// Keeps a card's Approve inert until every part of the change has been on screen.
// A long value is marked at its end and every few lines, so that jumping to the end is not reading it.
import { el } from "./dom.js";

const PART = 400;
const mark = () => el("i", { class: "end", "aria-hidden": "true" });

// A text in full, cut where a reader would pause, with a mark after each part.
export function whole(text) {
  const nodes = [];
  for (let rest = text; rest; ) {
    const near = rest.length > PART ? Math.max(rest.lastIndexOf("\n", PART), rest.lastIndexOf(" ", PART)) + 1 || PART : rest.length;
    const cut = /[\ud800-\udbff]/.test(rest[near - 1]) && near < rest.length ? near + 1 : near; // never half a character
    nodes.push(rest.slice(0, cut), mark());
    rest = rest.slice(cut);
  }
  return nodes;
}

// Calls on the button do nothing until all was seen; a press before that shows what is still to be read.
export function untilSeen(card, button, note) {
  let left = null;
  const done = () => left !== null && left.size === 0;
  const show = () => {
    button.toggleAttribute("data-inert", !done());
    if (done()) { button.removeAttribute("aria-disabled"); button.removeAttribute("aria-describedby"); }
    else { button.setAttribute("aria-disabled", "true"); button.setAttribute("aria-describedby", note.id); }
    note.hidden = done();
  };
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { left.delete(entry.target); watcher.unobserve(entry.target); }
    show();
  });
  show();
  requestAnimationFrame(() => { // the card has been filled by now
    left = new Set(card.querySelectorAll(":scope > .fields dd .end, :scope > .fields time, :scope > .fields .gap, :scope > .warning, :scope > .fields .warning"));
    for (const node of left) watcher.observe(node);
    if (!left.size) show();
  });
  return () => {
    if (done()) return true;
    [...(left ?? [])][0]?.scrollIntoView({ block: "center" });
    return false;
  };
}
