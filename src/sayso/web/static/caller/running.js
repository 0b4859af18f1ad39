// Runs what the model asked for: reads at once and together, writes behind a person's decision, client tools here.
// Everything that a call says is untrusted; arguments that do not fit are never sent anywhere.
import { decided } from "./deciding.js";
import { Broken, Refused } from "./errors.js";
import { readArguments } from "./kept.js";
import { faults } from "./schema.js";

/** @typedef {import("./held.js").Call} Call */
/** @typedef {import("./kept.js").Kept} Kept */
/** @typedef {Map<string, import("./tools.js").Declaration>} Declarations */

/** @type {Record<number, [string, string]>} */
const NO_RESULT = { 403: ["denied", "not_allowed"], 404: ["failed", "unknown_tool"], 422: ["failed", "bad_arguments"] };
const ENDED = new Set(["denied", "expired", "superseded"]);
const UNDER_WAY = new Set(["approved", "executing", "done"]);
const AT_ONCE = 4;

/** A result that brings no fact and needs no seal. @param {Call} call @param {string} status @param {string | null} reason */
export const without = (call, status, reason) => ({ call_id: call.id, name: call.name, status, reason, facts: /** @type {any[]} */ ([]) });

/** The id of the proposal that a result says is waiting; "" for none. @param {Record<string, any>} result */
export function pendingProposal(result) {
  const facts = Array.isArray(result.facts) ? result.facts : [];
  return String(facts.find((fact) => fact?.kind === "proposal" && fact.values?.state === "pending")?.values.proposal_id ?? "");
}

export class Running {
  /**
   * `tell` hears of each call, card and result as it happens; `details` go with each call to the gateway.
   * @param {{ gateway: import("./connection.js").Connection, declarations: Declarations, clientTools: import("./tools.js").ClientTools,
   *   decide: import("./deciding.js").Decide | null, tell: (name: string, data: any) => void, details: Record<string, any>, signal: AbortSignal }} parts
   */
  constructor(parts) { this.parts = parts; }

  /**
   * Put a result for each call into `results`; those that are there already stay. What has ended when a service
   * cannot be reached is kept.
   * @param {Call[]} calls @param {Map<string, any>} results
   */
  async answer(calls, results) {
    const open = calls.filter((call) => !results.has(call.id));
    const reads = open.filter((call) => this.isRead(call));
    const own = open.filter((call) => this.parts.clientTools.has(call.name));
    const rest = open.filter((call) => !reads.includes(call) && !own.includes(call));
    const lanes = [...Array.from({ length: AT_ONCE }, () => reads), [...own, ...rest]];
    const ended = await Promise.allSettled(lanes.map((lane) => this.#inTurn(lane, results)));
    for (const lane of ended) if (lane.status === "rejected") throw lane.reason;
  }

  /** Takes calls from a lane until it is empty: several may work on one lane. @param {Call[]} lane @param {Map<string, any>} results */
  async #inTurn(lane, results) {
    for (let call = lane.shift(); call; call = lane.shift()) {
      const result = await this.#result(call);
      results.set(call.id, result);
      this.parts.tell("result", "value" in result ? result.value : result);
    }
  }

  /** @param {Call} call */
  isRead(call) {
    return !this.parts.clientTools.has(call.name) && this.parts.declarations.get(call.name)?.readOnly === true;
  }

  /** @param {Call} call @returns {Promise<any>} */
  async #result(call) {
    const { clientTools, declarations, tell } = this.parts;
    const own = clientTools.get(call.name);
    const declaration = own ?? declarations.get(call.name);
    if (!declaration) return without(call, "failed", "unknown_tool");
    const args = readArguments(call.arguments);
    const wrong = args ? faults(declaration.schema, args.value) : ["arguments: they are no JSON object"];
    if (!args || wrong.length) {
      tell("refused", { call_id: call.id, name: call.name, faults: wrong });
      return without(call, "failed", "bad_arguments");
    }
    tell("call", { call_id: call.id, name: call.name, title: declaration.title, arguments: args.value });
    if (own) {
      const ended = await clientTools.invoke(call.name, args.value);
      return { ...without(call, ended.status, ended.reason), facts: ended.facts };
    }
    return declaration.readOnly ? this.#called(call, args) : this.#written(call, args);
  }

  /** @param {Call} call @param {Kept} args @param {string} [proposalId] */
  async #called(call, args, proposalId) {
    const body = { call_id: call.id, name: call.name, arguments: args, ...this.parts.details, proposal_id: proposalId };
    let result;
    try {
      result = await this.parts.gateway.json("POST", "/api/v1/system/mcp/call", body, this.parts.signal);
    } catch (wrong) {
      const told = wrong instanceof Refused ? NO_RESULT[wrong.status] : undefined;
      if (told) return without(call, ...told);
      throw wrong;
    }
    const { call_id: id, name, status } = result.value;
    if (id !== call.id || name !== call.name || !status) throw new Broken(`the gateway answered the call ${call.name} with another's result`);
    return result;
  }

  /** @param {Call} call @param {Kept} args */
  async #written(call, args) {
    const { decide, gateway, tell } = this.parts;
    const filed = await this.#called(call, args);
    const id = "value" in filed ? pendingProposal(filed.value) : "";
    if (!decide || !id) return filed;
    const card = await decided(gateway, id, decide, (shown) => tell("card", shown));
    tell("decided", { call_id: call.id, proposal_id: id, state: card.state, card });
    return card.state === "pending" ? filed : this.#ended(call, args, id, String(card.state));
  }

  /**
   * What became of a decided proposal, from the gateway; one that still runs is asked after again.
   * @param {Call} call @param {Kept} args @param {string} id @param {string} state
   */
  async #ended(call, args, id, state) {
    const { waits } = this.parts.gateway;
    for (let attempt = 0; attempt < waits.tries; attempt += 1) {
      try {
        return await this.#called(call, args, id);
      } catch (wrong) {
        if (!(wrong instanceof Refused) || wrong.status !== 409) throw wrong;
        if (!UNDER_WAY.has(state)) break;
        await new Promise((resolve) => { setTimeout(resolve, Math.min(waits.pause * 2 ** attempt, waits.longest)); });
      }
    }
    return without(call, ENDED.has(state) ? state : "failed", null);
  }
}
