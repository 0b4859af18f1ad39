// A person's decision on a proposal, through the gateway's own resource. Nothing else can approve; what is approved is
// the digest that the card names.
import { Refused } from "./errors.js";

/** @typedef {{ what: "approve" | "deny" | "edit" | "later", words?: string, arguments?: Record<string, any> }} Decision */
/** @typedef {(card: Record<string, any>) => Decision | Promise<Decision>} Decide shows a card; after an edit that does not fit it has `errors` */

/** Exactly what the card shows. @returns {Decision} */
export const approve = () => ({ what: "approve" });
/** @param {string} [words] @returns {Decision} */
export const deny = (words = "") => ({ what: "deny", words });
/** Other values for some inputs: a new card comes of it. @param {Record<string, any>} args @returns {Decision} */
export const edit = (args) => ({ what: "edit", arguments: args });
/** It waits: the model is told that it is queued. @returns {Decision} */
export const later = () => ({ what: "later" });

/**
 * Ask until a decision is made. The last state of the card: approved, denied ..., pending where it waits.
 * @param {import("./connection.js").Connection} gateway @param {string} id @param {Decide} decide
 * @param {(card: Record<string, any>) => void} told
 */
export async function decided(gateway, id, decide, told) {
  const path = `/api/v1/proposals/${encodeURIComponent(id)}`;
  let card = (await gateway.json("GET", path)).value;
  while (card.state === "pending") {
    told(card);
    const decision = await decide(card);
    if (decision.what === "later") break;
    card = await sent(gateway, path, card, decision);
  }
  return card;
}

/** @param {Record<string, any>} card @param {Decision} decision */
function bodyOf(card, decision) {
  if (decision.what === "approve") return { digest: card.digest };
  if (decision.what === "deny") return { words: decision.words ?? "" };
  if (decision.what === "edit") return { digest: card.digest, arguments: decision.arguments ?? {} };
  throw new TypeError(`${decision.what} is no decision`);
}

/** @param {import("./connection.js").Connection} gateway @param {string} path @param {Record<string, any>} card @param {Decision} decision */
async function sent(gateway, path, card, decision) {
  const body = bodyOf(card, decision);
  try {
    return (await gateway.json("POST", `${path}/${decision.what}`, body)).value;
  } catch (wrong) {
    if (!(wrong instanceof Refused)) throw wrong;
    if (wrong.status === 422 && decision.what === "edit") return { ...card, errors: wrong.members.errors ?? [{ field: "", message: wrong.message }] };
    if (wrong.status !== 409 && wrong.status !== 410) throw wrong;
    const again = (await gateway.json("GET", path)).value; // decided elsewhere, edited, or its time is over
    if (again.state === "pending" && again.digest === card.digest) throw wrong;
    return again;
  }
}
