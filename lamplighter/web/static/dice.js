/** Dice, cards and tiles that people type in: a button for each that can come, or a line for several. */

import { button, make, put } from "./dom.js";
import { say, t } from "./texts.js";

const MANY = 24; // more outcomes than this are only typed

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
  put(place, ...(due ? dueForm(view, due, give) : []), view.can_unroll ? button(t("The last one was wrong"), back) : null);
}

function dueForm(view, due, give) {
  const field = make("input", { name: "roll", list: "outcomes", autocomplete: "off", autocapitalize: "off", required: true });
  const send = (event) => {
    event.preventDefault();
    give(field.value);
  };
  return [
    make("h2", {}, t("What was rolled or drawn?")),
    due.length <= MANY ? make("div", { class: "outcomes" }, ...due.map((text) => button(say(text, view.words), () => give(text)))) : null,
    make("form", { onsubmit: send },
      make("label", { class: "field" }, t("Type it; several with commas between"), field),
      make("datalist", { id: "outcomes" }, ...due.map((text) => make("option", { value: text }))),
      make("button", {}, t("Enter"))),
  ];
}
