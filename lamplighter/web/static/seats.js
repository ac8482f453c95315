/** Who sits at the table: whom it waits for and since when, how they stand, and their sheets, small. */

import { ask, post } from "./api.js";
import { now } from "./clock.js";
import { openDialog, reason, toast } from "./dialogs.js";
import { all, button, icon, make, reconcile } from "./dom.js";
import { saidBy } from "./reactions.js";
import { nameParts } from "./score.js";
import { Highlight, sheetImage } from "./thumbnails.js";
import { since, t, tn } from "./i18n.js";

const NUDGE_AFTER = 15; // seconds before somebody who thinks can be nudged

/** @param {HTMLElement} list @param {any} view @param {(view: any) => void} changed */
export function showSeats(list, view, changed) {
  reconcile(list, ...view.seats.map((seat) => seatItem(view, seat, changed)));
}

function seatItem(view, seat, changed) {
  const mine = view.mine.includes(seat.seat);
  const winner = view.result?.winners.includes(seat.seat);
  const open = () => lookAtSeat(view, seat, changed);
  const label = [seat.name || t("free seat"), stateWords(view, seat), tn("{n} point", "{n} points", seat.total)].join(", ");
  const head = make("button", { type: "button", class: "seat", onclick: open, "aria-label": label },
    icon(winner ? "crown" : seat.kind === "bot" ? "bot" : seat.kind === "open" ? "seat" : "person"),
    make("span", { class: "name" }, ...nameParts(seat), saidBy(seat.seat) ? make("span", { class: "said" }, saidBy(seat.seat)) : null),
    stateMark(view, seat),
    make("span", { class: "total" }, view.phase === "lobby" ? "" : seat.total),
  );
  const small = !mine && seat.kind !== "open" && view.phase !== "lobby" && view.drawn;
  return make("li", { "data-seat": seat.seat, class: mine ? "mine" : null }, head,
    small ? make("button", { type: "button", class: "peek", onclick: open, tabindex: -1, "aria-hidden": "true" }, sheetImage(view, seat)) : null);
}

function stateMark(view, seat) {
  if (view.phase !== "play" || seat.kind === "open") return make("span", { class: "state" });
  if (isAway(view, seat)) return make("span", { class: "state" }, t("away"));
  if (!seat.waiting) return make("span", { class: "state ready" }, icon("done"));
  return make("span", { class: "state thinks", "data-since": seat.since }, thinkingFor(seat.since));
}

/** Whether somebody who plays has left. @param {any} view @param {any} seat */
export const isAway = (view, seat) => view.phase === "play" && seat.kind === "person" && !seat.here && !view.mine.includes(seat.seat);

/** Seconds of somebody who thinks; not the first ones. @param {number} began */
const thinkingFor = (began) => (began && now() - began > 3 ? since(began) : "…");

function stateWords(view, seat) {
  if (seat.kind === "open") return t("waiting for a friend");
  if (view.phase === "over") return view.result.winners.includes(seat.seat) ? t("winner") : t("finished");
  if (view.phase === "lobby") return t("seated");
  if (isAway(view, seat)) return t("away");
  if (!seat.waiting) return t("ready");
  return seat.since ? t("thinking for {time}", { time: since(seat.since) }) : t("thinking");
}

// --- one seat, large ---

/** Who is here changes without an entry in the log, so the table is asked again. */
async function lookAtSeat(view, seat, changed) {
  const { seats } = await ask(`/api/tables/${view.id}?sheet=false`).catch(() => view);
  openSeat({ ...view, seats }, seats[seat.seat], changed);
}

function openSeat(view, seat, changed) {
  const act = async (path, body) => {
    try {
      changed(await post(`/api/tables/${view.id}/${path}`, body));
      if (path === "nudge") toast(t("{name} got a reminder", { name: seat.name }));
    } catch (error) {
      if (error.view) changed(error.view);
      toast(reason(error));
    }
    dialog.close();
  };
  const mine = view.mine.includes(seat.seat);
  const player = view.mine.length > 0;
  const content = make("div", { class: "standing" });
  const highlight = new Highlight(() => showStanding(content, view, seat, highlight));
  showStanding(content, view, seat, highlight);
  const dialog = openDialog(seat.name || t("free seat"), [
    make("p", { class: "quiet" }, stateWords(view, seat), seat.kind === "bot" ? make("span", {}, " · ", t("bot: {level}", { level: seat.level })) : null),
    seat.votes.length ? make("p", { class: "quiet" }, votesWords(view, seat)) : null,
    make("p", { class: "buttons" }, ...seatButtons(view, seat, mine, player, act)),
    content,
  ], "one-seat");
}

/** A sheet and its score. */
function showStanding(place, view, seat, highlight) {
  if (view.phase === "lobby") return;
  reconcile(place, view.drawn ? highlight.over(seat, sheetImage(view, seat)) : null, seat.lines.length ? highlight.lines(view, seat) : null);
}

function seatButtons(view, seat, mine, player, act) {
  const buttons = [];
  const thinking = seat.since ? now() - seat.since : 0;
  if (player && !mine && seat.kind === "person" && seat.waiting && thinking > NUDGE_AFTER) {
    buttons.push(button(t("Nudge"), () => act("nudge", { seat: seat.seat }), { icon: "bell" }));
  }
  if (seat.replaceable && seat.kind !== "bot") {
    buttons.push(button(botWords(view, seat, mine), () => act(`seats/${seat.seat}`, { bot: view.stand_in }), { icon: "bot" }));
  }
  if (seat.may_vote) buttons.push(button(t("Vote: let a bot play for {name}", { name: seat.name }), () => act("vote", { seat: seat.seat }), { icon: "bot" }));
  if (mine && seat.kind === "bot") {
    buttons.push(button(t("I am back"), () => act(`seats/${seat.seat}`, { person: true }), { icon: "person", class: "primary" }));
  }
  if (mine && view.kind !== "class") buttons.push(...renaming(seat, act));
  return buttons;
}

function botWords(view, seat, mine) {
  if (seat.kind === "open") return t("Let a bot sit here");
  if (!mine) return t("Let a bot play for them");
  return view.counts === "yes" ? t("Let a bot play for me (the match will no longer count)") : t("Let a bot play for me");
}

/** Who wants a bot to play for somebody. */
const votesWords = (view, seat) => t("Votes for a bot: {names}", { names: seat.votes.map((voter) => view.seats[voter].name).join(", ") });

function renaming(seat, act) {
  const field = make("input", { value: seat.name, maxlength: 32, "aria-label": t("Name") });
  return [field, button(t("Change the name"), () => field.value.trim() && act(`seats/${seat.seat}`, { name: field.value.trim() }))];
}

let known = null;

/** The bots there are. @returns {Promise<{name: string, title: string, level: number, help: string, usual: boolean}[]>} */
export async function allBots() {
  known ??= await ask("/api/bots");
  return known;
}

export const usualBot = async () => (await allBots()).find((bot) => bot.usual).name;

/** Keeps the seconds of those who think running. */
export function tick(list) {
  for (const mark of all("[data-since]", list)) {
    const words = thinkingFor(Number(mark.dataset.since));
    if (mark.textContent !== words) mark.textContent = words;
  }
}
