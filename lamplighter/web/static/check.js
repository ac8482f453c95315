/** A sheet of paper beside ours: the points written in each box are compared line by line, with a reason where they differ. */

import { ask } from "./api.js";
import { reason, showProblem } from "./dialogs.js";
import { find, icon, make, replaceContent } from "./dom.js";
import { behind } from "./score.js";
import { sitDown } from "./seat.js";
import { t, tn } from "./i18n.js";

const id = find("#main").dataset.table;
const form = find("#boxes");
const whose = find("#whose select");
let view = null;

/** The lines that this variant has, and the total. @param {any} seat */
const linesOf = (seat) => [...seat.lines.filter((line) => line.title), { name: "", title: t("Total"), points: seat.total }];

/** A box to type into for every line of a sheet. */
function showBoxes() {
  const seat = view.seats[Number(whose.value)];
  replaceContent(find("#verdict"));
  replaceContent(find("ol", form), ...linesOf(seat).map((line) => make("li", { "data-line": line.name },
    make("label", { class: "field" }, line.title, make("input", { name: line.name, inputmode: "numeric", autocomplete: "off", size: 5 })),
    make("p", { class: "answer" }))));
}

/** What was typed as a number: null if nothing was, NaN if it is none. @param {string} typed */
function numberOf(typed) {
  const plain = typed.trim().replace("−", "-");
  if (!plain) return null;
  return /^-?\d{1,4}$/.test(plain) ? Number(plain) : NaN;
}

async function compare(event) {
  event.preventDefault();
  const seat = view.seats[Number(whose.value)];
  const answers = await Promise.all(linesOf(seat).map((line) => compareLine(seat, line)));
  const compared = answers.filter((agrees) => agrees !== null);
  const wrong = compared.filter((agrees) => !agrees).length;
  const words = !compared.length ? t("Nothing was typed yet.") : wrong ? tn("{n} box differs.", "{n} boxes differ.", wrong) : t("All boxes that you typed agree.");
  replaceContent(find("#verdict"), words);
}

/** Whether a box agrees; null if it is empty. */
async function compareLine(seat, line) {
  const row = find(`li[data-line="${CSS.escape(line.name)}"]`, form);
  const written = numberOf(find("input", row).value);
  const agrees = written === null ? null : written === line.points;
  row.className = agrees === null ? "" : agrees ? "agrees" : "differs";
  replaceContent(find(".answer", row), ...(agrees === null ? [] : agrees ? [icon("done"), t("agrees")] : [await difference(seat, line, written)]));
  return agrees;
}

/** What we count instead, and why. */
async function difference(seat, line, written) {
  if (Number.isNaN(written)) return t("This is not a number.");
  const counted = tn("We count {n} point.", "We count {n} points.", line.points);
  if (!line.name) return counted;
  const { sentence } = await behind(id, line.name, seat.seat).catch(() => ({ sentence: "" }));
  return [counted, sentence].filter(Boolean).join(" ");
}

form.addEventListener("submit", compare);
whose.addEventListener("change", showBoxes);

try {
  await sitDown(id);
  view = await ask(`/api/tables/${id}?sheet=false`);
  if (view.phase !== "over") throw new Error(t("The points can be checked when all sheets are entered."));
  find("#title").textContent = view.title;
  replaceContent(whose, ...view.seats.map((seat) => make("option", { value: seat.seat, selected: seat.seat === (view.you ?? 0) }, seat.name)));
  find("#whose").hidden = view.seats.length === 1;
  showBoxes();
} catch (error) {
  form.hidden = true;
  find("#title").textContent = view?.title ?? t("This table cannot be shown");
  showProblem(document, view ? error.message : reason(error));
}
