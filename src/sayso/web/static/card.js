// A proposal's card: the exact change, in full, and the person's decision. It never acts twice.
import { get, post } from "./api.js";
import { byId, el } from "./dom.js";
import { editForm } from "./edit.js";
import { fields } from "./record.js";
import { inWords, label, t, titled, when } from "./strings.js";

const warningText = (code) => (code === "hidden" ? t("hidden") : t("mixed", code.slice(6)));
const path = (proposal, ...rest) => ["/api/v1/proposals", ...[proposal.id, ...rest].map(encodeURIComponent)].join("/");

// The value as it is stored; above a day or a time also what a person would say, with its weekday.
function shown(value) {
  if (value === "") return [el("span", { class: "gap" }, t("empty"))];
  const words = inWords(value);
  return words ? [el("time", { datetime: value }, words), el("span", { class: "fine exact" }, value)] : [value];
}

function row(name, value, warnings = []) {
  return el("div", {}, el("dt", {}, name), el("dd", {},
    ...shown(value), ...warnings.map((code) => el("p", { class: "warning" }, `⚠ ${warningText(code)}`))));
}

// The record it is about, where no input names it already.
const target = (proposal) => (!proposal.target || proposal.arguments.some((a) => a.value === proposal.target) ? []
  : [row(t("target"), proposal.target, proposal.target_warnings)]);

// Our own outcomes are said in the page's language; those of other applications in their words.
const known = (key) => (t(key) === key ? "" : t(key));
const badge = ({ state, outcome }) => (state === "done" && outcome ? known(`outcome_${outcome}`) || outcome : t(`state_${state}`));
function outcome({ state, action, outcome: short, details }) {
  if (!short) return "";
  const ours = known(`after_${short}`) || known(`after_${action}`);
  return state === "done" && (ours || action.startsWith("workspace.")) ? ours : details;
}

// What a person needs only when they look something up.
function exact(proposal) {
  const rows = [["action", proposal.action], ["record", proposal.target_record], ["receipt", proposal.details], ["digest", proposal.digest.slice(0, 16)]];
  return el("details", {}, el("summary", {}, t("details")), el("dl", { class: "fields" }, ...rows.filter(([, value]) => value).map(([name, value]) => row(t(name), value))));
}

const footer = (proposal) => el("footer", { class: "fine" }, proposal.state === "pending" ? el("p", {}, t("expires", when(proposal.expires))) : "", exact(proposal));

function toTake(proposal) {
  const mail = proposal.details.match(/mailto:\S+$/)?.[0];
  const files = proposal.files.map((name) => el("a", { class: "button", href: path(proposal, "files", name), download: name }, t("download", name)));
  return [mail ? el("a", { class: "button", href: mail }, t("openMail")) : "", ...files].filter(Boolean);
}

export function proposalCard(proposal, changed = () => {}) {
  const card = el("article", { class: "proposal", "data-id": proposal.id, tabindex: "-1" });
  fill(card, proposal, changed);
  return card;
}

const head = (proposal) => el("header", {}, el("h3", {}, titled(proposal.action, proposal.title)), el("span", { class: "state" }, badge(proposal)));

function fill(card, proposal, changed, problem = "") {
  card.dataset.state = proposal.state;
  card.dataset.outcome = proposal.outcome;
  card.setAttribute("aria-label", titled(proposal.action, proposal.title));
  const rows = [...target(proposal), ...proposal.arguments.map((a) => row(label(a.name), a.value, a.warnings))];
  const ended = outcome(proposal);
  const files = toTake(proposal);
  card.replaceChildren(
    head(proposal),
    el("dl", { class: "fields" }, ...rows),
    proposal.unbacked.length ? el("p", { class: "warning" }, `⚠ ${t("unbackedText", proposal.unbacked.join(" · "))}`) : "",
    ended ? el("p", { class: "outcome" }, ended) : "",
    ...proposal.learned.map((fact) => el("section", { class: "learned" }, el("h4", { class: "eyebrow" }, `${t(`provenance_${fact.provenance}`)} · ${fact.subject}`), fields(fact))),
    files.length ? el("p", { class: "files" }, ...files) : "",
    proposal.state === "pending" ? decision(card, proposal, changed, problem) : el("p", { class: "problem", role: "alert" }, problem),
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

function decision(card, proposal, changed, problemText) {
  let decided = false;
  const problem = el("p", { class: "problem", role: "alert" }, problemText);
  const approve = el("button", { class: "primary", type: "button" }, t("approve"));
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
  approve.addEventListener("click", () => { if (!decided) approve.textContent = t("approving"); act("approve", { digest: proposal.digest }); });
  edit?.addEventListener("click", () => change(card, proposal, changed));
  const open = (yes) => { why.hidden = !yes; deny.setAttribute("aria-expanded", String(yes)); (yes ? words : deny).focus(); };
  deny.addEventListener("click", () => open(why.hidden));
  cancel.addEventListener("click", () => open(false));
  why.addEventListener("submit", (event) => { event.preventDefault(); act("deny", { words: words.value }); });
  return el("div", { class: "decision" }, el("div", { class: "buttons" }, approve, edit, deny), why, problem);
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
