/** A lesson: the real sheet with its real targets. The server referees each move, and says what comes next. */

import { Refusal, post } from "./api.js";
import { announce, reason, toast } from "./dialogs.js";
import { all, find, make, reconcile } from "./dom.js";
import { t } from "./i18n.js";
import { openRules } from "./rules.js";
import { Solo, keepClear } from "./solo.js";
import { playAgainst } from "./quick.js";
import { recall, remember } from "./storage.js";

const PARTS = { sheet: "#paper", dice: "#tray", score: "#lines", done: "#done", turn: "#turn-it", flip: "#flip-it" };

const main = find("#main");
const { game } = main.dataset;
const api = `/api/learn/${game}`;
const kept = `learn.${game}`; // where this browser remembers how far the lesson is

/** @type {any} */
let at = null; // what the server said last: the step, the moves that led to it, and the table
let resumed = 0; // the step at which this visit began, if it is not the first
let steps = []; // whether each step that was seen asks for a move

const where = () => ({ step: at.step, moves: at.moves });
const solo = new Solo(game, api, {
  where, mayPlay: () => Boolean(at?.asks), play: (move, cell) => ask({ ...where(), move }, cell), cells: () => at.point.cells, changed: () => at && (showPoints(), showReply()),
});
const { sheet } = solo;

// --- the step ---

/** Asks the server, and shows its answer. @param {any} body @param {string|null} [cell] where the move goes */
async function ask(body, cell = null) {
  const answer = await solo.ask(api, body, cell);
  if (answer) apply(answer);
}

/** @param {any} next */
function apply(next) {
  const isNew = next.step !== at?.step;
  at = next;
  steps[at.step] = at.asks;
  remember(kept, { step: at.step, moves: at.moves, steps });
  Object.assign(main.dataset, { step: at.step, steps: at.steps });
  if (isNew) sheet.choose(null); // what was chosen belongs to the step before
  solo.show(at.view, isNew);
  showWords();
  showPoints();
  for (const name of at.point.lines) find(`#lines tr[data-line="${CSS.escape(name)}"]`)?.classList.add("lit");
  solo.showTools();
  if (isNew) announce(at.say);
  if (at.reply) announce(at.reply);
  if (isNew) bringIntoView();
}

function showWords() {
  const { view, step } = at;
  const held = document.activeElement;
  const last = step === at.steps;
  find("#turn").textContent = t("step {n} of {all}", { n: step, all: at.steps });
  find("#say").textContent = at.say;
  showReply();
  find("#previous").disabled = step === 1;
  find("#restart").hidden = step === 1 || (step !== resumed && !last);
  find("#read-rule").hidden = !at.rule;
  find("#read-rule").textContent = t("Rule {rule}", { rule: at.rule });
  find("#next").hidden = at.asks || last;
  find("#after").hidden = !last;
  const lines = view.seats[view.you].lines.filter((line) => at.point.lines.includes(line.name));
  find("#worths").hidden = !lines.length;
  reconcile(find("#worths"), ...lines.map((line) => make("li", {}, `${line.title} `, make("strong", {}, line.points))));
  if (held?.closest?.("#lesson") && (held.hidden || held.disabled)) (last ? find("#play-now") : solo.tray.first ?? find("#paper")).focus({ preventScroll: true });
}

/** What is said about the last move; while a piece is shown on the sheet, how it is drawn. */
function showReply() {
  const words = solo.tapWords || at.reply;
  find("#reply").hidden = !words;
  find("#reply").textContent = words;
}

/** Lights what the step is about; a button only while it does something. */
function showPoints() {
  for (const old of all(".pointed")) old.classList.remove("pointed");
  sheet.light(at.point.cells);
  for (const part of at.point.parts) find(`${PARTS[part]}:not(:disabled)`)?.classList.add("pointed");
  for (const name of at.point.sources) {
    const named = `[data-source="${CSS.escape(name)}"]`;
    for (const one of all(`#tray ${named}, svg.sheet > g:not(.targets) ${named}`)) one.classList.add("pointed");
  }
}

/** What the step is about is not left behind the dock. */
function bringIntoView() {
  const spot = find(".lit", sheet.place) ?? find(".pointed", sheet.place);
  if (spot) keepClear(spot);
}

const goOn = () => at && !at.asks && at.step < at.steps && ask({ step: at.step + 1, moves: at.moves });

function goBack() {
  if (!at || at.step === 1) return;
  const before = at.step - 1;
  ask({ step: before, moves: steps[before] ? at.moves.slice(0, -1) : at.moves });
}

const restart = () => ask({ step: 1, moves: [] });

/** Goes on where this browser left the lesson; from the start if there was none, or the lesson has changed since. */
async function begin() {
  const { step, moves, steps: seen } = recall(kept, null) ?? {};
  if (Number.isInteger(step) && Array.isArray(moves) && Array.isArray(seen)) {
    try {
      const found = await post(api, { step, moves }, true);
      [steps, resumed] = [seen, step];
      apply(found);
      return;
    } catch (error) {
      if (!(error instanceof Refusal)) toast(reason(error));
    }
  }
  restart();
}

find("#play-now").addEventListener("click", ({ currentTarget }) => playAgainst(currentTarget, game, currentTarget.dataset.against, Number(currentTarget.dataset.seats)));
find("#next").addEventListener("click", goOn);
find("#previous").addEventListener("click", goBack);
find("#restart").addEventListener("click", restart);
find("#read-rule").addEventListener("click", () => openRules(game, at.rule));

begin();
