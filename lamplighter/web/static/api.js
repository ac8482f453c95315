/**
 * Talks to the server: as the seat whose secret is in the address of the page, or on purpose as anybody. What got lost
 * on the way is sent again; a move with the same key, so that it counts once.
 */

const PATIENCE = [400, 800, 1600, 3000, 5000, 5000, 5000, 5000]; // ms between tries when nothing answers
const ANSWER = 8000; // ms until an answer counts as lost
const LONGEST = 30; // seconds that a crowded server may tell us to wait
const PASSING = [429, 502, 503, 504]; // what another try may mend

const asker = { token: "", stranger: false };
const heard = { table: "", seq: 0 };

/** An entry of a table that was heard of: answers have to be at least as new. @param {string} table @param {number} seq */
export function noteEntry(table, seq) {
  heard.seq = heard.table === table ? Math.max(heard.seq, seq) : seq;
  heard.table = table;
}

/** @param {string} path @param {string} pair */
const withQuery = (path, pair) => `${path}${path.includes("?") ? "&" : "?"}${pair}`;

/** @param {string} path */
function atLeastAsNew(path) {
  const own = heard.seq && new RegExp(`^/api/tables/${heard.table}($|[/?])`).test(path) && !/\.(svg|pdf)|\/events/.test(path);
  return own ? withQuery(path, `known=${heard.seq}`) : path;
}

/** Who asks from now on. @param {{token?: string, stranger?: boolean}} who */
export const askAs = (who) => Object.assign(asker, who);

/** An address that is answered as to anybody, whoever has a seat in this browser. @param {string} path */
export const asStranger = (path) => withQuery(path, "as=spectator");

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

/** One try, by whoever asks. @param {string} path @param {RequestInit} request */
export function reach(path, request) {
  const { token, stranger } = asker;
  const headers = { ...request.headers, ...(token && !stranger ? { Authorization: `Bearer ${token}` } : {}) };
  const credentials = stranger ? "omit" : "same-origin";
  const asked = atLeastAsNew(path);
  return fetch(stranger ? asStranger(asked) : asked, { ...request, headers, credentials });
}

async function send(path, request, again = true) {
  for (let attempt = 0; ; attempt++) {
    const last = !again || attempt >= PATIENCE.length;
    let wait = PATIENCE[attempt];
    try {
      const answer = await reach(path, again ? { ...request, signal: AbortSignal.timeout(ANSWER) } : request);
      sayTrouble(answer.status === 503);
      const told = Number(answer.headers.get("Retry-After") ?? 0);
      if (last || !PASSING.includes(answer.status) || told > LONGEST) return await read(answer);
      wait = Math.max(wait, told * 1000);
    } catch (error) {
      if (last || error instanceof Refusal) throw error;
    }
    await pause(wait);
  }
}

/** Says that the server is in trouble while it is, and that the page tries again. @param {boolean} inTrouble */
function sayTrouble(inTrouble) {
  const sign = document.querySelector("#trouble");
  if (sign) sign.hidden = !inTrouble;
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

/** The secret of a seat to be taken. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/** @param {number} ms */
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
