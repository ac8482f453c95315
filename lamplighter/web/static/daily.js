/** Today's matches and their boards. */

import { ask, post } from "./api.js";
import { reason, showProblem } from "./dialogs.js";
import { button, find, make, put } from "./dom.js";
import { recall, remember } from "./memory.js";
import { t } from "./texts.js";

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

function card(day) {
  const board = day.board.length
    ? make("ol", { class: "board" }, ...day.board.map((row, i) => make("li", { class: i + 1 === day.place ? "own" : null }, make("span", { class: "name" }, row.name), make("strong", {}, row.total))))
    : make("p", { class: "quiet" }, t("Nobody has finished it yet."));
  const note = day.follows_play ? make("p", { class: "quiet" }, t("What is drawn here depends on what was played: the draws are the same only for those who play alike.")) : null;
  return make("li", { class: "game" },
    make("div", { class: "words" },
      make("h2", {}, day.title),
      make("p", { class: "quiet" }, new Date(`${day.day}T12:00`).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" })),
      board,
      note,
      day.place ? make("p", {}, make("strong", {}, t("You are in place {n}.", { n: day.place }))) : null,
      make("p", { class: "buttons" }, button(day.mine ? t("To your match") : t("Play"), () => play(day.game), { class: "primary", label: t("Play {title}", { title: day.title }) })),
    ));
}

try {
  put(find("#days"), ...(await ask("/api/daily")).map(card));
} catch (error) {
  showProblem(document, reason(error));
}
find("#days").removeAttribute("aria-busy");
