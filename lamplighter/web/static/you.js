/** A page of one's own: matches, averages and bests of this browser. */

import { ask } from "./api.js";
import { openDialog } from "./dialogs.js";
import { all, button, find, make, replaceContent } from "./dom.js";
import { allMatches, allPuzzles, byVariant, forgetAll, streaks } from "./history.js";
import { plain, t, tn } from "./i18n.js";
import { medalSign } from "./medals.js";
import { download, sharePicture } from "./share.js";

const RECENT = 30; // matches in the list at first

const dateWords = (at) => new Intl.DateTimeFormat(document.documentElement.lang, { day: "numeric", month: "short", year: "numeric" }).format(new Date(at * 1000));
const number = (value) => new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 }).format(value);

/** The games of this server by their id: what people call their options. @type {Map<string, any>} */
const games = new Map((await ask("/api/games").catch(() => [])).map((game) => [game.id, game]));

/** What is special about a variant, in words: how many play, and every option that is not the usual one. @param {import("./history.js").Match} match */
function variantWords(match) {
  const pairs = [...new URLSearchParams(match.variant.split("?")[1] ?? "")].filter(([name]) => name !== "box");
  return pairs.map(([name, value]) => {
    if (name === "seats") return tn("{n} player", "{n} players", Number(value));
    const option = games.get(match.game)?.options.find((one) => one.name === name);
    const words = option?.titles[option.values.map(String).indexOf(value)] ?? plain(value);
    const ownName = ["true", "false"].includes(value) || (option && !option.values.map(String).includes(value)); // "yes" or "abc" alone would say nothing
    return ownName ? `${option?.title ?? plain(name)}: ${words}` : words;
  }).join(", ");
}

/** What a game is called in the language of the page; one of a box of its own as it was called then. @param {import("./history.js").Match} match */
const titleOf = (match) => (match.variant.includes("box=") ? match.title : games.get(match.game)?.title ?? match.title);

function showNumbers(matches) {
  const { days, current, longest } = streaks(matches, Date.now() / 1000);
  replaceContent(find("#numbers"),
    figure(matches.length, tn("match", "matches", matches.length)),
    figure(days, tn("day with a daily match", "days with a daily match", days)),
    figure(current, tn("day in a row now", "days in a row now", current)),
    figure(longest, tn("day in a row at most", "days in a row at most", longest)),
  );
}

/** Who solves a puzzle on a later day has solved it, but the row of days does not grow. */
function showPuzzles(puzzles) {
  const solved = puzzles.filter((one) => one.solved);
  const { current, longest } = streaks(solved.filter((one) => one.on === one.day), Date.now() / 1000);
  replaceContent(find("#puzzles ul"),
    figure(solved.length, tn("puzzle solved", "puzzles solved", solved.length)),
    figure(puzzles.length, tn("puzzle answered", "puzzles answered", puzzles.length)),
    figure(current, tn("day in a row now", "days in a row now", current)),
    figure(longest, tn("day in a row at most", "days in a row at most", longest)),
  );
}

const figure = (value, words) => make("li", {}, make("strong", {}, value), ` ${words}`);

function showGames(matches) {
  const [, ...titles] = all("#games thead th").map((head) => head.textContent);
  const cell = (i, ...content) => make("td", { "data-title": titles[i] }, ...content); // on a phone each figure has its title beside it
  const rows = byVariant(matches).map((group) => make("tr", {},
    make("th", { scope: "row" }, titleOf(group), make("small", { class: "quiet" }, variantWords(group))),
    cell(0, group.count),
    cell(1, number(group.average)),
    cell(2, group.best),
    cell(3, group.players > 1 ? group.wins : "–"),
    cell(4, ...group.medals.filter((one) => one.count).map((one) => medalSign(one.medal, one.count))),
  ));
  replaceContent(find("#games tbody"), ...rows);
}

function matchRow(match) {
  const words = match.players > 1 ? t("{total} points, place {place} of {all}", { total: match.total, place: match.place, all: match.players }) : tn("{n} point", "{n} points", match.total);
  return make("li", {},
    make("div", {}, make("strong", {}, titleOf(match)), " ", words, match.medal ? medalSign(match.medal) : null,
      make("small", { class: "quiet" }, [dateWords(match.at), match.day ? t("daily match") : "", match.hinted ? t("with hints") : "", variantWords(match)].filter(Boolean).join(" · "))),
    make("span", { class: "buttons" },
      make("a", { class: "button", href: `/t/${match.table}/replay` }, t("Replay")),
      button(t("Picture"), () => sharePicture(match.table, match.seat, `${titleOf(match)} · ${words}`), { label: t("Picture of {title}, {date}", { title: titleOf(match), date: dateWords(match.at) }) }),
    ));
}

function showMatches(matches, all = false) {
  replaceContent(find("#matches"), ...matches.slice(0, all ? matches.length : RECENT).map(matchRow));
  find("#more").hidden = all || matches.length <= RECENT;
}

function show() {
  const matches = allMatches();
  const puzzles = allPuzzles();
  find("#none").hidden = matches.length + puzzles.length > 0;
  find("#some").hidden = matches.length + puzzles.length === 0;
  find("#played").hidden = !matches.length;
  find("#puzzles").hidden = !puzzles.length;
  showPuzzles(puzzles);
  showNumbers(matches);
  showGames(matches);
  showMatches(matches);
}

/** All of it as a file that other programs can read. */
function exportAll() {
  const file = { program: "lamplighter", version: 1, matches: allMatches(), puzzles: allPuzzles() };
  download(new Blob([JSON.stringify(file, null, 2)], { type: "application/json" }), "lamplighter-matches.json");
}

function askToDelete() {
  const dialog = openDialog(t("Delete all of it?"), [
    make("p", {}, t("Your numbers, the list of your matches and your answers to puzzles are deleted from this browser. This cannot be undone.")),
    make("p", { class: "buttons" },
      button(t("Delete"), () => {
        forgetAll();
        dialog.close();
        show();
        find("h1").focus();
      }, { class: "primary" }),
      button(t("Keep it"), () => dialog.close())),
  ]);
}

find("#export").addEventListener("click", exportAll);
find("#delete").addEventListener("click", askToDelete);
find("#more").addEventListener("click", () => showMatches(allMatches(), true));
addEventListener("storage", show); // a match that ended in another tab
show();
find("#main").removeAttribute("aria-busy");
