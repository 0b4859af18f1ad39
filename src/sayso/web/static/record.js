// The record behind a citation: a card beside its chip, with each field, what was used, and the gaps.
import { imageUrl } from "./attach.js";
import { byId, el } from "./dom.js";
import { fieldTitle, inWords, kindTitle, t, when } from "./strings.js";

const card = byId("record");
let opener = null;
let pinned = false;
let timer = 0;

// Days and times as people say them, also in a list of them; any other value as it is.
const readable = (value) => {
  const parts = value.split("; ").map((part) => inWords(part));
  return parts.every(Boolean) ? parts.join("; ") : value;
};

export function fields(fact, sentence = "") {
  const said = sentence.toLowerCase();
  return el("dl", { class: "fields" }, ...Object.entries(fact.fields).map(([name, value]) => {
    const used = value !== null && value.length > 1 && said.includes(value.toLowerCase());
    return el("div", { class: used ? "used" : undefined },
      el("dt", {}, fieldTitle(fact, name)),
      el("dd", { class: value === null ? "gap" : undefined }, value === null ? t("notRecorded") : readable(value), used ? el("span", { class: "sr" }, ` (${t("used")})`) : null));
  }));
}

function place(chip) {
  const box = chip.getBoundingClientRect();
  const width = Math.min(360, innerWidth - 24);
  card.style.width = `${width}px`;
  card.style.left = `${Math.max(12, Math.min(box.left - 16, innerWidth - width - 12))}px`;
  const below = innerHeight - box.bottom;
  const up = below < 280 && box.top > below;
  card.style.top = up ? "auto" : `${box.bottom + 8}px`;
  card.style.bottom = up ? `${innerHeight - box.top + 8}px` : "auto";
  card.style.maxHeight = `${Math.max(160, (up ? box.top : below) - 24)}px`;
}

function show(chip, fact, sentence, pin) {
  clearTimeout(timer);
  if (opener && opener !== chip) opener.setAttribute("aria-expanded", "false");
  opener = chip;
  pinned = pin;
  card.replaceChildren(
    el("header", {}, el("div", {}, el("p", { class: "eyebrow" }, kindTitle(fact)), el("h3", {}, fact.subject)),
      el("button", { class: "quiet icon", onclick: () => { hide(); chip.focus(); }, "aria-label": t("close") }, "✕")),
    fact.kind === "attached_image" ? el("img", { class: "record-image", src: imageUrl(fact.key), alt: "" }) : "",
    fields(fact, sentence),
    el("footer", { class: "fine" }, `${t(`provenance_${fact.provenance}`)} · ${fact.source} · ${t("asOf", when(fact.as_of))}`));
  card.setAttribute("aria-label", fact.subject);
  card.hidden = false;
  chip.setAttribute("aria-expanded", "true");
  place(chip);
}

export function hide() {
  card.hidden = true;
  opener?.setAttribute("aria-expanded", "false");
  opener = null;
  pinned = false;
}

// The card stays beside its chip while the page moves, as it does by itself when an answer ends;
// it goes when the chip has left the window.
function follow() {
  if (card.hidden) return;
  const box = opener?.getBoundingClientRect();
  if (box?.height && box.bottom > 0 && box.top < innerHeight) place(opener);
  else hide();
}

const later = () => { clearTimeout(timer); timer = setTimeout(() => { if (!pinned) hide(); }, 180); };

export function chip(number, fact, sentence) {
  const button = el("button", { class: "chip", type: "button", "aria-expanded": "false", "aria-controls": "record", "aria-label": t("source", number, fact.subject) }, String(number));
  button.addEventListener("mouseenter", () => { if (!pinned) show(button, fact, sentence, false); });
  button.addEventListener("mouseleave", later);
  button.addEventListener("focus", () => { if (button.matches(":focus-visible") && !pinned) show(button, fact, sentence, false); });
  button.addEventListener("blur", later);
  button.addEventListener("click", () => { if (opener === button && pinned) hide(); else show(button, fact, sentence, true); });
  return button;
}

card.addEventListener("mouseenter", () => clearTimeout(timer));
card.addEventListener("mouseleave", later);
card.addEventListener("focusin", () => { pinned = true; clearTimeout(timer); });
addEventListener("click", (event) => { if (pinned && !card.contains(event.target) && !event.target.closest(".chip")) hide(); });
addEventListener("resize", hide);
byId("main").addEventListener("scroll", follow, true);
export const isOpen = () => !card.hidden;
export const closeAndReturn = () => { const back = opener; hide(); back?.focus(); };
