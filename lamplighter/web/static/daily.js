/** The matches of a day and their boards: today's to play, those of past days to look at. */

import { ask, post } from "./api.js";
import { reason, showProblem } from "./dialogs.js";
import { button, find, make, replaceContent } from "./dom.js";
import { uncounted } from "./lobby.js";
import { recall, remember } from "./storage.js";
import { t } from "./i18n.js";

const wanted = new URLSearchParams(location.search).get("day") ?? "";
const name = find("#name");
name.value ||= recall("name", "");

async function play(game) {
  const called = name.value.trim() || t("Somebody");
  remember("name", name.value.trim());
  try {
    location.assign((await post(`/api/daily/${game}`, { name: called })).url);
  } catch (error) {
    showProblem(document, reason(error));
  }
}

const dateWords = (day) => new Date(`${day}T12:00`).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });

function boardRow(row, own) {
  const who = make("span", { class: "name" }, row.name, row.hinted ? make("small", { class: "quiet hinted" }, " ", t("with hints")) : null, row.shared ? make("small", { class: "quiet shared" }, " ", t("others on this network have played these dice")) : null);
  const replay = row.table ? make("a", { class: "button", href: `/t/${row.table}/replay`, "aria-label": t("Replay of {name}", { name: row.name }) }, t("Replay")) : null;
  return make("li", { class: own ? "own" : null }, who, make("strong", {}, row.total), replay);
}

/** The seed that the promise was about, when it can't help anybody any more. */
const told = ({ seed, hash }) => make("details", { class: "told" }, make("summary", {}, t("The dice of that day")),
  make("dl", { class: "dice" }, make("dt", {}, t("Seed")), make("dd", {}, seed ?? "–"), make("dt", {}, t("Hash")), make("dd", {}, hash ?? "–")));

function card(day) {
  const past = day.dice !== null;
  const board = day.board.length
    ? make("ol", { class: "board" }, ...day.board.map((row, i) => boardRow(row, i + 1 === day.place)))
    : make("p", { class: "quiet" }, past ? t("Nobody finished it.") : t("Nobody has finished it yet."));
  const note = day.follows_play ? make("p", { class: "quiet" }, t("What you draw depends on how you play, so only players who make the same moves get the same draws.")) : null;
  return make("li", { class: "game" },
    make("div", { class: "words" },
      make("h2", {}, day.title),
      make("p", { class: "quiet" }, dateWords(day.day)),
      board,
      note,
      day.counted === false ? make("p", { class: "note" }, uncounted("again")) : null,
      day.place ? make("p", {}, make("strong", {}, t("Your place: {n}.", { n: day.place }))) : null,
      past ? told(day.dice) : make("p", { class: "buttons" }, button(day.mine ? t("To your match") : t("Play"), () => play(day.game), { class: "primary", label: t("Play {title}", { title: day.title }) })),
    ));
}

/** The ways to the days before and after. */
function showWays(day, past) {
  const other = (days) => {
    const date = new Date(`${day}T12:00Z`);
    date.setUTCDate(date.getUTCDate() + days);
    return `/daily?day=${date.toISOString().slice(0, 10)}`;
  };
  replaceContent(find("#ways"),
    make("a", { class: "button", href: other(-1) }, t("The day before")),
    past ? make("a", { class: "button", href: other(1) }, t("The day after")) : null,
    past ? make("a", { class: "button", href: "/daily" }, t("Today")) : null);
}

try {
  const days = await ask(wanted ? `/api/daily?day=${encodeURIComponent(wanted)}` : "/api/daily");
  const past = days[0].dice !== null;
  if (past) find("h1").textContent = t("The matches of {day}", { day: dateWords(days[0].day) });
  find("#today").hidden = past;
  showWays(days[0].day, past);
  replaceContent(find("#days"), ...days.map(card));
} catch (error) {
  showProblem(document, reason(error));
}
find("#days").removeAttribute("aria-busy");
