// Images for the next question: chosen, pasted or dropped; checked and uploaded at once, shown, and taken out again.
import { Fault, upload } from "./api.js";
import { byId, el } from "./dom.js";
import { t } from "./strings.js";

const MOST = 4;
const LARGEST = 5 * 1024 * 1024;
const list = byId("attached");
const problem = byId("attach-problem");
let images = [];

export const imageUrl = (id) => `/api/v1/ai/attachments/${encodeURIComponent(id)}`;
const say = (text) => { byId("live").textContent = text; };

// The server decides by the bytes; this only spares an upload that it would refuse.
async function fault(file) {
  if (images.length >= MOST) return t("image_too_many", file.name, MOST);
  if (file.size > LARGEST) return t("image_too_large", file.name, LARGEST / 1024 / 1024);
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  const known = /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP)/.test(head);
  if (known || !file.size) return "";
  const drawing = /<svg/i.test(await file.slice(0, 4096).text());
  const what = head.startsWith("%PDF") ? t("aPdf") : drawing ? t("anSvg") : "";
  return what ? t("image_other", file.name, what) : t("image_format", file.name);
}

const words = (wrong, name) => {
  if (!(wrong instanceof Fault)) { console.error(wrong); return t("image_lost", name); }
  if (wrong.status === 0) return t("image_lost", name);
  const known = t(`image_${wrong.reason}`, name, wrong.reason === "too_large" ? LARGEST / 1024 / 1024 : MOST);
  return known === `image_${wrong.reason}` ? wrong.message : known;
};

function complain(text) {
  problem.append(el("span", {}, text));
  problem.hidden = false;
}

function shown() {
  list.hidden = images.length === 0;
  byId("attach-note").hidden = images.length === 0 || byId("attach-note").textContent === "";
}

function drop(image, focus) {
  const at = images.indexOf(image);
  if (at < 0) return;
  images.splice(at, 1);
  image.node.remove();
  shown();
  if (!focus) return;
  say(t("imageRemoved", image.name));
  const next = images[Math.min(at, images.length - 1)];
  (next?.node.querySelector("button") ?? byId("message")).focus();
}

async function take(file) {
  const name = file.name || t("pastedImage");
  const wrong = await fault(file);
  if (wrong) return complain(wrong);
  const image = { name, id: null };
  image.node = el("li", { class: "attached-image", "aria-busy": "true" }, el("span", { class: "fine" }, name),
    el("button", { class: "quiet icon", type: "button", "aria-label": t("removeImage", name), onclick: () => drop(image, true) }, "✕"));
  images.push(image);
  list.append(image.node);
  shown();
  image.done = upload("/api/v1/ai/attachments", name, file).then((kept) => {
    Object.assign(image, { id: kept.id, name: kept.name });
    if (images.some((other) => other !== image && other.id === image.id)) return drop(image, false);
    image.node.removeAttribute("aria-busy");
    image.node.firstChild.replaceWith(el("img", { src: imageUrl(kept.id), alt: kept.name, title: kept.name }));
    say(t("imageAttached", kept.name));
  }).catch((error) => { drop(image, false); complain(words(error, name)); });
}

export async function attach(files) {
  problem.replaceChildren();
  problem.hidden = true;
  for (const file of files) await take(file);
}

// The images to ask about, once they are all uploaded; null where one of them could not be.
export async function ready() {
  const before = images.length;
  await Promise.all(images.map((image) => image.done));
  return !before || images.length ? images.map(({ id, name }) => ({ id, name })) : null;
}

export const attachedNow = () => images.length > 0;

export function clear() {
  for (const image of [...images]) drop(image, false);
  problem.replaceChildren();
  problem.hidden = true;
}

const filesOf = (transfer) => [...(transfer?.files ?? [])];
byId("attach").addEventListener("click", () => byId("attach-file").click());
byId("attach-file").addEventListener("change", async (event) => {
  const files = [...event.target.files];
  event.target.value = "";
  await attach(files);
  byId("message").focus();
});
byId("message").addEventListener("paste", (event) => {
  const files = filesOf(event.clipboardData);
  if (!files.length || event.clipboardData.types.includes("text/plain")) return;
  event.preventDefault();
  attach(files);
});
const main = byId("main");
const carries = (event) => event.dataTransfer?.types.includes("Files");
for (const name of ["dragenter", "dragover"]) addEventListener(name, (event) => {
  if (!carries(event)) return;
  event.preventDefault();
  main.classList.toggle("dropping", !byId("ask").hidden);
});
addEventListener("dragleave", (event) => { if (!event.relatedTarget) main.classList.remove("dropping"); });
addEventListener("drop", (event) => {
  if (!carries(event)) return;
  event.preventDefault(); // else the browser would leave the page for the file
  main.classList.remove("dropping");
  if (!byId("ask").hidden) attach(filesOf(event.dataTransfer));
});
