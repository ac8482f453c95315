/** The matches that were played in this browser. They are kept here, and nowhere else. */

import { now } from "./clock.js";
import { countMedals, medalFor } from "./medals.js";
import { forget, recall, remember } from "./storage.js";

const MOST = 2000; // matches that are kept, the latest first
const DAY = 86400; // seconds

/**
 * @typedef {{table: string, seat: number, game: string, title: string, variant: string, at: number, total: number, players: number,
 *            place: number, day: string|null, medal: string|null, again: boolean, hinted?: boolean}} Match `again` says that the dice were known before, `at` is in seconds; `day` is set where it counted for a daily board
 */

/** The latest first. @returns {Match[]} */
export const allMatches = () => recall("history", []);

export function forgetAll() {
  forget("history");
  forget("puzzles");
}

/**
 * The puzzles that were answered, the latest first. `on` is the day of the answer.
 * @returns {{game: string, day: string, on: string, moves: string[], total: number, best: number, solved: boolean}[]}
 */
export const allPuzzles = () => recall("puzzles", []);

/** Keeps the answer to a puzzle, once. @param {{game: string, day: string, moves: string[], total: number, best: number, solved: boolean}} answer */
export function notePuzzle({ game, day, moves, total, best, solved }) {
  const known = allPuzzles();
  if (known.some((one) => one.game === game && one.day === day)) return;
  remember("puzzles", [{ game, day, on: dayOf(now()), moves, total, best, solved }, ...known].slice(0, MOST));
}

/** Keeps the result of one's own seat when a match is over, once. Who plays for several on one device keeps none. @param {any} view */
export function noteMatch(view) {
  const [seat] = view.mine;
  const known = allMatches();
  if (view.phase !== "over" || view.mine.length !== 1 || view.older || view.seats[seat].kind !== "person") return;
  if (known.some((one) => one.table === view.id)) return;
  const at = view.log.findLast((entry) => ["move", "chance"].includes(entry.kind))?.at ?? view.now;
  const { total } = view.seats[seat];
  /** @type {Match} */
  const match = {
    table: view.id, seat, game: view.game, title: view.title, variant: view.variant, at, total, players: view.seats.length, place: placeOf(view, seat),
    day: view.counts === "yes" ? dayOf(at) : null, medal: medalFor(total, view.medals), again: view.again, hinted: view.seats[seat].hinted,
  };
  remember("history", [match, ...known].slice(0, MOST));
}

/** The most points of earlier matches of the same variant; null if there were none. Dice that were known before do not count. @param {any} view */
export function bestBefore(view) {
  const known = allMatches();
  const earlier = known.slice(known.findIndex((one) => one.table === view.id) + 1);
  const totals = earlier.filter((one) => one.variant === view.variant && !one.again).map((one) => one.total);
  return totals.length ? Math.max(...totals) : null;
}

/** Which place a seat has, from 1; those who share the victory are all first. */
function placeOf(view, seat) {
  if (view.result.winners.includes(seat)) return 1;
  const { total } = view.seats[seat];
  return 1 + view.seats.filter((one) => one.total > total || (one.total === total && view.result.winners.includes(one.seat))).length;
}

/** @param {number} at seconds; days are those of the daily matches, in UTC */
export const dayOf = (at) => new Date(at * 1000).toISOString().slice(0, 10);

/**
 * How many days in a row something was done, such as a daily match: until today or yesterday, and at the most.
 * @param {{day: string|null}[]} matches
 * @param {number} now in seconds
 */
export function streaks(matches, now) {
  const days = [...new Set(matches.map((match) => match.day).filter((day) => day !== null))].sort();
  let longest = 0;
  let run = 0;
  let last = null;
  for (const day of days) {
    const number = Date.parse(day) / 1000 / DAY;
    run = last !== null && number === last + 1 ? run + 1 : 1;
    longest = Math.max(longest, run);
    last = number;
  }
  const isOn = last !== null && last >= Math.floor(now / DAY) - 1;
  return { days: days.length, current: isOn ? run : 0, longest };
}

/** Matches of the same game and variant together, the most played first. @param {Match[]} matches */
export function byVariant(matches) {
  /** @type {Map<string, Match[]>} */
  const groups = new Map();
  for (const match of matches) groups.set(match.variant, [...(groups.get(match.variant) ?? []), match]);
  return [...groups.values()].sort((one, other) => other.length - one.length).map((group) => ({
    ...group[0],
    count: group.length,
    average: group.reduce((sum, match) => sum + match.total, 0) / group.length,
    best: Math.max(...group.map((match) => match.total)),
    wins: group.filter((match) => match.place === 1).length,
    medals: countMedals(group),
  }));
}
