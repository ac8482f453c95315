/** The caller: rolls or flips for people who write on paper, and takes their sheets at the end. */

import { ask, post } from "./api.js";
import { announce, showProblem } from "./dialogs.js";
import { showDue } from "./dice.js";
import { find, isTyping, make, put } from "./dom.js";
import { coalesced, follow } from "./feed.js";
import { rememberTable } from "./memory.js";
import { plain, t } from "./texts.js";

const id = find("#main").dataset.table;
const api = `/api/tables/${id}`;
const call = find("#call");
let view = null;

const refresh = coalesced(async () => {
  try {
    apply(await ask(api));
  } catch (error) {
    showProblem(document, error.message);
  }
});

function apply(next) {
  const before = view;
  view = next;
  find("#title").textContent = view.title;
  find("#turn").textContent = t("turn {n}", { n: view.turn });
  if (view.host) rememberTable({ id, title: view.title, url: location.pathname + location.hash, over: view.phase === "over" });
  const now = view.called.at(-1)?.texts ?? [];
  put(find("#now"), ...now.map((text) => make("span", { class: "thrown" }, plain(text))));
  put(find("#calls"), ...view.called.toReversed().map(({ turn, texts }) => make("li", { value: turn }, texts.map(plain).join(" · "))));
  call.hidden = !view.host || view.dice.rolls === "typed";
  call.disabled = view.phase === "over";
  call.textContent = view.phase === "over" ? t("That was the last one") : t("Roll");
  showDue(find("#dice-due"), view.due, (text) => act("roll", { text }));
  find("#enter").hidden = !view.host || !view.called.length;
  showNames();
  if (before && before.seq !== view.seq) announce(now.map(plain).join(", "));
}

async function act(path, body = {}) {
  showProblem(document, "");
  try {
    apply(await post(`${api}/${path}`, body));
  } catch (error) {
    showProblem(document, error.message);
  }
}

function showNames() {
  const list = find("#enter .seats");
  if (list.childElementCount) return;
  put(list, ...view.seats.map((_, i) => make("li", {}, make("span", {}, `${i + 1}`),
    make("input", { maxlength: 32, "aria-label": t("Name of player {n}", { n: i + 1 }), value: t("Player {n}", { n: i + 1 }) }))));
}

find("#enter form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const names = [...event.target.querySelectorAll("input")].map((field, i) => field.value.trim() || t("Player {n}", { n: i + 1 }));
  try {
    location.assign((await post(`${api}/enter`, { names })).url);
  } catch (error) {
    showProblem(document, error.message);
  }
});
call.addEventListener("click", () => act("call"));
addEventListener("keydown", (event) => {
  if (event.key === " " && !isTyping(event) && event.target === document.body && !call.hidden && !call.disabled) {
    event.preventDefault();
    act("call");
  }
});

const token = new URLSearchParams(location.hash.slice(1)).get("seat");
if (token) await post(`${api}/session`, { token }, true).catch((error) => showProblem(document, error.message));
await refresh();
follow(id, refresh, (live) => (find("#connection").hidden = live));
