// The page: which view is shown, the ask box, the conversations, the keyboard.
import { Fault, chat, get, listen, pause, post, stopRun } from "./api.js";
import { attachedNow, clear, ready } from "./attach.js";
import { proposalCard } from "./card.js";
import { byId, el } from "./dom.js";
import { ExchangeView } from "./exchange.js";
import { closeAndReturn, hide, isOpen } from "./record.js";
import { t } from "./strings.js";
import { dismiss } from "./unbacked.js";

const view = byId("view");
const message = byId("message");
const state = { thread: null, run: null, busy: false, stopWanted: false, scrolled: false };

for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
for (const node of document.querySelectorAll("[data-label]")) { node.setAttribute("aria-label", t(node.dataset.label)); if (node.tagName === "BUTTON") node.title = t(node.dataset.label); }
message.placeholder = t("placeholder");
const meta = (name) => document.querySelector(`meta[name="${name}"]`).content;
if (meta("model-sees") === "no") byId("attach-note").textContent = t("blind", meta("model"));
byId("model-line").textContent = [t("model", meta("model")), meta("model-reason")].filter(Boolean).join(" · ");
byId("model-line").title = t("otherModel");

function grow() {
  message.style.height = "auto";
  message.style.height = `${Math.min(message.scrollHeight, 200)}px`;
}

function busy(yes) {
  state.busy = yes;
  byId("send").hidden = yes;
  byId("stop").hidden = !yes;
}

// An answer is followed to its end, but only as far as its question stays in view; a card that waits is
// shown down to its buttons. Whoever scrolls away is left alone.
const GAP = 16;
const atEnd = () => view.scrollHeight - view.scrollTop - view.clientHeight < 4;
function follow(exchange) {
  if (state.scrolled && !atEnd()) return;
  state.scrolled = false;
  const moved = view.scrollTop - view.getBoundingClientRect().top;
  const card = [...exchange.querySelectorAll('.proposal[data-state="pending"]')].at(-1);
  const box = card?.getBoundingClientRect();
  const buttons = box ? Math.min(box.bottom + moved + GAP - view.clientHeight, box.top + moved - GAP) : 0; // reading begins at its top
  view.scrollTop = Math.max(exchange.getBoundingClientRect().top + moved - GAP, buttons);
}
for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) view.addEventListener(name, () => { state.scrolled = true; }, { passive: true });

async function ask(text) {
  if (state.busy || !(text.trim() || attachedNow())) return;
  busy(true);
  state.stopWanted = false;
  const images = await ready();
  if (!images) return busy(false);
  text = text.trim() ? text : t("askImage", images.length);
  view.querySelector(".hello")?.remove();
  message.value = "";
  grow();
  const exchange = new ExchangeView(text, refreshWaiting, () => follow(exchange.node), images);
  view.append(exchange.node);
  state.scrolled = false;
  follow(exchange.node);
  try {
    const body = { message: text, context: { route: location.pathname } };
    if (state.thread) body.thread_id = state.thread;
    const closed = supersedes() ? [...view.querySelectorAll('.proposal[data-state="pending"]')] : [];
    if (closed.length) body.proposals = "supersede";
    if (images.length) body.attachments = images.map((image) => image.id);
    for await (const event of chat(body, (run) => { state.run = run; clear(); if (state.stopWanted) stopRun(run).catch(() => {}); })) {
      if (event.name === "run-started") { begun(event.data.thread_id); for (const card of closed.splice(0)) card.dispatchEvent(new Event("renew")); }
      exchange.take(event);
      follow(exchange.node);
    }
  } catch (wrong) {
    if (!state.run && !message.value) { message.value = text; grow(); } // nothing was asked: nothing is lost
    broken(exchange, wrong);
  } finally {
    over();
  }
}

function broken(exchange, wrong) {
  exchange.end("");
  exchange.fault(wrong instanceof Fault && wrong.message ? wrong.message : t("lost"));
  if (!(wrong instanceof Fault)) console.error(wrong);
}

function over() {
  state.run = null;
  busy(false);
  refreshThreads();
  refreshWaiting();
}

// What the server says still runs is attended to here, after a reload or in another window: the ask box stays shut
// until its end, and Stop stops it.
async function attend(thread, kept, exchange) {
  if (state.busy) return lookAgain(thread, kept.id);
  busy(true);
  state.stopWanted = false;
  state.run = kept.run_id;
  let elsewhere = false;
  try {
    for await (const event of listen(kept.run_id)) { exchange.take(event); follow(exchange.node); }
  } catch (wrong) {
    elsewhere = wrong.status === 404;
    if (!elsewhere) broken(exchange, wrong);
  } finally {
    over();
  }
  if (elsewhere) await lookAgain(thread, kept.id);
}

// No server that we reach drives it, or another answer is attended to: it is shown once it has ended.
const LOOK_AGAIN = 3000;
async function lookAgain(thread, exchange) {
  for (;;) {
    await pause(LOOK_AGAIN);
    if (state.thread !== thread) return;
    if (state.busy) continue;
    const detail = await get(`/api/v1/threads/${encodeURIComponent(thread)}`).catch(() => null);
    if (detail && !detail.exchanges.find((one) => one.id === exchange)?.run_id) return showThread(thread);
  }
}

function begun(thread) {
  if (state.thread === thread) return;
  state.thread = thread;
  history.pushState({}, "", `/t/${encodeURIComponent(thread)}`);
}

function stop() {
  if (!state.busy) return;
  state.stopWanted = true;
  if (state.run) stopRun(state.run).catch(() => {});
}

function hello() {
  view.append(el("section", { class: "hello" }, el("h1", {}, t("hello")), el("p", {}, t("helloText")),
    el("div", { class: "examples" }, ...t("examples").map((text) => el("button", { class: "example", type: "button", onclick: () => ask(text) }, text)))));
}

async function showThread(id) {
  view.append(el("p", { class: "status" }, t("loading")));
  const detail = await get(`/api/v1/threads/${encodeURIComponent(id)}`);
  if (state.thread !== id) return;
  view.replaceChildren(el("h1", { class: "sr" }, detail.title));
  for (const exchange of detail.exchanges) {
    const shown = new ExchangeView(exchange.question, refreshWaiting, () => follow(view.lastElementChild), exchange.images);
    if (exchange.run_id) attend(id, exchange, shown);
    else shown.restore(exchange);
    view.append(shown.node);
  }
  state.scrolled = false;
  follow(view.lastElementChild);
}

async function showProposals() {
  view.append(el("p", { class: "status" }, t("loading")));
  const { proposals } = await get("/api/v1/proposals");
  view.replaceChildren(el("section", { class: "page-head" }, el("h1", {}, t("proposals")), el("p", {}, t("proposalsText"))));
  const groups = [["waitingTitle", ["pending", "approved", "executing"]], ["needsTitle", ["unknown"]], ["decidedTitle", ["done", "failed", "denied", "expired", "superseded"]]];
  for (const [title, states] of groups) {
    const found = proposals.filter((p) => states.includes(p.state));
    if (!found.length && title !== "waitingTitle") continue;
    view.append(el("section", { class: "group" }, el("h2", { class: "eyebrow" }, t(title)), ...(found.length ? found.map((p) => proposalCard(p, refreshWaiting)) : [el("p", { class: "fine" }, t("noProposals"))])));
  }
}

async function route() {
  hide();
  drawer(false);
  view.replaceChildren();
  const onProposals = location.pathname === "/proposals";
  const thread = location.pathname.startsWith("/t/") ? decodeURIComponent(location.pathname.slice(3)) : null;
  state.thread = thread;
  byId("ask").hidden = onProposals;
  document.title = onProposals ? `${t("proposals")} · Sayso` : "Sayso";
  byId("to-proposals").toggleAttribute("aria-current", onProposals);
  try {
    if (onProposals) await showProposals();
    else if (thread) await showThread(thread);
    else hello();
  } catch (wrong) {
    view.replaceChildren(el("p", { class: "problem", role: "alert" }, wrong.message || t("lost")));
  }
  mark();
  if (!onProposals && matchMedia("(min-width: 800px)").matches) message.focus();
}

const mark = () => { for (const link of byId("threads").querySelectorAll("a")) link.toggleAttribute("aria-current", link.dataset.id === state.thread); };

async function refreshThreads() {
  const { threads } = await get("/api/v1/threads").catch(() => ({ threads: [] }));
  byId("threads").replaceChildren(...(threads.length ? threads.map((thread) => el("a", { href: `/t/${encodeURIComponent(thread.id)}`, "data-id": thread.id }, thread.title || "…")) : [el("p", { class: "fine" }, t("noThreads"))]));
  mark();
}

// What waits in this conversation is left as it is, or closed with the next message: as the person says, each time.
function supersedes() {
  const [box, tick] = [byId("supersede"), byId("supersede").firstElementChild];
  const chosen = !box.hidden && tick.checked;
  tick.checked = false;
  return chosen;
}
function offerToClose() {
  const waiting = view.querySelectorAll('.exchange .proposal[data-state="pending"]').length;
  const box = byId("supersede");
  box.hidden = waiting === 0;
  box.lastElementChild.textContent = waiting === 1 ? t("supersede1") : t("supersedeN", waiting);
}

async function refreshWaiting() {
  offerToClose();
  const { proposals } = await get("/api/v1/proposals?state=pending").catch(() => ({ proposals: [] }));
  byId("waiting").textContent = String(proposals.length);
  byId("waiting").hidden = proposals.length === 0;
}

function drawer(open) {
  byId("side").classList.toggle("open", open);
  byId("shade").hidden = !open;
  byId("menu").setAttribute("aria-expanded", String(open));
}

byId("ask").addEventListener("submit", (event) => { event.preventDefault(); ask(message.value); });
message.addEventListener("input", grow);
message.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); ask(message.value); }
});
byId("stop").addEventListener("click", stop);
byId("menu").addEventListener("click", () => { drawer(true); byId("side").querySelector("a.button").focus(); });
byId("shade").addEventListener("click", () => drawer(false));
byId("sign-out").addEventListener("click", async () => { await post("/api/v1/sign-out"); location.assign("/sign-in"); });
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (dismiss()) return;
  if (isOpen()) closeAndReturn();
  else if (byId("side").classList.contains("open")) { drawer(false); byId("menu").focus(); }
  else stop();
});
// Links inside the page change the view without a reload, but not while an answer is being written.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || link.origin !== location.origin || link.hasAttribute("download") || link.target || link.getAttribute("href").startsWith("#")) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || state.busy) return;
  event.preventDefault();
  history.pushState({}, "", link.href);
  route();
});
addEventListener("popstate", () => (state.busy ? location.reload() : route()));
route();
refreshThreads();
refreshWaiting();
