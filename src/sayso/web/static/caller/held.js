// What the caller holds of a conversation: messages exactly as they were given, the proof that goes with them, and
// what it owes. It can be written down, and taken up again after a reload. It sends nothing.
import { Broken } from "./errors.js";
import { Kept, elements, member } from "./kept.js";

/** @typedef {{ id: string, name: string, arguments: string }} Call what the model asks for: untrusted */

export class Held {
  /** @type {string | null} */
  threadId = null;
  /** The whole thread's; those from `began` on are of the exchange that goes on. @type {Kept[]} */
  messages = [];
  began = 0;
  continuation = "";
  historySeal = "";
  transcript = "";
  /** @type {Call[]} */
  owed = [];
  /** @type {Map<string, any>} */
  results = new Map();
  /** @type {Set<string>} */
  seenCalls = new Set();
  stored = "";
  kept = 0;
  run = "";
  requests = 0;

  get history() { return this.messages.slice(0, this.began); }
  get exchange() { return this.messages.slice(this.began); }
  get unsaved() { return this.messages.slice(this.kept); }

  /** What shows that these messages were given out. */
  proof() {
    if (this.continuation) return { continuation: this.continuation };
    return this.historySeal ? { history_seal: this.historySeal } : {};
  }

  /** Take up a call. Throws Broken for one that was asked for before. @param {Record<string, any>} document */
  owe(document) {
    const { call_id: id, name, arguments: raw } = document;
    if (![id, name, raw].every((text) => typeof text === "string")) throw new Broken("a call of the service is not whole");
    if (!id || this.seenCalls.has(id) || this.owed.some((call) => call.id === id)) throw new Broken(`the service asked twice for the call ${id}; it runs once`);
    this.owed.push({ id, name, arguments: raw });
  }

  /** A run's end: its messages are held, and unless it waits for results the exchange is over. @param {Kept} document */
  finish(document) {
    const { outcome, continuation, transcript } = document.value;
    const messages = member(document, "messages") ?? new Kept("[]");
    if (!Array.isArray(messages.value)) throw new Broken("the run's end does not say what was added to the conversation");
    const waiting = outcome === "waiting";
    if (waiting && !this.owed.length) throw new Broken("the service waits for a call that it did not ask for");
    this.messages.push(...elements(messages));
    this.continuation = continuation || this.continuation;
    this.transcript = transcript || this.transcript;
    this.results.clear();
    for (const call of this.owed) this.seenCalls.add(call.id);
    this.run = "";
    if (!waiting) {
      this.owed = [];
      this.began = this.messages.length;
    }
  }

  saved() {
    this.stored = this.transcript;
    this.kept = this.messages.length;
  }

  /** Everything, as plain JSON: for `sessionStorage`. */
  get document() {
    return {
      threadId: this.threadId, messages: this.messages.map((message) => message.text), began: this.began, continuation: this.continuation,
      historySeal: this.historySeal, transcript: this.transcript, owed: this.owed, seenCalls: [...this.seenCalls], stored: this.stored,
      results: [...this.results].map(([id, result]) => [id, result instanceof Kept ? result.text : JSON.stringify(result)]),
      kept: this.kept, run: this.run, requests: this.requests,
    };
  }
}

/** From `Held.document`. Throws Broken. @param {Held["document"]} document */
export function readHeld(document) {
  try {
    const { messages, results, seenCalls, ...plain } = document;
    return Object.assign(new Held(), plain, {
      messages: messages.map((text) => new Kept(text)),
      results: new Map(results.map(([id, text]) => [id, new Kept(text)])),
      seenCalls: new Set(seenCalls),
    });
  } catch {
    throw new Broken("what was written down of the conversation cannot be read");
  }
}
