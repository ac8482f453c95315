/** The end of a match: the score counted line by line, the comparison, and what can be done next. */

import { ask, pause, post } from "./api.js";
import { copyLine, openDialog, reason, toast } from "./dialogs.js";
import { asText, button, calm, make, reconcile, replaceContent } from "./dom.js";
import { origin } from "./lobby.js";
import { olderNote } from "./log.js";
import { bestBefore } from "./history.js";
import { medalNote } from "./medals.js";
import { forget, recall, remember } from "./storage.js";
import { behind, comparison } from "./score.js";
import { seatHash } from "./seat.js";
import { sharePicture } from "./share.js";
import { plain, t, tn } from "./i18n.js";

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
  replaceContent(place, words, skip);
  place.hidden = false;
  document.body.classList.add("ending");
  skip.focus();
  let total = 0;
  for (const line of view.seats[view.you].lines) {
    if (skipped) break;
    if (!line.points) continue;
    total += line.points;
    sheet.light(view.drawn ? (await behind(view.id, line.name, view.you).catch(() => ({ cells: [] }))).cells : []);
    replaceContent(words, make("span", {}, line.title), make("strong", {}, line.points), make("span", { class: "total" }, `= ${asText(total)}`));
    for (let waited = 0; waited < LINE && !skipped; waited += 60) await pause(60);
  }
  sheet.light([]);
  place.hidden = true;
  document.body.classList.remove("ending");
}

/**
 * Your place, what decided it, the comparison, and what can be done next.
 * @param {HTMLElement} place
 * @param {any} view
 */
export function showResult(place, view) {
  const winner = winnerWords(view);
  const own = placeWords(view);
  const decided = decisionWords(view);
  const best = bestWords(view);
  const seat = view.you ?? view.result.winners[0];
  reconcile(
    place,
    make("h2", {}, own || winner),
    own || decided ? make("p", { class: "decided" }, [own ? `${winner}.` : "", decided].filter(Boolean).join(" ")) : null,
    view.verdict ? make("p", { class: "decided" }, view.verdict) : null,
    best ? make("p", { class: "decided" }, best) : null,
    hintWords(view) ? make("p", { class: "decided hinted" }, hintWords(view)) : null,
    medalNote(view),
    view.older ? make("p", { class: "note" }, olderNote(view)) : null,
    make("p", { class: "buttons main" },
      view.mine.length && view.kind !== "class" && (view.rematch || !view.older) ? button(view.rematch ? t("To the rematch") : t("Rematch"), () => rematch(view), { class: "primary" }) : null,
      isShut(view) ? null : make("a", { class: "button primary", href: `/t/${view.id}/replay${seatHash}` }, t("Replay")),
      view.kind === "entry" ? make("a", { class: "button", href: `/t/${view.id}/check${seatHash}` }, t("Check the points on paper")) : null,
    ),
    comparison(view),
    make("details", { class: "more" },
      make("summary", {}, t("More")),
      make("p", { class: "buttons" },
        view.dice.seed && !view.older ? make("a", { class: "button", href: `/race/${view.id}?seat=${seat}` }, t("Play these dice again")) : null,
        view.dice.seed && !view.older ? button(t("Send these dice to a friend"), () => sendDice(view, seat)) : null,
        isShut(view) ? null : make("a", { class: "button", href: `/api/tables/${view.id}/record`, download: "" }, t("Record")),
        view.drawn && !view.older && !isShut(view) ? make("a", { class: "button", href: `/api/tables/${view.id}/record.pdf`, download: "" }, t("Sheets as PDF")) : null,
        view.you !== null && view.drawn && !view.older ? button(t("Picture"), () => sharePicture(view.id, view.you, `${view.title} · ${own || winner}`)) : null,
        view.dice.rolls === "seeded" ? button(t("Check the dice"), () => checkDice(view)) : null,
        make("a", { class: "button", href: "/" }, t("Other games")),
      )),
  );
  place.hidden = false;
}

/** A match of a class is shown again when the teacher has ended it. */
const isShut = (view) => view.kind === "class" && !view.dice.seed;

/** Who used hints. */
function hintWords(view) {
  const names = view.seats.filter((seat) => seat.hinted).map((seat) => seat.name);
  if (!names.length) return "";
  return view.seats.length === 1 ? t("Played with hints.") : t("With hints: {names}", { names: names.join(", ") });
}

/** Who wins, and with how much. */
function winnerWords(view) {
  const names = view.result.winners.map((seat) => view.seats[seat].name);
  const best = view.seats[view.result.winners[0]].total;
  if (view.seats.length === 1) return tn("{n} point", "{n} points", best);
  if (names.length > 1) return t("{names} share the victory with {total}", { names: names.join(", "), total: best });
  return view.result.winners.includes(view.you) ? t("You win with {total}", { total: best }) : t("{name} wins with {total}", { name: names[0], total: best });
}

/** Which place one has who did not win; nothing for others. */
function placeWords(view) {
  if (view.you === null || view.result.winners.includes(view.you)) return "";
  const { total } = view.seats[view.you];
  const before = view.seats.filter((seat) => seat.total > total || (seat.total === total && view.result.winners.includes(seat.seat)));
  return t("You are in place {place} of {all} with {total}", { place: before.length + 1, all: view.seats.length, total });
}

/** The line that made the greatest difference between the winner and you, or who came next. */
function decisionWords(view) {
  if (view.seats.length === 1 || view.result.winners.length > 1) return "";
  const winner = view.seats[view.result.winners[0]];
  const others = view.seats.filter((seat) => seat !== winner).sort((one, other) => other.total - one.total);
  const other = view.you === null || view.you === winner.seat ? others[0] : view.seats[view.you];
  const [line] = winner.lines.map((one, i) => ({ line: one.title, more: one.points, less: other.lines[i].points })).sort((one, two) => two.more - two.less - one.more + one.less);
  return line && line.more > line.less ? t("What made the difference: {line}, {more} to {less}.", line) : "";
}

/** How a match alone compares with the best one of the same variant in this browser; dice that were known before do not count. */
function bestWords(view) {
  if (view.seats.length > 1 || !view.mine.length || view.again) return "";
  const { total } = view.seats[0];
  const before = bestBefore(view);
  if (before === null) return t("This is your first match of this kind in this browser.");
  if (total > before) return t("Your best so far in this browser: it was {before}.", { before });
  return t("Your best so far in this browser: {before}.", { before });
}

/** The same token opens the same seat of the new table. */
async function rematch(view) {
  if (view.older) {
    location.assign(`/t/${view.rematch}${seatHash}`);
    return;
  }
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

/** Asks the server, and calculates it here too, against the hash that this browser noted at the start. */
async function checkDice(view) {
  let result;
  try {
    result = await ask(`/api/tables/${view.id}/verify`);
  } catch (error) {
    toast(reason(error));
    return;
  }
  const checks = result.checks.map((check) => checkLine(check.ok, plain(check.name), check.detail));
  const own = result.seed ? await promised(result.seed, result.salt) : null;
  atStart ??= recall(`hash.${view.id}`);
  // a match that is older than salts may have begun with the plain hash, which is as good for checking
  const same = own !== null && [own, await promised(result.seed, null)].includes(atStart);
  if (own) checks.push(checkLine(own === result.hash, t("this browser"), t("calculated the same hash from salt and seed")));
  if (own && atStart) checks.push(checkLine(same, t("from the start"), t("it is the hash that was shown when the match began")));
  const good = result.ok && (!own || own === result.hash) && (!own || !atStart || same);
  if (own && good) forget(`hash.${view.id}`);
  openDialog(t("Check the dice"), [
    make("p", { class: "verdict" }, good ? t("The dice are as promised.") : t("Something does not match.")),
    make("dl", { class: "dice" }, ...[
      [t("Hash"), result.hash ?? "–"],
      result.salt ? [t("Salt"), result.salt] : [],
      [t("Seed"), result.seed ?? (view.kind === "class" ? t("revealed when the class has ended") : t("revealed tomorrow"))],
    ].flatMap(([name, value]) => (name ? [make("dt", {}, name), make("dd", {}, value)] : []))),
    make("ul", { class: "checks" }, ...checks),
    ...(result.seed ? byHand(result) : []),
  ]);
}

/** How to check the hash without this server. */
function byHand({ seed, salt }) {
  const command = salt ? `printf %s ${salt}/${seed} | openssl dgst -sha256 -hmac "lamplighter promise"` : `printf %s ${seed} | sha256sum`;
  return [
    make("p", {}, t("To check it yourself, type this in a terminal; it prints the hash. The command lamplighter verify checks a record in the same way, and replays the match.")),
    make("pre", { class: "command", tabindex: "0" }, command),
  ];
}

const checkLine = (ok, name, detail) => make("li", { class: ok ? "good" : "bad" }, make("strong", {}, `${ok ? "✓" : "✗"} ${name}`), " ", detail);

/** The promise of a seed: its HMAC with the salt, or without one its SHA-256; null where the browser calculates hashes on secure pages only. */
async function promised(seed, salt) {
  if (!crypto.subtle) return null;
  const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
  const hash = { name: "HMAC", hash: "SHA-256" };
  const found = salt
    ? await crypto.subtle.sign(hash, await crypto.subtle.importKey("raw", bytes("lamplighter promise"), hash, false, ["sign"]), bytes(`${salt}/${seed}`))
    : await crypto.subtle.digest("SHA-256", bytes(seed));
  return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
