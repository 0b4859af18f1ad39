// A form from the JSON schema of a proposal's inputs. It sends only what was changed, and judges nothing:
// the server does, and its words come back beside each input.
import { el } from "./dom.js";
import { label, t } from "./strings.js";

let forms = 0;
const LONG = 300;

// A schema without its "or nothing".
function plain(spec) {
  const kinds = spec.anyOf ?? [spec];
  const main = kinds.find((kind) => kind.type !== "null") ?? {};
  return { ...main, optional: kinds.some((kind) => kind.type === "null"), readOnly: spec.readOnly };
}

function area(value, limit) {
  const node = el("textarea", { rows: 2, maxlength: limit });
  node.value = value;
  const grow = () => { node.style.height = "auto"; node.style.height = `${node.scrollHeight + 2}px`; };
  node.addEventListener("input", grow);
  requestAnimationFrame(grow);
  return node;
}

function choice(spec, value) {
  const offered = spec.optional ? [null, ...spec.enum] : spec.enum;
  const node = el("select", {}, ...offered.map((item, n) => el("option", { value: n, selected: item === value }, item === null ? t("nothing") : label(String(item)))));
  return [node, () => offered[Number(node.value)]];
}

function line(type, value, more = {}) {
  const node = el("input", { type, autocomplete: "off", ...more });
  node.value = value;
  return node;
}

// One control and how to read it. A wrong number or date that a browser keeps to itself is read as NaN.
function control(spec, value) {
  const text = value === null || value === undefined ? "" : String(value);
  const orNull = (read) => (read === "" && spec.optional ? null : read);
  if (spec.enum) return choice(spec, value);
  if (spec.type === "boolean") {
    const node = el("input", { type: "checkbox", checked: value === true });
    return [node, () => node.checked];
  }
  if (spec.type === "integer" || spec.type === "number") {
    const node = line("number", text, { min: spec.minimum, max: spec.maximum, step: spec.type === "integer" ? 1 : "any" });
    return [node, () => (node.validity.badInput ? NaN : node.value === "" ? null : Number(node.value))];
  }
  if (spec.type === "array") {
    const node = area((value ?? []).join("\n"));
    return [node, () => node.value.split("\n").map((item) => item.trim()).filter(Boolean)];
  }
  if (spec.format === "date" || spec.format === "date-time") {
    const node = spec.format === "date" ? line("date", text) : line("datetime-local", text.slice(0, 16));
    return [node, () => (node.validity.badInput ? NaN : node.value === "" ? null : node.value)];
  }
  const long = spec.format !== "email" && (spec.maxLength === undefined || spec.maxLength > LONG);
  const node = long ? area(text, spec.maxLength) : line("text", text, { maxlength: spec.maxLength, inputmode: spec.format === "email" ? "email" : undefined });
  return [node, () => orNull(node.value)];
}

function input(form, name, spec, value) {
  const id = `${form}-${name}`;
  if (spec.readOnly) return { row: el("div", { class: "input fixed" }, el("span", { class: "name" }, label(name)), el("span", {}, value === null ? "–" : String(value))) };
  const [node, read] = control(spec, value);
  const hint = spec.type === "array" ? el("p", { class: "fine", id: `${id}-hint` }, t("onePerLine")) : null;
  const problem = el("p", { class: "problem", id: `${id}-problem` });
  node.id = id;
  node.setAttribute("aria-describedby", [hint?.id, problem.id].filter(Boolean).join(" "));
  if (!spec.optional && spec.type !== "boolean" && spec.type !== "array") node.setAttribute("aria-required", "true");
  const title = el("label", { for: id, class: "name" }, label(name), spec.optional ? el("span", { class: "fine" }, ` ${t("optional")}`) : null);
  const before = JSON.stringify(read());
  const say = (text) => { problem.textContent = text; text ? node.setAttribute("aria-invalid", "true") : node.removeAttribute("aria-invalid"); };
  node.addEventListener("input", () => say(""));
  return {
    row: el("div", { class: `input ${spec.type === "boolean" ? "tick" : ""}` }, title, el("div", {}, node, hint, problem)),
    node, read, say, changed: () => JSON.stringify(read()) !== before,
  };
}

const told = (fault) => { const words = t(`fault_${fault.code}`, fault.limit ?? ""); return words === `fault_${fault.code}` ? fault.message : words; };

// `save(changes)` sends an edit and rejects with the server's fault; `leave()` closes the form.
export function editForm({ schema, values }, save, leave) {
  const form = `edit${(forms += 1)}`;
  const inputs = new Map(Object.entries(schema.properties).filter(([name]) => name in values).map(([name, spec]) => [name, input(form, name, plain(spec), values[name])]));
  const open = [...inputs].filter(([, one]) => one.node);
  const problem = el("p", { class: "problem", role: "alert" });
  const send = el("button", { class: "primary", type: "submit" }, t("save"));
  const cancel = el("button", { class: "quiet", type: "button", onclick: leave }, t("cancel"));
  const refuse = (faults) => {
    const rest = faults.filter((fault) => !inputs.get(fault.field)?.say);
    for (const fault of faults) inputs.get(fault.field)?.say?.(told(fault));
    problem.textContent = rest.map((fault) => `${label(fault.field)}: ${told(fault)}`).join(" ");
    open.find(([, one]) => one.node.hasAttribute("aria-invalid"))?.[1].node.focus();
  };
  const submit = async (event) => {
    event.preventDefault();
    if (send.disabled) return;
    problem.textContent = "";
    const changed = open.filter(([, one]) => one.changed());
    const unread = changed.filter(([, one]) => Number.isNaN(one.read()));
    if (unread.length) { refuse(unread.map(([field, one]) => ({ field, code: one.node.type === "number" ? "number" : one.node.type === "date" ? "date" : "moment" }))); return; }
    if (!changed.length) { leave(); return; }
    send.disabled = true;
    try {
      await save(Object.fromEntries(changed.map(([name, one]) => [name, one.read()])));
    } catch (wrong) {
      send.disabled = false;
      if (wrong.faults?.length) refuse(wrong.faults);
      else problem.textContent = wrong.message || t("lost");
    }
  };
  const node = el("form", { class: "edit", novalidate: true, "aria-label": t("editTitle"), onsubmit: submit },
    ...[...inputs.values()].map((one) => one.row), problem, el("div", { class: "buttons" }, send, cancel));
  node.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); leave(); } });
  return { node, focus: () => open[0]?.[1].node.focus() };
}
