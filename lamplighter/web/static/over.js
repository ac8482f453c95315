/** The end of a match: the score counted line by line, the comparison, and what can be done next. */

import { ask, pause, post } from "./api.js";
import { copyLine, openDialog, reason, toast } from "./dialogs.js";
import { become, button, calm, make, put } from "./dom.js";
import { origin } from "./lobby.js";
import { forget, recall, remember } from "./memory.js";
import { cellsBehind, comparison } from "./score.js";
import { seatHash } from "./seat.js";
import { plain, t, tn } from "./texts.js";

const LINE = 900; // ms for a line of the count

/**
 * Counts the score of the shown seat with its cells lighting up. A click or a key ends it.
 * @param {HTMLElement} place
 * @param {any} view
 * @param {import("./sheet.js").Sheet} sheet
 */
export async function count(place, view, sheet) {
  if (view.you === null || calm()) return;
  let skipped = false;
  const skip = button(t("Skip"), () => (skipped = true), { class: "primary" });
  const words = make("p", { class: "counting" });
  put(place, words, skip);
  place.hidden = false;
  document.body.classList.add("ending");
  skip.focus();
  let total = 0;
  for (const line of view.seats[view.you].lines) {
    if (skipped) break;
    if (!line.points) continue;
    total += line.points;
    sheet.light(view.drawn ? await cellsBehind(view.id, line.name, view.you).catch(() => []) : []);
    put(words, make("span", {}, plain(line.name)), make("strong", {}, line.points), make("span", { class: "total" }, `= ${total}`));
    for (let waited = 0; waited < LINE && !skipped; waited += 60) await pause(60);
  }
  sheet.light([]);
  place.hidden = true;
  document.body.classList.remove("ending");
}

/**
 * @param {HTMLElement} place
 * @param {any} view
 */
export function showOver(place, view) {
  const names = view.result.winners.map((seat) => view.seats[seat].name);
  const alone = view.seats.length === 1;
  const won = view.result.winners.includes(view.you);
  const best = view.seats[view.result.winners[0]].total;
  const head = alone
    ? tn("{n} point", "{n} points", best)
    : names.length > 1
      ? t("{names} share the victory with {total}", { names: names.join(", "), total: best })
      : won ? t("You win with {total}", { total: best }) : t("{name} wins with {total}", { name: names[0], total: best });
  const seat = view.you ?? view.result.winners[0];
  become(
    place,
    make("h2", {}, head),
    comparison(view),
    make("p", { class: "buttons" },
      make("a", { class: "button primary", href: `/t/${view.id}/replay${seatHash}` }, t("Replay")),
      view.mine.length ? button(view.rematch ? t("To the rematch") : t("Rematch"), () => rematch(view)) : null,
      view.dice.seed ? make("a", { class: "button", href: `/race/${view.id}?seat=${seat}` }, t("The same dice again")) : null,
      view.dice.seed ? button(t("Send these dice to a friend"), () => sendDice(view, seat)) : null,
    ),
    make("p", { class: "buttons" },
      make("a", { class: "button", href: `/api/tables/${view.id}/record`, download: "" }, t("Record")),
      view.drawn ? make("a", { class: "button", href: `/api/tables/${view.id}/record.pdf`, download: "" }, t("Sheets as PDF")) : null,
      view.dice.rolls === "seeded" ? button(t("Check the dice"), () => checkDice(view)) : null,
      make("a", { class: "button", href: "/" }, t("Other games")),
    ),
  );
  place.hidden = false;
}

/** The same token opens the same seat of the new table. */
async function rematch(view) {
  try {
    const { id, url } = await post(`/api/tables/${view.id}/rematch`, {}, true);
    location.assign(seatHash || !url ? `/t/${id}${seatHash}` : url);
  } catch (error) {
    toast(reason(error));
  }
}

function sendDice(view, seat) {
  const name = view.seats[seat].name;
  openDialog(t("Send these dice to a friend"), [
    make("p", {}, t("Whoever opens this link plays with the same dice and races {name} turn by turn.", { name })),
    copyLine(t("Link"), `${origin}/race/${view.id}?seat=${seat}`),
  ]);
}

// --- fair dice ---

/** Notes the hash that was shown when a match of one's own began. @param {any} view */
export function rememberHash(view) {
  if (!view.mine.length || !view.dice.hash || view.phase === "over" || recall(`hash.${view.id}`)) return;
  remember(`hash.${view.id}`, view.dice.hash);
}

let atStart = null; // the hash that was noted, kept for another look on this page

/** Asks the server, and reckons here too, against the hash that this browser noted at the start. */
async function checkDice(view) {
  let result;
  try {
    result = await ask(`/api/tables/${view.id}/verify`);
  } catch (error) {
    toast(reason(error));
    return;
  }
  const checks = result.checks.map((check) => checkLine(check.ok, plain(check.name), check.detail));
  const own = result.seed ? await digest(result.seed) : null;
  atStart ??= recall(`hash.${view.id}`);
  if (own) checks.push(checkLine(own === result.hash, t("this browser"), t("reckoned the same hash from the seed")));
  if (own && atStart) checks.push(checkLine(own === atStart, t("from the start"), t("it is the hash that was shown when the match began")));
  const good = result.ok && (!own || own === result.hash) && (!own || !atStart || own === atStart);
  if (own && good) forget(`hash.${view.id}`);
  openDialog(t("Check the dice"), [
    make("p", { class: "verdict" }, good ? t("The dice are as promised.") : t("Something does not agree.")),
    make("dl", { class: "dice" }, make("dt", {}, t("Hash")), make("dd", {}, result.hash ?? "–"), make("dt", {}, t("Seed")), make("dd", {}, result.seed ?? t("told after the day"))),
    make("ul", { class: "checks" }, ...checks),
  ]);
}

const checkLine = (ok, name, detail) => make("li", { class: ok ? "good" : "bad" }, make("strong", {}, `${ok ? "✓" : "✗"} ${name}`), " ", detail);

/** The SHA-256 of a text; null where a browser gives it to safe pages only. */
async function digest(text) {
  if (!crypto.subtle) return null;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
