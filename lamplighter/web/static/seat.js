/** The seat that the address of this page opens: its secret is after the `#`, which browsers do not send. */

import { Refusal, askAs, post } from "./api.js";

const parts = new URLSearchParams(location.hash.slice(1));
const token = parts.get("seat") ?? "";

/** The code of the class that this seat belongs to; empty outside a class. */
export const classCode = /^[A-Z]{1,8}$/.test(parts.get("class") ?? "") ? parts.get("class") : "";

/** What keeps the seat in links between the pages of a table. */
export const seatHash = token ? `#seat=${token}${classCode ? `&class=${classCode}` : ""}` : "";

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
    if (error instanceof Refusal && error.code !== "table/older-rules") throw error; // it opens nothing here
  }
  askAs({ token });
}
