/** Dice, cards and tiles as pictures: large for a room, or as buttons for those that people type in. */

import { button, make, replaceContent } from "./dom.js";
import { themed } from "./settings.js";
import { say, t } from "./i18n.js";

const MANY = 24; // more outcomes without pictures than this are only typed

/** The picture of an outcome; nothing if the game has none. @param {any} view @param {string} text @param {string} words what it is if nothing beside it says so */
function picture(view, text, words = "") {
  if (!view.faces.includes(text)) return null;
  const address = `/api/tables/${view.id}/face.svg?text=${encodeURIComponent(text)}`;
  return make("img", { src: themed(address), "data-themed": address, alt: words });
}

/** What was rolled or drawn, large enough for a room: its picture with its name, or its name alone. @param {any} view @param {string} text @param {string} key a new one is a new roll */
export function largeOutcome(view, text, key) {
  const words = say(text, view.words);
  const drawn = picture(view, text);
  return drawn ? make("div", { class: "thrown drawn", "data-key": key }, drawn, words) : make("span", { class: "thrown", "data-key": key }, words);
}

/** The same in a line of text. @param {any} view @param {string} text */
export function smallOutcome(view, text) {
  const words = say(text, view.words);
  return picture(view, text, words) ?? make("span", {}, words);
}

/**
 * @param {HTMLElement} place
 * @param {any} view
 * @param {(text: string) => void} give
 * @param {() => void} back
 */
export function showDue(place, view, give, back) {
  const due = view.due;
  place.hidden = !due && !view.can_unroll;
  const key = `${(due ?? []).join("|")} ${view.can_unroll}`;
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  replaceContent(place, ...(due ? dueForm(view, due, give) : []), view.can_unroll ? button(t("The last one was wrong"), back) : null);
}

function dueForm(view, due, give) {
  const field = make("input", { name: "roll", list: "outcomes", autocomplete: "off", autocapitalize: "off", required: true });
  const known = new Map(due.map((text) => [say(text, view.words).toLowerCase(), text])); // in the language of the page
  const send = (event) => {
    event.preventDefault();
    give(known.get(field.value.trim().toLowerCase()) ?? field.value);
  };
  const tapped = due.every((text) => view.faces.includes(text)) || due.length <= MANY;
  return [
    make("h2", {}, t("What was rolled or drawn?")),
    tapped ? make("div", { class: "outcomes" }, ...due.map((text) => outcomeButton(view, text, give))) : null,
    make("form", { onsubmit: send },
      make("label", { class: "field" }, t("Type it. Separate several with commas."), field),
      make("datalist", { id: "outcomes" }, ...due.map((text) => make("option", { value: text }, say(text, view.words)))),
      make("button", {}, t("Enter"))),
  ];
}

function outcomeButton(view, text, give) {
  return make("button", { type: "button", class: "outcome", onclick: () => give(text) }, picture(view, text), make("span", {}, say(text, view.words)));
}
