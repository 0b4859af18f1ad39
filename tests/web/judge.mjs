// Judges pairs of a schema and a value, one line of JSON from standard input: whether each fits.
import { pathToFileURL } from "node:url";

const { faults } = await import(new URL("caller/schema.js", pathToFileURL(`${process.env.SAYSO_STATIC}/`)).href);
let text = "";
for await (const piece of process.stdin) text += piece;
console.log(JSON.stringify(JSON.parse(text).map(([schema, value]) => faults(schema, value).length === 0)));
