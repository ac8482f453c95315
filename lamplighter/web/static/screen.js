/** The table on a big screen: the dice and all sheets, for people in one room. Hands stay hidden. */

import { ask } from "./api.js";
import { qrImage } from "./dialogs.js";
import { find, icon, make, put } from "./dom.js";
import { coalesced, follow } from "./feed.js";
import { linksOf } from "./lobby.js";
import { lastRoll } from "./log.js";
import { sheetImage } from "./seats.js";
import { say, t } from "./texts.js";

const id = find("#main").dataset.table;
let view = null;

const refresh = coalesced(async () => {
  view = await ask(`/api/tables/${id}`).catch(() => view);
  if (view) show();
});

function show() {
  find("#title").textContent = view.title;
  find("#turn").textContent = view.phase === "lobby" ? "" : t("turn {n}", { n: view.turn });
  put(find("#roll"), ...lastRoll(view.log).map((text) => make("span", { class: "thrown" }, say(text, view.words))));
  showLobby();
  put(find("#sheets"), ...(view.phase === "lobby" ? [] : view.seats.map(figure)));
}

function showLobby() {
  const lobby = find("#lobby");
  const open = view.seats.some((seat) => seat.kind === "open");
  lobby.hidden = !open;
  if (!open || lobby.childElementCount) return;
  const link = linksOf(id).invite;
  put(lobby, make("h2", {}, t("Scan to take a seat")), make("p", {}, link));
  qrImage(link).then((image) => image && lobby.append(image));
}

function figure(seat) {
  const winner = view.result?.winners.includes(seat.seat);
  return make("figure", {},
    make("figcaption", {}, winner ? icon("crown") : seat.waiting ? make("span", {}, "…") : icon("done"), seat.name, make("strong", {}, seat.total)),
    view.drawn ? sheetImage({ ...view, id }, seat) : null);
}

await refresh();
follow(id, refresh, (live) => (find("#connection").hidden = live));
document.documentElement.addEventListener("themechange", () => view && show());
