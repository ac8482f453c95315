/** Quick words between people: one of a fixed set, shown beside a name for some seconds, and kept nowhere. */

import { post } from "./api.js";
import { announce, openDialog, reason, toast } from "./dialogs.js";
import { button, make } from "./dom.js";
import { recall } from "./storage.js";
import { t } from "./i18n.js";

const SHOWN = 6000; // ms

/** What can be said, by the word that the server knows. @type {Record<string, () => string>} */
const REACTIONS = {
  "well-played": () => t("Well played!"),
  wow: () => t("Wow!"),
  "oh-no": () => t("Oh no!"),
  "good-luck": () => t("Good luck!"),
  "one-moment": () => t("One moment …"),
  thanks: () => t("Thanks!"),
};

const said = new Map(); // what is shown now, by seat

/** Whether somebody wants to see what others say. */
export const reactionsAreOn = () => recall("reactions", true);

/** What a seat just said; nothing if it was a while ago. @param {number} seat */
export const saidBy = (seat) => (reactionsAreOn() ? said.get(seat) ?? "" : "");

/**
 * Shows what somebody said, and takes it away after a while.
 * @param {any} view
 * @param {{seat: number, reaction: string}} told
 * @param {() => void} changed
 */
export function hear(view, told, changed) {
  const words = REACTIONS[told.reaction]?.();
  const seat = view.seats[told.seat];
  if (!words || !seat || !reactionsAreOn()) return;
  said.set(told.seat, words);
  changed();
  if (!view.mine.includes(told.seat)) announce(t("{name}: {text}", { name: seat.name, text: words }));
  setTimeout(() => {
    if (said.get(told.seat) === words) said.delete(told.seat);
    changed();
  }, SHOWN);
}

/** Whether there is somebody else to speak to. @param {any} view */
export const canReact = (view) => view.mine.length > 0 && reactionsAreOn() && view.seats.some((seat) => seat.owner && !view.mine.includes(seat.seat));

/** Lets somebody say one of the words. @param {any} view */
export function openReactions(view) {
  const say = async (reaction) => {
    dialog.close();
    try {
      await post(`/api/tables/${view.id}/react`, { seat: view.you, reaction });
    } catch (error) {
      toast(error.status === 429 ? t("Wait a moment before you say something again.") : reason(error));
    }
  };
  const words = Object.entries(REACTIONS).map(([reaction, call]) => button(call(), () => say(reaction)));
  const dialog = openDialog(t("Say something"), [make("div", { class: "ways" }, ...words)], "choose");
}
