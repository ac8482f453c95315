/** A finished match again: a slider, the sheets at that moment, and how the score grew. */

import { ask, pause } from "./api.js";
import { reason } from "./dialogs.js";
import { become, draw, find, icon, isTyping, make, put } from "./dom.js";
import { coalesced } from "./feed.js";
import { sentence } from "./log.js";
import { seatHash } from "./seat.js";
import { themed } from "./settings.js";
import { Lamp, sheetAddress } from "./small.js";
import { t } from "./texts.js";

const STEP = 900; // ms a step while it runs
const AGAIN = [300, 1000, 3000]; // ms before a picture that did not come is asked for again
const WIDTH = 640;
const HEIGHT = 260;
const EDGE = 36;

const id = find("#main").dataset.table;
const slider = find("#slider");
const run = find("#run");
const lamp = new Lamp(showLines);
let view = null;
let steps = [];
let curve = [];
let running = false;

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
  slider.max = String(steps.length);
  put(find("#sheets"), ...view.seats.map(figure));
  drawCurve();
  show(steps.length);
}

function figure(seat) {
  const image = make("img", { class: "small-sheet", alt: t("Sheet of {name}", { name: seat.name }) });
  return make("figure", {},
    make("figcaption", {}, draw("svg", { width: 28, height: 12, "aria-hidden": "true" }, draw("line", { x1: 1, y1: 6, x2: 27, y2: 6, class: `line-${seat.seat % 6}`, "stroke-width": 3 })), seat.name, make("strong", {}, seat.total)),
    view.drawn ? lamp.over(seat, image) : null,
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
  for (const [seat, shown] of figures()) find("strong", shown).textContent = totalAt(seat, at);
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
  if (lamp.at === at) return;
  lamp.at = at;
  showLines();
  await lamp.look(view);
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
    become(find(".glow", shown), lamp.glow(seat));
    become(find(".lines", shown), lamp.lines(view, { ...seat, lines, total: totalAt(number, Number(slider.value)) }));
  }
}

async function toggle(on) {
  running = on;
  put(run, icon(running ? "pause" : "play"));
  run.setAttribute("aria-label", running ? t("Pause") : t("Play"));
  if (running && Number(slider.value) >= steps.length) show(0);
  while (running && Number(slider.value) < steps.length) {
    show(Number(slider.value) + 1);
    await pause(STEP);
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
  put(find("#curve"), draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words },
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
  show(Math.max(0, Math.min(steps.length, Number(slider.value) + by)));
};
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
