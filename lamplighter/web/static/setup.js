/** Sets a table up: who plays, which variant, where the dice come from. */

import { ask, post } from "./api.js";
import { reason, showProblem } from "./dialogs.js";
import { all, find, make, replaceContent } from "./dom.js";
import { chosenOptions, showOptions, variantOf } from "./options.js";
import { dress } from "./settings.js";
import { recall, remember } from "./storage.js";
import { allBots, usualBot } from "./seats.js";
import { plain, t } from "./i18n.js";

const form = find("#setup");
const { game, low, high } = form.dataset;
const list = find(".seats", form);
let bots = [];
let usual = "";
let holdChosen = false; // else it follows who plays

form.elements.name.value ||= recall("name", "");

function seatRow(number) {
  const ways = [
    ...(number === 0 ? [["me", t("Me")]] : []),
    ["open", t("A friend, by link")],
    ["here", t("Another person on this device")],
    ...bots.map((bot) => [`bot:${bot.name}`, t("Bot: {level}", { level: plain(bot.title) })]),
  ];
  const name = make("input", { maxlength: 32, "aria-label": t("Name of player {n}", { n: number + 1 }), placeholder: t("Name"), hidden: true });
  const select = make("select", { "aria-label": t("Seat {n}", { n: number + 1 }), onchange: () => (name.hidden = select.value !== "here") },
    ...ways.map(([value, words]) => make("option", { value }, words)));
  select.value = number === 0 ? "me" : `bot:${usual}`;
  return make("li", {}, make("span", {}, `${number + 1}`), select, name);
}

/** Who plays on one device has time to take a move back; friends elsewhere are not kept waiting. */
function showHold() {
  if (!holdChosen) form.elements.hold.value = all("li select", list).some((select) => select.value === "open") ? "short" : "long";
}

function setCount(count) {
  const wanted = Math.max(Number(low), Math.min(Number(high), count));
  while (list.children.length < wanted) list.append(seatRow(list.children.length));
  while (list.children.length > wanted) list.lastElementChild.remove();
  find("[data-seat=add]").disabled = wanted >= Number(high);
  find("[data-seat=remove]").disabled = wanted <= Number(low);
  showOptions(form, list.children.length);
  showHold();
}

const variant = () => variantOf(form, game, list.children.length);

/** Shows the sheet of the box that is chosen, and prints that one. */
function showBox() {
  const { box } = chosenOptions(form);
  find(".sample").dataset.themed = `/api/games/${game}/sheet.svg?language=${document.documentElement.lang}${box ? `&box=${encodeURIComponent(box)}` : ""}`;
  find("#blank-sheets").href = `/api/games/${game}/sheets.pdf${box ? `?variant=${encodeURIComponent(variant())}` : ""}`;
  dress();
}

async function lay(extra) {
  const name = form.elements.name.value.trim();
  remember("name", name);
  showProblem(form, "");
  try {
    const table = await post("/api/tables", { variant: variant(), name, rolls: form.elements.rolls.value, hold: form.elements.hold.value, hints: form.elements.hints.checked, ...extra });
    location.assign(table.url);
  } catch (error) {
    showProblem(form, reason(error));
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const rows = all("li", list).map((row) => ({ kind: find("select", row).value, name: find("input", row).value.trim() }));
  const people = rows.filter((row) => row.kind === "me" || row.kind === "here");
  const names = people.map((row, i) => (row.kind === "me" ? form.elements.name.value.trim() : row.name || t("Player {n}", { n: i + 1 })));
  lay({ seats: rows.map((row) => (row.kind === "here" ? "me" : row.kind)), names });
});
form.addEventListener("change", (event) => {
  holdChosen ||= event.target === form.elements.hold;
  showHold();
  showOptions(form, list.children.length);
  showBox();
});
find("[data-seat=add]").addEventListener("click", () => setCount(list.children.length + 1));
find("[data-seat=remove]").addEventListener("click", () => setCount(list.children.length - 1));
find("[data-caller]").addEventListener("click", () => lay({ kind: "caller" }));

try {
  bots = await allBots();
  usual = await usualBot();
  replaceContent(list);
  setCount(Number(form.dataset.seats));
  const described = (await ask("/api/games")).find((one) => one.id === game);
  find("#caller-offer").hidden = !described?.callable;
} catch (error) {
  showProblem(form, reason(error));
}
