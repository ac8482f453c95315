/**
 * What can be taken from the sheet itself: dice, tiles, cards, special routes. Whatever is lit there can be pressed.
 *
 * Something drawn stands for the source of its name, or for all whose first word it is: a die that can become several things.
 */

import { all, draw, find } from "./dom.js";
import { say } from "./i18n.js";

const LARGE = matchMedia("(pointer: fine)").matches ? 24 : 34; // px that a die or card on the sheet needs, so that it need not be shown again beside it
const TRAY = 120; // px that the tray takes when something is shown there

/** What is drawn on the sheet and stands for sources that there are or were. @param {HTMLElement} place @returns {any[]} */
const drawnOn = (place) => all("svg.sheet > g:not(.targets) [data-source]", place);

export class Lit {
  /** @param {import("./sheet.js").Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    this.pressed = null; // which of several equal ones
  }

  /** What can be pressed on the sheet now. @returns {any[]} */
  get all() {
    return all(".source", this.sheet.place);
  }

  /** The sources that something drawn stands for. @param {string} name */
  family(name) {
    return [...this.sheet.sources.values()].filter((source) => source.name === name || source.name.startsWith(`${name} `));
  }

  /** What is drawn of a source. @param {string} name */
  of(name) {
    return this.all.filter((one) => one.dataset.source === name || name.startsWith(`${one.dataset.source} `));
  }

  /** Makes everything that can be taken a button where it is drawn. */
  show() {
    this.pressed = null;
    for (const drawn of drawnOn(this.sheet.place)) {
      const name = drawn.dataset.source;
      const family = this.family(name);
      if (!family.length) continue;
      const words = family.length === 1 ? say(family[0].name, this.sheet.words) : say(name, this.sheet.words);
      const attributes = { role: "button", tabindex: 0, "aria-label": words, ...(isAction(family) ? {} : { "aria-pressed": "false" }) };
      for (const [attribute, value] of Object.entries(attributes)) drawn.setAttribute(attribute, String(value));
      drawn.classList.add("source");
      const { x, y, width, height } = drawn.getBBox();
      drawn.append(draw("rect", { x, y, width, height, rx: 6, class: "hit" }));
    }
  }

  /** Whether the sheet shows a source large enough to press it there, and above a height of the page. @param {string} name @param {number} lowest */
  isLarge(name, lowest) {
    return this.of(name).map(placeOf).some(({ width, height, bottom }) => Math.min(width, height) >= LARGE && bottom + scrollY <= lowest);
  }

  /** How far down the page one sees without scrolling, above a dock in which nothing is offered. */
  lowest() {
    const dock = find("#dock");
    if (!dock || dock.getBoundingClientRect().left >= this.sheet.place.getBoundingClientRect().right) return Infinity;
    const offered = ["#tray", "#choices"].reduce((sum, part) => sum + (find(part, dock)?.offsetHeight ?? 0), 0);
    return innerHeight - dock.offsetHeight + offered;
  }

  /** What the sheet does not show, or too small, or not apart: a die that can become several things, when it is chosen. */
  beside() {
    const { sources, chosen } = this.sheet;
    const lowest = this.lowest();
    const hides = [...sources.values()].some((source) => !this.isLarge(source.name, lowest)); // then the tray hides more of the sheet
    return [...sources.values()].filter((source) => {
      if (!this.isLarge(source.name, hides ? lowest - TRAY : lowest)) return true;
      const family = this.family(this.of(source.name)[0].dataset.source);
      return family.length > 1 && family.some((one) => one.name === chosen);
    });
  }

  /** Takes what is drawn on the sheet, or lets go of it; what goes nowhere is played at once. @param {any} drawn */
  take(drawn) {
    const family = this.family(drawn.dataset.source);
    const [first] = family;
    if (!first) return;
    const again = drawn.classList.contains("chosen");
    const isChosen = family.some((source) => source.name === this.sheet.chosen);
    this.pressed = drawn;
    if (isAction(family)) this.sheet.hooks.play(first.targets[0]);
    else if (isChosen && !again) this.mark(); // the other one of two equal dice
    else this.sheet.choose(isChosen ? null : first.name);
  }

  /** Shows on the sheet what is chosen: of equal ones the one that was pressed. */
  mark() {
    const mine = this.sheet.chosen === null ? [] : this.of(this.sheet.chosen);
    const one = mine.includes(this.pressed) ? this.pressed : mine[0];
    for (const drawn of this.all) {
      drawn.classList.toggle("chosen", drawn === one);
      if (drawn.hasAttribute("aria-pressed")) drawn.setAttribute("aria-pressed", String(drawn === one));
    }
  }
}

/** Whether pressing it is all there is to it. @param {import("./sheet.js").Source[]} family */
const isAction = (family) => family.length === 1 && !family[0].cells.size && family[0].targets.length === 1;

/** Where something drawn is on the screen at rest: a die that rolls is smaller for a moment. @param {any} drawn */
function placeOf(drawn) {
  const { x, y, width, height } = drawn.getBBox();
  const matrix = [...drawn.transform.baseVal].reduce((sum, one) => sum.multiply(one.matrix), drawn.parentNode.getScreenCTM());
  const [a, b] = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)].map((corner) => corner.matrixTransform(matrix));
  return { width: Math.abs(b.x - a.x), height: Math.abs(b.y - a.y), bottom: Math.max(a.y, b.y) };
}
