/** Hints: the best moves of the seat, numbered on the sheet and in a list that says what each is worth and why. */

import { post } from "./api.js";
import { announce, choose, reason, toast } from "./dialogs.js";
import { button, make, replaceContent } from "./dom.js";
import { t } from "./i18n.js";
import { signed } from "./worth.js";

export class Hints {
  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} asking the button that asks for them
   * @param {import("./sheet.js").Sheet} sheet
   * @param {(target: import("./sheet.js").Target) => void} play
   */
  constructor(place, asking, sheet, play) {
    Object.assign(this, { place, asking, sheet, play });
    this.moment = ""; // the seat and its version that the hints are for
    this.moves = [];
    this.chosen = -1;
  }

  get isOpen() {
    return !this.place.hidden;
  }

  /** The move that was chosen from the list. */
  get move() {
    return this.moves[this.chosen]?.move ?? null;
  }

  /** Whether hints can be had now; those of an earlier moment are closed. @param {any} view @param {boolean} isMyTurn */
  update(view, isMyTurn) {
    this.asking.hidden = !view.hints;
    this.asking.disabled = !isMyTurn;
    if (this.isOpen && (!isMyTurn || this.moment !== momentOf(view))) this.close();
  }

  /** Asks for hints, or closes them. @param {any} view */
  async toggle(view) {
    if (this.asking.hidden || this.asking.disabled) return;
    if (this.leave()) return;
    const first = view.kind === "daily" && !view.seats[view.you].hinted;
    if (first && !(await choose(t("Look at hints? The board of the day will say that you did."), [{ value: "yes", words: t("Show hints") }]))) return;
    this.moment = momentOf(view);
    this.open(make("p", { class: "thinking", role: "status" }, t("Looking for good moves …")));
    const asked = this.moment;
    try {
      const { moves } = await post(`/api/tables/${view.id}/hint`, { seat: view.you }, true);
      if (this.isOpen && this.moment === asked) this.show(moves);
    } catch (error) {
      if (this.moment === asked) this.close();
      toast(reason(error));
    }
  }

  open(...content) {
    replaceContent(this.place, ...content);
    this.place.hidden = false;
    this.asking.setAttribute("aria-expanded", "true");
  }

  /** Closes the list for somebody who is in it; whether it was open. */
  leave() {
    if (!this.isOpen) return false;
    this.close();
    this.asking.focus();
    return true;
  }

  close() {
    this.place.hidden = true;
    this.moment = "";
    this.moves = [];
    this.chosen = -1;
    this.asking.setAttribute("aria-expanded", "false");
    this.sheet.number([]);
  }

  /** @param {any[]} moves the best one first */
  show(moves) {
    const [first] = moves; // a rougher guess about another one may be higher: it would seem to contradict the order
    this.moves = moves.map((move) => (move.value > first.value ? { ...move, value: null } : move));
    const rows = this.moves.map((move, i) => make("li", {}, this.row(move, i)));
    const note = make("p", { class: "quiet" }, t("Press once to see it, again to play it. The result will say that you used hints."));
    this.open(make("ol", {}, ...rows), note);
    this.sheet.number(moves.map((move) => this.sheet.targetOf(move.move)?.cell ?? null));
    announce(t("Hints: {n}", { n: moves.length }));
    this.buttons[0]?.focus({ preventScroll: true });
  }

  get buttons() {
    return [...this.place.querySelectorAll("ol button")];
  }

  row(move, i) {
    const shown = button("", () => this.take(i), { class: "hint", pressed: false });
    shown.append(
      make("b", { class: "number" }, i + 1),
      make("span", { class: "what" }, make("span", {}, move.said), make("small", { class: "brief" }, brief(move)), make("small", { class: "full" }, why(move))),
      make("strong", {}, signed(move.points)),
    );
    return shown;
  }

  /** The first press shows the move on the sheet, the next one plays it. @param {number} i */
  take(i) {
    const hint = this.moves[i];
    const target = hint && this.sheet.targetOf(hint.move);
    if (!target) return;
    if (this.chosen === i) {
      this.play({ ...target, move: hint.move, ways: [{ move: hint.move, label: hint.move }] });
      return;
    }
    this.chosen = i;
    this.buttons.forEach((one, number) => one.setAttribute("aria-pressed", String(number === i)));
    this.sheet.point(target);
    const told = t("{what} is shown on the sheet. Press again to play it.", { what: hint.said });
    announce(`${told} ${why(hint)}`);
  }

  /** Chooses by a digit while the list has the focus; whether it did. @param {string} key */
  key(key) {
    const chosen = /^[1-9]$/.test(key) && this.place.contains(document.activeElement) ? this.buttons[Number(key) - 1] : null;
    chosen?.focus();
    chosen?.click();
    return Boolean(chosen);
  }
}

const momentOf = (view) => `${view.you} ${view.version}`;

const changes = (one) => `${one.title} ${signed(one.change)}`;

/** What a move brings at once, line by line, and in the end. @param {any} move */
function brief(move) {
  const lines = move.reasons.length ? move.reasons.map(changes) : [t("no points at once")];
  return [...lines, ...inTheEnd(move)].join(" · ");
}

/** A value that comes from samples: no more exact than it is. @param {number} value */
const rough = (value) => (Math.abs(value) < 5 ? value.toFixed(1) : String(Math.round(value))).replace("-", "−");

/** Why a move brings what it brings at once, in sentences, and what it may bring in the end. @param {any} move */
export function why(move) {
  const now = move.reasons.map((one) => (one.sentence ? `${changes(one)}: ${one.sentence}` : changes(one)));
  return [...(now.length ? now : [t("no points at once")]), ...inTheEnd(move)].map(withStop).join(" ");
}

const inTheEnd = (move) => (move.value == null ? [] : [t("about {n} in the end", { n: rough(move.value) })]);

const withStop = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
