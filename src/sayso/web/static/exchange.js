// One question and its answer, as it grows: released sentences, sources, what was withheld, cards.
import { get } from "./api.js";
import { imageUrl } from "./attach.js";
import { proposalCard } from "./card.js";
import { byId, el } from "./dom.js";
import { rendered } from "./markdown.js";
import { chip } from "./record.js";
import { kindTitle, t, titled } from "./strings.js";
import { markUnbacked } from "./unbacked.js";

const SOURCES = 6;

const shownImages = (images) => (images.length ? el("span", { class: "shown-images" }, ...images.map(({ id, name }) =>
  el("a", { href: imageUrl(id), target: "_blank", rel: "noopener", title: name }, el("img", { src: imageUrl(id), alt: t("attachedAs", name), loading: "lazy" })))) : null);

// Why others did not answer, and who did. Empty where the model that was asked answered; its reason without its name.
const LONGEST_REASON = 240;
function instead(attempts = [], model = "") {
  const others = new Map(attempts.filter((a) => a.code !== "left_out" && a.model !== model).map((a) => [a.model, a.reason]));
  const shortened = (text) => (text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text);
  const why = ([name, reason]) => t("didNot", name, shortened((reason.startsWith(name) ? reason.slice(name.length) : reason).replace(/^[:\s]+/, "").replace(/\.$/, "")));
  return others.size && model ? [...[...others].map(why), t("answeredBy", model)].join(" ") : "";
}

// Why there is no answer, as the server says.
const endedAs = ({ state, reason }) => ({ waiting: "waits", cut: "cut" })[state] ?? (state === "failed" && reason !== "stopped" ? "failed" : "stopped");

export class ExchangeView {
  // `changed` is told of a decision, `placed` of a card that was put into the page; `images` came with the question.
  constructor(question, changed, placed, images = []) {
    this.facts = new Map();
    this.numbers = new Map();
    this.text = "";
    this.sentences = [];
    this.changed = changed;
    this.placed = placed;
    this.status = el("p", { class: "status" }, t("thinking"));
    this.answer = el("div", { class: "answer" });
    this.legend = el("div", { class: "notes" });
    this.notes = el("div", { class: "notes" });
    this.sources = el("div", {});
    this.by = el("p", { class: "fine answered-by", hidden: true });
    this.cards = el("div", { class: "cards" });
    this.node = el("section", { class: "exchange" },
      el("div", { class: "question" }, el("span", { class: "sr" }, `${t("you")}: `), shownImages(images), question),
      el("div", { class: "reply" }, el("span", { class: "sr" }, `${t("assistant")}: `), this.status, this.answer, this.legend, this.notes, this.by, this.sources, this.cards));
  }

  take({ name, data }) {
    if (name === "status") this.say(data.text || t("thinking"));
    else if (name === "text-delta") { this.text += data.text; this.draw(); byId("live").textContent = data.text.replace(/\[[FU][^\]]*\]/g, ""); }
    else if (name === "facts") this.learn(data.facts);
    else if (name === "verification") this.verdicts(data.sentences);
    else if (name === "answer") { this.text = data.text; this.draw(); if (data.cut) this.note(t("cut")); }
    else if (name === "usage") this.tellModel(data);
    else if (name === "finish") this.end(data.reason === "stopped" ? t("stopped") : "");
    else if (name === "error") { this.end(""); this.fault(data.message); }
  }

  restore(exchange) {
    this.learn(exchange.facts);
    this.text = exchange.answer ?? "";
    this.draw();
    this.verdicts(exchange.sentences);
    this.tellModel(exchange);
    if (exchange.unreadable) this.note(t("unreadable"));
    this.end(exchange.answer ? "" : t(endedAs(exchange)));
  }

  say(text) { this.status.textContent = text; this.status.hidden = false; if (!this.text) byId("live").textContent = text; }

  learn(facts) {
    for (const fact of facts) {
      this.facts.set(fact.ref, fact);
      const id = fact.kind === "proposal" ? fact.fields.proposal_id : null;
      if (id) this.card(id);
    }
    if (this.text) this.draw();
  }

  async card(id) {
    if (this.cards.querySelector(`[data-id="${CSS.escape(id)}"]`)) return;
    const found = await get(`/api/v1/proposals/${encodeURIComponent(id)}`).catch(() => null);
    if (!found || this.cards.querySelector(`[data-id="${CSS.escape(id)}"]`)) return;
    this.cards.append(proposalCard(found, this.changed));
    this.changed();
    this.placed();
  }

  draw() {
    this.numbers.clear();
    const cite = (ref, sentence) => {
      const fact = this.facts.get(ref);
      if (!fact) return "";
      if (!this.numbers.has(ref)) this.numbers.set(ref, this.numbers.size + 1);
      return chip(this.numbers.get(ref), fact, sentence);
    };
    this.answer.replaceChildren(...rendered(this.text, cite));
    const missing = markUnbacked(this.answer, this.sentences.filter((s) => !s.withheld), (s) => this.reasons(s));
    this.legend.replaceChildren();
    const open = this.open.length;
    if (open > missing.length) this.legend.append(el("p", { class: "fine" }, el("span", { class: "unbacked", "aria-hidden": "true" }, t("dotted")), " ", open === 1 ? t("unbacked1") : t("unbackedN", open)));
    if (missing.length) this.legend.append(this.details(t("unsupported"), missing, false));
  }

  get open() { return this.sentences.filter((s) => s.verdict === "unsupported" && !s.withheld); }

  reasons(sentence) {
    const why = sentence.violations.map((v) => t(`why_${v.kind}`)).map((words) => (words.startsWith("why_") ? t("why_unsupported") : words));
    const near = sentence.violations.map((v) => this.facts.get(v.nearest)?.subject).filter(Boolean).map((subject) => t("nearest", subject));
    return [...new Set([...(why.length ? why : [t("why_unsupported")]), ...near])];
  }

  verdicts(sentences) {
    this.sentences = sentences;
    const withheld = sentences.filter((s) => s.withheld);
    this.notes.replaceChildren();
    if (withheld.length) this.notes.append(this.details(withheld.length === 1 ? t("withheld1") : t("withheldN", withheld.length), withheld, true));
    this.draw();
  }

  details(title, sentences, why) {
    return el("details", { class: why ? "held" : "open-claims" }, el("summary", {}, title), why ? el("p", { class: "fine" }, t("withheldWhy")) : null,
      el("ul", {}, ...sentences.map((s) => el("li", {}, s.text.trim().replace(/\s*\[[FU][^\]]*\]/g, "")))));
  }

  list(cited) {
    return el("ol", { class: "sources" }, ...cited.map(([ref, number]) => {
      const fact = this.facts.get(ref);
      return el("li", {}, chip(number, fact, this.text), el("span", { class: "source-name" }, titled(fact.fields.action, fact.subject)), el("span", { class: "fine" }, kindTitle(fact)));
    }));
  }

  tellModel({ attempts, model }) { this.by.textContent = instead(attempts, model); this.by.hidden = !this.by.textContent; }
  note(text) { this.notes.append(el("p", { class: "fine" }, text)); }
  fault(text) { this.notes.append(el("p", { class: "problem", role: "alert" }, text)); }

  end(text) {
    this.status.hidden = true;
    if (text) this.note(text);
    const cited = [...this.numbers];
    if (cited.length) {
      const first = cited.length > SOURCES + 2 ? SOURCES : cited.length; // two more are no reason to fold
      const rest = cited.slice(first);
      this.sources.replaceChildren(el("h3", { class: "eyebrow" }, t("sources")), this.list(cited.slice(0, first)),
        rest.length ? el("details", { class: "more" }, el("summary", {}, t("more", rest.length)), this.list(rest)) : "");
    }
    const open = this.open.length;
    if (this.text) byId("live").textContent = [t("answered"), open === 1 ? t("unbacked1") : open ? t("unbackedN", open) : ""].join(" ").trim();
  }
}
