// The built-in client tool `navigate`: goes to a page of the application, and says whether it got there. A model may
// name any path; only one that the census knows, with a key that fits, is looked up, and only what exists is opened.
import { Broken, Refused } from "./errors.js";
import { done, notDone } from "./tools.js";

/** @typedef {{ route: string, title: string, kind: string, record_kind: string, parameters: { name: string, pattern: string }[] }} Page */
/** @typedef {(path: string) => string | null | Promise<string | null>} OpenPage opens a path and tells the one that is shown then */

const SCHEMA = {
  type: "object",
  properties: { path: { type: "string", minLength: 1, maxLength: 500, description: "such as /proposals" } },
  required: ["path"],
  additionalProperties: false,
};
const DESCRIPTION = "Open a page of the application for the user. Take the path from find_page, and put a record's key where the route has {...}.";

/** @param {string} path */
const segments = (path) => (path === "/" ? [] : path.replace(/^\//, "").split("/"));

/**
 * The page that a path is; null for any other text. A path is no address: no host, no scheme, no query.
 * @param {Page[]} pages @param {string} path
 * @returns {Page | null}
 */
export function pageOf(pages, path) {
  const given = segments(path);
  const fits = pages.filter((page) => {
    const own = segments(page.route);
    if (!path.startsWith("/") || own.length !== given.length) return false;
    return own.every((declared, i) => {
      const name = /^\{(.+)\}$/.exec(declared)?.[1];
      const pattern = page.parameters.find((parameter) => parameter.name === name)?.pattern;
      return name === undefined ? declared === given[i] : pattern !== undefined && new RegExp(`^(?:${pattern})$`, "u").test(given[i]) && !/\s/.test(given[i]);
    });
  });
  return fits.sort((one, other) => one.parameters.length - other.parameters.length)[0] ?? null;
}

/** Resolves paths through the gateway. The census is read once. */
export class Navigator {
  /** @type {Page[] | null} */
  #pages = null;

  /** @param {import("./connection.js").Connection} gateway @param {OpenPage} openPage */
  constructor(gateway, openPage) {
    this.gateway = gateway;
    this.openPage = openPage;
  }

  /** @param {import("./tools.js").ClientTools} tools */
  register(tools) {
    tools.register("navigate", (args) => this.go(String(args.path)), { description: DESCRIPTION, schema: SCHEMA, example: { path: "/proposals" }, title: "Opening a page" });
  }

  /** @param {string} path */
  async go(path) {
    if (!pageOf(await this.census(), path)) return notDone("failed", "no_target");
    let found;
    try {
      found = (await this.gateway.json("GET", `/api/v1/system/routes/resolve?path=${encodeURIComponent(path)}`)).value;
    } catch (wrong) {
      if (wrong instanceof Refused && [403, 404, 422].includes(wrong.status)) return notDone("failed", "no_target");
      throw wrong;
    }
    if ((await this.openPage(path)) !== path) return notDone();
    const title = String(found.title || path);
    return done({ kind: "page", subject: title, values: { title, route: path } });
  }

  async census() {
    if (this.#pages) return this.#pages;
    const pages = (await this.gateway.json("GET", "/api/v1/system/routes")).value.pages;
    if (!Array.isArray(pages) || !pages.every((page) => typeof page?.route === "string" && Array.isArray(page.parameters))) {
      throw new Broken("the census of pages cannot be read");
    }
    this.#pages = /** @type {Page[]} */ (pages);
    return this.#pages;
  }
}
