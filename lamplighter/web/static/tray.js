/** What can be taken: a chip for each die, card or tile that goes on the sheet, and a button for each action. */

import { button, draw, find, listen, make, reconcile, replaceContent } from "./dom.js";
import { say } from "./i18n.js";

const FEW = 6; // so many actions are shown at once; more are chosen in two steps, by what they take

export class Tray {
  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} choices where the ways to do a chosen action stand
   * @param {import("./sheet.js").Sheet} sheet
   * @param {(target: import("./sheet.js").Target) => void} play
   */
  constructor(place, choices, sheet, play) {
    Object.assign(this, { place, choices, sheet, play });
    this.shown = "";
  }

  /** Draws the tray again if the sources have changed, else only what is chosen. @param {string|null} [final] the move with a button of its own */
  update(final = null) {
    const sources = this.sheet.lit.beside().filter((source) => !isOnly(source, final));
    const key = sources.map((source) => `${source.name}×${source.targets.length}`).join("|");
    if (key !== this.shown || this.drawnFor !== this.sheet.drawn) this.rebuild(sources);
    this.shown = key;
    this.drawnFor = this.sheet.drawn;
    for (const [name, chip] of this.chips) this.mark(name, chip);
    this.showChoices();
    this.offers.forEach((offer, i) => (i < 9 ? offer.setAttribute("aria-keyshortcuts", String(i + 1)) : offer.removeAttribute("aria-keyshortcuts")));
  }

  rebuild(sources) {
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.source : null;
    const actions = sources.filter((source) => !source.cells.size);
    const together = actions.flatMap((source) => source.targets).length <= FEW;
    const placed = [...sources.filter((source) => source.cells.size), ...(together ? [] : actions.filter(isSeveral))];
    const single = together ? actions : actions.filter((source) => !isSeveral(source));
    this.chips = new Map(placed.map((source) => [source.name, this.chip(source)]));
    const buttons = single.flatMap((source) => source.targets).map((target) => this.action(target));
    replaceContent(this.place, ...this.chips.values(), ...buttons);
    for (const source of placed) this.drawFace(source);
    if (focused) [...this.place.children].find((child) => child.dataset.source === focused)?.focus();
  }

  chip(source) {
    const count = this.sheet.lit.of(source.name).length;
    const choose = () => this.sheet.choose(this.sheet.chosen === source.name ? null : source.name);
    return make(
      "button",
      {
        type: "button", class: "chip", "data-source": source.name, title: say(source.name, this.sheet.words), onclick: choose, "aria-pressed": "false",
      },
      draw("svg", { class: "face", "aria-hidden": "true" }),
      make("span", {}, say(source.name, this.sheet.words)),
      count > 1 ? make("strong", { class: "times" }, `×${count}`) : null,
    );
  }

  /** The picture of what is taken, as it lies now: the ghost of its first target. */
  drawFace(source) {
    const face = find(".face", this.chips.get(source.name));
    const target = this.sheet.face(source);
    if (face.shows === target) return;
    face.shows = target;
    const ghost = target.leaf.matches("use") ? target.leaf.cloneNode() : null;
    face.toggleAttribute("hidden", !ghost);
    if (!ghost) return;
    for (const name of ["class", "data-move", "data-cell"]) ghost.removeAttribute(name);
    const held = draw("g", {}, ghost);
    replaceContent(face, held);
    const box = around(held.getBBox(), this.sheet.boxOf(target.cell ?? ""));
    const side = Math.max(box.width, box.height, 1) * 1.04;
    const [x, y] = [box.x + box.width / 2 - side / 2, box.y + box.height / 2 - side / 2];
    face.setAttribute("viewBox", `${x} ${y} ${side} ${side}`);
  }

  mark(name, chip) {
    const chosen = name === this.sheet.chosen;
    chip.setAttribute("aria-pressed", String(chosen));
    this.drawFace(this.sheet.sources.get(name));
    if (chosen) this.place.scrollLeft = Math.min(this.place.scrollLeft, chip.offsetLeft - this.place.offsetLeft);
  }

  action(target) {
    const shown = button(say(target.move, this.sheet.words), () => this.play(target), { class: "action" });
    shown.dataset.source = target.source;
    this.previewed(shown, target);
    return shown;
  }

  previewed(element, target) {
    if (!target.leaf.matches("use")) return;
    for (const name of ["pointerenter", "pointermove", "focus"]) {
      listen(element, name, (event) => this.sheet.isStill(event) || this.sheet.preview(target));
    }
    for (const name of ["pointerleave", "blur"]) listen(element, name, () => this.sheet.preview(null));
  }

  /** The ways to do a chosen action that goes nowhere on the sheet. */
  showChoices() {
    const source = this.sheet.source;
    const open = source !== null && source.cells.size === 0;
    this.choices.hidden = !open;
    reconcile(this.choices, ...(open ? source.targets.map((target) => this.action(target)) : []));
  }

  /** Everything that can be taken, on the sheet and beside it, each once. @returns {any[]} */
  get offers() {
    const names = new Set();
    return [...this.sheet.lit.all.filter((one) => !this.chips?.has(one.dataset.source)), ...this.place.querySelectorAll("button")].filter((one) => {
      const name = one.matches(".action") ? one : one.dataset.source;
      return !names.has(name) && names.add(name);
    });
  }

  /** Where the focus goes when what had it is gone. @returns {any} */
  get first() {
    return find("[aria-pressed=true]", this.place) ?? this.offers[0];
  }

  /** Takes by a digit. @param {number} number from 1 */
  chooseNumber(number) {
    const offer = this.offers[number - 1];
    if (offer?.matches(".source")) this.sheet.lit.take(offer);
    else offer?.click();
    return Boolean(offer);
  }
}

/** A box around two, so that what fills a part of its cell is shown as a part. */
function around(drawn, cell) {
  if (!cell) return drawn;
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(cell[name]));
  const left = Math.min(drawn.x, x);
  const top = Math.min(drawn.y, y);
  const right = Math.max(drawn.x + drawn.width, x + width);
  const bottom = Math.max(drawn.y + drawn.height, y + height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const isSeveral = (source) => source.targets.length > 1;
const isOnly = (source, move) => source.targets.every((target) => target.move === move);
