/** Talks to the server. A move that got lost on the way is sent again with the same key, so that it counts once. */

const PATIENCE = [400, 800, 1600, 3000, 5000, 5000, 5000, 5000]; // ms between tries when nothing answers

/** What the server refused, with its reason. */
export class Refusal extends Error {
  /** @param {number} status @param {any} answer */
  constructor(status, answer) {
    const error = answer?.error ?? {};
    super(error.message ?? error.sentence ?? `HTTP ${status}`);
    this.status = status;
    this.code = error.code ?? "";
    this.rule = error.rule ?? "";
    this.sentence = error.sentence ?? this.message;
    this.view = answer?.view ?? null;
  }
}

/** @param {string} path */
export function ask(path) {
  return send(path, { headers: { Accept: "application/json" }, cache: "no-cache" });
}

/**
 * @param {string} path
 * @param {any} [body]
 * @param {boolean} [again] whether it may be sent twice without harm
 */
export function post(path, body = {}, again = false) {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return send(path, request, again);
}

async function send(path, request, again = true) {
  for (let attempt = 0; ; attempt++) {
    let answer = null;
    try {
      answer = await fetch(path, { credentials: "same-origin", ...request });
    } catch (error) {
      if (!again || attempt >= PATIENCE.length) throw error;
    }
    if (answer && ![502, 503, 504].includes(answer.status)) return read(answer);
    if (answer && (!again || attempt >= PATIENCE.length)) return read(answer);
    await pause(PATIENCE[attempt]);
  }
}

async function read(answer) {
  const isJson = (answer.headers.get("Content-Type") ?? "").includes("json");
  const body = isJson ? await answer.json() : await answer.text();
  if (!answer.ok) throw new Refusal(answer.status, isJson ? body : null);
  return body;
}

/** A word that no other try has. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {number} ms */
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
