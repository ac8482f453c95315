/** A puzzle: the last turn of a match. Everything can be tried and taken back; one answer counts, then the solutions are told. */

import { pause, post } from "./api.js";
import { announce, openDialog, reason, toast } from "./dialogs.js";
import { all, button, find, make, reconcile } from "./dom.js";
import { allPuzzles, notePuzzle } from "./history.js";
import { sayMove, t, tn } from "./i18n.js";
import { Solo } from "./solo.js";

const POLL = 1000; // ms between two looks at a puzzle that is being made

const main = find("#main");
const { game, day } = main.dataset;
const api = `/api/puzzle/${game}/${day}`;

/** @type {any} */
let at = null; // what the server said last: the moves, the table, and the answer of this browser if there is one

const solo = new Solo(game, api, {
  where: () => ({ moves: at.moves }),
  mayPlay: () => Boolean(at) && !at.answer && at.view.phase !== "over",
  play: (move, cell) => go([...at.moves, move], cell),
  changed: () => at && showButtons(),
  keys: { u: () => takeBack() },
});

const samePlay = (one, other) => one.join("\n") === other.join("\n");
const points = (total) => tn("{n} point", "{n} points", total);

// --- the moment ---

/** Shows the puzzle after some moves. @param {string[]} moves @param {string|null} [cell] where the last one goes */
async function go(moves, cell = null) {
  const next = await solo.ask(api, { moves }, cell);
  if (next) apply(next);
}

function apply(next) {
  const focused = document.activeElement;
  at = next;
  Object.assign(main.dataset, { moves: at.moves.length, answered: Boolean(at.answer) });
  solo.show(at.view, true);
  find("#ends").hidden = !at.answer;
  find("#after").hidden = !at.answer;
  showGoal();
  if (at.answer) showEnds();
  solo.showTools();
  if (focused?.closest?.("#controls, #tray, #paper") && (focused.hidden || focused.disabled || !focused.isConnected)) firstFocus().focus({ preventScroll: true });
}

const firstFocus = () => [find("#answer"), solo.tray.first, find("#done")].find((one) => one && !one.hidden) ?? find("#paper");

function showGoal() {
  const { answer, view } = at;
  const { total } = view.seats[view.you];
  const over = view.phase === "over";
  const words = answer ? verdict(answer)
    : over ? t("This makes {points}. Is that the best? Take it back and try on, or answer: your first answer counts.", { points: points(total) })
      : [t("Best possible: ? points. Find it."), view.instruction].join(" ");
  const changed = find("#say").textContent !== words;
  find("#say").textContent = words;
  if (answer) find("#say").dataset.solved = String(answer.solved);
  const moves = view.log.filter((entry) => entry.kind === "move").map((entry) => sayMove(entry.text, view.words));
  const line = answer ? t("On the sheet: {points}. {moves}", { points: points(total), moves: moves.join(" · ") }) : "";
  find("#shown").hidden = !line;
  find("#shown").textContent = line;
  if (changed) announce(words);
  if (line) announce(line);
}

const verdict = ({ solved, total, best }) => solved
  ? t("Solved: {points}, and no play makes more.", { points: points(total) })
  : t("Your answer makes {points}. The best possible is {best}.", { points: points(total), best });

function showButtons() {
  const over = at.view.phase === "over";
  find("#undo").hidden = Boolean(at.answer);
  find("#undo").disabled = !at.moves.length;
  find("#answer").hidden = Boolean(at.answer) || !over;
}

const takeBack = () => at && !at.answer && at.moves.length && go(at.moves.slice(0, -1));

// --- the answer ---

/** Asks once more, since it counts. */
function askToAnswer() {
  const { total } = at.view.seats[at.view.you];
  const dialog = openDialog(t("Is this your answer?"), [
    make("p", {}, t("It makes {points}. Only your first answer counts.", { points: points(total) })),
    make("p", { class: "buttons" },
      button(t("This is my answer"), () => {
        dialog.close();
        submit(at.moves);
      }, { class: "primary" }),
      button(t("Try on"), () => dialog.close())),
  ]);
}

async function submit(moves) {
  const answer = await solo.ask(`${api}/answer`, { moves });
  if (!answer) return;
  notePuzzle({ game, day, ...answer });
  await go(answer.moves);
  find("#say").focus({ preventScroll: true });
}

/** All ends, the best ones first, each with a button that shows it. */
function showEnds() {
  const { solutions, worths, moves, rivals, best } = at.answer;
  const [, ...others] = worths;
  const row = (line, words, kind = null) => make("li", {}, button(words, () => look(line), { class: kind, pressed: samePlay(line, at.moves) }));
  reconcile(find("#ends ul"),
    ...solutions.map((line, i) => row(line, solutions.length > 1 ? t("{points}: solution {n}", { points: points(best), n: i + 1 }) : t("{points}: the solution", { points: points(best) }), "best")),
    ...others.map((one) => row(one.line, tn("{points}: {n} way", "{points}: {n} ways", one.ways, { points: points(one.total) }))));
  const misled = Object.values(rivals).filter((total) => total < best);
  find("#rivals").textContent = misled.length ? t("A bot made {points} of it.", { points: points(Math.max(...misled)) }) : "";
  find("#see-best").setAttribute("aria-pressed", String(solutions.some((line) => samePlay(line, at.moves))));
  find("#see-own").setAttribute("aria-pressed", String(samePlay(moves, at.moves)));
}

/** Shows a line on the sheet. */
async function look(moves) {
  await go(moves);
  const { top } = find("#paper").getBoundingClientRect();
  if (top < 0) scrollBy(0, top - 12);
}

find("#undo").addEventListener("click", takeBack);
find("#answer").addEventListener("click", askToAnswer);
find("#see-best").addEventListener("click", () => look(at.answer.solutions[0]));
find("#see-own").addEventListener("click", () => look(at.answer.moves));

// --- the beginning ---

function showMaking({ state, done, of }) {
  const words = { making: t("This puzzle is being made: bots play matches, and every end is tried."), later: t("Puzzles are made as soon as the games are prepared for faster play."), none: t("There is no puzzle of this game on this day.") }[state];
  find("#making").hidden = false;
  if (find("#progress-words").textContent !== words) find("#progress-words").textContent = words;
  Object.assign(find("#making progress"), { hidden: state === "none", max: of ?? 1, value: done ?? 0 });
}

async function begin() {
  find("#turn").textContent = new Date(`${day}T12:00`).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  for (;;) {
    const first = await post(api, { moves: [] }, true);
    if (first.state === "ready") {
      find("#making").hidden = true;
      const known = allPuzzles().find((one) => one.game === game && one.day === day);
      if (first.answer) await go(first.answer.moves);
      else if (known) await submit(known.moves); // the browser has lost its cookie, not its answer
      if (!at) apply(first);
      return;
    }
    showMaking(first);
    if (first.state === "none") return;
    await pause(POLL);
  }
}

begin().catch((error) => toast(reason(error)));
