// A proposal's card: the exact change, in full, and the person's decision. It never acts twice.
// It can be approved only after every part of it has been on screen: see `untilSeen`.
import { get, post } from "./api.js";
import { byId, el } from "./dom.js";
import { editForm } from "./edit.js";
import { fields } from "./record.js";
import { untilSeen, whole } from "./seen.js";
import { inWords, kindTitle, label, t, titled, when } from "./strings.js";

const path = (proposal, ...rest) => ["/api/v1/proposals", ...[proposal.id, ...rest].map(encodeURIComponent)].join("/");

const riskText = ({ code, values }) => t(`risk_${code}`, values.map((value) => (code === "repeated" ? when(value) : value)).join(" · "));
const risk = (one) => el("p", { class: "warning", "data-risk": one.code }, `⚠ ${riskText(one)}`);

// The value as it is stored; above a day or a time also what a person would say, with its weekday.
function shown(value) {
  if (value === "") return [el("span", { class: "gap" }, t("empty"))];
  const words = inWords(value);
  return words ? [el("time", { datetime: value }, words), el("span", { class: "fine exact" }, value)] : whole(value);
}

function row(name, value, { risks = [], before = null, unchanged = 0 } = {}) {
  const side = (tag, word, text) => (text === "" ? [] : [el("span", { class: "sr" }, `${t(word)}: `), el(tag, {}, ...shown(text))]);
  const change = before === null ? shown(value)
    : [...side("del", "before", before), ...side("ins", "after", value), unchanged ? el("span", { class: "fine exact" }, t("unchanged", unchanged)) : ""];
  return el("div", {}, el("dt", {}, name), el("dd", {}, ...change, ...risks.map(risk)));
}

// The record it is about, where no input names it already.
const target = (proposal) => (!proposal.target || proposal.arguments.some((a) => a.value === proposal.target) ? []
  : [row(t("target"), proposal.target, { risks: proposal.target_risks })]);

// Our own outcomes are said in the page's language; those of other applications in their words.
const known = (key) => (t(key) === key ? "" : t(key));
const badge = ({ state, outcome }) => (state === "done" && outcome ? known(`outcome_${outcome}`) || outcome : t(`state_${state}`));
function outcome({ state, action, outcome: short, details }) {
  if (!short) return "";
  const ours = known(`after_${short}`) || known(`after_${action}`);
  return state === "done" && (ours || action.startsWith("workspace.")) ? ours : details;
}

// The records that the change takes its values from.
const reasons = (proposal) => (proposal.reasons.length ? el("p", { class: "fine reasons" }, `${t("reasons")} `,
  ...proposal.reasons.map((fact, n) => el("span", {}, n ? " · " : "", fact.subject, ` (${kindTitle({ kind: fact.kind, title: fact.kind.replaceAll("_", " ") })}${fact.provenance === "own" ? "" : `, ${t(`provenance_${fact.provenance}`)}`}${fact.ref ? `, ${fact.ref}` : ""})`))) : "");

async function history(proposal, list) {
  const { changes } = await get(path(proposal, "changes")).catch(() => ({ changes: [] }));
  const said = (change) => (change.note === "filed" || change.note === "edited" ? t(`note_${change.note}`) : t(`state_${change.state}`));
  list.replaceChildren(...changes.map((change) => el("li", {}, `${when(change.at)} · ${change.by} · ${said(change)}`)));
}

// What a person needs only when they look something up.
function exact(proposal) {
  const steps = el("ol", { class: "steps", "aria-label": t("steps") });
  const rows = [["action", proposal.action], ["record", proposal.target_record], ["receipt", proposal.details], ["digest", proposal.digest.slice(0, 16)]];
  return el("details", { ontoggle: (event) => { if (event.target.open) history(proposal, steps); } }, el("summary", {}, t("details")), el("dl", { class: "fields" }, ...rows.filter(([, value]) => value).map(([name, value]) => row(t(name), value))), steps);
}

const footer = (proposal) => el("footer", { class: "fine" }, proposal.state === "pending" ? el("p", {}, t("expires", when(proposal.expires))) : "", exact(proposal));

function toTake(proposal) {
  const mail = proposal.details.match(/mailto:\S+$/)?.[0];
  const files = proposal.files.map((name) => el("a", { class: "button", href: path(proposal, "files", name), download: name }, t("download", name)));
  return [mail ? el("a", { class: "button", href: mail }, t("openMail")) : "", ...files].filter(Boolean);
}

// An event `renew` at the card shows what became of it elsewhere.
export function proposalCard(proposal, changed = () => {}) {
  const card = el("article", { class: "proposal", "data-id": proposal.id, tabindex: "-1" });
  fill(card, proposal, changed);
  card.addEventListener("renew", () => get(path(proposal)).then((now) => { fill(card, now, changed); changed(now); }).catch(() => {}));
  return card;
}

const head = (proposal) => el("header", {}, el("h3", {}, titled(proposal.action, proposal.title)), el("span", { class: "state" }, badge(proposal)));

function fill(card, proposal, changed, problem = "") {
  card.dataset.state = proposal.state;
  card.dataset.outcome = proposal.outcome;
  card.setAttribute("aria-label", titled(proposal.action, proposal.title));
  const rows = [...target(proposal), ...proposal.arguments.map((a) => row(label(a.name), a.value, a))];
  const ended = outcome(proposal);
  const files = toTake(proposal);
  card.replaceChildren(
    head(proposal),
    el("dl", { class: "fields" }, ...rows),
    ...proposal.risks.map(risk),
    reasons(proposal),
    ended ? el("p", { class: "outcome" }, ended) : "",
    ...proposal.learned.map((fact) => el("section", { class: "learned" }, el("h4", { class: "eyebrow" }, `${t(`provenance_${fact.provenance}`)} · ${fact.subject}`), fields(fact))),
    files.length ? el("p", { class: "files" }, ...files) : "",
    proposal.state === "pending" ? decision(card, proposal, changed, problem) : proposal.state === "unknown" ? finding(card, proposal, changed)
      : el("p", { class: "problem", role: "alert" }, problem),
    footer(proposal));
}

// The card has moved on: show what is there now, and say why nothing was done.
async function refresh(card, proposal, changed, wrong) {
  const now = await get(path(proposal)).catch(() => null);
  if (!now) return false;
  fill(card, now, changed, wrong.message);
  card.focus({ preventScroll: true });
  return true;
}

// An unknown end: what a person found out, or has its action look for.
function finding(card, proposal, changed) {
  const problem = el("p", { class: "problem", role: "alert" });
  const buttons = [["happened", "settle", { happened: true }], ["happenedNot", "settle", { happened: false }], ["lookAgain", "check", {}]]
    .filter(([, verb]) => verb === "settle" || proposal.can_check)
    .map(([name, verb, body]) => el("button", { class: "button", type: "button", onclick: () => act(verb, body) }, t(name)));
  async function act(verb, body) {
    for (const button of buttons) button.disabled = true;
    try {
      const after = await post(path(proposal, verb), body);
      fill(card, after, changed);
      card.focus({ preventScroll: true });
      byId("live").textContent = badge(after);
      changed(after);
    } catch (wrong) {
      if ([409, 410].includes(wrong.status) && await refresh(card, proposal, changed, wrong)) return;
      problem.textContent = wrong.message || t("lost");
      for (const button of buttons) button.disabled = false;
    }
  }
  return el("div", { class: "decision" }, el("p", {}, t("unknownHow")), proposal.look ? el("p", { class: "fine" }, proposal.look) : "", el("div", { class: "buttons" }, ...buttons), problem);
}

function decision(card, proposal, changed, problemText) {
  let decided = false;
  const problem = el("p", { class: "problem", role: "alert" }, problemText);
  const approve = el("button", { class: "primary", type: "button" }, t("approve"));
  const inert = el("p", { class: "fine unseen", id: `unseen-${proposal.id}` }, t("unseen"));
  const seen = untilSeen(card, approve, inert);
  const edit = proposal.inputs ? el("button", { class: "button edit-it", type: "button" }, t("edit")) : null;
  const deny = el("button", { class: "button", type: "button", "aria-expanded": "false" }, t("deny"));
  const words = el("input", { type: "text", maxlength: 2000, "aria-label": t("denyWhy"), placeholder: t("denyWhy") });
  const sure = el("button", { class: "button danger", type: "submit" }, t("denySure"));
  const cancel = el("button", { class: "quiet", type: "button" }, t("cancel"));
  const why = el("form", { class: "why", hidden: true }, words, sure, cancel);
  const buttons = [approve, edit, deny, sure, cancel].filter(Boolean);
  const act = async (verb, body) => {
    if (decided) return; // a double click acts once
    decided = true;
    for (const button of buttons) button.disabled = true;
    problem.textContent = "";
    try {
      const after = await post(path(proposal, verb), body);
      fill(card, after, changed);
      card.focus({ preventScroll: true });
      card.lastElementChild.scrollIntoView({ block: "nearest" });
      changed(after);
    } catch (wrong) {
      if ([409, 410].includes(wrong.status) && await refresh(card, proposal, changed, wrong)) return;
      problem.textContent = wrong.message || t("lost");
      decided = false;
      for (const button of buttons) button.disabled = false;
      approve.textContent = t("approve");
    }
  };
  approve.addEventListener("click", () => { if (!seen()) return; if (!decided) approve.textContent = t("approving"); act("approve", { digest: proposal.digest }); });
  edit?.addEventListener("click", () => change(card, proposal, changed));
  const open = (yes) => { why.hidden = !yes; deny.setAttribute("aria-expanded", String(yes)); (yes ? words : deny).focus(); };
  deny.addEventListener("click", () => open(why.hidden));
  cancel.addEventListener("click", () => open(false));
  why.addEventListener("submit", (event) => { event.preventDefault(); act("deny", { words: words.value }); });
  return el("div", { class: "decision" }, inert, el("div", { class: "buttons" }, approve, edit, deny), why, problem);
}

// While the form is open there is no Approve: what is approved is what the card shows after it was saved.
function change(card, proposal, changed) {
  const leave = () => { fill(card, proposal, changed); card.querySelector(".edit-it")?.focus(); };
  const save = async (changes) => {
    let after;
    try { after = await post(path(proposal, "edit"), { digest: proposal.digest, arguments: changes }); }
    catch (wrong) {
      if ([409, 410].includes(wrong.status) && await refresh(card, proposal, changed, wrong)) return;
      throw wrong;
    }
    fill(card, after, changed);
    card.focus({ preventScroll: true });
    card.lastElementChild.scrollIntoView({ block: "nearest" });
    byId("live").textContent = t("edited");
    changed(after);
  };
  const form = editForm(proposal.inputs, save, leave);
  card.replaceChildren(head(proposal), el("dl", { class: "fields" }, ...target(proposal)), form.node);
  form.focus();
}
