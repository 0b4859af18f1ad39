// What the caller holds of a conversation: messages exactly as they were given, the proof that goes with them, and
// what it owes. It can be written down, and taken up again after a reload. It sends nothing.
import { Broken } from "./errors.js";
import { Kept, compact, elements, member } from "./kept.js";

// Of earlier exchanges in one request, in messages and in characters of JSON; the service takes a little more.
const MOST_MESSAGES = 900, MOST_SIZE = 600_000;

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
  /** The calls of the run that goes on. @type {Call[]} */
  asked = [];
  /** The calls that the service waits for. @type {Call[]} */
  owed = [];
  /** The ends of exchanges: how many messages there were, and their digest. @type {[number, string][]} */
  ends = [];
  /** @type {Map<string, any>} */
  results = new Map();
  /** @type {Set<string>} */
  seenCalls = new Set();
  stored = "";
  kept = 0;
  run = "";
  requests = 0;

  get unsaved() { return this.messages.slice(this.kept); }

  /** The messages, for a request: all of the exchange that goes on, and as many whole ones before it as fit. */
  told() {
    /** @type {[number, string][]} */
    const cuts = [[0, ""], ...this.ends.filter(([count]) => count <= this.began)];
    /** @param {[number, string]} cut */
    const fits = ([count]) => this.messages.length - count <= MOST_MESSAGES && this.messages.slice(count).reduce((size, { text }) => size + text.length, 0) <= MOST_SIZE;
    const [start, before] = cuts.find(fits) ?? cuts[cuts.length - 1];
    const history = this.messages.slice(start, this.began), exchange = this.messages.slice(this.began);
    return { ...(history.length ? { history } : {}), ...(exchange.length ? { exchange } : {}), ...(before ? { history_before: before } : {}) };
  }

  /** A run is heard from its beginning. What was owed before stays until its end: it may still fail. @param {string} run */
  begin(run) {
    this.run = run;
    this.asked = [];
  }

  /** A run failed: the service's side is as it was before it. */
  fail() { this.begin(""); }

  /** What shows that these messages were given out. */
  proof() {
    if (this.continuation) return { continuation: this.continuation };
    return this.historySeal ? { history_seal: this.historySeal } : {};
  }

  /** Take up a call. Throws Broken for one that was asked for before. @param {Record<string, any>} document */
  owe(document) {
    const { call_id: id, name, arguments: raw } = document;
    if (![id, name, raw].every((text) => typeof text === "string")) throw new Broken("a call of the service is not whole");
    if (!id || this.seenCalls.has(id) || this.asked.some((call) => call.id === id)) throw new Broken(`the service asked twice for the call ${id}; it runs once`);
    this.asked.push({ id, name, arguments: raw });
  }

  /** A run's end: its messages are held, and unless it waits for results the exchange is over. @param {Kept} document */
  finish(document) {
    const { outcome, continuation, transcript } = document.value;
    const messages = member(document, "messages") ?? new Kept("[]");
    if (!Array.isArray(messages.value)) throw new Broken("the run's end does not say what was added to the conversation");
    const waiting = outcome === "waiting";
    if (waiting && !this.asked.length) throw new Broken("the service waits for a call that it did not ask for");
    this.messages.push(...elements(messages));
    this.continuation = continuation || this.continuation;
    this.transcript = transcript || this.transcript;
    this.results.clear();
    for (const call of this.asked) this.seenCalls.add(call.id);
    this.owed = waiting ? this.asked : [];
    this.begin("");
    if (!waiting) {
      this.began = this.messages.length;
      this.ends.push([this.began, this.transcript]);
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
      historySeal: this.historySeal, transcript: this.transcript, owed: this.owed, ends: this.ends, seenCalls: [...this.seenCalls], stored: this.stored,
      results: [...this.results].map(([id, result]) => [id, result instanceof Kept ? result.text : JSON.stringify(result)]),
      kept: this.kept, run: this.run, requests: this.requests,
    };
  }
}

/**
 * The ends of a stored thread's exchanges with their digests, which are chained message by message; none where they
 * do not come to the `transcript` that was told, or where the page may not make digests: it is sent whole then.
 * @param {Kept[]} messages @param {string} transcript
 * @returns {Promise<[number, string][]>}
 */
export async function endsOf(messages, transcript) {
  /** @type {[number, string][]} */
  const ends = [];
  if (!globalThis.crypto?.subtle || messages.length <= MOST_MESSAGES / 10) return ends;
  let digest = "";
  for (const [number, message] of messages.entries()) {
    const hashed = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${digest} ${compact(message)}`));
    digest = [...new Uint8Array(hashed)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const next = messages[number + 1];
    if (!next || next.value.exchange !== message.value.exchange) ends.push([number + 1, digest]);
  }
  return digest === transcript ? ends : [];
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
