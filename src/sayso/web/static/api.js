// Talks to the server: JSON, and the event stream of a run, which is resumed when it breaks.
const csrf = document.querySelector('meta[name="csrf"]').content;

export class Fault extends Error {
  constructor(status, code, detail, faults = [], reason = "") { super(detail); Object.assign(this, { status, code, faults, reason }); }
}

async function fetched(path, options) {
  let response;
  try { response = await fetch(path, { credentials: "same-origin", ...options }); }
  catch { throw new Fault(0, "offline", ""); }
  if (response.status === 401) { location.assign("/sign-in"); throw new Fault(401, "signed_out", ""); }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new Fault(response.status, problem.code ?? "error", problem.detail ?? response.statusText, problem.errors, problem.reason);
  }
  return response;
}

const posted = (body) => ({
  method: "POST", body: JSON.stringify(body ?? {}), headers: { "content-type": "application/json", "x-sayso-csrf": csrf },
});

export const get = async (path) => (await fetched(path)).json();
export const post = async (path, body) => {
  const response = await fetched(path, posted(body));
  return response.status === 204 ? null : response.json();
};

// A file as it is; what it is, the server sees by its bytes.
export const upload = async (path, name, file) => (await fetched(`${path}?name=${encodeURIComponent(name)}`, {
  method: "POST", body: file, headers: { "content-type": "application/octet-stream", "x-sayso-csrf": csrf },
})).json();

// Cuts a stream into events; our server sends `\n` line ends and one data line an event.
async function* parsed(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const lines = rest.slice(0, end).split("\n");
      rest = rest.slice(end + 2);
      const event = {};
      for (const line of lines) {
        const colon = line.indexOf(": ");
        if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 2);
      }
      if (event.event) yield { id: Number(event.id), name: event.event, data: JSON.parse(event.data) };
    }
  }
}

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Yields the events of one run, each once, up to its one terminal event. `begun` is told the run's id.
export async function* chat(body, begun) {
  const response = await fetched("/api/v1/ai/chat", posted(body));
  const run = response.headers.get("x-sayso-run");
  begun(run);
  yield* readOn(run, response);
}

// The events of a run that goes on already, from its first. Fault 404: no server that is asked drives it.
export async function* listen(run) { yield* readOn(run, await eventsOf(run, 0)); }

const eventsOf = (run, last) => fetched(`/api/v1/ai/runs/${encodeURIComponent(run)}/events`, { headers: { "last-event-id": String(last) } });

async function* readOn(run, response) {
  let last = 0;
  for (let tries = 0; tries < 6; ) {
    try {
      for await (const event of parsed(response)) {
        if (event.id <= last) continue;
        last = event.id;
        tries = 0;
        yield event;
        if (event.name === "finish" || event.name === "error") return;
      }
    } catch (wrong) {
      if (wrong instanceof Fault) throw wrong;
    }
    tries += 1;
    await pause(250 * 2 ** tries);
    try {
      response = await eventsOf(run, last);
    } catch (wrong) {
      if (wrong.status !== 0) throw wrong;
    }
  }
  throw new Fault(0, "offline", "");
}
export const stopRun = (run) => post(`/api/v1/ai/runs/${encodeURIComponent(run)}/stop`);
