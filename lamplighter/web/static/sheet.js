/**
 * The own sheet: where the chosen thing may go, its ghost, and how it is turned.
 *
 * The server draws the sheet and lists every legal move as a target. Nothing here knows a rule or a game: a *source* is
 * what is taken, a *cell* where it goes, an *orientation* how it is turned, and a target is the move that all three make.
 */

import { all, calm, draw, find, make, replaceContent } from "./dom.js";
import { say, t } from "./i18n.js";
import { Lit } from "./sources.js";

const QUICK = 300; // ms between two taps that turn
const FRESH = 300; // ms in which new ink appears
const FINGER = 44; // px that a fingertip needs
const WIDE = matchMedia("(min-width: 76rem)"); // where there is room for a sheet that can be arranged side by side

/**
 * @typedef {{move: string, label: string}} Way
 * @typedef {{leaf: Element, move: string, ways: Way[], source: string, cell: string|null, orientation: string}} Target
 * @typedef {{name: string, targets: Target[], cells: Map<string, Target[]>}} Source
 */

export class Sheet {
  /**
   * @param {HTMLElement} place
   * @param {{play: (target: Target) => void, ask: (source: string, cell: string, orientation: string) => void,
   *          changed: () => void, say: (words: string) => void, focused: (spot: Element) => void,
   *          weigh: (target: Target|null) => void}} hooks
   */
  constructor(place, hooks) {
    this.place = place;
    this.hooks = hooks;
    /** @type {Map<string, Source>} */
    this.sources = new Map();
    this.lit = new Lit(this);
    this.flips = {};
    this.words = {};
    this.chosen = null;
    this.cell = null;
    this.orientation = "";
    this.drawn = "";
    this.narrow = ""; // the frame of the sheet where it is not wide
    this.tapped = { cell: "", at: 0 };
    this.pointer = "mouse";
    this.at = ""; // where the pointer is
    this.still = null; // where it was when the sheet was drawn again, until it moves
    WIDE.addEventListener("change", () => this.arrange());
    addEventListener("pointermove", (event) => (this.at = spotOf(event)));
    addEventListener("pointerdown", (event) => (this.at = spotOf(event)), true);
    place.addEventListener("pointerdown", (event) => (this.pointer = event.pointerType));
    place.addEventListener("click", (event) => this.clicked(event));
    for (const name of ["pointerover", "pointermove"]) place.addEventListener(name, (event) => this.hovered(event));
    place.addEventListener("pointerleave", () => this.pointer === "mouse" && this.showGhost(null));
    place.addEventListener("focusin", (event) => this.focused(event));
    place.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
  }

  // --- drawing ---

  /** Shows the sheet of a view, a picture or plain text. What was chosen stays so if it can. @param {any} view */
  show(view) {
    this.flips = view.flips;
    this.words = view.words;
    const drawn = view.sheet ?? `${view.text}\n${view.moves.join("\n")}`;
    if (drawn === this.drawn) return;
    const focused = this.focusedCell;
    const held = this.place.contains(document.activeElement) ? document.activeElement.closest(".source")?.dataset.source : undefined;
    const before = this.drawn ? new Set(this.marks().map((mark) => mark.outerHTML)) : null;
    this.drawn = drawn;
    this.still = this.at;
    replaceContent(this.place);
    if (view.sheet) this.place.insertAdjacentHTML("afterbegin", drawn); // made by our own server, all words escaped
    else replaceContent(this.place, make("pre", {}, view.text));
    const leaves = all(".targets [data-move]", this.place);
    this.svg?.setAttribute("role", "group"); // it is no mere image: there are buttons on it
    this.arrange();
    this.sortTargets(view.sheet ? leaves.map((leaf) => readTarget(leaf, view.ways)) : view.moves.map(bareTarget));
    this.lit.show();
    this.mark(view.marks);
    if (before && !calm()) this.showFresh(before);
    const wanted = this.sources.has(this.chosen) ? this.chosen : this.onlySource();
    this.chosen = null;
    this.choose(wanted, this.orientation);
    if (focused !== undefined) this.focusNear(focused);
    if (held !== undefined) (this.lit.all.find((one) => one.dataset.source === held) ?? this.lit.all[0] ?? this.place).focus({ preventScroll: true });
    this.showGhost(null); // what comes next is shown where somebody points, not where they pointed
  }

  get svg() {
    return find("svg.sheet", this.place);
  }

  /** Puts parts of the sheet beside each other where there is room, and says how high it is for its width, so that the page can make it fit. */
  arrange() {
    const sheet = this.svg;
    if (!sheet) return;
    const { wide } = sheet.dataset;
    if (wide) {
      this.narrow = sheet.getAttribute("viewBox") === wide ? this.narrow : sheet.getAttribute("viewBox");
      sheet.setAttribute("viewBox", WIDE.matches ? wide : this.narrow);
      for (const part of all("[data-wide]", sheet)) WIDE.matches ? part.setAttribute("transform", part.dataset.wide) : part.removeAttribute("transform");
    }
    document.body.classList.toggle("wide-sheet", Boolean(wide) && WIDE.matches);
    const box = sheet.viewBox.baseVal;
    this.place.style.setProperty("--ratio", String(box.height / box.width));
  }

  /** Whether its cells are too small for a finger. */
  get isSmall() {
    const { width = FINGER } = find(".cells [data-cell]", this.place)?.getBoundingClientRect() ?? {};
    return width > 0 && width < FINGER;
  }

  /** What is drawn on the sheet, piece by piece. */
  marks() {
    return all("svg.sheet > g:not([class]) > *", this.place);
  }

  /** New ink appears gently. */
  showFresh(before) {
    const fresh = this.marks().filter((mark) => !before.has(mark.outerHTML));
    for (const mark of fresh) mark.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FRESH, easing: "ease-out" });
  }

  /** @param {Target[]} targets */
  sortTargets(targets) {
    this.sources = new Map();
    for (const target of targets) {
      const source = this.sources.get(target.source) ?? { name: target.source, targets: [], cells: new Map() };
      source.targets.push(target);
      if (target.cell !== null) source.cells.set(target.cell, [...(source.cells.get(target.cell) ?? []), target]);
      this.sources.set(source.name, source);
    }
  }

  /** The source that is chosen by itself: the only one that goes anywhere on the sheet. */
  onlySource() {
    const placed = [...this.sources.values()].filter((source) => source.cells.size > 0);
    return placed.length === 1 ? placed[0].name : null;
  }

  /** Whether what is chosen was chosen by itself. */
  get isOnly() {
    return this.chosen !== null && this.chosen === this.onlySource();
  }

  // --- choosing ---

  /** @param {string|null} name @param {string} [orientation] */
  choose(name, orientation = "") {
    this.chosen = this.sources.has(name) ? name : this.onlySource(); // there would be nothing else to choose
    this.orientation = orientation;
    this.cell = null;
    const focused = this.focusedCell;
    this.drawSpots();
    this.lit.mark();
    this.showGhost(null);
    if (focused !== undefined && this.svg) this.source?.cells.size ? this.focusNear(focused) : this.focusCell(focused);
    this.hooks.changed();
  }

  /** The cell that has the focus. */
  get focusedCell() {
    return this.place.contains(document.activeElement) ? cellOf(document.activeElement) : undefined;
  }

  /** @returns {Source|null} */
  get source() {
    return this.sources.get(this.chosen) ?? null;
  }

  /** The target that the chosen source has at a cell, lying as wanted if it can. @returns {Target|null} */
  targetAt(cell) {
    const here = this.source?.cells.get(cell) ?? [];
    return here.find((target) => target.orientation === this.orientation) ?? here[0] ?? null;
  }

  /** The target that stands for the chosen source, for its picture. @param {Source} source */
  face(source) {
    return source.targets.find((target) => source.name === this.chosen && target.orientation === this.orientation) ?? source.targets[0];
  }

  /** A focusable square over each cell where the chosen source fits. */
  drawSpots() {
    find(".spots", this.place)?.remove();
    find(".cursor", this.place)?.remove();
    const cells = [...(this.source?.cells.keys() ?? [])];
    if (!cells.length) return;
    const spots = cells.map((cell, i) => this.drawSpot(cell, i === 0)).filter(Boolean);
    this.svg.append(draw("g", { class: "spots" }, ...spots), ...all(".numbers", this.place));
  }

  drawSpot(cell, first) {
    const box = this.boxOf(cell);
    if (!box) return null;
    return draw("rect", {
      ...box, rx: 6, class: "may spot", "data-cell": cell, role: "button", tabindex: first ? 0 : -1,
      "aria-label": `${say(cell, this.words)}: ${say(this.chosen, this.words)}`,
    });
  }

  /** Where a cell lies on the sheet. */
  boxOf(cell) {
    const square = find(`.cells [data-cell="${CSS.escape(cell)}"]`, this.place);
    if (!square) return null;
    return Object.fromEntries(["x", "y", "width", "height"].map((name) => [name, square.getAttribute(name)]));
  }

  // --- the ghost ---

  /** @param {string|null} cell */
  showGhost(cell) {
    for (const ghost of all(".ghost", this.place)) ghost.classList.remove("ghost");
    for (const spot of all(".spot.held", this.place)) spot.classList.remove("held");
    this.cell = cell;
    const target = cell === null ? null : this.targetAt(cell);
    if (!target) {
      this.hooks.weigh(null);
      return;
    }
    target.leaf.classList.add("ghost");
    this.spotAt(cell)?.classList.add("held");
    this.hooks.weigh(target);
  }

  /** A ghost without a cell, for a button that is pointed at. @param {Target|null} target */
  preview(target) {
    this.showGhost(null);
    target?.leaf.classList.add("ghost");
  }

  spotAt(cell) {
    return find(`.spot[data-cell="${CSS.escape(cell)}"]`, this.place);
  }

  /** @param {number} step */
  turn(step) {
    if (!this.canTurn) return;
    const known = orientationsOf(this.here);
    const now = known.indexOf(this.cell === null ? this.face(this.source).orientation : this.targetAt(this.cell).orientation);
    this.lay(known[(now + step + known.length) % known.length]);
  }

  flip() {
    if (this.mirrored !== null) this.lay(this.mirrored);
  }

  /** Turns the ghost; where there is none, one appears, so that turning is seen. @param {string} orientation */
  lay(orientation) {
    this.orientation = orientation;
    const { cell } = this.source.targets.find((target) => target.orientation === orientation && target.cell === (this.cell ?? target.cell)) ?? this;
    if (this.cell === null) this.tapped = { cell, at: 0 };
    this.showGhost(cell);
    this.hooks.changed();
    this.hooks.say(say(orientation, this.words));
  }

  /** What the chosen source can do at the ghost, or anywhere if there is none. @returns {Target[]} */
  get here() {
    if (!this.source?.cells.size) return [];
    return this.cell === null ? this.source.targets : this.source.cells.get(this.cell) ?? [];
  }

  get canTurn() {
    return orientationsOf(this.here).length > 1;
  }

  get canFlip() {
    return this.mirrored !== null;
  }

  /** The mirror image of how the ghost lies, if it can lie so. */
  get mirrored() {
    const now = this.cell === null ? this.source && this.face(this.source).orientation : this.targetAt(this.cell)?.orientation;
    const image = this.flips[now ?? ""];
    return image !== now && this.here.some((target) => target.orientation === image) ? image : null;
  }

  /** Whether anything that can be taken now can be turned. */
  get anyTurns() {
    return [...this.sources.values()].some((source) => this.turns(source));
  }

  get anyFlips() {
    return [...this.sources.values()].some((source) => this.hasMirror(source));
  }

  /** @param {Source|null} source */
  turns(source) {
    return Boolean(source?.cells.size) && orientationsOf(source?.targets).length > 1;
  }

  /** @param {Source|null} source */
  hasMirror(source) {
    return Boolean(source?.cells.size && source.targets.some((target) => (this.flips[target.orientation] ?? target.orientation) !== target.orientation));
  }

  // --- mouse, touch, keys ---

  clicked(event) {
    const drawn = event.target.closest?.(".source");
    if (drawn) {
      this.lit.take(drawn);
      return;
    }
    const cell = this.pointer === "mouse" ? cellOf(event.target) : this.cellNear(event);
    if (cell === undefined) return;
    const target = this.targetAt(cell);
    const lit = this.litAt(cell);
    if (lit) {
      this.point(lit);
      return;
    }
    if (!target) {
      if (this.sources.size) this.hooks.ask(this.chosen, cell, this.orientation);
      return;
    }
    if (this.pointer === "mouse" || event.detail === 0) this.hooks.play(target);
    else this.tap(cell);
  }

  /** What fits a cell that is lit before anything is chosen: pressing it chooses that. @returns {Target|null} */
  litAt(cell) {
    if (this.chosen !== null || !find("svg.sheet path.may", this.place)) return null;
    return [...this.sources.values()].find((source) => source.cells.has(cell))?.cells.get(cell)?.[0] ?? null;
  }

  /** The cell that a finger means: a lit one beside it counts as hit where cells are smaller than a finger. */
  cellNear(event) {
    const hit = cellOf(event.target);
    if (event.detail === 0 || (hit !== undefined && this.spotAt(hit))) return hit;
    let best = hit;
    let least = Infinity;
    for (const spot of all(".spot", this.place)) {
      const { left, right, top, bottom, width, height } = spot.getBoundingClientRect();
      const [x, y] = [(left + right) / 2 - event.clientX, (top + bottom) / 2 - event.clientY].map(Math.abs);
      const near = x <= Math.max(width, FINGER) / 2 && y <= Math.max(height, FINGER) / 2;
      if (near && x + y < least) [best, least] = [spot.dataset.cell, x + y];
    }
    return best;
  }

  /** A first tap shows the ghost, the next one plays; two quick ones turn it where it can be turned. */
  tap(cell) {
    const now = performance.now();
    const shown = this.isTapped && this.cell === cell;
    const quick = shown && now - this.tapped.at < QUICK;
    this.tapped = { cell, at: now };
    if (quick && this.canTurnAt(cell)) this.turn(1);
    else if (shown) this.hooks.play(this.targetAt(cell));
    else this.showGhost(cell);
    this.hooks.changed();
  }

  /** Whether a ghost waits for another tap. */
  get isTapped() {
    return this.cell !== null && this.pointer !== "mouse" && this.tapped.cell === this.cell;
  }

  /** Whether the chosen source fits a cell in several orientations. */
  canTurnAt(cell) {
    return orientationsOf(this.source?.cells.get(cell)).length > 1;
  }

  /** Whether the pointer has not moved since the sheet was drawn again, and something came under it by itself. */
  isStill(event) {
    if (event.type === "focus" || this.still === null) return false;
    if (spotOf(event) === this.still) return true;
    this.still = null;
    return false;
  }

  hovered(event) {
    if (event.pointerType !== "mouse" || this.isStill(event)) return;
    const spot = event.target.closest?.(".spot");
    if (spot?.dataset.cell === this.cell) return;
    if (spot) this.showGhost(spot.dataset.cell);
    else if (this.cell !== null && !this.place.contains(document.activeElement)) this.showGhost(null);
  }

  focused(event) {
    const spot = event.target.closest?.(".spot");
    if (event.target.matches?.(".cursor")) this.hooks.focused(event.target);
    if (!spot || (this.pointer !== "mouse" && !spot.matches(":focus-visible"))) return;
    for (const other of all(".spot", this.place)) other.setAttribute("tabindex", other === spot ? "0" : "-1");
    this.showGhost(spot.dataset.cell);
    this.hooks.focused(spot);
  }

  wheeled(event) {
    if (event.ctrlKey || !event.target.closest?.(".spot") || !this.canTurn) return;
    event.preventDefault();
    this.turn(event.deltaY > 0 ? 1 : -1);
  }

  /** A key while the sheet is in use; whether it meant something. @param {KeyboardEvent} event */
  key(event) {
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.key in steps && this.sources.size) return this.walk(...steps[event.key], event.shiftKey || !this.source?.cells.size);
    const spot = event.target.closest?.(".spot, .cursor");
    const drawn = event.target.closest?.(".source");
    if ((event.key === "Enter" || event.key === " ") && drawn) {
      this.lit.take(drawn);
      return true;
    }
    if ((event.key === "Enter" || event.key === " ") && spot) {
      const target = this.targetAt(spot.dataset.cell);
      if (target) this.hooks.play(target);
      else this.hooks.ask(this.chosen, spot.dataset.cell, this.orientation);
      return true;
    }
    return false;
  }

  /** To the nearest legal cell in a direction, or to any cell: on one that is not lit, Enter asks why. */
  walk(dx, dy, anywhere) {
    const from = this.place.contains(document.activeElement) ? document.activeElement.closest(".spot, .cursor") : null;
    const places = all(anywhere ? ".cells [data-cell]" : ".spot", this.place);
    if (!places.length) return false;
    const next = from ? nearest(from, places, dx, dy) ?? from : places.find((one) => one.getAttribute("tabindex") === "0") ?? places[0];
    this.pointer = "mouse"; // keys behave as a mouse does: what is focused is shown
    this.focusCell(next.dataset.cell);
    return true;
  }

  /** @param {string} cell */
  focusCell(cell) {
    const old = find(".cursor", this.place);
    if (old?.dataset.cell === cell) return;
    const next = this.spotAt(cell) ?? this.drawCursor(cell);
    next.focus();
    old?.remove();
  }

  /** What can be focused at a cell that is not lit. */
  drawCursor(cell) {
    this.showGhost(null);
    const place = { cell: say(cell, this.words) };
    const words = this.chosen ? t("{cell}: does not fit. Press Enter to see why.", place) : t("{cell}: choose something first", place);
    const cursor = draw("rect", { ...this.boxOf(cell), rx: 6, class: "cursor", "data-cell": cell, role: "button", tabindex: -1, "aria-label": words });
    this.svg.append(cursor);
    return cursor;
  }

  /** Brings the focus back after the sheet was drawn again. @param {string} cell */
  focusNear(cell) {
    const spot = this.spotAt(cell) ?? find(".spot", this.place);
    (spot ?? this.place).focus({ preventScroll: true });
  }

  // --- light ---

  /** Marks what others did to this sheet. @param {string[]} names */
  mark(names) {
    for (const name of names) {
      const drawn = find(`[data-mark="${CSS.escape(name)}"]`, this.place);
      if (!drawn) continue;
      const { x, y, width, height } = drawn.getBBox();
      drawn.append(draw("rect", { x: x - 6, y: y - 4, width: width + 12, height: height + 8, rx: 6, class: "by-others" }));
    }
  }

  /** The target where a move is made. @param {string} move @returns {Target|null} */
  targetOf(move) {
    const targets = [...this.sources.values()].flatMap((source) => source.targets);
    return targets.find((target) => target.ways.some((way) => way.move === move)) ?? null;
  }

  /** Shows a target as if it had been pressed: what it takes is chosen, and its ghost waits to be placed. @param {Target} target */
  point(target) {
    this.choose(target.source, target.orientation);
    if (target.cell === null) {
      this.preview(target);
      return;
    }
    this.tapped = { cell: target.cell, at: 0 };
    this.showGhost(target.cell);
    this.hooks.changed();
    this.hooks.focused(this.spotAt(target.cell) ?? this.place);
  }

  /** Numbers cells from 1, in their order; null has no place. @param {(string|null)[]} cells */
  number(cells) {
    find(".numbers", this.place)?.remove();
    const places = new Map();
    cells.forEach((cell, i) => cell !== null && this.boxOf(cell) && places.set(cell, [...(places.get(cell) ?? []), i + 1]));
    if (places.size) this.svg.append(draw("g", { class: "numbers", "aria-hidden": "true" }, ...[...places].flatMap(([cell, numbers]) => this.numberAt(cell, numbers.join(" ")))));
  }

  numberAt(cell, words) {
    const [x, y, width, height] = Object.values(this.boxOf(cell)).map(Number);
    const wide = 13 + 7 * words.length;
    return [
      draw("rect", { x: x + 1.5, y: y + 1.5, width: width - 3, height: height - 3, rx: 6, class: "hint-ring" }),
      draw("rect", { x: x - 5, y: y - 7, width: wide, height: 20, rx: 10, class: "plate" }),
      draw("text", { x: x - 5 + wide / 2, y: y + 8, class: "t bold" }, words),
    ];
  }

  /** Lights cells, for instance those behind a score line. @param {string[]} cells */
  light(cells) {
    for (const lit of all(".lit", this.place)) lit.remove();
    const boxes = cells.map((cell) => this.boxOf(cell)).filter(Boolean);
    find(".cells", this.place)?.before(...boxes.map((box) => draw("rect", { ...box, rx: 6, class: "why lit" })));
  }
}

/** A target as it is on the sheet, with the moves that the server offers there. @param {any} leaf @param {Record<string, Way[]>} offered @returns {Target} */
function readTarget(leaf, offered) {
  const inherited = (name) => leaf.closest(`[data-${name}]`)?.dataset[name] ?? "";
  const move = leaf.dataset.move;
  const ways = offered[move] ?? [{ move, label: move }];
  return { leaf, move, ways, source: inherited("source"), cell: leaf.dataset.cell ?? null, orientation: inherited("orientation") };
}

/** A move of a game without pictures: a button is all there is to it. @param {string} move @returns {Target} */
const bareTarget = (move) => ({ leaf: make("span"), move, ways: [{ move, label: move }], source: move, cell: null, orientation: "" });

/** @param {Target[]} [targets] */
const orientationsOf = (targets = []) => [...new Set(targets.map((target) => target.orientation))];
const spotOf = (event) => `${event.clientX} ${event.clientY}`;
const cellOf = (element) => element.closest?.("[data-cell]")?.dataset.cell;

/** The spot that lies nearest in a direction; what lies straight ahead counts as nearer than what lies beside. */
function nearest(from, spots, dx, dy) {
  const middle = (spot) => {
    const box = spot.getBBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let bestCost = Infinity;
  for (const spot of spots) {
    const [sx, sy] = middle(spot);
    const ahead = (sx - x) * dx + (sy - y) * dy;
    const aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
    if (ahead > 1 && ahead + 3 * aside < bestCost) [best, bestCost] = [spot, ahead + 3 * aside];
  }
  return best;
}
