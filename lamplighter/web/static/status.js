/** What the one sentence at the sheet says: what to do now, or for whom it waits. */

import { now, until } from "./clock.js";
import { find } from "./dom.js";
import { say, since, t } from "./i18n.js";
import { isAway } from "./seats.js";

/** Whether the shown seat has to act, and a person sits there. @param {any} view */
export const isTurnOf = (view) => view.you !== null && view.phase === "play" && view.waiting.includes(view.you) && view.seats[view.you].kind === "person";

/** Somebody who is waited for and has left, so that a bot may play for them. @param {any} view */
export function whoLeft(view) {
  if (isTurnOf(view) || view.held) return undefined;
  return view.seats.find((seat) => seat.waiting && seat.replaceable && isAway(view, seat));
}

/** Somebody who is here and keeps all waiting, so that a bot may play for them if all others want it. @param {any} view */
export const whoIdles = (view) => (isTurnOf(view) || view.held ? undefined : view.seats.find((seat) => seat.may_vote));

/** The sentence; where several play on one device it begins with a name. @param {any} view @param {import("./sheet.js").Sheet} sheet */
export function statusWords(view, sheet) {
  const words = toDo(view, sheet);
  return words && (isTurnOf(view) || view.held) && view.mine.length > 1 ? t("{name}: {text}", { name: view.seats[view.you].name, text: words }) : words;
}

function toDo(view, sheet) {
  const mine = isTurnOf(view);
  const names = view.seats.filter((seat) => seat.waiting && seat.seat !== view.you).map((seat) => waitedFor(view, seat)).join(", ");
  if (view.seats[view.you].kind === "bot") return t("A bot plays for you.");
  if (view.due) return t("Enter what was rolled: tap it below, or type it.");
  if (mine && sheet.isTapped) return sheet.canTurnAt(sheet.cell) ? t("Tap again to draw it; two quick taps turn it") : t("Tap again to draw it");
  if (mine && sheet.source && !sheet.isOnly) return chosenWords(view, sheet);
  if (mine) return view.instruction;
  if (view.held && !view.holding) return t("Press Done to go on, or take your move back.");
  if (view.held && names) return t("{names} will play in {n} s", { names, n: Math.ceil(until(view.holding)) });
  if (view.held) return t("Press Done, or wait {n} s", { n: Math.ceil(until(view.holding)) });
  if (view.paused) return view.paused === "end" ? t("Your teacher has ended the match.") : t("Done! Your teacher begins the next round.");
  if (names && slowBots(view)) return t("Waiting for {names}. Bots are slow for the moment.", { names });
  return names ? t("Waiting for {names}", { names }) : "";
}

/** Whether a bot is waited for while the games are compiled. */
const slowBots = (view) => "compiling" in find("#main").dataset && view.seats.some((seat) => seat.waiting && seat.kind === "bot");

/** Somebody who thinks, with how long they have done so; or who is away. */
function waitedFor(view, seat) {
  if (isAway(view, seat)) return t("{name} (away)", { name: seat.name });
  return seat.since && now() - seat.since > 5 ? `${seat.name} (${since(seat.since)})` : seat.name;
}

/** What is chosen, and what comes next. */
function chosenWords(view, sheet) {
  const words = { what: capital(say(sheet.chosen, view.words)) };
  return sheet.source.cells.size ? t("{what}: tap a lit square", words) : t("{what}: choose one of these", words);
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
