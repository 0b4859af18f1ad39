// `Caller`: drives a conversation over HTTP from a page, or from Node. Question, run, calls, results, run ... answer.
//
//   const caller = new Caller({ decide: showCard, openPage: goTo });
//   for await (const { name, data } of caller.ask("Who is Elena?")) ...
//
// The inference service is told everything it may use and holds nothing; what the model asks for is run here, under the
// rights of whoever is signed in. It resubmits only where it owes a result, and never more often than it may.
import { Connection, Stopped, rootOf } from "./caller/connection.js";
import { Broken, Busy, CallerError, ConfigError, DeclarationError, RunFailed, StaleCopy, StepLimit } from "./caller/errors.js";
import { Held, endsOf } from "./caller/held.js";
import { elements, member } from "./caller/kept.js";
import { Navigator } from "./caller/pages.js";
import { Running } from "./caller/running.js";
import { ClientTools } from "./caller/tools.js";

export { approve, deny, edit, later } from "./caller/deciding.js";
export * from "./caller/errors.js";
export { Held, readHeld } from "./caller/held.js";
export { ClientTools, done, notDone } from "./caller/tools.js";

const STEPS = 8, MOST_STEPS = 20;
const CHAT = "/api/v1/ai/chat";
const FRESH = 5 * 60_000;

/**
 * What happens, as it happens: an event of the service as it came, or one of the caller's own: `call` (it is run now),
 * `refused` (its arguments do not fit), `result`, `card` (a decision is asked for), `decided`, `unsaved`, `stopped`.
 * @typedef {{ name: string, data: any }} Told
 */
/**
 * `gatewayUrl` is "" for this page's own server, and the others are its address where they are not given. `headers`
 * (a CSRF token, say) go to the gateway and the thread store, and to an inference service of the same origin; `token`
 * is an API token, sent in the same way. Without `decide`, changes wait at the gateway.
 * @typedef {object} Options
 * @property {string} [gatewayUrl]
 * @property {string} [inferenceUrl]
 * @property {string} [workspaceUrl]
 * @property {string} [token]
 * @property {string} [inferenceToken]
 * @property {Record<string, string>} [headers]
 * @property {ClientTools} [clientTools]
 * @property {import("./caller/deciding.js").Decide | null} [decide]
 * @property {import("./caller/pages.js").OpenPage | null} [openPage]
 * @property {number} [steps]
 * @property {boolean} [save]
 * @property {string} [locale]
 * @property {Partial<import("./caller/connection.js").Waits>} [waits]
 */
/** @typedef {{ context?: Record<string, any>, attachments?: string[], model?: string }} Asked */

/** One conversation of one person. One run at a time. */
export class Caller {
  /** @type {{ document: import("./caller/kept.js").Kept, tools: Map<string, import("./caller/tools.js").Declaration>, expires: number } | null} */
  #catalogue = null;
  #active = false;
  #stopping = false;
  /** @type {Record<string, any>} */
  #details = {};
  /** @type {AbortController | null} */
  #work = null;

  /** @param {Options} [options] */
  constructor(options = {}) {
    const { gatewayUrl = "", inferenceUrl = gatewayUrl, workspaceUrl = gatewayUrl, steps = STEPS, waits } = options;
    if (!(Number.isInteger(steps) && steps >= 1 && steps <= MOST_STEPS)) throw new ConfigError(`steps is from 1 to ${MOST_STEPS}, not ${steps}`);
    this.options = { save: true, ...options, steps };
    this.clientTools = options.clientTools ?? new ClientTools();
    this.held = new Held();
    const shared = () => ({ ...options.headers, ...(options.token ? { authorization: `Bearer ${options.token}` } : {}) });
    const near = originOf(inferenceUrl) === originOf(gatewayUrl);
    this.gateway = new Connection(gatewayUrl, shared, waits);
    this.workspace = new Connection(workspaceUrl, shared, waits);
    this.inference = new Connection(inferenceUrl, () => this.#toInference(near ? shared() : null), waits);
    if (options.openPage && !this.clientTools.has("navigate")) new Navigator(this.gateway, options.openPage).register(this.clientTools);
  }

  get threadId() { return this.held.threadId; }

  /** Whether an exchange waits for results, or a run's end was not received: `goOn` takes it up. */
  get owes() { return this.held.owed.length > 0 || this.held.run !== ""; }

  /** Take up a stored thread. @param {string} threadId */
  async open(threadId) {
    const release = this.#oneAtATime();
    try {
      const found = await this.workspace.json("GET", `${threadPath(threadId)}/history`);
      const messages = member(found, "messages");
      if (!messages || !Array.isArray(messages.value) || typeof found.value.seal !== "string") throw new Broken("the stored thread cannot be read");
      const held = Object.assign(new Held(), { threadId, messages: elements(messages), historySeal: found.value.seal, transcript: String(found.value.transcript ?? "") });
      held.began = held.messages.length;
      held.ends = await endsOf(held.messages, held.transcript);
      held.saved();
      this.held = held;
    } finally {
      release();
    }
  }

  /**
   * A new exchange. Calls that were still open are over with it: the service ends them as superseded. Throws
   * CallerError; what was held before stays held.
   * @param {string} message @param {Asked} [asked]
   * @returns {AsyncGenerator<Told, void, void>}
   */
  async *ask(message, { context, attachments, model } = {}) {
    const release = this.#oneAtATime();
    try {
      const catalogue = await this.#currentCatalogue();
      if (this.held.run) await this.#left();
      if (this.options.save && this.held.threadId === null) this.held = await this.#begunThread();
      const seeds = await this.gateway.json("POST", "/api/v1/system/context", stated({ message, context, thread_id: this.held.threadId }));
      this.#details = stated({ thread_id: this.held.threadId, question: message, context });
      const body = { ...this.#body(catalogue), ...stated({ message, context, seeds, attachments, model, locale: this.options.locale }) };
      this.held.requests = 0;
      yield* this.#drive(body);
    } finally {
      release();
    }
  }

  /** Take up what was interrupted: hear a run to its end, run the calls that are owed, resubmit. @returns {AsyncGenerator<Told, void, void>} */
  async *goOn() {
    const release = this.#oneAtATime();
    try {
      await this.#currentCatalogue();
      yield* this.#drive(null);
    } finally {
      release();
    }
  }

  /** Stop what goes on: the run at the service, or the calls that are being run here. Nothing held is lost. */
  async stop() {
    if (!this.#active) return;
    this.#stopping = true;
    this.#work?.abort();
    if (this.held.run) await this.inference.stop(this.held.run);
  }

  /** @param {Record<string, any> | null} first null where it begins with what is owed @returns {AsyncGenerator<Told, void, void>} */
  async *#drive(first) {
    for (let body = first; ;) {
      if (body !== null || this.held.run) {
        this.held.requests += 1;
        yield* this.#run(body);
        yield* this.#saved();
      }
      if (!this.held.owed.length) return;
      if (this.held.requests >= this.options.steps) throw new StepLimit(this.options.steps);
      yield* this.#answers();
      if (this.#stopping) {
        yield { name: "stopped", data: {} };
        return;
      }
      body = this.#resubmission(await this.#currentCatalogue());
    }
  }

  /** One request and its events. Leaving in the middle stops the run and still takes up its end. @param {Record<string, any> | null} body */
  async *#run(body) {
    const repeatable = body !== null && "continuation" in body;
    let left = true;
    try {
      for await (const { name, data } of this.inference.events(CHAT, body, { repeatable, run: this.held.run, begun: (run) => this.#begun(run) })) {
        this.#take(name, data);
        if (name === "finish") left = false;
        yield { name, data: data.value };
        if (this.#stopping && left) await this.inference.stop(this.held.run);
      }
      left = false;
    } catch (wrong) {
      left = false;
      throw wrong;
    } finally {
      if (left && this.held.run) await this.#left();
    }
  }

  /** @param {string} run */
  #begun(run) {
    if (!run) throw new Broken("the service did not name the run");
    this.held.begin(run);
  }

  /** @param {string} name @param {import("./caller/kept.js").Kept} data */
  #take(name, data) {
    const { held } = this;
    if (name === "run-started") {
      held.threadId = held.threadId ?? (data.value.thread_id || null);
      this.#details = { ...this.#details, ...stated({ exchange_id: data.value.exchange_id }) };
    } else if (name === "client-tool-call") held.owe(data.value);
    else if (name === "finish") held.finish(data);
    else if (name === "error") {
      held.fail();
      throw new RunFailed(String(data.value.message || "the run failed"), String(data.value.code || "error"), data.value.retryable === true);
    }
  }

  /** Stop a run that nobody hears any more, and hold its end: the conversation can go on from there. */
  async #left() {
    const { run } = this.held;
    try {
      await this.inference.stop(run);
      for await (const { name, data } of this.inference.events(CHAT, null, { repeatable: false, run, begun: (id) => this.#begun(id) })) this.#take(name, data);
    } catch (wrong) {
      if (!(wrong instanceof CallerError)) throw wrong;
    }
    this.held.run = "";
  }

  /** Runs the owed calls, and tells of them as they happen. @returns {AsyncGenerator<Told, void, void>} */
  async *#answers() {
    const control = this.#work = new AbortController();
    const heard = new Heard();
    const stopped = new Promise((_, reject) => { control.signal.addEventListener("abort", () => reject(new Stopped())); });
    const running = new Running({
      gateway: this.gateway, declarations: (await this.#currentCatalogue()).tools, clientTools: this.clientTools, decide: this.options.decide ?? null,
      tell: (name, data) => heard.put({ name, data }), details: this.#details, signal: control.signal,
    });
    const work = Promise.race([running.answer(this.held.owed, this.held.results), stopped]).finally(() => heard.end());
    work.catch(() => undefined); // it is awaited below, after what it told
    try {
      yield* heard;
      await work;
    } catch (wrong) {
      if (!(wrong instanceof Stopped && this.#stopping)) throw wrong;
    } finally {
      this.#work = null;
      control.abort();
    }
  }

  /** @returns {AsyncGenerator<Told, void, void>} */
  async *#saved() {
    const { held } = this;
    if (!this.options.save || held.threadId === null || !held.unsaved.length || !held.continuation) return;
    try {
      await this.workspace.json("POST", `${threadPath(held.threadId)}/messages`, { expected: held.stored, messages: held.unsaved, continuation: held.continuation });
      held.saved();
    } catch (wrong) {
      if (!(wrong instanceof CallerError) || wrong instanceof StaleCopy) throw wrong;
      yield { name: "unsaved", data: { code: wrong.code, message: wrong.message, messages: held.unsaved.length } };
    }
  }

  async #begunThread() {
    const { id } = (await this.workspace.json("POST", "/api/v1/threads", {})).value;
    if (typeof id !== "string") throw new Broken("the thread store named no thread");
    return Object.assign(new Held(), { threadId: id });
  }

  async #currentCatalogue() {
    if (!this.#catalogue || this.#catalogue.expires - Date.now() < FRESH) {
      const document = await this.gateway.json("GET", "/api/v1/system/mcp/tools");
      this.#catalogue = { document, tools: declarationsOf(document.value.tools), expires: Date.parse(document.value.expires) || 0 };
    }
    const shadowing = [...this.#catalogue.tools.keys()].find((name) => this.clientTools.has(name));
    if (shadowing) throw new DeclarationError(`client tool ${shadowing} has the name of a tool of the gateway; rename it`);
    return this.#catalogue;
  }

  /** @param {{ document: import("./caller/kept.js").Kept }} catalogue */
  #body(catalogue) {
    const { held } = this;
    return {
      ...stated({ thread_id: held.threadId }), ...held.told(), ...held.proof(),
      catalogue: catalogue.document, client_tools: this.clientTools.documents,
    };
  }

  /** Results for every call that was asked for, in their order. @param {{ document: import("./caller/kept.js").Kept }} catalogue */
  #resubmission(catalogue) {
    const results = this.held.owed.map((call) => this.held.results.get(call.id));
    return { ...this.#body(catalogue), tool_results: results, ...stated({ locale: this.options.locale }) };
  }

  /**
   * An inference service elsewhere has no use for our token: the catalogue's seal says who we are.
   * @param {Record<string, string> | null} shared @returns {Record<string, string>}
   */
  #toInference(shared) {
    const seal = this.#catalogue?.document.value.seal;
    const token = this.options.inferenceToken;
    if (!token && !shared) return seal ? { authorization: `Bearer ${seal}` } : {};
    return { ...shared, ...(token ? { authorization: `Bearer ${token}` } : {}), ...(seal ? { "x-sayso-catalogue": seal } : {}) };
  }

  #oneAtATime() {
    if (this.#active) throw new Busy();
    this.#active = true;
    this.#stopping = false;
    return () => { this.#active = false; };
  }
}

/** What is told while something else works, to be heard in turn. */
class Heard {
  /** @type {Told[]} */
  #told = [];
  #ended = false;
  /** @type {() => void} */
  #wake = () => undefined;

  /** @param {Told} told */
  put(told) { this.#told.push(told); this.#wake(); }
  end() { this.#ended = true; this.#wake(); }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      for (let told = this.#told.shift(); told; told = this.#told.shift()) yield told;
      if (this.#ended) return;
      await new Promise((resolve) => { this.#wake = () => resolve(undefined); });
    }
  }
}

/** @param {any} tools */
function declarationsOf(tools) {
  if (!Array.isArray(tools) || !tools.every((tool) => typeof tool?.name === "string" && tool.input_schema !== null && typeof tool.input_schema === "object")) {
    throw new Broken("the catalogue of tools cannot be read");
  }
  // What does not say `read_only: true` is a write.
  return new Map(tools.map((tool) => [tool.name, { name: tool.name, title: String(tool.title || tool.name), readOnly: tool.read_only === true, schema: tool.input_schema }]));
}

/** @param {string} url */
const originOf = (url) => (url === "" ? "" : new URL(rootOf(url)).origin);

/** @param {string} threadId */
const threadPath = (threadId) => `/api/v1/threads/${encodeURIComponent(threadId)}`;

/** Without what is not given. @param {Record<string, any>} values @returns {Record<string, any>} */
const stated = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && !value.length)));
