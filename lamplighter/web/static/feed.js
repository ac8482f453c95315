/** Hears of everything that happens at a table. A lost connection is taken up again by itself. */

const AGAIN = 2500; // ms before a closed connection is opened anew

/**
 * @param {string} id the table
 * @param {() => void} onNews something happened, or may have happened while nobody listened
 * @param {(live: boolean) => void} onState
 */
export function follow(id, onNews, onState) {
  let source = null;

  function open() {
    source = new EventSource(`/api/tables/${encodeURIComponent(id)}/events`);
    source.addEventListener("log", onNews);
    source.onopen = () => {
      onState(true);
      onNews(); // a stream tells what comes after it opened: what came before, since the last view, has to be asked for
    };
    source.onerror = () => {
      onState(false);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, AGAIN);
    };
  }

  open();
  // a phone that slept may hold a dead connection for minutes
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && onNews());
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && open());
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
