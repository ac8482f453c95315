/** What a ghost is worth before it is drawn, and why a line of the score has its points. */

import { pause, post } from "./api.js";
import { asText, draw, find, make, reconcile } from "./dom.js";
import { t } from "./i18n.js";

const WEIGH = 120; // ms that a ghost stays before it is asked what it is worth

let weighed = ""; // the move whose worth is asked for

/**
 * Says what the ghost is worth; nothing if there is none.
 * @param {HTMLElement} place
 * @param {string} api
 * @param {any} view
 * @param {import("./sheet.js").Target|null} target
 */
export async function showWorth(place, api, view, target) {
  weighed = target ? `${view.you} ${view.version} ${target.move}` : "";
  find("#paper .badge")?.remove();
  if (!weighed) {
    reconcile(place);
    return;
  }
  const asked = weighed;
  await pause(WEIGH);
  if (weighed !== asked) return;
  const answer = await post(`${api}/worth`, { seat: view.you, move: target.move }, true).catch(() => null);
  if (weighed !== asked || !answer?.legal) return;
  const [first, ...more] = answer.lines;
  const lines = more.length ? answer.lines.map((line) => `${line.title} ${signed(line.points)}`).join(" · ") : first?.title ?? t("no points at once");
  reconcile(place, make("strong", {}, signed(answer.points)), ` ${lines}`);
  drawBadge(target, signed(answer.points));
}

/** The points at the corner of the ghost itself. @param {import("./sheet.js").Target} target @param {string} words */
function drawBadge(target, words) {
  const sheet = target.leaf.closest("svg.sheet");
  const cell = find(`.cells [data-cell="${CSS.escape(target.cell ?? "")}"]`, sheet);
  if (!cell) return;
  const [x, y, side] = ["x", "y", "width"].map((name) => Number(cell.getAttribute(name)));
  const wide = 9 + 9 * words.length;
  const left = Math.min(x + side - wide / 2, sheet.viewBox.baseVal.width - wide - 2);
  const top = Math.max(y - 11, 2);
  const plate = draw("rect", { x: left, y: top, width: wide, height: 20, rx: 10 });
  sheet.append(draw("g", { class: "badge", "aria-hidden": "true" }, plate, draw("text", { x: left + wide / 2, y: top + 15, class: "t bold" }, words)));
}

/** A number of points with its sign. @param {number} points */
export const signed = (points) => (points > 0 ? `+${points}` : asText(points));

/** The sentence that says why a line of the score has its points. @param {HTMLElement} place @param {string} words */
export function showReason(place, words) {
  place.hidden = !words;
  place.textContent = words;
}
