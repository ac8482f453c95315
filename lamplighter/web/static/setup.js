/** Sets a table up: who plays, which variant, where the dice come from. */

import { ask, post } from "./api.js";
import { reason, showProblem } from "./dialogs.js";
import { all, find, make, put } from "./dom.js";
import { recall, remember } from "./memory.js";
import { allBots, strongestBot } from "./seats.js";
import { plain, t } from "./texts.js";

const form = find("#setup");
const { game, low, high } = form.dataset;
const list = find(".seats", form);
let bots = [];
let strongest = "";

form.elements.name.value ||= recall("name", "");

function seatRow(number) {
  const ways = [
    ...(number === 0 ? [["me", t("Me")]] : []),
    ["open", t("A friend, by link")],
    ["here", t("Another person on this device")],
    ...bots.map((bot) => [`bot:${bot.name}`, t("Bot: {level}", { level: plain(bot.level) })]),
  ];
  const name = make("input", { maxlength: 32, "aria-label": t("Name of player {n}", { n: number + 1 }), placeholder: t("Name"), hidden: true });
  const select = make("select", { "aria-label": t("Seat {n}", { n: number + 1 }), onchange: () => (name.hidden = select.value !== "here") },
    ...ways.map(([value, words]) => make("option", { value }, words)));
  select.value = number === 0 ? "me" : `bot:${strongest}`;
  return make("li", {}, make("span", {}, `${number + 1}`), select, name);
}

function setCount(count) {
  const wanted = Math.max(Number(low), Math.min(Number(high), count));
  while (list.children.length < wanted) list.append(seatRow(list.children.length));
  while (list.children.length > wanted) list.lastElementChild.remove();
  find("[data-seat=add]").disabled = wanted >= Number(high);
  find("[data-seat=remove]").disabled = wanted <= Number(low);
}

/** The variant as text: what differs from the default need not be known here. */
function variant() {
  const pairs = all("[data-option]", form).map((field) => `${field.dataset.option}=${field.type === "checkbox" ? field.checked : field.value}`);
  return `${game}?${[`seats=${list.children.length}`, ...pairs].join("&")}`;
}

async function lay(extra) {
  const name = form.elements.name.value.trim();
  remember("name", name);
  showProblem(form, "");
  try {
    const table = await post("/api/tables", { variant: variant(), name, rolls: form.elements.rolls.value, ...extra });
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
find("[data-seat=add]").addEventListener("click", () => setCount(list.children.length + 1));
find("[data-seat=remove]").addEventListener("click", () => setCount(list.children.length - 1));
find("[data-caller]").addEventListener("click", () => lay({ kind: "caller" }));

try {
  bots = await allBots();
  strongest = await strongestBot();
  put(list);
  setCount(Number(form.dataset.seats));
  const described = (await ask("/api/games")).find((one) => one.id === game);
  find("#caller-offer").hidden = !described?.callable;
} catch (error) {
  showProblem(form, reason(error));
}
