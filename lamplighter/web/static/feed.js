/**
 * Hears of everything that happens at a table. A lost connection is taken up again by itself, also one that only looks
 * alive: the server speaks at least every fifteen seconds.
 */

import { noteEntry, pause, reach } from "./api.js";

const OPENING = 8000; // ms until a connection has to be there
const SILENCE = 37500; // ms without a sign of life
const ASLEEP = 20000; // ms out of sight after which a phone may hold a dead connection
const CALM = 1500; // ms without a connection before it is said
const AGAIN = [300, 1000, 2000, 4000]; // ms before the next try

/**
 * @param {string} id the table
 * @param {() => void} onEntries the log has new entries, or may have had some while nobody listened
 * @param {(live: boolean) => void} onState
 * @param {(told: {seat: number, reaction: string}) => void} [onReaction] somebody said something
 */
export function follow(id, onEntries, onState, onReaction = () => {}) {
  let current = new AbortController();
  let watchdog = 0;
  let hiddenAt = 0;
  let failed = 0;
  let gone = false; // the page is put away

  const within = (ms) => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => current.abort(), ms);
  };

  async function listen() {
    current = new AbortController();
    within(OPENING);
    const answer = await reach(`/api/tables/${encodeURIComponent(id)}/events`, { signal: current.signal, cache: "no-store" });
    if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`);
    within(SILENCE);
    failed = 0;
    onState(true);
    onEntries(); // a stream tells what comes after it opened: what came before, since the last view, has to be asked for
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      within(SILENCE);
      const events = (rest + value.replaceAll("\r", "")).split("\n\n");
      rest = events.pop() ?? "";
      const grown = events.filter((event) => /^event: ?log$/m.test(event));
      for (const event of grown) noteEntry(id, Number(/^id: ?(\d+)$/m.exec(event)?.[1] ?? 0));
      for (const event of events.filter((one) => /^event: ?reaction$/m.test(one))) onReaction(JSON.parse(/^data: ?(.*)$/m.exec(event)?.[1] ?? "{}"));
      if (grown.length) onEntries();
    }
  }

  async function keepListening() {
    while (!gone) {
      await listen().catch(() => {}); // however it ended, the next one is opened
      clearTimeout(watchdog);
      if (gone) return;
      onState(false);
      await pause(AGAIN[Math.min(failed++, AGAIN.length - 1)] * (0.75 + Math.random() / 2)); // not all browsers at once
    }
  }

  const reopen = () => {
    failed = 0;
    current.abort();
  };

  keepListening();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") hiddenAt = Date.now();
    else if (hiddenAt && Date.now() - hiddenAt > ASLEEP) reopen();
    else onEntries();
  });
  addEventListener("online", reopen);
  addEventListener("pagehide", () => {
    gone = true;
    current.abort();
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    gone = false;
    keepListening();
  });
}

/** Says when the connection is lost, if that lasts: for `follow`. @param {HTMLElement} place */
export function connectionSign(place) {
  let lost = 0;
  return (live) => {
    if (!live) {
      lost ||= setTimeout(() => (place.hidden = false), CALM);
      return;
    }
    clearTimeout(lost);
    lost = 0;
    place.hidden = true;
  };
}

/** Calls `work` once for many requests: while it runs, further ones are one more. @param {() => Promise<void>} work */
export function coalesced(work) {
  let running = false;
  let wanted = false;
  return async function run() {
    wanted = true;
    if (running) return;
    running = true;
    try {
      while (wanted) {
        wanted = false;
        await work();
      }
    } finally {
      running = false;
    }
  };
}
