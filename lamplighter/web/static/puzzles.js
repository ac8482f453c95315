/** The puzzles of a day: which games have one, and what this browser answered. */

import { ask, pause } from "./api.js";
import { reason, showProblem } from "./dialogs.js";
import { find, make, reconcile, replaceContent } from "./dom.js";
import { allPuzzles } from "./history.js";
import { t, tn } from "./i18n.js";

const POLL = 1500; // ms between two looks while puzzles are being made

const wanted = new URLSearchParams(location.search).get("day") ?? "";
const dateWords = (day) => new Date(`${day}T12:00`).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });

function card(puzzle, day) {
  const known = allPuzzles().find((one) => one.game === puzzle.game && one.day === day);
  const link = (words, kind) => make("p", { class: "buttons" },
    make("a", { class: kind, href: `/puzzle/${puzzle.game}/${day}`, "aria-label": `${puzzle.title}: ${words}` }, words));
  const told = known ? make("p", {}, make("strong", {}, known.solved ? "✓ " : "✕ ", known.solved ? t("Solved") : t("Not solved")), " ", tn("{n} of {best} point", "{n} of {best} points", known.total, { best: known.best })) : null;
  const waits = { making: t("Being made"), later: t("Puzzles are made as soon as the games are prepared for faster play.") }[puzzle.state];
  return make("li", { class: "game", "data-game": puzzle.game, "data-state": puzzle.state },
    make("div", { class: "words" },
      make("h2", {}, puzzle.title),
      told,
      waits ? make("p", { class: "quiet" }, waits, " ", puzzle.state === "making" ? make("progress", { max: puzzle.of, value: puzzle.done, "aria-label": `${puzzle.title}: ${waits}` }) : null)
        : known ? link(t("See the solutions"), "button") : link(t("Solve it"), "button primary"),
    ));
}

/** The ways to the days before and after. */
function showWays({ day, today, first }) {
  const other = (days) => {
    const date = new Date(`${day}T12:00Z`);
    date.setUTCDate(date.getUTCDate() + days);
    return `/puzzle?day=${date.toISOString().slice(0, 10)}`;
  };
  replaceContent(find("#ways"),
    day > first ? make("a", { class: "button", href: other(-1) }, t("The day before")) : null,
    day < today ? make("a", { class: "button", href: other(1) }, t("The day after")) : null,
    day < today ? make("a", { class: "button", href: "/puzzle" }, t("Today")) : null);
}

async function show() {
  for (;;) {
    const found = await ask(wanted ? `/api/puzzle?day=${encodeURIComponent(wanted)}` : "/api/puzzle");
    const some = found.puzzles.filter((puzzle) => puzzle.state !== "none");
    if (found.day < found.today) find("h1").textContent = t("The puzzles of {day}", { day: dateWords(found.day) });
    reconcile(find("#puzzles"), ...some.map((puzzle) => card(puzzle, found.day)));
    find("#none").hidden = some.length > 0;
    find("#puzzles").removeAttribute("aria-busy");
    if (!find("#ways").children.length) showWays(found);
    if (some.every((puzzle) => puzzle.state === "ready")) return;
    await pause(POLL);
  }
}

show().catch((error) => showProblem(document, reason(error)));
