// Judges a value by a JSON schema: the part of the 2020-12 draft that tools use. A keyword that would refuse something
// and is not known here is a fault: what cannot be judged is not called.

/** @typedef {Record<string, any>} Schema */

const UNKNOWN = ["if", "then", "else", "dependentSchemas", "dependentRequired", "unevaluatedProperties", "unevaluatedItems", "contains", "$dynamicRef", "propertyNames"];
const MAX_FAULTS = 5;

/**
 * Why a value does not fit, a few words each; [] where it does.
 * @param {Schema | boolean} schema @param {any} value
 * @returns {string[]}
 */
export function faults(schema, value) {
  try {
    return judged(schema, value, "", /** @type {Schema} */ (schema), 0).slice(0, MAX_FAULTS);
  } catch (wrong) {
    return [`the schema cannot be used: ${wrong instanceof Error ? wrong.message : wrong}`];
  }
}

/**
 * @param {any} schema @param {any} value @param {string} at @param {Schema} root @param {number} depth
 * @returns {string[]}
 */
function judged(schema, value, at, root, depth) {
  if (depth > 64) throw new Error("it is nested too deep");
  if (schema === true) return [];
  if (schema === false) return [`${at || "arguments"}: nothing is allowed here`];
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) throw new Error("it is no schema");
  const unknown = UNKNOWN.find((keyword) => keyword in schema);
  if (unknown) throw new Error(`it uses ${unknown}`);
  /** @param {any} inner @param {any} inside @param {string} [where] */
  const again = (inner, inside, where = at) => judged(inner, inside, where, root, depth + 1);
  const found = [];
  if ("$ref" in schema) found.push(...again(referred(schema.$ref, root), value));
  found.push(...[...typed(schema, value), ...numeric(schema, value), ...textual(schema, value)].map((words) => `${at || "arguments"}: ${words}`));
  found.push(...combined(schema, value, at, again));
  if (Array.isArray(value)) found.push(...listed(schema, value, at, again));
  else if (isObject(value)) found.push(...named(schema, value, at, again));
  return found;
}

/** @param {any} value */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** @param {any} value */
const typesOf = (value) => {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value];
};

/** @param {string} ref @param {Schema} root */
function referred(ref, root) {
  if (typeof ref !== "string" || !(ref === "#" || ref.startsWith("#/"))) throw new Error("it refers to another place");
  /** @type {any} */
  let found = root;
  for (const part of ref.split("/").slice(1)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (found === null || typeof found !== "object" || !Object.hasOwn(found, name)) throw new Error(`it has no ${ref}`);
    found = found[name];
  }
  return found;
}

/** @param {any} one @param {any} other @returns {boolean} */
export function same(one, other) {
  if (one === other) return true;
  if (Array.isArray(one)) return Array.isArray(other) && one.length === other.length && one.every((v, i) => same(v, other[i]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((n) => Object.hasOwn(other, n) && same(one[n], other[n]));
}

/** @param {Schema} schema @param {any} value */
function typed(schema, value) {
  const found = [];
  const wanted = schema.type === undefined ? null : [schema.type].flat();
  if (wanted && !typesOf(value).some((type) => wanted.includes(type))) found.push(`it is no ${wanted.join(" or ")}`);
  if (schema.enum && !schema.enum.some((/** @type {any} */ option) => same(option, value))) found.push("it is none of the allowed values");
  if ("const" in schema && !same(schema.const, value)) found.push("it is not the one allowed value");
  return found;
}

/** @param {Schema} schema @param {any} value */
function numeric(schema, value) {
  if (typeof value !== "number") return [];
  const found = [];
  if (schema.minimum !== undefined && value < schema.minimum) found.push(`it is below ${schema.minimum}`);
  if (schema.maximum !== undefined && value > schema.maximum) found.push(`it is above ${schema.maximum}`);
  if (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum) found.push(`it is not above ${schema.exclusiveMinimum}`);
  if (schema.exclusiveMaximum !== undefined && value >= schema.exclusiveMaximum) found.push(`it is not below ${schema.exclusiveMaximum}`);
  if (schema.multipleOf !== undefined && !Number.isInteger(value / schema.multipleOf)) found.push(`it is no multiple of ${schema.multipleOf}`);
  return found;
}

/** @param {Schema} schema @param {any} value */
function textual(schema, value) {
  if (typeof value !== "string") return [];
  const found = [];
  const length = [...value].length;
  if (schema.minLength !== undefined && length < schema.minLength) found.push(`it is shorter than ${schema.minLength}`);
  if (schema.maxLength !== undefined && length > schema.maxLength) found.push(`it is longer than ${schema.maxLength}`);
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) found.push("it does not have the form asked for");
  return found;
}

/** @typedef {(inner: any, inside: any, where?: string) => string[]} Again */

/** @param {Schema} schema @param {any} value @param {string} at @param {Again} again */
function combined(schema, value, at, again) {
  const found = [], where = at || "arguments";
  for (const inner of schema.allOf ?? []) found.push(...again(inner, value));
  /** @param {any[]} options */
  const fitting = (options) => options.filter((inner) => again(inner, value).length === 0).length;
  if (schema.anyOf && fitting(schema.anyOf) === 0) found.push(`${where}: it fits none of the forms`);
  if (schema.oneOf && fitting(schema.oneOf) !== 1) found.push(`${where}: it does not fit exactly one of the forms`);
  if (schema.not !== undefined && again(schema.not, value).length === 0) found.push(`${where}: it is what it must not be`);
  return found;
}

/** @param {Schema} schema @param {any[]} value @param {string} at @param {Again} again */
function listed(schema, value, at, again) {
  const found = [], where = at || "arguments", first = schema.prefixItems ?? [];
  if (schema.minItems !== undefined && value.length < schema.minItems) found.push(`${where}: it has fewer than ${schema.minItems}`);
  if (schema.maxItems !== undefined && value.length > schema.maxItems) found.push(`${where}: it has more than ${schema.maxItems}`);
  if (schema.uniqueItems === true && value.some((one, i) => value.slice(0, i).some((other) => same(one, other)))) found.push(`${where}: it has the same twice`);
  value.forEach((item, i) => {
    const inner = i < first.length ? first[i] : schema.items;
    if (inner !== undefined) found.push(...again(inner, item, `${at ? `${at}.` : ""}${i}`));
  });
  return found;
}

/** @param {Schema} schema @param {Record<string, any>} value @param {string} at @param {Again} again */
function named(schema, value, at, again) {
  const found = [], where = at || "arguments", names = Object.keys(value);
  const patterns = Object.entries(schema.patternProperties ?? {}).map(([form, inner]) => [new RegExp(form, "u"), inner]);
  for (const name of schema.required ?? []) if (!Object.hasOwn(value, name)) found.push(`${where}: ${name} is missing`);
  if (schema.minProperties !== undefined && names.length < schema.minProperties) found.push(`${where}: it has too few members`);
  if (schema.maxProperties !== undefined && names.length > schema.maxProperties) found.push(`${where}: it has too many members`);
  for (const name of names) {
    const path = `${at ? `${at}.` : ""}${name}`;
    const known = Object.hasOwn(schema.properties ?? {}, name);
    if (known) found.push(...again(schema.properties[name], value[name], path));
    const matching = patterns.filter(([form]) => form.test(name));
    for (const [, inner] of matching) found.push(...again(inner, value[name], path));
    if (!known && !matching.length && schema.additionalProperties !== undefined) found.push(...again(schema.additionalProperties, value[name], path));
  }
  return found;
}
