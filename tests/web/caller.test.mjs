// The parts of the browser's caller that need no service: run by `node --test`, through pytest.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const root = pathToFileURL(`${process.env.SAYSO_STATIC}/`);
const load = (name) => import(new URL(name, root).href);
const { Kept, elements, member, readArguments, written } = await load("caller/kept.js");
const { EventReader, documentOf } = await load("caller/stream.js");
const { faults } = await load("caller/schema.js");
const { pageOf } = await load("caller/pages.js");
const { Caller, ClientTools, ConfigError, DeclarationError, Held, done, notDone, readHeld } = await load("caller.js");

const bytes = (text) => new TextEncoder().encode(text);
const read = (...pieces) => {
  const reader = new EventReader();
  return pieces.flatMap((piece) => reader.feed(piece)).map(({ name, data, id }) => [name, data, id]);
};

test("kept JSON goes back exactly as it came", () => {
  const text = '{ "a" : [1.0, 9007199254740993, {"2024": 1e-7, "2": "x,}]\\"\\u2028"}, "\\ud800" ] , "b":{}, "c":[], "a":2}';
  const kept = new Kept(text);
  assert.equal(written({ it: kept, n: null, left: undefined, list: [kept] }), `{"it":${text},"n":null,"list":[${text}]}`);
  assert.equal(member(kept, "a").text, "2");
  assert.equal(member(kept, "b").text, "{}");
  assert.equal(member(kept, "none"), null);
  assert.deepEqual(elements(new Kept('[1.0, [2,3] ,"a]" , {"b":[]}]')).map((e) => e.text), ["1.0", "[2,3]", '"a]"', '{"b":[]}']);
  assert.deepEqual(elements(new Kept("[]")), []);
});

test("s11 arguments that two readers may read differently are refused", () => {
  for (const raw of ["[1]", "7", "null", "{", '{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"a":{"b":1,"b":1}}', '{"a":9007199254740993}', '{"a":1e400}', "[".repeat(50000), `{"a":${"[".repeat(40)}${"]".repeat(40)}}`, `{"a":"${"x".repeat(70000)}"}`, '{"a":NaN}', '"text"']) {
    assert.equal(readArguments(raw), null, raw.slice(0, 40));
  }
  for (const raw of ["", "{}", '{"a":1,"b":{"a":1.5}}', '"{\\"a\\":1}"', '{"a":"\\"a\\":1,\\"a\\""}', ' {"a":[{"a":1},{"a":2}]} ']) assert.ok(readArguments(raw), raw);
});

test("g3 events are read wherever the bytes are cut", () => {
  const cases = [
    ["data: a\n\n", [["message", "a", ""]]],
    ["event: x\ndata: a\ndata: b\n\n", [["x", "a\nb", ""]]],
    ["id: 7\nevent: x\ndata: a\r\n\r\ndata: b\r\r", [["x", "a", "7"], ["message", "b", "7"]]],
    ["\ufeffdata:a\n\n", [["message", "a", ""]]],
    ["data:  a\n\n", [["message", " a", ""]]],
    ["data\n\n", [["message", "", ""]]],
    [": heartbeat\n\nevent: x\n\ndata: a\n\n", [["message", "a", ""]]],
    ["id: 1\0\ndata: a\n\n", [["message", "a", ""]]],
    ["data: a\n", []],
    ["unknown: a\ndata: é漢🏔\n\n", [["message", "é漢🏔", ""]]],
  ];
  for (const [text, events] of cases) {
    const whole = bytes(text);
    assert.deepEqual(read(whole), events);
    for (let cut = 0; cut <= whole.length; cut += 1) assert.deepEqual(read(whole.slice(0, cut), whole.slice(cut)), events, `cut at ${cut}`);
    assert.deepEqual(read(...[...whole].map((byte) => Uint8Array.of(byte))), events);
  }
});

test("any bytes at all are read without a fault, alike for any cut", () => {
  let seed = 7;
  const random = (below) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed % below; };
  const alphabet = [10, 13, 58, 32, 100, 97, 116, 97, 0xc3, 0xa9, 0xf0, 0x9f, 0xff, 0xef, 0xbb, 0xbf];
  for (let round = 0; round < 300; round += 1) {
    const all = Uint8Array.from({ length: random(80) }, () => alphabet[random(alphabet.length)]);
    const cut = random(all.length + 1);
    assert.deepEqual(read(all.slice(0, cut), all.slice(cut)), read(all));
  }
});

test("data that is no JSON object is a broken answer, and an event without end is refused", () => {
  for (const data of ["[1]", "1", "{", "", "null"]) assert.throws(() => documentOf({ name: "finish", data, id: "" }), { code: "broken_answer" });
  const reader = new EventReader(1000);
  assert.throws(() => { for (let i = 0; i < 100; i += 1) reader.feed(bytes(`data: ${"x".repeat(50)}`)); }, { code: "broken_answer" });
});

test("what a schema's keyword would refuse and cannot be judged is refused", () => {
  assert.deepEqual(faults({ if: {}, then: false }, 1), ["the schema cannot be used: it uses if"]);
  assert.match(faults({ $ref: "https://example.com/x" }, 1)[0], /another place/);
  assert.match(faults({ $ref: "#" }, 1)[0], /too deep/);
  assert.match(faults({ $ref: "#/$defs/none" }, 1)[0], /has no/);
  assert.match(faults({ pattern: "(" }, "a")[0], /cannot be used/);
});

const PAGES = [
  { route: "/", title: "Home", kind: "create", record_kind: "thread", parameters: [] },
  { route: "/people/new", title: "New", kind: "create", record_kind: "person", parameters: [] },
  { route: "/people/{id}", title: "Person", kind: "detail", record_kind: "person", parameters: [{ name: "id", pattern: "[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,199}" }] },
];

test("i5 only paths of the census are pages", () => {
  assert.equal(pageOf(PAGES, "/").title, "Home");
  assert.equal(pageOf(PAGES, "/people/new").title, "New");
  assert.equal(pageOf(PAGES, "/people/p1").title, "Person");
  for (const path of ["", "people", "//people/p1", "/people/", "/people/..", "/people/a/b", "/people/a%2fb", "/people/a\n", "/people/p1?x", "/people/p1#x", "javascript:alert(1)", "https://example.com/people/p1", "\\people", "//", "/people/p 1"]) {
    assert.equal(pageOf(PAGES, path), null, path);
  }
});

test("b23 a client tool that returns nothing has not succeeded", async () => {
  const tools = new ClientTools(0.05);
  const declared = { description: "", schema: { type: "object" }, example: {} };
  const failed = ["failed", "tool_failed"];
  const handlers = { silent: async () => undefined, raises: () => { throw new Error("secret"); }, hangs: () => new Promise(() => undefined), forged: () => ({ status: "success", reason: null, facts: [] }), well: () => done(), no: () => notDone("denied", null), lies: () => notDone("success", null) };
  const silenced = console.error;
  console.error = () => undefined;
  const ended = {};
  for (const [name, handler] of Object.entries(handlers)) {
    tools.register(name, handler, declared);
    const { status, reason } = await tools.invoke(name, {});
    ended[name] = [status, reason];
  }
  console.error = silenced;
  assert.deepEqual(ended, { silent: failed, raises: failed, hangs: ["failed", "tool_timeout"], forged: failed, well: ["success", null], no: ["denied", null], lies: ["failed", null] });
  assert.equal((await tools.invoke("unknown", {})).reason, "unknown_tool");
});

test("client tools are declared well or not at all", () => {
  const tools = new ClientTools();
  const declared = { description: "", schema: { type: "object", required: ["x"] }, example: { x: 1 } };
  tools.register("one", () => done(), declared);
  assert.throws(() => tools.register("one", () => done(), declared), DeclarationError);
  assert.throws(() => tools.register("a b", () => done(), declared), DeclarationError);
  assert.throws(() => tools.register("two", () => done(), { ...declared, example: {} }), DeclarationError);
  tools.clear("one");
  tools.register("one", () => done(), declared);
  tools.clear();
  assert.deepEqual(tools.documents, []);
});

test("what is held can be written down and taken up again", () => {
  const held = new Held();
  held.run = "run_1";
  held.owe({ call_id: "c1", name: "search", arguments: "{}" });
  held.finish(new Kept('{"outcome":"waiting","continuation":"c","transcript":"t","messages":[{"id":"m","n":1.0}]}'));
  held.results.set("c1", new Kept('{"call_id":"c1","n":1.0}'));
  const again = readHeld(JSON.parse(JSON.stringify(held.document)));
  assert.deepEqual(again.document, held.document);
  assert.equal(again.messages[0].text, '{"id":"m","n":1.0}');
  assert.equal(again.results.get("c1").text, '{"call_id":"c1","n":1.0}');
  assert.throws(() => again.owe({ call_id: "c1", name: "search", arguments: "{}" }), { code: "broken_answer" });
  assert.throws(() => readHeld({ messages: 7 }), { code: "broken_answer" });
});

test("addresses and step limits have bounds", () => {
  for (const gatewayUrl of ["ftp://x", "nonsense", "http://u:p@x", "http://x/?y", "javascript:alert(1)"]) assert.throws(() => new Caller({ gatewayUrl }), ConfigError, gatewayUrl);
  for (const steps of [0, 21, 1.5, NaN]) assert.throws(() => new Caller({ steps }), ConfigError);
});
