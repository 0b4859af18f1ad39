// Client tools: what this page can do for a model, such as going to a place. Each says exactly how it ended: a tool
// that returns nothing has not succeeded.
import { CallerError, DeclarationError } from "./errors.js";
import { faults } from "./schema.js";

/** @typedef {{ kind: string, subject: string, values: Record<string, any> }} ClientFact a record as this client says it is */
/** @typedef {{ status: string, reason: string | null, facts: ClientFact[] }} Ending */
/** @typedef {(args: Record<string, any>) => Ending | Promise<Ending>} Handler */
/** @typedef {{ description: string, schema: Record<string, any>, example: Record<string, any>, title?: string }} Declared */
/** @typedef {{ name: string, title: string, readOnly: boolean, schema: Record<string, any> }} Declaration */

class Ended {
  /** @param {string} status @param {string | null} reason @param {ClientFact[]} facts */
  constructor(status, reason, facts) {
    this.status = status;
    this.reason = reason;
    this.facts = facts;
  }
}

/** It happened. The only way to say so. @param {...ClientFact} facts @returns {Ending} */
export const done = (...facts) => new Ended("success", null, facts);

const NOT_DONE = new Set(["failed", "denied", "cancelled", "expired", "superseded", "not_run"]);

/**
 * It did not: `status` is failed, denied (the person said no) or cancelled.
 * @param {string} [status] @param {string | null} [reason]
 * @returns {Ending}
 */
export const notDone = (status = "failed", reason = "tool_failed") => new Ended(NOT_DONE.has(status) ? status : "failed", reason, []);

/** The tools of one caller. Names may not shadow one another, nor those of the catalogue. */
export class ClientTools {
  /** @type {Map<string, Declared & { handler: Handler }>} */
  #tools = new Map();

  /** @param {number} [seconds] that a call may take */
  constructor(seconds = 60) { this.seconds = seconds; }

  /**
   * Throws DeclarationError for a name in use, a schema that is none, or an example that does not fit it.
   * @param {string} name @param {Handler} handler @param {Declared} declared
   */
  register(name, handler, declared) {
    if (this.#tools.has(name)) throw new DeclarationError(`client tool ${name} is registered already; clear it first`);
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) throw new DeclarationError(`client tool ${name}: a name is letters, digits and underscores, at most 64`);
    if (declared.schema === null || typeof declared.schema !== "object") throw new DeclarationError(`client tool ${name}: its schema is no object`);
    const wrong = faults(declared.schema, declared.example);
    if (wrong.length) throw new DeclarationError(`client tool ${name}: its example does not fit its schema: ${wrong[0]}`);
    this.#tools.set(name, { ...declared, handler });
  }

  /** Forget one tool, or all of them. @param {string} [name] */
  clear(name) {
    if (name === undefined) this.#tools.clear();
    else this.#tools.delete(name);
  }

  /** @param {string} name */
  has(name) { return this.#tools.has(name); }

  /** @param {string} name @returns {Declaration | null} */
  get(name) {
    const tool = this.#tools.get(name);
    return tool ? { name, title: tool.title ?? name.replaceAll("_", " "), readOnly: false, schema: tool.schema } : null;
  }

  /** As the inference service reads them. */
  get documents() {
    return [...this.#tools].map(([name, tool]) => ({
      name, title: tool.title ?? name.replaceAll("_", " "), description: tool.description, input_schema: tool.schema, read_only: false,
      permission: `client:${name}`, example: tool.example, words: [], takes_name: null, takes_text: null, can_leave: false,
    }));
  }

  /**
   * Run a tool to how it ended. A fault of its handler is an ending, never an error.
   * @param {string} name @param {Record<string, any>} args
   * @returns {Promise<Ending>}
   */
  async invoke(name, args) {
    const tool = this.#tools.get(name);
    if (!tool) return notDone("failed", "unknown_tool");
    if (faults(tool.schema, args).length) return notDone("failed", "bad_arguments");
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const late = new Promise((resolve) => { timer = setTimeout(() => resolve(notDone("failed", "tool_timeout")), this.seconds * 1000); });
    try {
      const ended = await Promise.race([Promise.resolve().then(() => tool.handler(args)), late]);
      return ended instanceof Ended ? ended : notDone();
    } catch (wrong) {
      if (!(wrong instanceof CallerError)) console.error(`the client tool ${name} failed`, wrong);
      return notDone();
    } finally {
      clearTimeout(timer);
    }
  }
}
