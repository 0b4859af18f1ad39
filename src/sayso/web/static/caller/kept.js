// JSON exactly as it was written. A browser reads 1.0 as 1 and 9007199254740993 as another number, and puts members
// named by numbers first; what is signed must go back as it came, so its text is kept beside its value.

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** A JSON value and the text that it was read from. Throws SyntaxError for what is no JSON. */
export class Kept {
  /** @param {string} text */
  constructor(text) {
    this.text = text.trim();
    /** @type {any} */
    this.value = JSON.parse(text);
  }
}

/**
 * The members of an object, or the elements of an array, each as its own text.
 * @param {string} text valid JSON
 * @returns {{ key: string, text: string }[]}
 */
function inner(text) {
  const found = [];
  let depth = 0, start = -1, end = -1, key = "";
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const closes = token === "}" || token === "]";
    if (depth === 1 && (token === "," || closes)) {
      if (start >= 0) found.push({ key, text: text.slice(start, end) });
      start = -1;
    } else if (depth === 1 && token === ":") {
      key = JSON.parse(text.slice(start, end));
      start = -1;
    } else if (depth >= 1) {
      if (start < 0) start = index;
      end = index + token.length;
    }
    if (token === "{" || token === "[") depth += 1;
    else if (closes) depth -= 1;
  }
  return found;
}

/**
 * A member of an object as it was written; of a name that is there twice the last, as `JSON.parse` takes it.
 * @param {Kept} object @param {string} name
 * @returns {Kept | null}
 */
export function member(object, name) {
  const found = inner(object.text).filter(({ key }) => key === name).pop();
  return found ? new Kept(found.text) : null;
}

/**
 * @param {Kept} array
 * @returns {Kept[]}
 */
export const elements = (array) => inner(array.text).map(({ text }) => new Kept(text));

/**
 * JSON text of a value, in which what was kept stands as it was written. Members that are undefined are left out.
 * @param {any} value
 * @returns {string}
 */
export function written(value) {
  if (value instanceof Kept) return value.text;
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value).filter(([, inside]) => inside !== undefined);
    return `{${members.map(([key, inside]) => `${JSON.stringify(key)}:${written(inside)}`).join(",")}}`;
  }
  return JSON.stringify(value ?? null);
}

/**
 * The same JSON without spaces and in ASCII: the spelling of which a transcript's digest is made.
 * @param {Kept} kept
 */
export const compact = (kept) => [...kept.text.matchAll(TOKEN)].map(([token]) => token).join("").replace(
  /[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
);

export const MAX_ARGUMENTS = 64_000;
const MAX_DEPTH = 32;

/**
 * A call's arguments as an object, with their text; null for what is none, is too large or too deep, says a name
 * twice, or holds a number that not every reader reads alike.
 * @param {string} raw
 * @returns {Kept | null}
 */
export function readArguments(raw) {
  if (raw.length > MAX_ARGUMENTS) return null;
  try {
    let text = raw.trim() || "{}";
    if (text.startsWith('"')) text = JSON.parse(text); // encoded twice
    if (typeof text !== "string" || !plain(text)) return null;
    const found = new Kept(text);
    return found.value !== null && typeof found.value === "object" && !Array.isArray(found.value) ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} text */
function plain(text) {
  /** @type {(Set<string> | null)[]} */
  const open = [];
  let last = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : null);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const names = open.at(-1);
      const name = JSON.parse(last);
      if (!names || names.has(name)) return false;
      names.add(name);
    } else if (/^-?\d/.test(token) && !exact(token)) return false;
    if (open.length > MAX_DEPTH) return false;
    last = token;
  }
  return true;
}

/** @param {string} token */
const exact = (token) => Number.isFinite(Number(token)) && (!/^-?\d+$/.test(token) || Number.isSafeInteger(Number(token)));
