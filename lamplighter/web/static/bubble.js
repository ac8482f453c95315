/** A refusal at its cell: a sentence that goes away by itself, and opens its rule. */

import { announce } from "./dialogs.js";
import { button, find } from "./dom.js";
import { openRules } from "./rules.js";

const STAYS = 7000; // ms

/** @param {string} game @param {string|null} cell @param {string} words @param {string} rule */
export function showBubble(game, cell, words, rule) {
  hideBubble();
  const said = rule ? `${words} (${rule})` : words;
  const bubble = button(said, () => rule && readRule(game, rule), { class: "bubble" });
  const board = find("#board");
  const square = cell !== null && find(`#paper .cells [data-cell="${CSS.escape(cell)}"]`);
  const frame = board.getBoundingClientRect();
  const box = (square || find("#paper")).getBoundingClientRect();
  board.append(bubble);
  const left = box.left + box.width / 2 - frame.left;
  const half = bubble.offsetWidth / 2;
  bubble.style.left = `${Math.max(half, Math.min(frame.width - half, left)) + board.scrollLeft}px`;
  bubble.style.top = `${(square ? box.bottom : box.top + 60) - frame.top + 6}px`;
  setTimeout(() => bubble.remove(), STAYS);
  announce(said);
}

/** What was refused is past. */
export function hideBubble() {
  find(".bubble")?.remove();
}

function readRule(game, rule) {
  openRules(game, rule);
  hideBubble(); // the sheet makes room for the rules
}
