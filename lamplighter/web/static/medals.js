/** Medals for matches that are played alone: each needs as many points as a bot usually has. */

import { make } from "./dom.js";
import { t, tn } from "./i18n.js";

const MEDALS = { gold: t("Gold"), silver: t("Silver"), bronze: t("Bronze") }; // the best first

/** The best medal for so many points. @param {number} points @param {Record<string, number>|null} [bands] what each needs */
export const medalFor = (points, bands) => (bands && Object.keys(MEDALS).find((medal) => points >= bands[medal])) ?? null;

/** @param {string} medal @param {number} [count] */
export const medalSign = (medal, count = 1) => make("span", { class: `medal ${medal}` }, count > 1 ? `${MEDALS[medal]} ×${count}` : MEDALS[medal]);

/** How many of a list have each medal. @param {{medal: string|null}[]} matches */
export const countMedals = (matches) => Object.keys(MEDALS).map((medal) => ({ medal, count: matches.filter((match) => match.medal === medal).length }));

/** The medal of a finished match, and what the next one needs; nothing where there are none. @param {any} view */
export function medalNote(view) {
  if (!view.medals || view.seats.length > 1) return null;
  const [{ total }] = view.seats;
  const own = medalFor(total, view.medals);
  const next = Object.keys(MEDALS).findLast((medal) => total < view.medals[medal]);
  const more = next && tn("{medal} needs {n} point.", "{medal} needs {n} points.", view.medals[next], { medal: MEDALS[next] });
  return make("p", { class: "medal-note" }, own ? medalSign(own) : t("No medal this time."), next ? ` ${more}` : "");
}
