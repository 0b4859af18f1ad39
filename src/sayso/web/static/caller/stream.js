// Event streams as bytes arrive: a reader of `text/event-stream` (HTML standard, section 9.2.6). Bytes may be cut
// anywhere, also within a character or a CRLF. It does not know what an event means.
import { Broken } from "./errors.js";
import { Kept } from "./kept.js";

const MAX_EVENT = 16 << 20;

/** @typedef {{ name: string, data: string, id: string }} ServerEvent */

export class EventReader {
  #decoder = new TextDecoder("utf-8");
  /** @type {string[]} */
  #rest = [];
  /** @type {string[]} */
  #data = [];
  #name = "";
  #size = 0;
  #afterCr = false;

  /** @param {number} [maxEvent] */
  constructor(maxEvent = MAX_EVENT) {
    this.maxEvent = maxEvent;
    this.lastId = "";
    /** @type {number | null} */
    this.retry = null;
  }

  /**
   * The events that these bytes complete. Throws Broken for one larger than anything our services send.
   * @param {Uint8Array} bytes
   * @returns {ServerEvent[]}
   */
  feed(bytes) {
    const text = this.#decoder.decode(bytes, { stream: true });
    /** @type {ServerEvent[]} */
    const events = [];
    if (!text) return events;
    for (const line of this.#lines(text)) {
      const event = this.#take(line);
      if (event) events.push(event);
    }
    return events;
  }

  /** @param {string} given */
  #lines(given) {
    const text = this.#afterCr && given.startsWith("\n") ? given.slice(1) : given;
    const lines = [];
    let position = 0;
    for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
      lines.push(this.#rest.join("") + text.slice(position, index));
      this.#rest = [];
      position = index + end.length;
    }
    this.#afterCr = text.endsWith("\r");
    if (position < text.length) {
      this.#rest.push(text.slice(position));
      this.#grow(text.length - position);
    }
    return lines;
  }

  /** @param {string} line @returns {ServerEvent | null} */
  #take(line) {
    if (!line) return this.#whole();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") {
      this.#data.push(value);
      this.#grow(value.length);
    } else if (name === "event") this.#name = value;
    else if (name === "id" && !value.includes("\0")) this.lastId = value;
    else if (name === "retry" && /^[0-9]+$/.test(value)) this.retry = Number(value.slice(0, 9));
    return null;
  }

  /** @returns {ServerEvent | null} */
  #whole() {
    const data = this.#data, name = this.#name;
    this.#data = [];
    this.#name = "";
    this.#size = 0;
    return data.length ? { name: name || "message", data: data.join("\n"), id: this.lastId } : null;
  }

  /** @param {number} size */
  #grow(size) {
    this.#size += size;
    if (this.#size > this.maxEvent) throw new Broken(`an event of the stream is larger than ${this.maxEvent >> 10} KiB`);
  }
}

/**
 * An event's data as the JSON object that our services send. Throws Broken.
 * @param {ServerEvent} event
 */
export function documentOf(event) {
  let kept;
  try {
    kept = new Kept(event.data);
  } catch {
    throw new Broken(`the data of a ${event.name} event is no JSON`);
  }
  if (kept.value === null || typeof kept.value !== "object" || Array.isArray(kept.value)) {
    throw new Broken(`the data of a ${event.name} event is no JSON object`);
  }
  return kept;
}
