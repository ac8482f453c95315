/** The caller: rolls or flips for people who write on paper, and takes their sheets at the end. */

import { ask, post } from "./api.js";
import { reason, showProblem } from "./dialogs.js";
import { showDue } from "./dice.js";
import { become, find, isTyping, make, put } from "./dom.js";
import { coalesced, connectionSign, follow } from "./feed.js";
import { rememberTable } from "./memory.js";
import { seatHash, sitDown } from "./seat.js";
import { themed } from "./settings.js";
import { say, t } from "./texts.js";

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
  const now = (last?.texts ?? []).map((text) => say(text, view.words));
  const turn = make("span", { class: "hush" }, find("#turn").textContent); // the same dice twice are two calls
  become(find("#now"), turn, ...now.map((words) => make("span", { class: "thrown" }, words)));
  showPicture();
  become(find("#calls"), ...view.called.toReversed().map(({ turn, texts }) => make("li", { value: turn }, texts.map((text) => say(text, view.words)).join(" · "))));
  showButton();
  showDue(find("#dice-due"), view, (text) => act("roll", { text }), () => act("unroll"));
  find("#enter").hidden = !view.host || !view.called.length;
  showNames();
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
  if (!picture.isConnected) put(find("#picture"), picture);
}

async function act(path, body = {}) {
  showProblem(document, "");
  try {
    apply(await post(`${api}/${path}`, body));
  } catch (error) {
    showProblem(document, reason(error));
  }
}

function showNames() {
  const list = find("#enter .seats");
  if (list.childElementCount) return;
  put(list, ...view.seats.map((_, i) => make("li", {}, make("span", {}, `${i + 1}`),
    make("input", { maxlength: 32, "aria-label": t("Name of player {n}", { n: i + 1 }), value: t("Player {n}", { n: i + 1 }) }))));
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
