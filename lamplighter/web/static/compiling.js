/** How far compiling has come, on a server's first start. */

import { ask, pause } from "./api.js";

const AGAIN = 2000; // ms

/** Ask the server until everything is compiled. @param {(state: {compiling: string, ready: number, games: number}) => void} [tell] */
export async function compiled(tell) {
  for (;;) {
    try {
      const state = await ask("/api/server");
      if (!state.compiling) return;
      tell?.(state);
    } catch {
      // the server may be changing its workers: the next try may be answered
    }
    await pause(AGAIN);
  }
}
