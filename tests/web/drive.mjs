// Drives the browser's caller as standard input says, and prints what it told, as one line of JSON.
import { pathToFileURL } from "node:url";

const { Caller, ClientTools, done, notDone, readHeld } = await import(new URL("caller.js", pathToFileURL(`${process.env.SAYSO_STATIC}/`)).href);
let text = "";
for await (const piece of process.stdin) text += piece;
const { options, acts, decisions = null, reaches, zoom = false, stopAt = null, leaveAt = null, held = null } = JSON.parse(text);

const cards = [], opened = [];
const clientTools = new ClientTools();
if (zoom) {
  const schema = { type: "object", properties: { level: { type: "integer" } }, required: ["level"] };
  clientTools.register("zoom", ({ level }) => (level < 9 ? done({ kind: "view", subject: "map", values: { level } }) : notDone("denied", null)), { description: "Zoom.", schema, example: { level: 1 } });
}
const caller = new Caller({
  ...options, clientTools,
  decide: decisions && ((card) => { cards.push(card); return decisions.shift(); }),
  openPage: reaches === undefined ? null : (path) => { opened.push(path); return reaches ?? path; },
});
if (held) caller.held = readHeld(held);

const told = [];
for (const [act, ...given] of acts) {
  const heard = [];
  told.push(heard);
  try {
    if (act === "open") await caller.open(...given);
    else {
      for await (const event of caller[act](...given)) {
        heard.push(event);
        if (event.name === stopAt) await caller.stop();
        if (event.name === leaveAt) break;
        if (act === "ask" && given[0] === "twice") await caller.ask("b").next().catch((wrong) => heard.push({ name: "threw", data: { code: wrong.code } }));
      }
    }
  } catch (wrong) {
    if (wrong.code === undefined) throw wrong;
    heard.push({ name: "threw", data: { code: wrong.code, kind: wrong.name, message: wrong.message, status: wrong.status, members: wrong.members } });
  }
}
console.log(JSON.stringify({ told, cards, opened, held: caller.held.document, owes: caller.owes, thread: caller.threadId }));
