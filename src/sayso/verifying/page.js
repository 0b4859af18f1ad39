/* On hover or focus, the reason of a finding beside its words. Without this, each finding is a link to its reason. */
const tip = document.getElementById("tip"), panel = document.getElementById("facts");
let shown = null, leaving = 0;

function reasonOf(claim) {
  const list = document.getElementById("why-" + claim.dataset.why);
  return [...list.querySelectorAll("[data-tip]")].map((part) => part.cloneNode(true));
}
function near(claim, on) {
  const fact = claim.dataset.near && document.getElementById("fact-" + claim.dataset.near);
  if (!fact) return;
  fact.classList.toggle("near", on);
  const top = fact.offsetTop, low = top + Math.min(fact.offsetHeight, panel.clientHeight);
  const seen = top >= panel.scrollTop && low <= panel.scrollTop + panel.clientHeight;
  if (on && !seen) panel.scrollTop = top - 8; /* where the facts have a scroll of their own */
}
function place(claim) {
  const box = claim.getClientRects()[0], high = tip.offsetHeight, wide = tip.offsetWidth;
  const below = box.bottom + 8 + high < innerHeight;
  tip.style.top = (below ? box.bottom + 8 : Math.max(8, box.top - 8 - high)) + "px";
  const edge = claim.closest(".text").getBoundingClientRect().right;
  tip.style.left = Math.max(12, Math.min(box.left, edge - wide)) + "px";
}
function show(claim) {
  clearTimeout(leaving);
  if (shown === claim) return;
  hide();
  shown = claim;
  tip.replaceChildren(...reasonOf(claim));
  tip.hidden = false;
  place(claim);
  near(claim, true);
}
function hide() {
  if (!shown) return;
  near(shown, false);
  shown = null;
  tip.hidden = true;
}
const soon = () => { clearTimeout(leaving); leaving = setTimeout(hide, 150); };

for (const claim of document.querySelectorAll(".text .claim")) {
  claim.addEventListener("pointerenter", () => show(claim));
  claim.addEventListener("pointerleave", soon);
  claim.addEventListener("focus", () => show(claim));
  claim.addEventListener("blur", soon);
}
tip.addEventListener("pointerenter", () => clearTimeout(leaving));
tip.addEventListener("pointerleave", soon);
addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
addEventListener("scroll", hide, { passive: true });
