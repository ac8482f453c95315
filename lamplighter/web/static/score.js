/** The score line by line, each with the cells behind it. */

import { asStranger, ask } from "./api.js";
import { button, make, reconcile } from "./dom.js";
import { recall, remember } from "./storage.js";
import { themed } from "./settings.js";
import { t, tn } from "./i18n.js";

const MANY = 7; // a longer score folds the lines where nobody has anything

const counted = new Set(); // lines that have been worth something while this page was open

/**
 * The own score, or nothing for who has no seat.
 * @param {HTMLElement} place
 * @param {any} view
 * @param {{lit: string|null, light: (line: string|null) => void, words?: string}} state
 */
export function showScore(place, view, state) {
  const seat = view.seats[view.you ?? 0];
  if (view.you === null || view.phase === "lobby") {
    reconcile(place);
    return;
  }
  const again = () => showScore(place, view, state);
  reconcile(
    place,
    scoreTable(view, seat, {
      caption: view.phase === "over" ? t("Final score") : t("Score if it ended now"),
      isLit: (line) => state.lit === line, why: (line) => state.light(state.lit === line ? null : line), folds: true, words: state.words,
    }),
    foldButton(view, again),
    ghostLine(view, seat),
  );
}

/**
 * The score of a seat, with a button at each line that shows the cells behind it.
 * @param {any} view
 * @param {any} seat
 * @param {{caption?: string, folds?: boolean, words?: string, isLit: (line: string) => boolean, why: (line: string) => void}} hooks
 */
export function scoreTable(view, seat, hooks) {
  const folded = foldedLines(view, hooks.folds);
  return make("table", { class: "score" },
    hooks.caption ? make("caption", {}, hooks.caption) : null,
    make("tbody", {}, ...titled(seat.lines).flatMap((line) => [scoreRow(line, folded.has(line.name), hooks, view), reasonRow(line, hooks)])),
    make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, t("Total")), make("td", { class: "points" }, seat.total), make("td", {}))),
  );
}

function scoreRow(line, hidden, hooks, view) {
  const lit = hooks.isLit(line.name);
  const held = document.activeElement?.closest("tr[data-line]")?.dataset.line === line.name;
  const why = button(t("why"), () => hooks.why(line.name), { class: "why-button", pressed: lit, label: t("Why: {line}", { line: line.title }) });
  return make("tr", { class: lit ? "lit" : null, "data-line": line.name, hidden: hidden && !lit && !held },
    make("th", { scope: "row" }, line.title),
    make("td", { class: "points" }, line.points),
    make("td", {}, view.drawn ? why : null),
  );
}

/** Why a line that is lit has its points. */
const reasonRow = (line, hooks) => (hooks.words && hooks.isLit(line.name) ? make("tr", { class: "reason" }, make("td", { colspan: 3 }, hooks.words)) : null);

// --- lines that nobody scores ---

/** The lines that this variant has. */
const titled = (lines) => lines.filter((line) => line.title);
const idleLines = (view) => titled(view.seats[0].lines).map((line) => line.name).filter((name) => !counted.has(name));

/** What is folded away of a long score: lines in which nobody has had anything, once somebody has something elsewhere. */
function foldedLines(view, folds = false) {
  for (const seat of view.seats) for (const line of seat.lines) if (line.points) counted.add(line.name);
  const idle = idleLines(view);
  const all = titled(view.seats[0].lines).length;
  return new Set(folds && all > MANY && idle.length < all && !recall("all-lines", false) ? idle : []);
}

/** Unfolds what is folded, and folds it again. @param {any} view @param {() => void} again shows the score again */
export function foldButton(view, again) {
  const all = titled(view.seats[0].lines).length;
  const idle = idleLines(view).length;
  if (all <= MANY || !idle || idle === all) return null;
  const open = recall("all-lines", false);
  const words = open ? t("Hide lines without points") : tn("{n} line without points", "{n} lines without points", idle);
  return make("button", {
    type: "button", class: "fold", "aria-expanded": String(open),
    onclick: () => {
      remember("all-lines", !open);
      again();
    },
  }, words);
}

/** How the one whose dice these were stood at the same turn. */
function ghostLine(view, seat) {
  if (!view.ghost) return null;
  const { name, now, total } = view.ghost;
  const ahead = seat.total - (view.phase === "over" ? total : now);
  const words = view.phase === "over"
    ? t("{name} scored {total} with these dice.", { name, total })
    : t("{name} had {now} at the start of this turn.", { name, now });
  const difference = ahead > 0
    ? tn("You are {n} point ahead.", "You are {n} points ahead.", ahead)
    : ahead < 0 ? tn("You are {n} point behind.", "You are {n} points behind.", -ahead) : t("You are level.");
  return make("div", { class: "ghost-line" }, make("p", {}, words, " ", difference), ghostSheet(view));
}

/** The sheet of the one whose dice these were, as it was at that turn. */
function ghostSheet(view) {
  const { table, seat, seq, name } = view.ghost;
  if (!view.drawn || seq === undefined) return null;
  const address = themed(asStranger(`/api/tables/${table}/sheets/${seat}.svg?seq=${seq}`));
  const words = t("Sheet of {name}", { name });
  return make("details", {}, make("summary", {}, words), make("img", { class: "small-sheet", src: address, alt: words, loading: "lazy" }));
}

/** The cells behind a line of a seat's score and a sentence about it, now or at a moment of a finished match. @returns {Promise<{cells: string[], sentence: string}>} */
export const behind = (table, line, seat, at = null) =>
  ask(`/api/tables/${table}/lines/${encodeURIComponent(line)}?seat=${seat}${at === null ? "" : `&seq=${at}`}`);

/** The name of a seat; a bot's level is in a line of its own, so that both fit. @param {any} seat */
export function nameParts(seat) {
  const [, name, level] = (!seat.owner && seat.kind === "bot" && /^(.+) (\([^()]+\))$/.exec(seat.name)) || [];
  return name ? [name, " ", make("small", {}, level)] : [seat.name || t("free seat")];
}

/** All lines of all seats, side by side. @param {any} view */
export function comparison(view) {
  const lines = view.seats[0].lines.map((line, i) => ({ title: line.title, points: view.seats.map((seat) => seat.lines[i].points) }));
  const winners = new Set(view.result?.winners ?? []);
  const head = view.seats.map((seat) => make("th", { scope: "col", class: winners.has(seat.seat) ? "winner" : null }, ...nameParts(seat)));
  const rows = lines.filter((line) => line.points.some(Boolean)).map((line) =>
    make("tr", {}, make("th", { scope: "row" }, line.title), ...line.points.map((points) => make("td", {}, points))));
  const totals = view.seats.map((seat) => make("td", { class: winners.has(seat.seat) ? "winner" : null }, seat.total));
  return make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t("Comparison") },
    make("table", { class: view.seats.length > 2 ? "comparison many" : "comparison" },
      make("thead", {}, make("tr", {}, make("td", {}), ...head)),
      make("tbody", {}, ...rows),
      make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, t("Total")), ...totals)),
    ),
  );
}
