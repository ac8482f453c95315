/** Small sheets: a picture of anybody's, as everybody may see it, and the cells behind a score line lit on it. */

import { asStranger, ask } from "./api.js";
import { announce, reason, toast } from "./dialogs.js";
import { draw, make, reconcile } from "./dom.js";
import { behind, foldButton, scoreTable } from "./score.js";
import { themed } from "./settings.js";
import { t, tn } from "./i18n.js";

/**
 * The address of a seat's sheet as it is now, or at a moment of a finished match. Nobody's hand is on it, not even that of a
 * seat in this browser.
 * @param {any} view
 * @param {any} seat
 * @param {number|null} [at]
 */
export function sheetAddress(view, seat, at = null) {
  return asStranger(`/api/tables/${view.id}/sheets/${seat.seat}.svg?${at === null ? `v=${view.seq}` : `seq=${at}`}`);
}

/** The picture of a seat's sheet as it is now. @param {any} view @param {any} seat */
export function sheetImage(view, seat) {
  return make("img", { class: "small-sheet", alt: t("Sheet of {name}", { name: seat.name }), src: themed(sheetAddress(view, seat)) });
}

/** Which score line is lit on which of several small sheets. */
export class Highlight {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.at = null; // the moment that is shown, if it is not now
    this.clear();
  }

  clear() {
    Object.assign(this, { seat: null, line: "", frame: "", boxes: [] });
  }

  isLit(seat, line) {
    return this.seat?.seat === seat.seat && this.line === line;
  }

  /** @param {any} view @param {any} seat @param {string} line */
  async press(view, seat, line) {
    const off = this.isLit(seat, line);
    this.clear();
    if (!off) Object.assign(this, { seat, line });
    this.changed();
    if (off) return;
    const cells = await this.look(view);
    if (cells && this.isLit(seat, line)) announce(wordsFor(titleOf(seat, line), cells));
  }

  /** Finds the cells of the lit line again, when something has happened. @param {any} view @returns {Promise<string[]|null>} */
  async look(view) {
    const { seat, line, at } = this;
    if (!seat) return null;
    const address = sheetAddress(view, seat, at);
    try {
      const [{ cells }, drawn] = await Promise.all([behind(view.id, line, seat.seat, at), ask(address)]);
      if (!this.isLit(seat, line) || this.at !== at) return null;
      this.place(cells, drawn);
      this.changed();
      return cells;
    } catch (error) {
      toast(reason(error));
      return null;
    }
  }

  /** Where cells lie on a drawn sheet. @param {string[]} cells @param {string} drawn */
  place(cells, drawn) {
    const bare = drawn.replace(/<style>[^]*?<\/style>/g, ""); // only its cells are looked at, and the page allows no styles in it
    const sheet = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
    const squares = new Map([...sheet.querySelectorAll(".cells [data-cell]")].map((square) => [square.getAttribute("data-cell"), square]));
    const found = cells.map((cell) => squares.get(cell)).filter(Boolean);
    this.frame = sheet.getAttribute("viewBox") ?? "";
    this.boxes = found.map((square) => Object.fromEntries(["x", "y", "width", "height"].map((name) => [name, square.getAttribute(name)])));
  }

  /** What lies over a sheet. @param {any} seat */
  glow(seat) {
    if (this.seat?.seat !== seat.seat || !this.boxes.length) return null;
    return draw("svg", { viewBox: this.frame, "aria-hidden": "true" }, ...this.boxes.map((box) => draw("rect", { ...box, rx: 6, class: "why lit" })));
  }

  /** A sheet with its light. @param {any} seat @param {any} image */
  over(seat, image) {
    return make("div", { class: "lamp-lit" }, image, make("div", { class: "glow" }, this.glow(seat)));
  }

  /** The score of a seat whose lines light their cells. @param {any} view @param {any} seat @param {boolean} [folds] */
  lines(view, seat, folds = false) {
    return scoreTable(view, seat, { folds, isLit: (line) => this.isLit(seat, line), why: (line) => this.press(view, seat, line) });
  }
}

/**
 * All sheets side by side, with their scores: what somebody without a seat sees.
 * @param {HTMLElement} place
 * @param {any} view
 * @param {Highlight} highlight
 */
export function showAllSheets(place, view, highlight) {
  const figures = view.seats.filter((seat) => seat.kind !== "open").map((seat) =>
    make("figure", {},
      make("figcaption", {}, seat.name, " ", make("strong", {}, seat.total)),
      view.drawn ? highlight.over(seat, sheetImage(view, seat)) : null,
      seat.lines.length ? highlight.lines(view, seat, true) : null));
  reconcile(place, ...figures, foldButton(view, () => showAllSheets(place, view, highlight)));
}

/** @param {any} seat @param {string} line */
export const titleOf = (seat, line) => seat.lines.find((one) => one.name === line)?.title ?? line;

/** What is said when a line is lit. @param {string} line its title @param {string[]} cells */
export function wordsFor(line, cells) {
  const words = { line };
  return cells.length ? tn("{line}: {n} place", "{line}: {n} places", cells.length, words) : t("{line}: no place yet", words);
}
