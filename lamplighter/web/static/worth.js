/** What a ghost is worth before it is drawn, and why a line of the score has its points. */

import { pause, post } from "./api.js";
import { all, asText, draw, find, make, reconcile } from "./dom.js";
import { t, tn } from "./i18n.js";

const WEIGH = 120; // ms that a ghost stays before it is asked what it is worth

let weighed = ""; // the move whose worth is asked for

/**
 * Says what the ghost is worth; nothing if there is none. The score shows it line by line.
 * @param {HTMLElement} place beside the instruction: lines that do not fit there are only counted
 * @param {HTMLElement} score
 * @param {string} api
 * @param {any} view
 * @param {import("./sheet.js").Target|null} target
 */
export async function showWorth(place, score, api, view, target) {
  weighed = target ? `${view.you} ${view.version} ${target.move}` : "";
  find("#paper .badge")?.remove();
  for (const cell of all("[data-change]", score)) cell.removeAttribute("data-change");
  if (!weighed) {
    reconcile(place);
    return;
  }
  const asked = weighed;
  await pause(WEIGH);
  if (weighed !== asked) return;
  const answer = await post(`${api}/worth`, { seat: view.you, move: target.move }, true).catch(() => null);
  if (weighed !== asked || !answer?.legal) return;
  for (const { name, points } of answer.lines) find(`[data-line="${CSS.escape(name)}"] .points`, score)?.setAttribute("data-change", signed(points));
  writeWorth(place, answer);
  drawBadge(target, signed(answer.points));
}

/** Writes as many lines as there is room for, those with most points first. @param {any} place @param {any} answer */
function writeWorth(place, { points, lines }) {
  const by = [...lines].sort((one, other) => Math.abs(other.points) - Math.abs(one.points));
  for (let n = by.length; n >= Math.min(by.length, 1); n -= 1) {
    const said = by.slice(0, n).map((line) => (lines.length > 1 ? `${line.title} ${signed(line.points)}` : line.title));
    if (n < by.length) said.push(tn("{n} more", "{n} more", by.length - n));
    reconcile(place, make("strong", {}, signed(points)), ` ${said.join(" · ") || t("no points at once")}`);
    if (fits(place.parentElement)) return;
  }
  fit(place.parentElement);
}

/** Makes words smaller where they do not fit. Returns whether they do then. @param {HTMLElement} place */
function fits(place) {
  const has = () => place.scrollHeight <= place.clientHeight + 1;
  place.classList.remove("long", "tall");
  place.classList.toggle("long", !has());
  return has();
}

/** Makes room for words: smaller letters, and if that is not enough, more height. @param {HTMLElement} place */
export const fit = (place) => place.classList.toggle("tall", !fits(place));

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
