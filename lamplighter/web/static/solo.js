/** A sheet that belongs to no table, in lessons and puzzles: taking, laying, asking why, and the score with the cells behind it. */

import { Refusal, post } from "./api.js";
import { hideBubble, showBubble } from "./bubble.js";
import { announce, choose, reason, toast } from "./dialogs.js";
import { find, isTyping } from "./dom.js";
import { say, sayMove, t } from "./i18n.js";
import { closeRules, openRules } from "./rules.js";
import { showScore } from "./score.js";
import { keysAreOn } from "./settings.js";
import { Sheet } from "./sheet.js";
import { Tray } from "./tray.js";

export class Solo {
  /**
   * @param {string} game
   * @param {string} api where its questions go
   * @param {{where: () => any, mayPlay: () => boolean, play: (move: string, cell: string|null) => Promise<void>, cells?: () => string[],
   *          changed?: () => void, keys?: Record<string, () => void>}} hooks
   *   `where` is what the server needs to know of the moment, `cells` what is lit when no line is
   */
  constructor(game, api, hooks) {
    Object.assign(this, { game, api, hooks });
    this.view = null;
    this.lit = null; // the score line whose cells are lit
    this.busy = false;
    const changed = () => this.showTools();
    const play = (target) => this.play(target);
    this.sheet = new Sheet(find("#paper"), { play, ask: (...where) => this.askWhy(...where), changed, say: announce, focused: keepClear, weigh: changed });
    this.tray = new Tray(find("#tray"), find("#choices"), this.sheet, play);
    this.listen();
  }

  /** Asks the server; what it refuses is told at the cell. @param {string} address @param {any} body @param {string|null} [cell] */
  async ask(address, body, cell = null) {
    if (this.busy) return null;
    this.busy = true;
    try {
      return await post(address, body, true);
    } catch (error) {
      if (error instanceof Refusal && error.status === 422) showBubble(this.game, cell, error.sentence, error.rule);
      else toast(reason(error));
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** @param {any} view @param {boolean} [isNew] whether another moment is shown, so that no line is lit any more */
  show(view, isNew = false) {
    this.view = view;
    Object.assign(document.body.dataset, { phase: view.phase, variant: view.variant });
    find("#main").removeAttribute("aria-busy");
    hideBubble();
    this.sheet.show(view);
    find("#words pre").textContent = view.text;
    if (isNew) this.unlight();
    this.showScore();
  }

  /** What the next tap does, where one has shown a piece; else nothing. */
  get tapWords() {
    if (!this.view || !this.sheet.isTapped) return "";
    return this.sheet.canTurnAt(this.sheet.cell) ? t("Tap again to draw it; two quick taps turn it") : t("Tap again to draw it");
  }

  showScore() {
    showScore(find("#lines"), this.view, { lit: this.lit, light: (line) => this.light(line) });
  }

  showTools() {
    if (!this.view) return;
    const { sheet, view } = this;
    this.tray.update(view.final);
    find("#turn-it").hidden = !sheet.anyTurns;
    find("#flip-it").hidden = !sheet.anyFlips;
    find("#turn-it").disabled = !sheet.canTurn;
    find("#flip-it").disabled = !sheet.canFlip;
    find("#done").hidden = !view.final;
    find("#done").textContent = view.final ? say(view.final, view.words) : "";
    find("#main").dataset.chosen = sheet.chosen ?? "";
    this.hooks.changed?.();
  }

  /** @param {import("./sheet.js").Target} target */
  async play(target) {
    if (!this.hooks.mayPlay()) return;
    let { move } = target;
    if (target.ways.length > 1) {
      const ways = target.ways.map((way) => ({ value: way.move, words: sayMove(way.label, this.view.words) }));
      move = await choose(this.view.question || t("How do you want to do it?"), ways);
      if (move === null) return;
    }
    await this.hooks.play(move, target.cell);
  }

  done() {
    if (this.hooks.mayPlay() && this.view.final) this.hooks.play(this.view.final, null);
  }

  async askWhy(source, cell, orientation) {
    if (!this.hooks.mayPlay()) return;
    if (!source) {
      showBubble(this.game, cell, t("First choose a piece, then a place."), "");
      return;
    }
    try {
      const answer = await post(`${this.api}/explain`, { ...this.hooks.where(), source, cell, orientation }, true);
      if (!answer.legal) showBubble(this.game, cell, answer.sentence, answer.rule);
    } catch (error) {
      toast(reason(error));
    }
  }

  /** Lights the cells behind a score line. @param {string|null} line */
  async light(line) {
    this.lit = line;
    this.showScore();
    const unlit = { cells: this.hooks.cells?.() ?? [], sentence: "" };
    const found = line === null ? unlit : await post(`${this.api}/explain`, { ...this.hooks.where(), line }, true).catch(() => null);
    if (this.lit !== line || !found) return;
    this.sheet.light(found.cells);
    this.giveReason(found.sentence);
    if (found.sentence) announce(found.sentence);
  }

  unlight() {
    this.lit = null;
    this.sheet.light([]);
    this.giveReason("");
  }

  giveReason(sentence) {
    find("#reason").hidden = !sentence;
    find("#reason").textContent = sentence;
  }

  // --- buttons and keys ---

  listen() {
    const { sheet } = this;
    const dock = find("#dock");
    new ResizeObserver(() => document.body.style.setProperty("--dock", `${dock.offsetHeight}px`)).observe(dock);
    new ResizeObserver(() => this.showTools()).observe(find("#paper")); // what the sheet shows large enough is not shown beside it
    find("#open-rules").addEventListener("click", () => closeRules() || openRules(this.game));
    find("#turn-it").addEventListener("click", () => sheet.turn(1));
    find("#flip-it").addEventListener("click", () => sheet.flip());
    find("#done").addEventListener("click", () => this.done());
    const keys = {
      r: () => sheet.turn(1), R: () => sheet.turn(-1), f: () => sheet.flip(), d: () => this.done(),
      Escape: () => closeRules() || sheet.choose(null), ...this.hooks.keys,
    };
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || find("dialog[open]") || !this.view) return;
      if (event.target.closest?.("#rules .text, #score pre") && event.key.startsWith("Arrow")) return;
      if (event.key.length === 1 && event.key !== " " && !keysAreOn()) return;
      if (/^[1-9]$/.test(event.key)) this.tray.chooseNumber(Number(event.key));
      else if (keys[event.key]) keys[event.key]();
      else if (!sheet.key(event)) return;
      event.preventDefault();
    });
  }
}

/** What is focused or spoken of is not left behind the dock. @param {Element} spot */
export function keepClear(spot) {
  const box = spot.getBoundingClientRect();
  const over = find("#dock").getBoundingClientRect();
  const beside = box.right <= over.left || box.left >= over.right;
  if (!beside && box.bottom > over.top) scrollBy(0, box.bottom - over.top + 12);
  else if (box.top < 0) scrollBy(0, box.top - 12);
}
