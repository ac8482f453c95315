/** The option fields of a game, in forms that set something up. */

import { all, find } from "./dom.js";

/** The fields with what is chosen, as the variant's text writes it. @param {ParentNode} form @returns {Record<string, string>} */
export const chosenOptions = (form) => Object.fromEntries(all("[data-option]", form).map((field) => [field.dataset.option, field.type === "checkbox" ? String(field.checked) : field.value]));

/** Shows the options that matter beside what is chosen, and in those that name a seat the seats there are. @param {ParentNode} form @param {number} count */
export function showOptions(form, count) {
  for (const choice of all("[data-kind=seat] option", form)) choice.hidden = choice.disabled = /^\d+$/.test(choice.value) && Number(choice.value) >= count;
  for (const select of all("[data-kind=seat]", form)) if (select.selectedOptions[0]?.disabled) select.selectedIndex = 0;
  const values = { ...chosenOptions(form), seats: String(count) };
  for (const place of all("[data-when]", form)) {
    place.hidden = !Object.entries(JSON.parse(place.dataset.when)).every(([name, wanted]) => wanted.includes(values[name]));
  }
}

/** The variant as text: what differs from the default need not be known here. Only the box may be left empty: the game's own. */
export function variantOf(form, game, count) {
  const isChosen = ([name, value]) => !find(`[data-option="${name}"]`, form).closest("[hidden]") && (name !== "box" || value);
  const pairs = Object.entries(chosenOptions(form)).filter(isChosen).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${game}?${[`seats=${count}`, ...pairs].join("&")}`;
}
