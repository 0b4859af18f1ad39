// What can go wrong while a conversation is driven, as one family. None of them loses anything that was held.

export class CallerError extends Error {
  /** @param {string} message @param {string} [code] @param {boolean} [retryable] */
  constructor(message, code = "caller_error", retryable = false) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.retryable = retryable;
  }
}

/** A run goes on already. */
export class Busy extends CallerError {
  constructor() { super("a run goes on already; wait for its end, or stop it", "busy"); }
}

/** No connection, or it broke more often than it was resumed. */
export class Unreachable extends CallerError {
  /** @param {string} message */
  constructor(message) { super(message, "unreachable", true); }
}

/** A service answered what the contract does not allow. */
export class Broken extends CallerError {
  /** @param {string} message */
  constructor(message) { super(message, "broken_answer"); }
}

/** A tool or page is declared wrongly: a fault of the host. */
export class DeclarationError extends CallerError {
  /** @param {string} message */
  constructor(message) { super(message, "declaration_error"); }
}

/** A setting is wrong. */
export class ConfigError extends CallerError {
  /** @param {string} message */
  constructor(message) { super(message, "config_error"); }
}

/** The exchange took more requests than it may. */
export class StepLimit extends CallerError {
  /** @param {number} steps */
  constructor(steps) { super(`the answer took ${steps} requests, which is all that it may; ask for less at once`, "step_limit"); }
}

/** The run ended with an `error` event; `code` and the words are the service's. */
export class RunFailed extends CallerError {}

/** A problem document (RFC 9457). `members` are those beside type, title, status, code and detail. */
export class Refused extends CallerError {
  /** @param {number} status @param {string} code @param {string} detail @param {Record<string, any>} members */
  constructor(status, code, detail, members) {
    super(detail, code, status === 429 || status === 503);
    this.status = status;
    this.members = members;
  }
}

/** 401: the session or token is missing, wrong or old. */
export class SignedOut extends Refused {}

/** 409: the stored thread has moved on; load it again. */
export class StaleCopy extends Refused {}

const KEPT = new Set(["type", "title", "status", "code", "detail"]);

/**
 * The error for a problem document, or for any other answer of 300 and above.
 * @param {number} status @param {Record<string, any>} document
 */
export function refusal(status, document) {
  const code = String(document.code || "http_error");
  const detail = String(document.detail || `the service answered ${status}`);
  const members = Object.fromEntries(Object.entries(document).filter(([name]) => !KEPT.has(name)));
  const Kind = status === 401 ? SignedOut : code === "stale_copy" ? StaleCopy : Refused;
  return new Kind(status, code, detail, members);
}
