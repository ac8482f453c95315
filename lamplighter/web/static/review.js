/** The review on the replay page: how good every move was, what was better, turning points, luck and play. */

import { ask, pause, post } from "./api.js";
import { announce, reason, toast } from "./dialogs.js";
import { all, button, draw, find, make, reconcile, replaceContent } from "./dom.js";
import { why } from "./hints.js";
import { t, tn } from "./i18n.js";
import { forget, recall, remember } from "./storage.js";
import { signed } from "./worth.js";

const LOOK = 1500; // ms between two looks at how far it is
// each grade with its sign, the best one first
const GRADES = {
  best: ["★", t("best")], good: ["✓", t("good")], inaccuracy: ["?!", t("inaccuracy")], mistake: ["?", t("mistake")], blunder: ["??", t("blunder")],
};

const place = find("#review");
const compared = find("#better");

/** @type {any} */
let view = null;
/** @type {(entry: number) => void} */
let goTo = () => {};
let found = null; // what the review found
let shown = 0; // the entry whose moves are compared
let player = null; // the seat whose moves are listed; null: all
let following = false;

/** Shows how far the review is, and goes on doing so. @param {any} table its view @param {(entry: number) => void} go goes to a moment of the replay */
export async function beginReview(table, go) {
  view = table;
  goTo = go;
  place.hidden = Boolean(view.older) || view.kind === "caller";
  if (!place.hidden) await look();
}

const api = (path = "") => `/api/tables/${view.id}/review${path}`;

async function look() {
  try {
    await show(await ask(api()));
  } catch (error) {
    showStart(reason(error));
  }
}

async function start() {
  try {
    const state = await post(api(), {}, true);
    if (state.key) remember(`review.${view.id}`, state.key);
    await show(state);
  } catch (error) {
    toast(reason(error));
  }
}

async function stop() {
  try {
    const state = await post(api("/stop"), { key: recall(`review.${view.id}`, "") }, true);
    forget(`review.${view.id}`);
    await show(state);
    find("button", place)?.focus();
  } catch (error) {
    toast(reason(error));
  }
}

const mayStop = () => view.mine.length > 0 || view.host || Boolean(recall(`review.${view.id}`));

/** @param {any} state */
async function show(state) {
  place.dataset.state = state.state;
  if (state.state === "none") showStart();
  else if (state.state !== "done") showProgress(state);
  else {
    const waited = following;
    forget(`review.${view.id}`);
    found = state.review;
    showFound();
    if (waited) announce(t("The review is done."));
  }
  if (["waiting", "running"].includes(state.state)) follow();
}

/** Looks again until it is done. */
async function follow() {
  if (following) return;
  following = true;
  while (["waiting", "running"].includes(place.dataset.state)) {
    await pause(LOOK);
    if (!document.hidden) await look();
  }
  following = false;
}

function showStart(problem = "") {
  reconcile(find(".state", place),
    problem ? make("p", { class: "problem", role: "alert" }, problem) : null,
    make("p", {}, t("Every move is compared with the best one that a bot finds from what the player could know at that moment. That takes about half a minute; you can look at the replay meanwhile.")),
    make("p", { class: "buttons" }, button(t("Review this match"), start, { class: "primary" })));
}

function showProgress({ state, done, moves, ahead }) {
  const words = state === "waiting" && ahead ? tn("Waiting: {n} review comes first.", "Waiting: {n} reviews come first.", ahead)
    : moves ? t("Looking at move {n} of {all} …", { n: done, all: moves }) : t("Comparing with other dice …");
  reconcile(find(".state", place),
    make("label", { class: "field" }, words, make("progress", moves ? { max: moves, value: done } : {})),
    mayStop() ? make("p", { class: "buttons" }, button(t("Stop"), stop)) : null);
}

// --- what was found ---

const points = (value) => value.toFixed(1).replace("-", "−");
const nameOf = (seat) => view.seats[seat].name;
const say = (move) => found.words[move] ?? move;
const number = (value) => `${value < 0 ? "" : "+"}${points(value)}`;

function showFound() {
  const seats = view.seats.filter((seat) => (player === null || seat.seat === player) && movesOf(seat.seat).length);
  reconcile(find(".state", place),
    found.not_looked_at ? make("p", { class: "note" }, tn("There was no time for {n} move.", "There was no time for {n} moves.", found.not_looked_at)) : null,
    ...turningPoints(),
    ...seats.map(seatCard),
    found.why_no_split ? make("p", { class: "note" }, t("Luck was not measured: nothing was drawn, or what is drawn depends on what is played.")) : null);
}

const movesOf = (seat) => found.moves.filter((move) => move.seat === seat);

function turningPoints() {
  const moves = found.moves.filter((move) => found.turning_points.includes(move.entry) && (player === null || move.seat === player));
  if (!moves.length) return [];
  return [make("h3", {}, t("Turning points")), make("ol", { class: "grades" }, ...moves.map((move) => make("li", {}, moveButton(move, true))))];
}

function seatCard(seat) {
  const { split, lost, grades } = found.seats[seat.seat];
  const counts = Object.entries(GRADES).filter(([name]) => grades[name]).map(([name, [sign, words]]) => `${sign} ${words}: ${grades[name]}`);
  return make("section", { class: "card", "data-key": `seat ${seat.seat}` },
    make("h3", {}, nameOf(seat.seat)),
    make("p", {}, t("{n} points given away.", { n: points(lost) }), " ", make("span", { class: "counts" }, counts.join(" · "))),
    split ? splitWords(split) : null,
    make("details", { open: seat.seat === (player ?? view.you ?? found.moves[0]?.seat) },
      make("summary", {}, tn("{n} move", "{n} moves", movesOf(seat.seat).length)),
      make("ol", { class: "grades" }, ...movesOf(seat.seat).map((move) => make("li", {}, moveButton(move))))));
}

/** How many of the points are what a bot usually has, luck, and play. */
function splitWords({ total, average, luck, play }) {
  return make("dl", { class: "split" }, ...[
    [t("Points"), total], [t("A medium bot on average"), points(average)], [t("Luck"), number(luck)], [t("Skill"), number(play)],
  ].flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function moveButton(move, named = false) {
  const [sign, words] = GRADES[move.grade];
  const what = named ? t("{name}: {text}", { name: nameOf(move.seat), text: say(move.move) }) : say(move.move);
  const pressed = make("button", { type: "button", class: `graded ${move.grade}`, "data-entry": move.entry, "aria-pressed": String(move.entry === shown), onclick: () => compare(move) },
    make("span", { class: "sign", "aria-hidden": "true" }, sign),
    make("span", { class: "what" }, t("{turn}. {what}", { turn: move.turn, what }), make("small", {}, words)),
    move.lost ? make("strong", {}, signedLoss(move.lost)) : null);
  return pressed;
}

const signedLoss = (lost) => `−${points(lost)}`;

/** Goes to a move, and shows it beside the best one. @param {any} move */
async function compare(move) {
  shown = move.entry;
  for (const one of all(".graded", place)) one.setAttribute("aria-pressed", String(Number(one.dataset.entry) === shown));
  goTo(move.entry);
  try {
    const both = await ask(api(`/${move.entry}/better`));
    if (shown === move.entry) showBoth(both);
  } catch (error) {
    toast(reason(error));
  }
}

function showBoth(both) {
  const [sign, words] = GRADES[both.grade];
  const same = both.move.move === both.best.move;
  const title = same ? t("{name}: nothing better was found", { name: nameOf(both.seat) })
    : t("{name}: {n} points were given away", { name: nameOf(both.seat), n: points(both.lost) });
  replaceContent(compared,
    make("h3", { tabindex: -1 }, `${t("turn {n}", { n: both.turn })} · ${title} (${sign} ${words})`),
    make("div", { class: "both" },
      same ? null : figure(both.best, "best", t("Better")),
      figure(both.move, "move", same ? t("Played") : t("Played instead"))),
    make("p", { class: "buttons" }, ...neighbours(both), button(t("Close"), close)));
  compared.hidden = false;
  for (const leaf of all(".targets [data-move]", compared)) ringAround(leaf);
  find("h3", compared).focus({ preventScroll: true });
  compared.scrollIntoView({ block: "nearest" });
  announce([`${title}.`, same ? "" : `${t("Better")}: ${both.best.said}. ${why(both.best)}`].filter(Boolean).join(" "));
}

function figure(move, kind, title) {
  const drawn = make("div", { class: "sheet-with-move" });
  if (move.sheet) drawn.insertAdjacentHTML("afterbegin", move.sheet); // made by our own server, all words escaped
  return make("figure", { class: kind }, make("figcaption", {}, `${title}: ${move.said}`, make("strong", {}, signed(move.points))), make("p", { class: "quiet" }, why(move)), move.sheet ? drawn : null);
}

/** Lights the place of a move on its sheet. */
function ringAround(leaf) {
  const sheet = leaf.closest("svg.sheet");
  const square = find(`.cells [data-cell="${CSS.escape(leaf.dataset.cell ?? "")}"]`, sheet);
  if (!square) return;
  const box = Object.fromEntries(["x", "y", "width", "height"].map((name) => [name, square.getAttribute(name)]));
  sheet.append(draw("rect", { ...box, rx: 6, class: "move-ring" }));
}

/** The moves before and after this one that gave points away. */
function neighbours(both) {
  const moves = found.moves.filter((move) => move.lost && (player === null || move.seat === player));
  const before = moves.findLast((move) => move.entry < both.entry);
  const after = moves.find((move) => move.entry > both.entry);
  return [before && button(t("Previous"), () => compare(before), { icon: "back" }), after && button(t("Next"), () => compare(after), { icon: "next" })];
}

function close() {
  compared.hidden = true;
  find(`.graded[data-entry="${shown}"]`, place)?.focus();
  shown = 0;
  for (const one of all(".graded", place)) one.setAttribute("aria-pressed", "false");
}

/** Lists the moves of one player only. @param {number|null} seat */
export function filterReview(seat) {
  player = seat;
  if (found) showFound();
}
