// A proposal's card: the exact change, in full, and the person's decision. It never acts twice.
import { post } from "./api.js";
import { el } from "./dom.js";
import { fields } from "./record.js";
import { t, when } from "./strings.js";

const warningText = (code) => (code === "hidden" ? t("hidden") : t("mixed", code.slice(6)));

function row(name, value, warnings) {
  return el("div", {}, el("dt", {}, name), el("dd", {},
    value === "" ? el("span", { class: "gap" }, t("empty")) : value,
    ...warnings.map((code) => el("p", { class: "warning" }, `⚠ ${warningText(code)}`))));
}

export function proposalCard(proposal, changed = () => {}) {
  const card = el("article", { class: "proposal", "data-id": proposal.id, tabindex: "-1" });
  fill(card, proposal, changed);
  return card;
}

function fill(card, proposal, changed) {
  card.dataset.state = proposal.state;
  card.setAttribute("aria-label", proposal.title);
  const rows = proposal.arguments.map((a) => row(a.name.replaceAll("_", " "), a.value, a.warnings));
  if (proposal.target) rows.unshift(row(t("target"), proposal.target, proposal.target_warnings));
  const files = proposal.files.map((name) => el("a", { class: "button", href: `/api/v1/proposals/${encodeURIComponent(proposal.id)}/files/${encodeURIComponent(name)}`, download: name }, t("download", name)));
  card.replaceChildren(
    el("header", {}, el("h3", {}, proposal.title), el("span", { class: "state" }, t(`state_${proposal.state}`))),
    el("dl", { class: "fields" }, ...rows),
    ...proposal.risks.map((risk) => el("p", { class: "warning" }, `⚠ ${risk}`)),
    proposal.outcome ? el("p", { class: "outcome" }, proposal.outcome) : "",
    ...proposal.learned.map((fact) => el("section", { class: "learned" }, el("h4", { class: "eyebrow" }, `${t(`provenance_${fact.provenance}`)} · ${fact.subject}`), fields(fact))),
    files.length ? el("p", { class: "files" }, ...files) : "",
    proposal.state === "pending" ? decision(card, proposal, changed) : "",
    el("footer", { class: "fine" }, [proposal.action, proposal.state === "pending" ? t("expires", when(proposal.expires)) : "", t("digest", proposal.digest.slice(0, 8))].filter(Boolean).join(" · ")));
}

function decision(card, proposal, changed) {
  let decided = false;
  const problem = el("p", { class: "problem", role: "alert" });
  const approve = el("button", { class: "primary", type: "button" }, t("approve"));
  const deny = el("button", { class: "button", type: "button", "aria-expanded": "false" }, t("deny"));
  const words = el("input", { type: "text", maxlength: 2000, "aria-label": t("denyWhy"), placeholder: t("denyWhy") });
  const sure = el("button", { class: "button danger", type: "submit" }, t("denySure"));
  const cancel = el("button", { class: "quiet", type: "button" }, t("cancel"));
  const why = el("form", { class: "why", hidden: true }, words, sure, cancel);
  const act = async (path, body) => {
    if (decided) return; // a double click acts once
    decided = true;
    for (const button of [approve, deny, sure, cancel]) button.disabled = true;
    problem.textContent = "";
    try {
      const after = await post(`/api/v1/proposals/${encodeURIComponent(proposal.id)}/${path}`, body);
      fill(card, after, changed);
      card.focus({ preventScroll: true });
      changed(after);
    } catch (wrong) {
      problem.textContent = wrong.message || t("lost");
      decided = false;
      for (const button of [approve, deny, sure, cancel]) button.disabled = false;
      approve.textContent = t("approve");
    }
  };
  approve.addEventListener("click", () => { if (!decided) approve.textContent = t("approving"); act("approve", { digest: proposal.digest }); });
  const open = (yes) => { why.hidden = !yes; deny.setAttribute("aria-expanded", String(yes)); (yes ? words : deny).focus(); };
  deny.addEventListener("click", () => open(why.hidden));
  cancel.addEventListener("click", () => open(false));
  why.addEventListener("submit", (event) => { event.preventDefault(); act("deny", { words: words.value }); });
  return el("div", { class: "decision" }, el("div", { class: "buttons" }, approve, deny), why, problem);
}
