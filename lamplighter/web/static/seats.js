/** Who sits at the table: whom it waits for and since when, how they stand, and their sheets, small. */

import { ask, post } from "./api.js";
import { openDialog, toast } from "./dialogs.js";
import { all, button, icon, make, put } from "./dom.js";
import { themed } from "./settings.js";
import { plain, since, t, tn } from "./texts.js";

const NUDGE_AFTER = 15; // seconds before somebody who thinks can be nudged

/** The picture of a seat's sheet as it is now. @param {any} view @param {any} seat */
export function sheetImage(view, seat) {
  const address = `/api/tables/${view.id}/sheets/${seat.seat}.svg?v=${view.seq}`;
  return make("img", { class: "small-sheet", alt: t("Sheet of {name}", { name: seat.name }), src: themed(address) });
}

/** @param {HTMLElement} list @param {any} view @param {(view: any) => void} changed */
export function showSeats(list, view, changed) {
  const focused = list.contains(document.activeElement) ? document.activeElement.closest("li")?.dataset.seat : null;
  const old = new Map(all("li", list).map((item) => [item.dataset.seat, item]));
  put(list, ...view.seats.map((seat) => seatItem(view, seat, changed, old.get(String(seat.seat)))));
  if (focused !== null && focused !== undefined) list.querySelector(`[data-seat="${focused}"] button`)?.focus();
}

function seatItem(view, seat, changed, before) {
  const mine = view.mine.includes(seat.seat);
  const winner = view.result?.winners.includes(seat.seat);
  const open = () => lookAtSeat(view, seat, changed);
  const label = [seat.name || t("free seat"), stateWords(view, seat), tn("{n} point", "{n} points", seat.total)].join(", ");
  const head = make("button", { type: "button", class: "seat", onclick: open, "aria-label": label },
    icon(winner ? "crown" : seat.kind === "bot" ? "bot" : seat.kind === "open" ? "seat" : "person"),
    make("span", { class: "name" }, seat.name || t("free seat")),
    stateMark(view, seat),
    make("span", { class: "total" }, view.phase === "lobby" ? "" : seat.total),
  );
  const item = make("li", { "data-seat": seat.seat, class: mine ? "mine" : null }, head);
  if (!mine && seat.kind !== "open" && view.phase !== "lobby" && view.drawn) {
    const picture = make("button", { type: "button", class: "peek", onclick: open, tabindex: -1, "aria-hidden": "true" });
    picture.append(keptImage(view, seat, before));
    item.append(picture);
  }
  return item;
}

/** The picture that is there already, with a new address: so nothing flickers. */
function keptImage(view, seat, before) {
  const fresh = sheetImage(view, seat);
  const old = before?.querySelector("img");
  if (!old) return fresh;
  if (old.getAttribute("src") !== fresh.getAttribute("src")) old.src = fresh.src;
  return old;
}

function stateMark(view, seat) {
  if (view.phase !== "play" || seat.kind === "open") return make("span", { class: "state" });
  if (!seat.waiting) return make("span", { class: "state ready" }, icon("done"));
  return make("span", { class: "state thinks", "data-since": seat.since }, "…");
}

function stateWords(view, seat) {
  if (seat.kind === "open") return t("waiting for a friend");
  if (view.phase === "over") return view.result.winners.includes(seat.seat) ? t("winner") : t("finished");
  if (view.phase === "lobby") return t("seated");
  if (!seat.waiting) return t("ready");
  return seat.since ? t("thinking for {time}", { time: since(seat.since) }) : t("thinking");
}

// --- one seat, large ---

/** Who is here changes without an entry in the log, so the table is asked anew. */
async function lookAtSeat(view, seat, changed) {
  const { seats } = await ask(`/api/tables/${view.id}?sheet=false`).catch(() => view);
  openSeat({ ...view, seats }, seats[seat.seat], changed);
}

function openSeat(view, seat, changed) {
  const act = async (path, body) => {
    try {
      changed(await post(`/api/tables/${view.id}/${path}`, body));
    } catch (error) {
      toast(error.message);
    }
    dialog.close();
  };
  const mine = view.mine.includes(seat.seat);
  const player = view.mine.length > 0;
  const lines = seat.lines.map((line) => make("tr", {}, make("th", { scope: "row" }, plain(line.name)), make("td", { class: "points" }, line.points)));
  const content = [
    make("p", { class: "quiet" }, stateWords(view, seat), seat.kind === "bot" ? make("span", {}, " · ", t("bot: {name}", { name: seat.bot })) : null),
    make("p", { class: "buttons" }, ...seatButtons(view, seat, mine, player, act)),
    view.drawn && view.phase !== "lobby" ? sheetImage(view, seat) : null,
    view.phase !== "lobby" && lines.length ? make("table", { class: "score" }, make("tbody", {}, ...lines)) : null,
  ].filter(Boolean);
  const dialog = openDialog(seat.name || t("free seat"), content, "one-seat");
}

function seatButtons(view, seat, mine, player, act) {
  const buttons = [];
  const thinking = seat.since ? Date.now() / 1000 - seat.since : 0;
  if (player && !mine && seat.kind === "person" && seat.waiting && thinking > NUDGE_AFTER) {
    buttons.push(button(t("Nudge"), () => act("nudge", { seat: seat.seat }), { icon: "bell" }));
  }
  if (seat.replaceable && seat.kind !== "bot") {
    const words = seat.kind === "open" ? t("Let a bot sit here") : mine ? t("Let a bot play for me") : t("Let a bot play for them");
    buttons.push(button(words, async () => act(`seats/${seat.seat}`, { bot: await strongestBot() }), { icon: "bot" }));
  }
  if (mine && seat.kind === "bot") {
    buttons.push(button(t("I am back"), () => act(`seats/${seat.seat}`, { person: true }), { icon: "person", class: "primary" }));
  }
  if (mine) buttons.push(...renaming(seat, act));
  return buttons;
}

function renaming(seat, act) {
  const field = make("input", { value: seat.name, maxlength: 32, "aria-label": t("Name") });
  return [field, button(t("Change the name"), () => field.value.trim() && act(`seats/${seat.seat}`, { name: field.value.trim() }))];
}

let known = null;

/** The bots there are. @returns {Promise<{name: string, level: string, help: string}[]>} */
export async function allBots() {
  known ??= await ask("/api/bots");
  return known;
}

export const strongestBot = async () => (await allBots()).at(-1).name;

/** Keeps the seconds of those who think running. */
export function tick(list) {
  for (const mark of all("[data-since]", list)) {
    const began = Number(mark.dataset.since);
    if (began && Date.now() / 1000 - began > 3) mark.textContent = since(began);
  }
}
