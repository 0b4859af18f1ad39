// Drives the browser's caller through a whole conversation, and prints what it told as one line of JSON.
import { pathToFileURL } from "node:url";

const { Caller, approve, deny, edit } = await import(new URL("caller.js", pathToFileURL(`${process.env.SAYSO_STATIC}/`)).href);
let text = "";
for await (const piece of process.stdin) text += piece;
const { options, questions } = JSON.parse(text);

const cards = [], opened = [];
const decide = (card) => {
  cards.push(card);
  if (card.target === "Mara Lindt") return deny("She has it already.");
  const title = card.arguments.find(({ name }) => name === "title").value;
  return title === "Ring Elena Weber" ? approve() : edit({ title: "Ring Elena Weber" });
};
const caller = new Caller({ ...options, decide, openPage: (path) => { opened.push(path); return path; } });

const told = [];
for (const question of questions) {
  const heard = [];
  told.push(heard);
  for await (const { name, data } of caller.ask(question)) heard.push([name, data]);
}
console.log(JSON.stringify({ told, cards, opened, thread: caller.threadId }));
