/** Before a match: the invitation, the seats, and how to join. */

import { newToken, post } from "./api.js";
import { copyLine, qrImage, reason, showProblem, toast } from "./dialogs.js";
import { button, find, make, replaceContent } from "./dom.js";
import { recall, remember, tableLink } from "./storage.js";
import { seatHash } from "./seat.js";
import { t, tn } from "./i18n.js";

/** Where friends find this server: in a home the browser's own address may be one that only this machine knows. */
export const origin = document.documentElement.dataset.public || location.origin;

/** The addresses of a table, without anybody's seat. @param {string} id */
export const linksOf = (id) => ({
  invite: `${origin}/t/${id}`,
  watch: `${origin}/t/${id}/watch`,
  screen: `${origin}/t/${id}/screen`,
});

/** What has to be known about dice that are not new. @param {any} view @returns {string[]} */
export function diceNotes(view) {
  const notes = [];
  if (view.counts && view.counts !== "yes") notes.push(uncounted(view.counts));
  if (view.again) notes.push(t("These dice have been played before, so somebody may know what comes next."));
  if (view.follows_play && (view.again || view.ghost || ["daily", "class"].includes(view.kind))) {
    notes.push(t("What you draw depends on how you play, so only players who make the same moves get the same draws."));
  }
  return notes;
}

/** Why a daily match is not for the board. @param {string} why */
export function uncounted(why) {
  if (why === "bot") return t("A bot played for you, so this match does not count for the day’s board.");
  if (why === "late") return t("The day is over, so this match does not count for its board.");
  return t("Somebody with your name has already played from your network today, so this match does not count.");
}

const noted = (view) => diceNotes(view).map((words) => make("p", { class: "note" }, words));

/**
 * @param {HTMLElement} place
 * @param {any} view
 * @param {{watching: boolean, joined: (answer: any) => void, changed: (view: any) => void}} hooks
 */
export function showLobby(place, view, hooks) {
  const open = view.seats.filter((seat) => seat.kind === "open");
  const wantsSeat = !view.mine.length && open.length > 0 && !hooks.watching;
  const key = `${wantsSeat}${view.mine}${view.host}${open.map((seat) => seat.seat)}`;
  place.hidden = false;
  if (place.dataset.key === key) return; // somebody may be typing a name
  place.dataset.key = key;
  if (wantsSeat) replaceContent(place, ...invitation(view, open, hooks));
  else replaceContent(place, ...waitingRoom(view, open, hooks));
}

function invitation(view, open, hooks) {
  const host = view.seats.find((seat) => seat.kind === "person")?.name;
  const name = make("input", { name: "name", maxlength: 32, required: true, autocomplete: "nickname", value: recall("name", "") });
  const token = newToken(); // so that a second try after a lost answer finds the same seat
  const form = make("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      remember("name", name.value.trim());
      showProblem(form, "");
      try {
        hooks.joined(await post(`/api/tables/${view.id}/join`, { name: name.value.trim(), token }, true));
      } catch (error) {
        showProblem(form, reason(error));
      }
    },
  },
    make("label", { class: "field" }, t("Your name"), name),
    make("p", { class: "problem", role: "alert", hidden: true }),
    make("p", { class: "buttons" },
      make("button", { class: "primary wide" }, t("Take a seat")),
      make("a", { class: "button", href: linksOf(view.id).watch }, t("Only watch")),
    ),
  );
  return [
    make("h2", {}, host ? t("{name} invites you to {title}", { name: host, title: view.title }) : view.title),
    make("p", {}, tn("{n} seat is free.", "{n} seats are free.", open.length)),
    ...noted(view),
    form,
  ];
}

function waitingRoom(view, open, hooks) {
  const links = linksOf(view.id);
  const code = make("div", { class: "code" });
  qrImage(links.invite).then((image) => image && replaceContent(code, image));
  const fill = async () => {
    try {
      for (const seat of open) hooks.changed(await post(`/api/tables/${view.id}/seats/${seat.seat}`, { bot: view.stand_in }));
    } catch (error) {
      toast(reason(error));
    }
  };
  return [
    make("h2", {}, tn("Waiting for {n} friend", "Waiting for {n} friends", open.length)),
    make("p", {}, t("Send this link, or let them scan the code. The match begins when every seat is taken.")),
    ...noted(view),
    copyLine(t("Invite"), links.invite),
    code,
    view.host ? make("p", { class: "buttons" }, button(t("Start with bots"), fill, { icon: "bot" })) : null,
  ].filter(Boolean);
}

/** Fills the dialog with all links of a table, each with a code to scan. @param {HTMLElement} place @param {any} view */
export function showLinks(place, view) {
  const links = linksOf(view.id);
  const own = seatHash || new URL(tableLink(view.id), location.href).hash;
  const lines = [[t("Watch"), links.watch], [t("Shared screen for the room"), links.screen]];
  if (view.seats.some((seat) => seat.kind === "open")) lines.unshift([t("Invite"), links.invite]);
  if (view.mine.length && own) lines.push([t("Your seat on another device (keep this link private)"), links.invite + own]);
  const code = make("div", { class: "code", "aria-live": "polite" });
  const show = async (link, words) => {
    const image = await qrImage(link);
    replaceContent(code, image ?? make("p", { class: "problem" }, t("There is no code for this link.")), image ? make("p", { class: "quiet" }, words) : null);
  };
  replaceContent(place, ...lines.map(([words, link]) => copyLine(words, link, button(t("Code"), () => show(link, words), { label: t("Code to scan: {link}", { link: words }) }))), code);
}
