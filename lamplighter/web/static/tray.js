/** What can be taken: a chip for each die, card or tile that goes on the sheet, and a button for each action. */

import { become, button, draw, find, listen, make, put } from "./dom.js";
import { say } from "./texts.js";

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

  /** Draws the tray anew if the sources have changed, else only what is chosen. */
  update() {
    const sources = [...this.sheet.sources.values()];
    const key = sources.map((source) => `${source.name}×${source.targets.length}`).join("|");
    if (key !== this.shown || this.drawnFor !== this.sheet.drawn) this.rebuild(sources);
    this.shown = key;
    this.drawnFor = this.sheet.drawn;
    for (const [name, chip] of this.chips) this.mark(name, chip);
    this.showChoices();
  }

  rebuild(sources) {
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.source : null;
    const actions = sources.filter((source) => !source.cells.size);
    const together = actions.flatMap((source) => source.targets).length <= FEW;
    const placed = [...sources.filter((source) => source.cells.size), ...(together ? [] : actions.filter(isSeveral))];
    const single = together ? actions : actions.filter((source) => !isSeveral(source));
    this.chips = new Map(placed.map((source, i) => [source.name, this.chip(source, i + 1)]));
    const buttons = single.flatMap((source) => source.targets).map((target) => this.action(target));
    put(this.place, ...this.chips.values(), ...buttons);
    for (const source of placed) this.drawFace(source);
    if (focused) [...this.place.children].find((child) => child.dataset.source === focused)?.focus();
  }

  chip(source, number) {
    const choose = () => this.sheet.chosen === source.name || this.sheet.choose(source.name);
    return make(
      "button",
      {
        type: "button", class: "chip", "data-source": source.name, title: say(source.name, this.sheet.words), onclick: choose,
        "aria-keyshortcuts": number < 10 ? String(number) : null, "aria-pressed": "false",
      },
      draw("svg", { class: "face", "aria-hidden": "true" }),
      make("span", {}, say(source.name, this.sheet.words)),
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
    put(face, held);
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
    become(this.choices, ...(open ? source.targets.map((target) => this.action(target)) : []));
  }

  /** Where the focus goes when what had it is gone. @returns {any} */
  get first() {
    return find("[aria-pressed=true]", this.place) ?? find("button", this.place);
  }

  /** Chooses by a digit. @param {number} number from 1 */
  chooseNumber(number) {
    const chip = this.place.querySelectorAll(".chip")[number - 1];
    chip?.click();
    return Boolean(chip);
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
