/** What moves and sounds at a table: dice that roll, cards that turn, whose turn it is, a winner. Nothing moves for who wants calm. */

import { all, calm, make } from "./dom.js";
import { playSound } from "./sounds.js";
import { recall } from "./storage.js";
import { t } from "./i18n.js";

const ROLL = [{ rotate: "-220deg", scale: "0.55" }, { rotate: "14deg", scale: "1.12", offset: 0.75 }, { rotate: "0deg", scale: "1" }];
const TURN = [{ scale: "0 1" }, { scale: "1 1" }];
const SPARKS = 26;

/**
 * Shows what is new at a table.
 * @param {any} before the view before, if there was one
 * @param {any} view
 * @param {HTMLElement} paper where the own sheet is
 * @param {boolean} isMyTurn
 */
export function enliven(before, view, paper, isMyTurn) {
  if (!before || before.id !== view.id || before.seq === view.seq) return;
  const fresh = view.log.filter((entry) => entry.seq > before.seq);
  const revealed = fresh.filter((entry) => entry.kind === "chance" && (entry.seat === null || entry.seat === view.you) && entry.text !== "?");
  if (revealed.length) reveal(revealed, view, paper);
  else if (fresh.some((entry) => entry.kind === "move" && view.mine.includes(entry.seat))) playSound("draw");
  const wasMyTurn = before.phase === "play" && before.you === view.you && before.waiting.includes(view.you);
  if (isMyTurn && !wasMyTurn) callToTurn(view);
  if (view.phase === "over" && before.phase === "play") playSound("end");
}

/** What is for everybody rolls, as dice do; what is dealt to one seat is turned over, as a card is. */
function reveal(entries, view, paper) {
  const dealt = entries.some((entry) => entry.seat !== null);
  playSound(dealt ? "deal" : "roll");
  if (calm()) return;
  const names = new Set(entries.flatMap(({ text }) => [text, view.words[text] ?? text]));
  const shown = all("svg.sheet [data-source]:not([transform])", paper).filter((one) =>
    !one.closest(".targets, .spots") && [one.dataset.source, view.words[one.dataset.source]].some((name) => names.has(name)));
  shown.forEach((one, i) => one.animate(dealt ? TURN : ROLL, { duration: dealt ? 380 : 650, delay: 60 * i, easing: "ease-out", fill: "backwards" }));
}

/** Tells somebody whose turn it is: with a sound, and where the page is out of sight and they wanted that, with a notification. */
function callToTurn(view) {
  playSound("turn");
  if (document.visibilityState !== "hidden" || !recall("notices", false) || globalThis.Notification?.permission !== "granted") return;
  try {
    const shown = new Notification(t("Your turn"), { body: view.title, tag: `lamplighter ${view.id}`, icon: "/static/icon.svg" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // some phones take notifications from installed pages only; the title of the tab says it too
  }
}

/** A few sparks over the page for who has won. */
export function celebrate() {
  if (calm()) return;
  const sparks = Array.from({ length: SPARKS }, (_, i) => make("span", { class: `spark kind-${i % 4}` }));
  const layer = make("div", { class: "sparks", "aria-hidden": "true" }, ...sparks);
  document.body.append(layer);
  const flights = sparks.map((spark, i) => {
    const angle = (2 * Math.PI * i) / SPARKS + Math.random() / 3;
    const far = 20 + 22 * Math.random(); // hundredths of the smaller side of the screen
    const [x, y] = [Math.cos(angle) * far, Math.sin(angle) * far];
    return spark.animate([
      { translate: "0 0", scale: "0.3", opacity: 1 },
      { translate: `${x}vmin ${y}vmin`, scale: "1", opacity: 1, offset: 0.5 },
      { translate: `${1.15 * x}vmin ${1.15 * y + 14}vmin`, scale: "0.7", rotate: "200deg", opacity: 0 },
    ], { duration: 1500 + 600 * Math.random(), easing: "ease-out", fill: "forwards" }).finished;
  });
  Promise.allSettled(flights).then(() => layer.remove());
}
