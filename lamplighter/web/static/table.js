/** The table page: asks for the view of the seat that is shown, draws it, and carries what the player does. */

import { Refusal, ask, askAs, newKey, pause, post } from "./api.js";
import { hideBubble, showBubble } from "./bubble.js";
import { setClock, until } from "./clock.js";
import { compiled } from "./compiling.js";
import { announce, choose, reason, toast } from "./dialogs.js";
import { showDue } from "./dice.js";
import { asText, button, find, isTyping, make, reconcile, replaceContent } from "./dom.js";
import { coalesced, connectionSign, follow } from "./feed.js";
import { diceNotes, showLinks, showLobby } from "./lobby.js";
import { sentence, showLog } from "./log.js";
import { Hints } from "./hints.js";
import { noteMatch } from "./history.js";
import { celebrate, enliven } from "./life.js";
import { canReact, hear, openReactions } from "./reactions.js";
import { forgetTable, recall, remember, rememberTable } from "./storage.js";
import { count, rememberHash, showResult } from "./result.js";
import { closeRules, openRules } from "./rules.js";
import { behind, showScore } from "./score.js";
import { classCode, seatHash, sitDown } from "./seat.js";
import { showSeats, tick } from "./seats.js";
import { keysAreOn } from "./settings.js";
import { Sheet } from "./sheet.js";
import { isTurnOf, statusWords, whoIdles, whoLeft } from "./status.js";
import { Highlight, showAllSheets, titleOf, wordsFor } from "./thumbnails.js";
import { say, sayMove, t, tn } from "./i18n.js";
import { Tray } from "./tray.js";
import { fit, showReason, showWorth } from "./worth.js";

const LOOK = 10; // seconds after which it is asked again who is here
const GLANCE = 900; // ms to see what one drew before the next seat of this device is shown

const main = find("#main");
const id = main.dataset.table;
const watching = "watching" in main.dataset;
const api = `/api/tables/${id}`;

let view = null;
let wantedSeat = null; // which of this device's sheets is shown
let lifted = null; // the seat whose curtain was lifted
let heard = 0; // the log up to here has been read aloud
let lit = null; // the score line whose cells are lit
let busy = false;
let letGo = ""; // the moment at which "done" was said: others may still want to take something back
let gone = false; // there is no such table, or not for us

const sheet = new Sheet(find("#paper"), { play, ask: askWhy, changed: showTools, say: announce, focused: keepClear, weigh });
const tray = new Tray(find("#tray"), find("#choices"), sheet, play);
const hints = new Hints(find("#hints"), find("#hint"), sheet, play);
const showConnection = connectionSign(find("#connection"));
const highlight = new Highlight(() => showOthers());

// --- the view ---

async function begin() {
  if (watching) askAs({ stranger: true });
  else await sitDown(id).catch((error) => toast(error.message));
  await refresh();
  if (gone || view?.older) return; // nothing happens there any more
  follow(id, refresh, (live) => {
    showConnection(live);
    if (live) comeBack();
  }, (told) => view && hear(view, told, showPlayers));
  setInterval(everySecond, 1000);
  if ("compiling" in main.dataset) compiled().then(toldCompiled);
}

/** From now on bots are quick. */
function toldCompiled() {
  delete main.dataset.compiling;
  if (view?.seats.some((seat) => seat.kind === "bot")) toast(t("The games are compiled. Bots play at full speed now."));
}

/** In a class a bot plays for a child who left: whoever is back goes on at once. */
async function comeBack() {
  if (view?.kind !== "class" || view.you === null) return;
  const fresh = await ask(`${api}?sheet=false`).catch(() => view);
  if (fresh.phase === "play" && fresh.seats[view.you].kind === "bot") send(`seats/${view.you}`, { person: true });
}

const refresh = coalesced(async () => {
  try {
    apply(await ask(wantedSeat === null ? api : `${api}?seat=${wantedSeat}`));
  } catch (error) {
    if (error instanceof Refusal) fail(error);
    else showConnection(false);
  }
});

function fail(error) {
  const older = error.code === "table/older-rules";
  gone = error.status === 404 || older || error.code === "table/tomorrow";
  if (error.status === 404) forgetTable(id);
  if (view) toast(error.message);
  else main.removeAttribute("aria-busy");
  if (!view) replaceContent(main, make("div", { class: "letter" }, make("h1", {}, t("This table cannot be shown")), ...(older ? olderWords() : [make("p", {}, reason(error))]), make("a", { class: "button", href: "/" }, t("To the games"))));
}

/** What happened to a match that these rules cannot go on with. */
function olderWords() {
  return [
    make("p", {}, t("The server was updated, and the rules of this game have changed since this match began, so it cannot continue. Your moves are safe.")),
    make("p", {}, make("a", { class: "button", href: `${api}/record`, download: "" }, t("Download the moves"))),
  ];
}

/** Shows a view, unless a later one has been shown. */
function apply(next) {
  if (view && next.seq < view.seq) return;
  if (next.kind === "caller") {
    location.replace(`/t/${id}/caller${seatHash}`);
    return;
  }
  const before = view;
  view = next;
  setClock(view.now);
  wantedSeat ??= view.you; // no other sheet comes in the place of the one that somebody writes on
  main.removeAttribute("aria-busy");
  Object.assign(main.dataset, { seq: view.seq, you: view.you ?? "", version: view.version ?? "" }); // what is shown, for who tests
  if (before?.you !== view.you) lit = null;
  if (view.mine.length > 1) wantedSeat = view.you; // it stays until the device is passed on
  if (view.mine.length) rememberTable({ id, title: view.title, url: location.pathname + seatHash, over: view.phase === "over" });
  rememberHash(view);
  noteMatch(view);
  document.body.dataset.variant = view.variant; // whose rules are shown
  showAll();
  enliven(before, view, find("#paper"), isMyTurn());
  speak(before);
  if (view.phase === "over") end(before);
  else passOn();
}

function showAll() {
  const playing = view.phase !== "lobby";
  find("#title").textContent = view.title;
  find("#turn").textContent = view.phase === "play" ? t("turn {n}", { n: view.turn }) : "";
  const title = `${view.title} · Lamplighter`;
  document.title = mustAct() ? t("● Your turn · {title}", { title }) : title;
  document.body.dataset.phase = view.phase;
  document.body.classList.toggle("watching", view.you === null);
  find("#lobby").hidden = true;
  if (!playing || mayJoin()) showLobby(find("#lobby"), view, { watching, joined, changed: apply });
  find("#stranger").hidden = watching || !playing || view.mine.length > 0 || mayJoin();
  showPlayers();
  showMine();
  showBoard(playing);
  showScore(find("#lines"), view, { lit, light });
  showDue(find("#dice-due"), view, (text) => sendDice("roll", { text }), () => sendDice("unroll"));
  showLeft();
  showLog(find("#log ol"), view);
  showFair();
}

function showPlayers() {
  showSeats(find("#who .seats"), view, apply);
  find("#react").hidden = !canReact(view);
}

const mayJoin = () => !watching && !view.mine.length && view.seats.some((seat) => seat.kind === "open");
const isMyTurn = () => isTurnOf(view);
const mustAct = () => isMyTurn() || (view.you !== null && view.phase === "play" && Boolean(view.due));

function showBoard(playing) {
  const own = view.you !== null && playing;
  find("#board").hidden = !own;
  find("#dock").hidden = !own || view.phase === "over";
  if (own) {
    sheet.show(view);
    if (lit) light(lit, true);
    find("#words pre").textContent = view.text;
    replaceContent(find("#moves"), ...view.moves.slice(0, 400).map((move) => make("option", { value: move })));
  }
  for (const part of ["#words", "#typed"]) find(part).hidden = !own;
  find("#typed").hidden = !isMyTurn();
  find("#others").hidden = own || !playing;
  showOthers();
  if (!own && playing) highlight.look(view);
  showTools();
}

function showOthers() {
  if (!find("#others").hidden) showAllSheets(find("#others"), view, highlight);
}

function showLeft() {
  const place = find("#left");
  place.hidden = !view.left;
  reconcile(find("ul", place), ...(view.left ?? []).map(({ name, count: n }) => make("li", { class: n ? null : "none" }, say(name, view.words), " ", make("strong", {}, `× ${n}`))));
}

function showFair() {
  const { hash, seed } = view.dice;
  const words = seed ? t("Seed of the dice: {seed}", { seed }) : hash ? t("Hash of the dice: {hash}", { hash }) : "";
  reconcile(find("#fair .notes"), ...diceNotes(view).map((note) => make("p", { class: "note" }, note)));
  reconcile(find("#fair .seed"), words);
  find("#fair details").hidden = !words;
}

// --- tools around the sheet ---

function showTools() {
  if (!view || view.you === null) return;
  const pressed = document.activeElement;
  tray.update(view.final);
  showTurning();
  hints.update(view, isMyTurn());
  find("#undo").disabled = !view.can_undo;
  showDone();
  const { total } = view.seats[view.you];
  find("#points strong").textContent = asText(total);
  find("#points span").textContent = tn("point", "points", total);
  showStatus();
  main.dataset.chosen = sheet.chosen ?? "";
  if (["done", "undo", "stand-in"].includes(pressed?.id) && (pressed.hidden || pressed.disabled)) (tray.first ?? find("#paper")).focus();
}

/** The one button that ends a step: by a move of the game, or by taking nothing back. It keeps its place when there is nothing to end. */
function showDone() {
  const place = find("#done");
  const waits = view.held && !isMyTurn() && (view.can_undo || view.mine.length > 1) && letGo !== moment();
  const final = isMyTurn() ? view.final : null;
  place.hidden = !waits && !final;
  find("span", place).textContent = final ? say(final, view.words) : t("Done");
  find(".ring", place).toggleAttribute("hidden", !waits || !view.holding);
  if (waits && view.holding) place.style.setProperty("--hold", `${Math.max(0.1, until(view.holding))}s`);
}

/** Turn and Flip are there in games that have something to turn or flip, and stay where they are. */
function showTurning() {
  const known = recall("turning", {});
  const { turn = false, flip = false } = known[view.game] ?? {};
  const has = { turn: turn || sheet.anyTurns, flip: flip || sheet.anyFlips };
  if (has.turn !== turn || has.flip !== flip) remember("turning", { ...known, [view.game]: has });
  find("#turn-it").hidden = !has.turn;
  find("#flip-it").hidden = !has.flip;
  find("#turn-it").disabled = !sheet.canTurn;
  find("#flip-it").disabled = !sheet.canFlip;
}

function showStatus() {
  const me = view.seats[view.you];
  const left = whoLeft(view);
  find("#status").classList.toggle("mine", mustAct());
  reconcile(find("#status .words"), statusWords(view, sheet));
  fit(find("#status .told"));
  find("#back").hidden = me.kind !== "bot";
  const idler = left ? undefined : whoIdles(view);
  find("#stand-in").hidden = !left && !idler;
  if (left) find("#stand-in").textContent = t("Let a bot play for {name}", { name: left.name });
  if (idler) find("#stand-in").textContent = t("Vote: let a bot play for {name}", { name: idler.name });
}

function letBotPlay() {
  const left = whoLeft(view);
  const idler = whoIdles(view);
  if (left) send(`seats/${left.seat}`, { bot: view.stand_in });
  else if (idler) send("vote", { seat: idler.seat });
}

/** What has the focus is not left behind the dock. */
function keepClear(spot) {
  const box = spot.getBoundingClientRect();
  const over = find("#dock").getBoundingClientRect();
  const beside = box.right <= over.left || box.left >= over.right;
  if (!beside && box.bottom > over.top) scrollBy(0, box.bottom - over.top + 12);
}

/** Who is here changes without an entry in the log. */
async function lookWhoIsHere() {
  const fresh = await ask(`${api}?sheet=false`).catch(() => null);
  if (fresh?.seq !== view.seq) return;
  view = { ...view, seats: fresh.seats };
  showPlayers();
}

let seconds = 0;

function everySecond() {
  if (!view) return;
  tick(find("#who"));
  seconds += 1;
  if (seconds % LOOK === 0 && view.phase === "play" && view.waiting.some((seat) => !view.mine.includes(seat))) lookWhoIsHere();
  if (view.you !== null && view.phase === "play") showStatus();
}

// --- several seats on one device ---

function showMine() {
  const place = find("#mine");
  place.hidden = view.mine.length < 2 || view.phase === "lobby";
  if (place.hidden) return;
  const buttons = view.mine.map((number) => {
    const seat = view.seats[number];
    return button(`${seat.name}${seat.waiting ? " …" : ""}`, () => showSeat(number), { pressed: number === view.you });
  });
  reconcile(place, ...buttons);
  drawCurtain();
}

function showSeat(number) {
  if (number === view.you) return;
  wantedSeat = number;
  refresh();
}

/** When the shown seat has nothing to do and another one of this device has, that one comes next. */
async function passOn() {
  if (view.mine.length < 2 || view.phase !== "play" || view.waiting.includes(view.you)) return;
  const shown = view.you;
  const next = [...view.mine.filter((seat) => seat > shown), ...view.mine].find((seat) => view.waiting.includes(seat) && seat !== shown);
  if (next === undefined) return;
  await pause(GLANCE);
  if (view.you === shown && !view.waiting.includes(shown)) showSeat(next);
}

/** Hands are hidden: nobody sees the next one's before the device has been passed on. */
function drawCurtain() {
  if (!view.secret || view.phase !== "play" || lifted === view.you) return;
  const name = view.seats[view.you].name;
  const seat = view.you;
  find("dialog.curtain")?.remove();
  const dialog = make("dialog", { class: "curtain", "aria-label": t("Pass the device on") },
    make("p", {}, t("Pass the device to {name}.", { name })),
    button(t("I am {name}", { name }), () => {
      lifted = seat;
      dialog.remove();
    }, { class: "primary" }));
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
}

// --- what the player does ---

/** @param {import("./sheet.js").Target} target */
async function play(target) {
  if (busy || !isMyTurn()) return;
  let move = target.move;
  if (target.ways.length > 1) {
    move = await choose(view.question || t("How do you want to do it?"), target.ways.map((way) => ({ value: way.move, words: wayWords(way) })));
    if (move === null) return;
  }
  if (lit) light(null, true); // it is about the sheet before the move
  await act("moves", { move, done: move === view.final }, target.cell);
}

/** How a way to do it is called; the one of the hint that was chosen says so. @param {import("./sheet.js").Way} way */
const wayWords = (way) => (way.move === hints.move ? t("{what} (hint)", { what: sayMove(way.label, view.words) }) : sayMove(way.label, view.words));

/** Something that changes the seat: with the version that was seen and a key of its own. */
async function act(path, body, cell = null) {
  if (busy) return;
  busy = true;
  try {
    apply(await post(`${api}/${path}`, { seat: view.you, version: view.version, key: newKey(), ...body }, true));
    hideBubble();
  } catch (error) {
    if (error.view) apply(error.view);
    if (error.status === 422) showBubble(view.game, cell, error.sentence, error.rule);
    else toast(refusal(error));
  } finally {
    busy = false;
  }
}

/** Something that changes the table. @param {string} path @param {any} body @param {boolean} [again] whether it may be sent twice */
async function send(path, body, again = false) {
  try {
    apply(await post(`${api}/${path}`, body, again));
  } catch (error) {
    if (error.view) apply(error.view);
    toast(refusal(error));
  }
}

const refusal = (error) => (error.code === "move/stale" ? t("The table has changed. Look again.") : reason(error));

const undo = () => view?.can_undo && act("undo", {});
const moment = () => `${view.you} ${view.version}`;

function done() {
  if (find("#done").hidden) return;
  if (isMyTurn() && view.final) {
    act("moves", { move: view.final, done: true });
    return;
  }
  letGo = moment();
  send("done", { seat: view.you });
}

/** What was rolled, or that it was wrong: with the last outcome that was seen and a key of its own. */
const sendDice = (path, body = {}) => send(path, { version: view.rolls_version, key: newKey(), ...body }, true);

function joined(answer) {
  history.replaceState(null, "", answer.url);
  location.reload();
}

/** Why the chosen thing does not fit at a cell. */
async function askWhy(source, cell, orientation) {
  if (!isMyTurn()) return;
  if (!source) {
    showBubble(view.game, cell, t("First choose a piece, then a place."), "");
    return;
  }
  try {
    const answer = await post(`${api}/explain`, { seat: view.you, source, cell, orientation }, true);
    if (!answer.legal) showBubble(view.game, cell, answer.sentence, answer.rule);
  } catch (error) {
    toast(reason(error));
  }
}

/** The ghost has changed: what it is worth, and how it can be turned there. @param {import("./sheet.js").Target|null} target */
function weigh(target) {
  if (!view || view.you === null) return;
  showTurning();
  showStatus();
  showWorth(find("#worth"), find("#lines"), api, view, isMyTurn() ? target : null);
}

/** Lights the cells behind a score line. @param {string|null} line @param {boolean} [again] it is lit already */
async function light(line, again = false) {
  lit = line;
  const show = (words) => {
    showScore(find("#lines"), view, { lit, light, words });
    showReason(find("#reason"), words);
  };
  show("");
  if (!again) hideBubble();
  if (line === null) return sheet.light([]);
  const { cells, sentence: words } = await behind(id, line, view.you).catch((error) => (again || toast(reason(error)), { cells: [], sentence: "" }));
  if (lit !== line) return undefined;
  sheet.light(cells);
  show(words);
  if (again) return undefined;
  openScore(false);
  announce(words || wordsFor(titleOf(view.seats[view.you], line), cells));
  return undefined;
}

// --- what is new ---

/** Reads aloud what is new. */
function speak(before) {
  const fresh = before ? view.log.filter((entry) => entry.seq > heard) : [];
  heard = Math.max(heard, ...view.log.map((entry) => entry.seq), 0);
  for (const entry of fresh.slice(-8)) announce(sentence(entry, view));
  for (const words of view.effects.filter((one) => before && !before.effects.includes(one))) toast(words);
  if (fresh.some((entry) => entry.kind === "nudge" && view.mine.includes(entry.seat))) {
    toast(t("The others are waiting for you."));
    navigator.vibrate?.(80);
  }
  if (fresh.some((entry) => entry.kind === "vote" && view.mine.includes(entry.seat) && view.seats[entry.seat].kind === "person")) {
    toast(t("It is your turn. The others are voting to let a bot play for you."));
    navigator.vibrate?.(80);
  }
  if (before && !before.waiting.includes(view.you) && isMyTurn()) announce(t("Your turn"));
  if (before && view.you !== null && before.you === view.you && before.seats[view.you].total !== view.seats[view.you].total) {
    announce(tn("You have {n} point", "You have {n} points", view.seats[view.you].total));
  }
  if (view.rematch && classCode) location.replace(`/class/${classCode}`); // which knows the new table
  else if (before && !before.rematch && view.rematch) toast(t("There is a rematch"));
}

let counting = false;

/** The end is a moment: the sheet alone while it is counted, then the comparison. */
async function end(before) {
  if (counting) return;
  const fresh = before !== null && before.phase === "play";
  if (fresh) {
    counting = true;
    openScore(false);
    await count(find("#ceremony"), view, sheet);
    counting = false;
  }
  showResult(find("#over"), view);
  if (!fresh) return;
  if (view.result.winners.includes(view.you)) celebrate();
  find("#over").scrollIntoView({ block: "start" });
  announce(find("#over h2").textContent);
}

// --- buttons and keys ---

function openScore(open) {
  document.body.classList.toggle("show-score", open);
  find("#points").setAttribute("aria-expanded", String(open));
}

const board = find("#board");
const larger = find("#larger");

/** A sheet whose places are small for a finger can be made larger; then it is scrolled. */
function enlarge(large) {
  board.classList.toggle("larger", large);
  board.scrollLeft = (board.scrollWidth - board.clientWidth) / 2;
  larger.setAttribute("aria-pressed", String(large));
}

new ResizeObserver(() => {
  larger.hidden = !board.classList.contains("larger") && !sheet.isSmall;
  if (view && view.you !== null) tray.update(view.final); // what the sheet shows large enough is not shown beside it
}).observe(find("#paper"));
const dock = find("#dock");
new ResizeObserver(() => document.body.style.setProperty("--dock", `${dock.offsetHeight}px`)).observe(dock);
find("#turn-it").addEventListener("click", () => sheet.turn(1));
find("#flip-it").addEventListener("click", () => sheet.flip());
find("#undo").addEventListener("click", undo);
find("#hint").addEventListener("click", () => view && hints.toggle(view));
find("#done").addEventListener("click", done);
larger.addEventListener("click", () => enlarge(!board.classList.contains("larger")));
find("#react").addEventListener("click", () => view && openReactions(view));
find("#back").addEventListener("click", () => send(`seats/${view.you}`, { person: true }));
find("#stand-in").addEventListener("click", letBotPlay);
find("#points").addEventListener("click", () => openScore(!document.body.classList.contains("show-score")));
find("#score > .close").addEventListener("click", () => {
  openScore(false);
  find("#points").focus();
});
find("#open-rules").addEventListener("click", () => view && (closeRules() || openRules(view.game)));
find("[data-opens=menu]").addEventListener("click", () => view && showLinks(find("#menu .links"), view));
find("#typed form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = event.target.move;
  if (!field.value.trim()) return;
  await act("moves", { move: field.value.trim(), done: false });
  field.value = "";
});
document.documentElement.addEventListener("themechange", () => view && showAll()); // after every change of the settings

const KEYS = {
  r: () => sheet.turn(1), R: () => sheet.turn(-1), f: () => sheet.flip(), u: undo, d: done, h: () => hints.toggle(view),
  Escape: () => closeRules() || hints.leave() || (document.body.classList.contains("show-score") ? openScore(false) : sheet.choose(null)),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || find("dialog[open]") || !view) return;
  if (event.target.closest?.("#rules .text, #score pre") && event.key.startsWith("Arrow")) return;
  if (event.key.length === 1 && event.key !== " " && !keysAreOn()) return;
  if (hints.key(event.key)) event.preventDefault();
  else if (/^[1-9]$/.test(event.key)) tray.chooseNumber(Number(event.key));
  else if (KEYS[event.key]) KEYS[event.key]();
  else if (!sheet.key(event)) return;
  event.preventDefault();
});

begin();
