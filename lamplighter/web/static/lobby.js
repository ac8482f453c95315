/** Before a match: the invitation, the seats, and how to join. */

import { post } from "./api.js";
import { copyLine, qrImage, showProblem } from "./dialogs.js";
import { button, find, make, put } from "./dom.js";
import { recall, remember } from "./memory.js";
import { strongestBot } from "./seats.js";
import { t, tn } from "./texts.js";

/** Where friends find this server: in a home the browser's own address may be one that only this machine knows. */
export const origin = document.documentElement.dataset.public || location.origin;

/** The addresses of a table, without anybody's seat. @param {string} id */
export const linksOf = (id) => ({
  invite: `${origin}/t/${id}`,
  watch: `${origin}/t/${id}/watch`,
  screen: `${origin}/t/${id}/screen`,
});

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
  if (wantsSeat) put(place, ...invitation(view, open, hooks));
  else put(place, ...waitingRoom(view, open, hooks));
}

function invitation(view, open, hooks) {
  const host = view.seats.find((seat) => seat.kind === "person")?.name;
  const name = make("input", { name: "name", maxlength: 32, required: true, autocomplete: "nickname", value: recall("name", "") });
  const form = make("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      remember("name", name.value.trim());
      try {
        hooks.joined(await post(`/api/tables/${view.id}/join`, { name: name.value.trim() }));
      } catch (error) {
        showProblem(form, error.message);
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
    form,
  ];
}

function waitingRoom(view, open, hooks) {
  const links = linksOf(view.id);
  const code = make("div", { class: "code" });
  qrImage(links.invite).then((image) => image && put(code, image));
  const fill = async () => {
    const bot = await strongestBot();
    let latest = null;
    for (const seat of open) latest = await post(`/api/tables/${view.id}/seats/${seat.seat}`, { bot });
    if (latest) hooks.changed(latest);
  };
  return [
    make("h2", {}, tn("Waiting for {n} friend", "Waiting for {n} friends", open.length)),
    make("p", {}, t("Send this link, or let them scan the code. The match begins when every seat is taken.")),
    copyLine(t("Invite"), links.invite),
    code,
    view.host ? make("p", { class: "buttons" }, button(t("Start with bots"), fill, { icon: "bot" })) : null,
  ].filter(Boolean);
}

/** Fills the dialog with all links of a table. @param {HTMLElement} place @param {any} view */
export function showLinks(place, view) {
  const links = linksOf(view.id);
  const lines = [copyLine(t("Watch"), links.watch), copyLine(t("Screen for the room"), links.screen)];
  if (view.seats.some((seat) => seat.kind === "open")) lines.unshift(copyLine(t("Invite"), links.invite));
  if (view.mine.length && location.hash.includes("seat=")) {
    lines.push(copyLine(t("Your own seat, for another device (keep it secret)"), location.href));
  }
  const code = make("div", { class: "code" });
  put(place, ...lines, code);
  qrImage(find("input", place).value).then((image) => image && put(code, image));
}
