/** One press, and a table against bots is there. */

import { post } from "./api.js";
import { reason, toast } from "./dialogs.js";
import { t } from "./i18n.js";
import { recall } from "./storage.js";

/**
 * @param {HTMLButtonElement} pressed it waits until the table is there
 * @param {string} game @param {string} level of the bots; empty: none
 * @param {number} seats
 */
export async function playAgainst(pressed, game, level, seats) {
  pressed.disabled = true;
  const all = level ? seats : 1;
  try {
    const name = recall("name", "") || t("Guest");
    const plan = ["me", ...Array(all - 1).fill(`bot:${level}`)];
    const table = await post("/api/tables", { variant: `${game}?seats=${all}`, name, seats: plan, hold: "long" });
    location.assign(table.url);
  } catch (error) {
    pressed.disabled = false;
    toast(reason(error));
  }
}
