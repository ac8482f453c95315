/** A finished match again: a slider, the sheets at that moment, and how the score grew. */

import { ask, pause } from "./api.js";
import { reason } from "./dialogs.js";
import { asText, draw, find, icon, isTyping, make, reconcile, replaceContent } from "./dom.js";
import { coalesced } from "./feed.js";
import { olderNote, sentence } from "./log.js";
import { beginReview, filterReview } from "./review.js";
import { seatHash } from "./seat.js";
import { themed } from "./settings.js";
import { recall, remember } from "./storage.js";
import { Highlight, sheetAddress } from "./thumbnails.js";
import { t } from "./i18n.js";

const STEP = 900; // ms a step while it runs
const AGAIN = [300, 1000, 3000]; // ms before a picture that did not come is asked for again
const WIDTH = innerWidth < 640 ? 380 : 640; // as wide as it is shown, so that its words can be read
const HEIGHT = 260;
const EDGE = 36;

const id = find("#main").dataset.table;
const slider = find("#slider");
const run = find("#run");
const speed = find("#speed");
const whom = find("#whom");
const highlight = new Highlight(showLines);
let view = null;
let steps = [];
let curve = [];
let running = false;
let player = null; // the seat that is looked at; null: all

async function begin() {
  find("#to-table").href += seatHash;
  try {
    view = await ask(`/api/tables/${id}`);
    ({ steps, curve } = await ask(`/api/tables/${id}/replay`));
  } catch (error) {
    find("#problem").hidden = false;
    find("#problem").textContent = reason(error);
    find("#player").hidden = true;
    return;
  }
  find("#title").textContent = view.title;
  if (view.older) find("#sheets").before(make("p", { class: "note" }, olderNote(view)));
  slider.max = String(steps.length);
  replaceContent(find("#sheets"), ...view.seats.map(figure));
  for (const seat of view.seats) whom.append(make("option", { value: seat.seat }, seat.name));
  whom.closest(".inline").hidden = view.seats.length < 2;
  drawCurve();
  show(steps.length);
  await beginReview(view, (entry) => {
    toggle(false);
    show(entry);
  });
}

/** Shows the sheet and the steps of one player. @param {number|null} seat */
function filter(seat) {
  player = seat;
  for (const [number, shown] of figures()) shown.hidden = seat !== null && number !== seat;
  filterReview(seat);
}

/** The next moment before or after one that is shown: whatever concerns the player who is looked at. */
function next(at, by) {
  const ends = by > 0 ? steps.length : 0;
  for (let found = at + by; found !== ends && (by > 0 ? found < ends : found > ends); found += by) {
    if (player === null || [null, player].includes(steps[found - 1].seat)) return found;
  }
  return ends;
}

function figure(seat) {
  const image = make("img", { class: "small-sheet", alt: t("Sheet of {name}", { name: seat.name }) });
  return make("figure", {},
    make("figcaption", {}, draw("svg", { width: 28, height: 12, "aria-hidden": "true" }, draw("line", { x1: 1, y1: 6, x2: 27, y2: 6, class: `line-${seat.seat % 6}`, "stroke-width": 3 })), make("span", {}, seat.name, seat.hinted ? make("small", { class: "quiet hinted" }, " ", t("with hints")) : null), make("strong", {}, seat.total)),
    view.drawn ? highlight.over(seat, image) : null,
    view.drawn ? make("details", {}, make("summary", {}, t("Why so many points?")), make("div", { class: "lines" })) : null);
}

/** @param {number} at so many steps have been made */
function show(at) {
  slider.value = String(at);
  const step = steps[at - 1];
  const words = step ? t("{turn}. {what}", { turn: step.turn, what: sentence(step, view) }) : t("The start");
  slider.setAttribute("aria-valuetext", words);
  find("#what").textContent = words;
  find("#turn").textContent = step ? t("turn {n}", { n: step.turn }) : "";
  for (const [seat, shown] of figures()) find("strong", shown).textContent = asText(totalAt(seat, at));
  moveMark(step?.turn ?? 0);
  showSheets();
}

const figures = () => [...find("#sheets").children].entries();
const totalAt = (seat, at) => steps[at - 1]?.totals[seat] ?? 0;

/** The sheets at the moment that is shown: one moment at a time, and when all have come, the one that is wanted by then. */
const showSheets = coalesced(async () => {
  if (!view.drawn) return;
  const at = Number(slider.value);
  await Promise.all([...figures()].map(([seat, shown]) => load(find("img", shown), sheetAddress(view, view.seats[seat], at), at)));
  if (highlight.at === at) return;
  highlight.at = at;
  showLines();
  await highlight.look(view);
});

/** A picture that does not come is asked for again, as long as it is wanted. */
async function load(image, address, at) {
  for (const wait of [...AGAIN, 0]) {
    image.src = themed(address);
    try {
      await image.decode();
      image.closest("figure").style.setProperty("--ratio", String(image.naturalHeight / image.naturalWidth));
      return;
    } catch {
      await pause(wait);
    }
    if (Number(slider.value) !== at) return;
  }
}

/** The score lines of every seat at that moment, whose cells can be lit. */
function showLines() {
  const step = steps[Number(slider.value) - 1];
  for (const [number, shown] of figures()) {
    const seat = view.seats[number];
    const lines = seat.lines.map((line, i) => ({ ...line, points: step?.lines[number][i] ?? 0 }));
    reconcile(find(".glow", shown), highlight.glow(seat));
    reconcile(find(".lines", shown), highlight.lines(view, { ...seat, lines, total: totalAt(number, Number(slider.value)) }));
  }
}

async function toggle(on) {
  if (running && on) return;
  running = on;
  replaceContent(run, icon(running ? "pause" : "play"));
  run.setAttribute("aria-label", running ? t("Pause") : t("Play"));
  if (running && Number(slider.value) >= steps.length) show(0);
  while (running && Number(slider.value) < steps.length) {
    show(next(Number(slider.value), 1));
    await pause(STEP / Number(speed.value));
  }
  if (running) toggle(false);
}

// --- the curve ---

const most = () => Math.max(1, ...curve.flatMap((point) => point.totals));
const least = () => Math.min(0, ...curve.flatMap((point) => point.totals));
const across = (turn) => EDGE + (turn / Math.max(1, curve.at(-1)?.turn ?? 1)) * (WIDTH - 2 * EDGE);
const up = (total) => HEIGHT - EDGE - ((total - least()) / (most() - least())) * (HEIGHT - 2 * EDGE);

function drawCurve() {
  const lines = view.seats.map((seat) => {
    const points = curve.map((point) => `${across(point.turn)},${up(point.totals[seat.seat])}`);
    return draw("polyline", { points: [`${across(0)},${up(0)}`, ...points].join(" "), class: `line-${seat.seat % 6}` });
  });
  const words = view.seats.map((seat) => `${seat.name}: ${curve.map((point) => point.totals[seat.seat]).join(", ")}`).join(". ");
  replaceContent(find("#curve"), draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words },
    draw("path", { class: "axis", d: `M${EDGE} ${EDGE / 2}V${HEIGHT - EDGE}H${WIDTH - EDGE / 2}M${EDGE} ${up(0)}H${WIDTH - EDGE / 2}` }),
    draw("text", { x: 4, y: up(most()) + 4 }, most()),
    draw("text", { x: 4, y: up(0) + 4 }, 0),
    draw("text", { x: WIDTH - EDGE, y: HEIGHT - EDGE + 18 }, curve.at(-1)?.turn ?? ""),
    draw("line", { class: "now", y1: EDGE / 2, y2: HEIGHT - EDGE, x1: EDGE, x2: EDGE }),
    ...lines));
}

function moveMark(turn) {
  for (const end of ["x1", "x2"]) find("#curve .now")?.setAttribute(end, String(across(turn)));
}

const move = (by) => {
  toggle(false);
  show(next(Number(slider.value), by));
};
speed.value = String(recall("speed", 1));
if (!speed.value) speed.value = "1";
speed.addEventListener("change", () => remember("speed", Number(speed.value)));
whom.addEventListener("change", () => filter(whom.value === "" ? null : Number(whom.value)));
slider.addEventListener("input", () => {
  if (running) toggle(false);
  show(Number(slider.value));
});
find("#before").addEventListener("click", () => move(-1));
find("#after").addEventListener("click", () => move(1));
run.addEventListener("click", () => toggle(!running));
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || event.target === slider || find("dialog[open]")) return;
  const keys = { ArrowLeft: -1, ArrowRight: 1 };
  if (event.key in keys) move(keys[event.key]);
  else if (event.key === " " && event.target === document.body) toggle(!running);
  else return;
  event.preventDefault();
});
document.documentElement.addEventListener("themechange", () => steps.length && show(Number(slider.value)));
begin();
