/** The seat that the address of this page opens: its secret stands behind the `#`, which is never sent by itself. */

import { Refusal, askAs, post } from "./api.js";

const token = new URLSearchParams(location.hash.slice(1)).get("seat") ?? "";

/** What keeps the seat in links between the pages of a table. */
export const seatHash = token ? `#seat=${token}` : "";

/**
 * Asks as this seat from now on, and lets a cookie remember it. Two pages of one browser may hold two seats, so the cookie
 * alone would not do.
 * @param {string} id the table
 */
export async function sitDown(id) {
  if (!token) return;
  try {
    await post(`/api/tables/${id}/session`, { token }, true);
  } catch (error) {
    if (error instanceof Refusal) throw error; // it opens nothing here
  }
  askAs({ token });
}
