/** The score line by line, each with the cells behind it. */

import { ask } from "./api.js";
import { button, make, put } from "./dom.js";
import { plain, t, tn } from "./texts.js";

/**
 * @param {HTMLElement} place
 * @param {any} view
 * @param {{lit: string|null, light: (line: string|null) => void}} state
 */
export function showScore(place, view, state) {
  const seat = view.seats[view.you ?? 0];
  if (view.you === null || view.phase === "lobby") {
    put(place);
    return;
  }
  const rows = seat.lines.map((line) => scoreRow(line, state));
  put(
    place,
    make("table", { class: "score" },
      make("caption", {}, view.phase === "over" ? t("Final score") : t("Score if it ended now")),
      make("tbody", {}, ...rows),
      make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, t("Total")), make("td", { class: "points" }, seat.total), make("td", {}))),
    ),
    ghostLine(view, seat),
  );
}

function scoreRow(line, state) {
  const lit = state.lit === line.name;
  const why = button(t("why"), () => state.light(lit ? null : line.name), {
    class: "why-button", pressed: lit, label: t("Why: {line}", { line: plain(line.name) }),
  });
  return make("tr", { class: lit ? "lit" : null },
    make("th", { scope: "row" }, plain(line.name)),
    make("td", { class: "points" }, line.points),
    make("td", {}, why),
  );
}

/** How the one whose dice these were stood at the same turn. */
function ghostLine(view, seat) {
  if (!view.ghost) return null;
  const { name, now, total } = view.ghost;
  const ahead = seat.total - (view.phase === "over" ? total : now);
  const words = view.phase === "over"
    ? t("{name} had {total} with these dice.", { name, total })
    : t("{name} had {now} at the start of this turn.", { name, now });
  const difference = ahead > 0
    ? tn("You are {n} point ahead.", "You are {n} points ahead.", ahead)
    : ahead < 0 ? tn("You are {n} point behind.", "You are {n} points behind.", -ahead) : t("You are level.");
  return make("p", { class: "ghost-line" }, words, " ", difference);
}

/** The cells behind a line of a seat's score. @returns {Promise<string[]>} */
export async function cellsBehind(table, line, seat) {
  const answer = await ask(`/api/tables/${table}/lines/${encodeURIComponent(line)}?seat=${seat}`);
  return answer.cells;
}

/** All lines of all seats, side by side. @param {any} view */
export function comparison(view) {
  const lines = view.seats[0].lines.map((line, i) => ({ name: line.name, points: view.seats.map((seat) => seat.lines[i].points) }));
  const winners = new Set(view.result?.winners ?? []);
  const head = view.seats.map((seat) => make("th", { scope: "col", class: winners.has(seat.seat) ? "winner" : null }, seat.name));
  const rows = lines.filter((line) => line.points.some(Boolean)).map((line) =>
    make("tr", {}, make("th", { scope: "row" }, plain(line.name)), ...line.points.map((points) => make("td", {}, points))));
  const totals = view.seats.map((seat) => make("td", { class: winners.has(seat.seat) ? "winner" : null }, seat.total));
  return make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t("Comparison") },
    make("table", { class: "comparison" },
      make("thead", {}, make("tr", {}, make("td", {}), ...head)),
      make("tbody", {}, ...rows),
      make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, t("Total")), ...totals)),
    ),
  );
}
