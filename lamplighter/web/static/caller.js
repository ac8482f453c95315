/** The caller: rolls or flips for people who write on paper, and takes their sheets at the end. */

import { ask, newKey, post } from "./api.js";
import { copyLine, qrImage, reason, showProblem } from "./dialogs.js";
import { largeOutcome, showDue, smallOutcome } from "./dice.js";
import { find, isTyping, make, reconcile, replaceContent } from "./dom.js";
import { coalesced, connectionSign, follow } from "./feed.js";
import { linksOf } from "./lobby.js";
import { rememberTable } from "./storage.js";
import { seatHash, sitDown } from "./seat.js";
import { themed } from "./settings.js";
import { t } from "./i18n.js";

const id = find("#main").dataset.table;
const api = `/api/tables/${id}`;
const call = find("#call");
let view = null;

const refresh = coalesced(async () => {
  try {
    apply(await ask(api));
  } catch (error) {
    showProblem(document, reason(error));
  }
});

/** Shows a view, unless a later one has been shown. */
function apply(next) {
  if (view && next.seq < view.seq) return;
  view = next;
  find("#title").textContent = view.title;
  const last = view.called.at(-1);
  find("#turn").textContent = last?.turn ? t("turn {n}", { n: last.turn }) : "";
  if (view.host) rememberTable({ id, title: view.title, url: location.pathname + seatHash, over: view.phase === "over" });
  const turn = make("span", { class: "hush" }, find("#turn").textContent); // the same dice twice are two calls
  reconcile(find("#now"), turn, ...(last?.texts ?? []).map((text, i) => largeOutcome(view, text, `${view.rolls_version} ${i}`)));
  showPicture();
  reconcile(find("#calls"), ...view.called.toReversed().map(({ turn, texts }) => make("li", { value: turn }, ...texts.map((text) => smallOutcome(view, text)))));
  showButton();
  showDue(find("#dice-due"), view, (text) => act("roll", { text }), () => act("unroll"));
  find("#enter").hidden = !view.host || !view.called.length;
  find("#phones").hidden = !view.host || view.phase !== "over";
  showNames();
  showCode();
}

/** The next roll can be called when the bots that stand in for paper have done the last one. */
function showButton() {
  call.hidden = !view.host || view.dice.rolls === "typed";
  call.disabled = view.phase === "over" || view.waiting.length > 0;
  call.textContent = view.phase === "over" ? t("That was the last one") : t("Roll");
}

/** A blank sheet with what was called, as the game draws it. */
function showPicture() {
  if (!view.drawn || !view.called.length) return;
  const picture = find("#picture img") ?? make("img", { class: "small-sheet", alt: "" });
  picture.src = themed(`${api}/sheets/0.svg?v=${view.seq}`);
  if (!picture.isConnected) replaceContent(find("#picture"), picture);
}

/** Something about the dice: with the last outcome that was seen and a key of its own, so that it counts once. */
async function act(path, body = {}) {
  showProblem(document, "");
  try {
    apply(await post(`${api}/${path}`, { version: view.rolls_version, key: newKey(), ...body }, true));
  } catch (error) {
    if (error.view) apply(error.view);
    if (error.code !== "move/stale") showProblem(document, reason(error)); // else somebody else was quicker, which is shown
  }
}

function showNames() {
  const list = find("#enter .seats");
  if (list.childElementCount) return;
  replaceContent(list, ...view.seats.map((_, i) => make("li", {}, make("span", {}, `${i + 1}`),
    make("input", { maxlength: 32, "aria-label": t("Name of player {n}", { n: i + 1 }), value: t("Player {n}", { n: i + 1 }) }))));
}

/** The code by which everybody takes a seat and enters their own sheet. It opens no seat by itself, and only the host has it. */
function showCode() {
  const place = find("#code");
  find("#open-entry").hidden = Boolean(view.rematch);
  if (!view.rematch || place.childElementCount) return;
  const { invite, screen } = linksOf(view.rematch);
  replaceContent(place, copyLine(t("Enter your sheet"), invite), make("p", {}, make("a", { class: "button", href: screen }, t("Show all sheets on this screen"))));
  qrImage(invite).then((image) => image && place.prepend(image));
}

async function openEntry() {
  try {
    await post(`${api}/enter`, { phones: true }, true);
    await refresh();
  } catch (error) {
    showProblem(document, reason(error));
  }
}

/** The next roll. */
async function callNext() {
  call.disabled = true;
  await act("call");
  showButton();
}

find("#enter form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const names = [...event.target.querySelectorAll("input")].map((field, i) => field.value.trim() || t("Player {n}", { n: i + 1 }));
  try {
    location.assign((await post(`${api}/enter`, { names })).url);
  } catch (error) {
    showProblem(document, reason(error));
  }
});
find("#open-entry").addEventListener("click", openEntry);
call.addEventListener("click", callNext);
addEventListener("keydown", (event) => {
  if (event.key === " " && !isTyping(event) && event.target === document.body && !call.hidden && !call.disabled) {
    event.preventDefault();
    callNext();
  }
});

await sitDown(id).catch((error) => showProblem(document, reason(error)));
await refresh();
if (view) follow(id, refresh, connectionSign(find("#connection")));
