// One service over HTTP: JSON in and out, and the event stream of a run, resumed where it breaks. It follows no
// redirect, and knows nothing of tools, transcripts or decisions.
import { Broken, CallerError, ConfigError, Refused, Unreachable, refusal } from "./errors.js";
import { Kept, written } from "./kept.js";
import { EventReader, documentOf } from "./stream.js";

/**
 * Milliseconds. `silence` is how long a stream may say nothing: our services send a heartbeat every 15 seconds.
 * @typedef {{ call: number, silence: number, pause: number, longest: number, tries: number }} Waits
 */
/** @type {Waits} */
export const WAITS = { call: 75_000, silence: 60_000, pause: 250, longest: 8000, tries: 6 };

const ENDS = new Set(["finish", "error"]);

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

export class Connection {
  /**
   * `headers` prove who calls; they are sent to `url` and nowhere else.
   * @param {string} url @param {() => Record<string, string>} headers @param {Partial<Waits>} [waits]
   */
  constructor(url, headers, waits = {}) {
    this.url = rootOf(url);
    this.headers = headers;
    this.waits = { ...WAITS, ...waits };
  }

  /**
   * The answer's JSON object. A busy service (429, 503) is asked again: all that is asked this way is safe to repeat.
   * @param {string} method @param {string} path @param {any} [body] @param {AbortSignal} [signal]
   * @returns {Promise<Kept>}
   */
  async json(method, path, body, signal) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#json(method, path, body, signal);
      } catch (wrong) {
        if (!(wrong instanceof Refused && wrong.retryable) || attempt >= this.waits.tries - 1) throw wrong;
        await pause(this.#before(attempt, wrong));
      }
    }
  }

  /** @param {string} method @param {string} path @param {any} body @param {AbortSignal} [signal] */
  async #json(method, path, body, signal) {
    const watch = new Watch(this.waits.call, signal);
    try {
      const response = await this.#request(method, path, body === undefined ? undefined : written(body), watch);
      const text = await response.text();
      if (response.type === "opaqueredirect" || response.status >= 300 || response.status === 0) throw refused(response, text);
      return text ? objectOf(text, `${method} ${path}`) : new Kept("{}");
    } catch (wrong) {
      throw watch.explained(this.url, wrong);
    } finally {
      watch.end();
    }
  }

  /**
   * The events of one run, each once, up to its one terminal event; `begun` is told the run's id. `repeatable`: the
   * same body gives the same run, so that it may be sent again. With `run`, that one is heard from its beginning.
   * @param {string} path @param {any} body
   * @param {{ repeatable: boolean, begun: (run: string) => void, run?: string }} options
   */
  async *events(path, body, { repeatable, begun, run = "" }) {
    const text = run ? "" : written(body);
    let last = 0, told = false;
    for (let attempt = 0; ; attempt += 1) {
      const watch = new Watch(this.waits.silence);
      /** @type {CallerError} */
      let wrong = new Unreachable(`the stream of ${this.url} ended before the run's end`);
      try {
        const response = run
          ? await this.#request("GET", `/api/v1/ai/runs/${encodeURIComponent(run)}/events`, undefined, watch, { "last-event-id": String(last) })
          : await this.#request("POST", path, text, watch);
        await expectStream(response);
        run = run || (response.headers.get("x-sayso-run") ?? "");
        if (!told) begun(run);
        told = true;
        for await (const event of eventsOf(response, watch)) {
          const number = numberOf(event);
          if (number <= last) continue;
          last = number;
          attempt = 0;
          yield { name: event.name, data: documentOf(event) };
          if (ENDS.has(event.name)) return;
        }
      } catch (fault) {
        const explained = watch.explained(this.url, fault);
        const again = explained instanceof Unreachable || (explained instanceof Refused && explained.retryable);
        if (!again) throw explained;
        wrong = explained;
      } finally {
        watch.end();
      }
      if (attempt >= this.waits.tries || !(run || repeatable)) throw wrong;
      await pause(this.#before(attempt, wrong));
    }
  }

  /** Stop a run; one that ended already stays as it is. @param {string} run */
  async stop(run) {
    await this.json("POST", `/api/v1/ai/runs/${encodeURIComponent(run)}/stop`, {});
  }

  /** @param {number} attempt @param {CallerError} wrong */
  #before(attempt, wrong) {
    const asked = wrong instanceof Refused ? wrong.members.retry_after : undefined;
    return Math.min(asked === undefined ? this.waits.pause * 2 ** attempt : asked * 1000, this.waits.longest);
  }

  /** @param {string} method @param {string} path @param {string | undefined} body @param {Watch} watch @param {Record<string, string>} [more] */
  #request(method, path, body, watch, more = {}) {
    /** @type {Record<string, string>} */
    const typed = body === undefined ? {} : { "content-type": "application/json" };
    return fetch(this.url + path, {
      method, body, headers: { ...this.headers(), ...typed, ...more }, signal: watch.signal,
      credentials: "same-origin", redirect: "manual", cache: "no-store", referrerPolicy: "no-referrer",
    });
  }
}

/** Gives up a request that is silent for too long, or when it is told to. */
class Watch {
  /** @param {number} ms @param {AbortSignal} [outer] */
  constructor(ms, outer) {
    this.ms = ms;
    this.control = new AbortController();
    this.late = false;
    this.outer = outer;
    this.give = () => this.control.abort();
    if (outer?.aborted) this.give();
    outer?.addEventListener("abort", this.give);
    this.alive();
  }

  get signal() { return this.control.signal; }

  alive() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.late = true; this.give(); }, this.ms);
  }

  end() {
    clearTimeout(this.timer);
    this.outer?.removeEventListener("abort", this.give);
    this.give(); // nothing of a stream that nobody reads stays open
  }

  /** @param {string} url @param {unknown} wrong @returns {CallerError} */
  explained(url, wrong) {
    if (wrong instanceof CallerError) return wrong;
    if (this.outer?.aborted) return new Stopped();
    const words = this.late ? "it said nothing for too long" : wrong instanceof Error ? wrong.message : String(wrong);
    return new Unreachable(`${url || "the server"} cannot be reached: ${words}`);
  }
}

/** It was given up because it was told to stop. */
export class Stopped extends CallerError {
  constructor() { super("it was stopped", "stopped"); }
}

/** @param {Response} response @param {Watch} watch */
async function* eventsOf(response, watch) {
  const reader = new EventReader();
  const bytes = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (;;) {
    const { value, done } = await bytes.read();
    if (done) return;
    watch.alive();
    yield* reader.feed(value);
  }
}

/** A service's root without its last slash; "" is this page's own server. @param {string} url */
export function rootOf(url) {
  if (url === "") return "";
  let parts;
  try {
    parts = new URL(url);
  } catch {
    throw new ConfigError(`${url} is no address of a service; write one such as http://127.0.0.1:8787`);
  }
  if (!["http:", "https:"].includes(parts.protocol) || parts.username || parts.search || parts.hash) {
    throw new ConfigError(`${url} is no address of a service; write one such as http://127.0.0.1:8787`);
  }
  return `${parts.origin}${parts.pathname.replace(/\/+$/, "")}`;
}

/** @param {Response} response */
async function expectStream(response) {
  if (response.type === "opaqueredirect" || response.status >= 300 || response.status === 0) throw refused(response, await response.text());
  const kind = (response.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (response.status !== 200 || kind !== "text/event-stream" || !response.body) {
    throw new Broken(`the service answered ${response.status} ${kind} instead of an event stream`);
  }
}

/** @param {Response} response @param {string} text */
function refused(response, text) {
  /** @type {Record<string, any>} */
  let document = {};
  try {
    document = objectOf(text, "the answer").value;
  } catch {
    document = {};
  }
  const wait = response.headers.get("retry-after") ?? "";
  return refusal(response.status, /^[0-9]{1,5}$/.test(wait) ? { ...document, retry_after: Number(wait) } : document);
}

/** @param {string} text @param {string} what */
function objectOf(text, what) {
  let kept;
  try {
    kept = new Kept(text);
  } catch {
    throw new Broken(`${what}: this is no JSON`);
  }
  if (kept.value === null || typeof kept.value !== "object" || Array.isArray(kept.value)) throw new Broken(`${what}: this is no JSON object`);
  return kept;
}

/** @param {import("./stream.js").ServerEvent} event */
function numberOf(event) {
  if (/^[0-9]{1,9}$/.test(event.id)) return Number(event.id);
  throw new Broken(`the event ${event.name} has no number`);
}
