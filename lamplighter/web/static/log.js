/** What happened, as sentences: for the list beside the sheet and for screen readers. */

import { make, replaceContent } from "./dom.js";
import { say, sayMove, t } from "./i18n.js";


/** @param {any} entry @param {any} view */
export function sentence(entry, view) {
  const name = view.seats[entry.seat]?.name ?? "";
  const text = entry.kind === "chance" ? say(entry.text, view.words) : sayMove(entry.text, view.words);
  switch (entry.kind) {
    case "chance":
      if (entry.text === "?") return t("{name} draws", { name });
      return entry.seat === null ? t("Roll: {text}", { text }) : t("{name} gets {text}", { name, text });
    case "unroll": return t("The last roll was wrong");
    case "move": return t("{name}: {text}", { name, text });
    case "undo": return t("{name} takes back {text}", { name, text });
    case "join": return t("{name} sits down", { name });
    case "bot": return view.seats[entry.seat]?.owner ? t("A bot plays for {name}", { name }) : t("{name} sits down", { name });
    case "person": return t("{name} is back", { name });
    case "name": return t("A player is now called {name}", { name: entry.text });
    case "nudge": return t("{name} got a reminder", { name });
    case "vote": return t("{voter} votes to let a bot play for {name}", { voter: view.seats[Number(entry.text)]?.name ?? "", name });
    case "hint": return t("{name} looks at a hint", { name });
    case "rematch": return t("There is a rematch");
    case "promise": return t("The hash of the dice was replaced, because the old one could reveal the dice of this match.");
    case "round": return t("Your teacher lets the next round begin");
    default: return "";
  }
}

/** The latest first; outcomes that came together share a line. @param {HTMLElement} list @param {any} view */
export function showLog(list, view) {
  const lines = [];
  for (const group of together(view.log)) {
    const words = group.length > 1 ? t("Roll: {text}", { text: group.map((one) => say(one.text, view.words)).join(" · ") }) : sentence(group[0], view);
    const effects = group.flatMap((one) => one.effects ?? []).map((told) => make("li", { class: "effect" }, told));
    if (words) lines.unshift(...effects, make("li", { class: group[0].kind }, words));
  }
  replaceContent(list, ...lines);
}

/** Outcomes for everybody that follow each other, as one roll. */
export function together(log) {
  const groups = [];
  for (const entry of log) {
    const last = groups.at(-1);
    if (last && isRoll(entry) && isRoll(last[0])) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

const isRoll = (entry) => entry.kind === "chance" && entry.seat === null;

/** The last roll for everybody, as texts; nothing once something was dealt to a seat after it. */
export function lastRoll(log) {
  const last = together(log).findLast((group) => group[0].kind === "chance");
  return last && isRoll(last[0]) ? last.map((entry) => entry.text) : [];
}

/** Says that the rules have moved on since. @param {any} view */
export const olderNote = (view) => t("This match was played with version {n} of the rules, which have changed since. You can still see every sheet after every turn.", { n: view.older.played });
