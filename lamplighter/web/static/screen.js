/** The table on a big screen: the dice and all sheets, for people in one room. Hands stay hidden. */

import { Refusal, ask, askAs } from "./api.js";
import { qrImage, reason } from "./dialogs.js";
import { largeOutcome } from "./dice.js";
import { find, icon, make, reconcile, replaceContent } from "./dom.js";
import { coalesced, connectionSign, follow } from "./feed.js";
import { linksOf } from "./lobby.js";
import { lastRoll } from "./log.js";
import { sheetImage } from "./thumbnails.js";
import { t } from "./i18n.js";

const id = find("#main").dataset.table;
let view = null;
askAs({ stranger: true }); // the browser of the room may be the host's: nobody's hand is shown

const refresh = coalesced(async () => {
  try {
    view = await ask(`/api/tables/${id}`);
    show();
  } catch (error) {
    if (view && !(error instanceof Refusal)) return; // the stream tells when the connection is lost
    find("#problem").textContent = reason(error);
    find("#problem").hidden = false;
    if (!view) find("#title").textContent = t("This table cannot be shown");
  }
});

function show() {
  find("#problem").hidden = true;
  find("#title").textContent = view.title;
  find("#turn").textContent = view.phase === "lobby" ? "" : t("turn {n}", { n: view.turn });
  const turn = make("span", { class: "hush" }, find("#turn").textContent); // the same dice twice are two rolls
  reconcile(find("#roll"), turn, ...lastRoll(view.log).map((text, i) => largeOutcome(view, text, `${view.rolls_version} ${i}`)));
  showLobby();
  reconcile(find("#sheets"), ...(view.phase === "lobby" ? [] : view.seats.map(figure)));
}

function showLobby() {
  const lobby = find("#lobby");
  const open = view.seats.some((seat) => seat.kind === "open");
  lobby.hidden = !open;
  if (!open || lobby.childElementCount) return;
  const link = linksOf(id).invite;
  replaceContent(lobby, make("h2", {}, t("Scan to take a seat")), make("p", {}, link));
  qrImage(link).then((image) => image && lobby.append(image));
}

function figure(seat) {
  const winner = view.result?.winners.includes(seat.seat);
  return make("figure", {},
    make("figcaption", {}, winner ? icon("crown") : seat.waiting ? make("span", {}, "…") : icon("done"), seat.name, make("strong", {}, seat.total)),
    view.drawn ? sheetImage({ ...view, id }, seat) : null);
}

await refresh();
if (view) follow(id, refresh, connectionSign(find("#connection")));
document.documentElement.addEventListener("themechange", () => view && show());
