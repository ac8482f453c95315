/** The server's clock: what it says about moments is counted from here, however wrong the clock of the device is. */

let ahead = 0; // seconds of the server before the device

/** @param {number|undefined} now the server's time in seconds, as a view brings it */
export function setClock(now) {
  if (now) ahead = now - Date.now() / 1000;
}

/** Seconds since 1970 by the server's clock. */
export const now = () => Date.now() / 1000 + ahead;

/** How many seconds are left until a moment. @param {number} epoch */
export const until = (epoch) => Math.max(0, epoch - now());
