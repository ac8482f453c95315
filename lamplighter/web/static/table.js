/** The table page: asks for the view of the seat that is shown, draws it, and carries what the player does. */

import { Refusal, ask, askAs, newKey, pause, post } from "./api.js";
import { hideBubble, showBubble } from "./bubble.js";
import { now, setClock, until } from "./clock.js";
import { announce, choose, reason, toast } from "./dialogs.js";
import { showDue } from "./dice.js";
import { become, button, find, isTyping, make, put } from "./dom.js";
import { coalesced, connectionSign, follow } from "./feed.js";
import { diceNotes, showLinks, showLobby } from "./lobby.js";
import { sentence, showLog } from "./log.js";
import { forgetTable, recall, remember, rememberTable } from "./memory.js";
import { count, rememberHash, showOver } from "./over.js";
import { closeRules, openRules } from "./rules.js";
import { cellsBehind, showScore } from "./score.js";
import { seatHash, sitDown } from "./seat.js";
import { isAway, showSeats, strongestBot, tick } from "./seats.js";
import { keysAreOn } from "./settings.js";
import { Sheet } from "./sheet.js";
import { Lamp, showAllSheets, wordsFor } from "./small.js";
import { say, since, t, tn } from "./texts.js";
import { Tray } from "./tray.js";

const LOOK = 10; // seconds after which it is asked anew who is here
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
let gone = false; // there is no such table

const sheet = new Sheet(find("#paper"), { play, ask: askWhy, changed: showTools, say: announce, focused: keepClear });
const tray = new Tray(find("#tray"), find("#choices"), sheet, play);
const showConnection = connectionSign(find("#connection"));
const lamp = new Lamp(() => showOthers());

// --- the view ---

async function begin() {
  if (watching) askAs({ stranger: true });
  else await sitDown(id).catch((error) => toast(error.message));
  await refresh();
  if (gone) return;
  follow(id, refresh, showConnection);
  setInterval(everySecond, 1000);
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
  gone = error.status === 404;
  if (gone) forgetTable(id);
  if (view) toast(error.message);
  else main.removeAttribute("aria-busy");
  if (!view) put(main, make("div", { class: "letter" }, make("h1", {}, t("This table cannot be shown")), make("p", {}, error.message), make("a", { class: "button", href: "/" }, t("To the games"))));
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
  showAll();
  speak(before);
  if (view.phase === "over") end(before);
  else passOn();
}

function showAll() {
  const playing = view.phase !== "lobby";
  find("#title").textContent = view.title;
  find("#turn").textContent = view.phase === "play" ? t("turn {n}", { n: view.turn }) : "";
  document.title = `${isMyTurn() ? "● " : ""}${view.title} · Lamplighter`;
  document.body.dataset.phase = view.phase;
  document.body.classList.toggle("watching", view.you === null);
  find("#lobby").hidden = true;
  if (!playing || mayJoin()) showLobby(find("#lobby"), view, { watching, joined, changed: apply });
  find("#stranger").hidden = watching || !playing || view.mine.length > 0 || mayJoin();
  showSeats(find("#who .seats"), view, apply);
  showMine();
  showBoard(playing);
  showScore(find("#lines"), view, { lit, light });
  showDue(find("#dice-due"), view, giveDice, () => send("unroll", {}));
  showLeft();
  showLog(find("#log ol"), view);
  showFair();
}

const mayJoin = () => !watching && !view.mine.length && view.seats.some((seat) => seat.kind === "open");
const isMyTurn = () => view.you !== null && view.phase === "play" && view.waiting.includes(view.you) && view.seats[view.you].kind === "person";

function showBoard(playing) {
  const own = view.you !== null && playing;
  find("#board").hidden = !own;
  find("#dock").hidden = !own || view.phase === "over";
  if (own) {
    sheet.show(view);
    if (lit) light(lit, true);
    find("#words pre").textContent = view.text;
    put(find("#moves"), ...view.moves.slice(0, 400).map((move) => make("option", { value: move })));
  }
  for (const part of ["#words", "#typed"]) find(part).hidden = !own;
  find("#typed").hidden = !isMyTurn();
  find("#others").hidden = own || !playing;
  showOthers();
  if (!own && playing) lamp.look(view);
  showTools();
}

function showOthers() {
  if (!find("#others").hidden) showAllSheets(find("#others"), view, lamp);
}

function showLeft() {
  const place = find("#left");
  place.hidden = !view.left;
  become(find("ul", place), ...(view.left ?? []).map(({ name, count: n }) => make("li", { class: n ? null : "none" }, say(name, view.words), " ", make("strong", {}, `× ${n}`))));
}

function showFair() {
  const { hash, seed } = view.dice;
  const words = seed ? t("Seed of the dice: {seed}", { seed }) : hash ? t("Hash of the dice: {hash}", { hash }) : "";
  become(find("#fair .notes"), ...diceNotes(view).map((note) => make("p", { class: "note" }, note)));
  become(find("#fair .seed"), words);
  find("#fair details").hidden = !words;
}

// --- tools around the sheet ---

function showTools() {
  if (!view || view.you === null) return;
  const pressed = document.activeElement;
  tray.update();
  showTurning();
  find("#undo").disabled = !view.can_undo;
  find("#done").hidden = !view.holding || isMyTurn() || letGo === moment();
  if (view.holding) find("#done").style.setProperty("--hold", `${Math.max(0.1, until(view.holding))}s`);
  find("#points strong").textContent = view.seats[view.you].total;
  showStatus();
  if (["done", "undo", "stand-in"].includes(pressed?.id) && (pressed.hidden || pressed.disabled)) (tray.first ?? find("#paper")).focus();
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
  const left = whoLeft();
  find("#status").classList.toggle("mine", isMyTurn());
  become(find("#status .words"), statusWords(me));
  find("#back").hidden = me.kind !== "bot";
  find("#stand-in").hidden = !left;
  if (left) find("#stand-in").textContent = t("Let a bot play for {name}", { name: left.name });
}

/** Somebody who is waited for and has left, so that a bot may play for them. */
function whoLeft() {
  if (isMyTurn() || view.holding) return undefined;
  return view.seats.find((seat) => seat.waiting && seat.replaceable && isAway(view, seat));
}

const letBotPlay = async () => {
  const left = whoLeft();
  if (left) send(`seats/${left.seat}`, { bot: await strongestBot() });
};

/** Somebody who thinks, with how long they have done so; or who is away. */
function waitedFor(seat) {
  if (isAway(view, seat)) return t("{name} (away)", { name: seat.name });
  return seat.since && now() - seat.since > 5 ? `${seat.name} (${since(seat.since)})` : seat.name;
}

function statusWords(me) {
  const others = view.seats.filter((seat) => seat.waiting && seat.seat !== view.you);
  const names = others.map(waitedFor).join(", ");
  if (me.kind === "bot") return t("A bot plays for you.");
  if (view.due) return t("Type in what was rolled.");
  if (isMyTurn() && sheet.isTapped) return sheet.canTurnAt(sheet.cell) ? t("Tap again to draw it; two quick taps turn it") : t("Tap again to draw it");
  if (isMyTurn() && sheet.source?.cells.size) return t("{what}: choose a lit place", { what: say(sheet.chosen, view.words) });
  if (isMyTurn()) return t("Your turn");
  if (view.holding && names) return t("{names} in {n} s", { names, n: Math.ceil(until(view.holding)) });
  if (view.holding) return t("Next roll in {n} s", { n: Math.ceil(until(view.holding)) });
  return names ? t("Waiting for {names}", { names }) : "";
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
  showSeats(find("#who .seats"), view, apply);
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
  become(place, ...buttons);
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
    move = await choose(t("How do you pay?"), target.ways.map((way) => ({ value: way.move, words: say(way.words, view.words) })));
    if (move === null) return;
  }
  await act("moves", { move, done: target.cell === null }, target.cell);
}

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
    else toast(error.code === "move/stale" ? t("The table had moved on; look again.") : reason(error));
  } finally {
    busy = false;
  }
}

/** Something that changes the table. */
async function send(path, body) {
  try {
    apply(await post(`${api}/${path}`, body));
  } catch (error) {
    if (error.view) apply(error.view);
    toast(reason(error));
  }
}

const undo = () => view?.can_undo && act("undo", {});
const moment = () => `${view.you} ${view.version}`;

function done() {
  if (find("#done").hidden) return;
  letGo = moment();
  send("done", { seat: view.you });
}

const giveDice = (text) => send("roll", { text });

function joined(answer) {
  history.replaceState(null, "", answer.url);
  location.reload();
}

/** Why the chosen thing does not fit at a cell. */
async function askWhy(source, cell, lie) {
  if (!isMyTurn()) return;
  if (!source) {
    showBubble(view.game, cell, t("First choose what to draw, then its place."), "");
    return;
  }
  try {
    const answer = await post(`${api}/explain`, { seat: view.you, source, cell, lie }, true);
    if (!answer.legal) showBubble(view.game, cell, answer.sentence, answer.rule);
  } catch (error) {
    toast(reason(error));
  }
}

/** Lights the cells behind a score line. @param {string|null} line @param {boolean} [again] it is lit already */
async function light(line, again = false) {
  lit = line;
  showScore(find("#lines"), view, { lit, light });
  if (!again) hideBubble();
  if (line === null) return sheet.light([]);
  const cells = await cellsBehind(id, line, view.you).catch((error) => (again || toast(reason(error)), []));
  if (lit !== line) return undefined;
  sheet.light(cells);
  if (again) return undefined;
  openScore(false);
  announce(wordsFor(line, cells));
  return undefined;
}

// --- news ---

/** Reads aloud what is new. */
function speak(before) {
  const fresh = before ? view.log.filter((entry) => entry.seq > heard) : [];
  heard = Math.max(heard, ...view.log.map((entry) => entry.seq), 0);
  for (const entry of fresh.slice(-8)) announce(sentence(entry, view));
  if (fresh.some((entry) => entry.kind === "nudge" && view.mine.includes(entry.seat))) {
    toast(t("The others are waiting for you."));
    navigator.vibrate?.(80);
  }
  if (before && !before.waiting.includes(view.you) && isMyTurn()) announce(t("Your turn"));
  if (before && view.you !== null && before.you === view.you && before.seats[view.you].total !== view.seats[view.you].total) {
    announce(tn("You have {n} point", "You have {n} points", view.seats[view.you].total));
  }
  if (before && !before.rematch && view.rematch) toast(t("There is a rematch"));
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
  showOver(find("#over"), view);
  if (!fresh) return;
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

new ResizeObserver(() => (larger.hidden = !board.classList.contains("larger") && !sheet.isSmall)).observe(find("#paper"));
const dock = find("#dock");
new ResizeObserver(() => document.body.style.setProperty("--dock", `${dock.offsetHeight}px`)).observe(dock);
find("#turn-it").addEventListener("click", () => sheet.turn(1));
find("#flip-it").addEventListener("click", () => sheet.flip());
find("#undo").addEventListener("click", undo);
find("#done").addEventListener("click", done);
larger.addEventListener("click", () => enlarge(!board.classList.contains("larger")));
find("#back").addEventListener("click", () => send(`seats/${view.you}`, { person: true }));
find("#stand-in").addEventListener("click", letBotPlay);
find("#points").addEventListener("click", () => openScore(!document.body.classList.contains("show-score")));
find("#open-rules").addEventListener("click", () => view && (closeRules() || openRules(view.game)));
find("[data-opens=menu]").addEventListener("click", () => view && showLinks(find("#menu .links"), view));
find("#typed form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = event.target.move;
  if (!field.value.trim()) return;
  await act("moves", { move: field.value.trim(), done: false });
  field.value = "";
});
document.documentElement.addEventListener("themechange", () => view && showAll());

const KEYS = {
  r: () => sheet.turn(1), R: () => sheet.turn(-1), f: () => sheet.flip(), u: undo, d: done,
  Escape: () => closeRules() || (document.body.classList.contains("show-score") ? openScore(false) : sheet.choose(null)),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || find("dialog[open]") || !view) return;
  if (event.target.closest?.("#rules .text, #score pre") && event.key.startsWith("Arrow")) return;
  if (event.key.length === 1 && event.key !== " " && !keysAreOn()) return;
  if (/^[1-9]$/.test(event.key)) tray.chooseNumber(Number(event.key));
  else if (KEYS[event.key]) KEYS[event.key]();
  else if (!sheet.key(event)) return;
  event.preventDefault();
});

begin();
