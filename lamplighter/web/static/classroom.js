/** The teacher's screen: who has joined, all sheets small and who is done, the pace, one sheet large, the ranking. */

import { Refusal, ask, askAs, pause, post, reach } from "./api.js";
import { now, setClock, until } from "./clock.js";
import { announce, copyLine, openDialog, qrImage, reason, toast } from "./dialogs.js";
import { all, button, find, icon, isTyping, make, reconcile, replaceContent } from "./dom.js";
import { connectionSign } from "./feed.js";
import { origin } from "./lobby.js";
import { keysAreOn } from "./settings.js";
import { download } from "./share.js";
import { forget, forgetTable, recall, remember, rememberTable } from "./storage.js";
import { sheetImage } from "./thumbnails.js";
import { t, tn } from "./i18n.js";

const POLL = 2000; // ms between two looks at the class
const SHEET = 6; // seconds until a small sheet is drawn again that has changed
const main = find("#main");
const id = main.dataset.class;
const token = new URLSearchParams(location.hash.slice(1)).get("teacher") || recall(`teach.${id}`, "");
const api = `/api/classes/${id}`;
const showConnection = connectionSign(find("#connection"));

let view = null;
let rank = "points";
let large = null; // the dialog of one child: its number, and where its sheet is
const drawn = new Map(); // which moment of a child's sheet is shown, and since when

askAs({ token });
remember(`teach.${id}`, token);
if (recall(`teach.${id}`, "") === token) history.replaceState(null, "", location.pathname); // the address bar is on the wall, too

const link = () => `${origin}/teach/${id}#teacher=${token}`;

// --- looking ---

async function look() {
  try {
    apply(await ask(api));
    showConnection(true);
  } catch (error) {
    if (!(error instanceof Refusal)) return showConnection(false);
    main.removeAttribute("aria-busy");
    if (error.status === 404) {
      forgetTable(`class-${id}`);
      forget(`teach.${id}`);
    }
    if (view) toast(reason(error));
    else sayProblem(error);
  }
  return undefined;
}

function sayProblem(error) {
  find("#title").textContent = t("This class cannot be shown");
  find("#problem").textContent = error.status === 403 ? t("Open the link that you got when you opened the class. It ends with your secret.") : reason(error);
  find("#problem").hidden = false;
  find("#controls").hidden = true;
}

async function act(path, body = {}) {
  try {
    apply(await post(`${api}/${path}`, body, path === "next"));
  } catch (error) {
    toast(reason(error));
    look();
  }
}

function apply(next) {
  const before = view;
  view = next;
  setClock(view.now);
  main.removeAttribute("aria-busy");
  Object.assign(main.dataset, { phase: view.phase, round: view.round, match: view.match });
  rememberTable({ id: `class-${id}`, title: `${t("Class")} ${view.code}: ${view.title}`, url: `/teach/${id}#teacher=${token}`, over: false });
  show();
  speak(before);
}

const doneOnes = (shown) => shown.pupils.filter((one) => one.table && one.done).length;
const playing = (shown) => shown.pupils.filter((one) => one.table).length;

/** Says what is new to whoever does not see it. */
function speak(before) {
  if (!before) return;
  if (view.pupils.length > before.pupils.length) announce(tn("{n} child has joined", "{n} children have joined", view.pupils.length));
  if (view.phase === "play" && view.round !== before.round) announce(t("Round {n}", { n: view.round }));
  if (view.phase === "play" && playing(view) && doneOnes(view) === playing(view) && doneOnes(before) !== playing(before)) announce(t("All are done"));
}

// --- showing ---

/** What a child is called on a screen that everybody sees. */
const nameOf = (pupil) => (recall("hide-names", false) ? t("Child {n}", { n: pupil.number }) : pupil.name);

function show() {
  const { phase } = view;
  const pressed = document.activeElement;
  document.title = `${t("Class")} ${view.code} · Lamplighter`;
  find("#title").textContent = view.title;
  find("#round").textContent = phase === "play" && view.pace !== "free" ? t("Round {n}", { n: view.round }) : "";
  find("#start").hidden = phase === "play";
  find("#start").disabled = !view.pupils.length;
  find("#start").textContent = phase === "ended" ? t("Again with the same class") : t("Start");
  find("#next").hidden = phase !== "play" || view.pace === "free";
  find("#next").classList.toggle("ready", doneOnes(view) === playing(view));
  find("#end").hidden = phase !== "play";
  press("#hide-names", recall("hide-names", false));
  press("#door", !view.door);
  showWall();
  showDone();
  showRanking();
  find("#children").dataset.size = view.phase === "lobby" || view.pupils.length > 18 ? "small" : view.pupils.length > 8 ? "middle" : "large";
  reconcile(find("#children"), ...view.pupils.map(card));
  showLarge();
  if (pressed?.closest("#controls") && pressed.hidden) all("#start, #next, #end").find((one) => !one.hidden)?.focus();
}

const press = (selector, pressed) => find(selector).setAttribute("aria-pressed", String(pressed));

let coded = false;

function showWall() {
  const open = view.phase === "lobby" || find("#show-code").dataset.open === "yes";
  find("#wall").hidden = !open;
  find("#show-code").hidden = view.phase === "lobby";
  press("#show-code", open);
  const link = `${origin}/class/${view.code}`;
  find("#wall .address").textContent = `${origin.replace(/^https?:\/\//, "")}/class`;
  reconcile(find("#wall .big-code"), ...[...view.code].map((letter) => make("span", {}, letter)));
  if (coded) return;
  coded = true;
  qrImage(link).then((image) => image && replaceContent(find("#wall .qr-place"), image));
}

function showDone() {
  const place = find("#done");
  place.hidden = view.phase === "ended";
  if (view.phase === "lobby") place.textContent = view.pupils.length ? tn("{n} child has joined", "{n} children have joined", view.pupils.length) : t("Nobody has joined yet");
  else if (doneOnes(view) === playing(view)) place.textContent = t("All are done");
  else place.textContent = t("{n} of {all} are done", { n: doneOnes(view), all: playing(view) });
  showTimer();
}

function showTimer() {
  const place = find("#timer");
  place.hidden = view?.phase !== "play" || view.pace !== "timer";
  if (place.hidden) return;
  const left = Math.ceil(until(view.due ?? 0));
  place.textContent = view.due ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : t("The timer has stopped");
}

/** What is to be known of a child, in one word. */
function stateOf(pupil) {
  if (!pupil.table) return view.phase === "play" ? t("comes soon") : "";
  if (pupil.over) return t("finished");
  if (view.phase === "ended") return t("not finished");
  if (pupil.behind) return tn("{n} round behind", "{n} rounds behind", pupil.behind);
  if (pupil.bot) return t("a bot plays");
  if (pupil.done) return t("done");
  if (pupil.gone) return t("away");
  return view.pace === "free" ? t("turn {n}", { n: pupil.turn }) : t("thinking");
}

/** A child as it is drawn: a sheet that changes often is not asked for at every look. */
function shownMoment(pupil) {
  const known = drawn.get(pupil.number);
  const fresh = known && known.table === pupil.table && (known.seq === pupil.seq || now() - known.at < SHEET);
  if (!fresh) drawn.set(pupil.number, { table: pupil.table, seq: pupil.seq, at: now() });
  return drawn.get(pupil.number);
}

const picture = (pupil) => {
  const { table, seq } = shownMoment(pupil);
  return sheetImage({ id: table, seq }, { seat: pupil.seat, name: nameOf(pupil) });
};

function card(pupil) {
  const state = stateOf(pupil);
  const ready = view.phase === "ended" ? pupil.over : pupil.done;
  const kind = pupil.bot ? "bot" : ready ? "done" : pupil.gone ? "gone" : "";
  const label = [nameOf(pupil), state, pupil.total === null ? "" : tn("{n} point", "{n} points", pupil.total)].filter(Boolean).join(", ");
  const group = view.group > 1 && pupil.group ? make("span", {}, t("Group {n}", { n: pupil.group })) : null;
  return make("li", { class: kind, "data-key": pupil.number, "data-name": pupil.name },
    make("button", { type: "button", class: "child", "aria-label": label, onclick: () => enlarge(pupil.number) },
      pupil.table && view.drawn ? picture(pupil) : null,
      make("span", { class: "line" },
        pupil.bot ? icon("bot") : ready ? icon("done") : icon("person"),
        make("span", { class: "name" }, nameOf(pupil)),
        make("strong", { class: "points" }, pupil.total === null ? "" : pupil.total)),
      make("span", { class: "line quiet" }, make("span", { class: "state" }, state), group)));
}

// --- one child ---

function enlarge(number) {
  const place = make("div", { class: "one-child" });
  const dialog = openDialog(nameOf(view.pupils.find((one) => one.number === number)), [place], "project");
  large = { number, place, dialog, pin: false };
  dialog.addEventListener("close", () => (large = null));
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
  });
  showLarge();
}

/** The sheet of the next child, in the order of the screen. */
function step(by) {
  const at = view.pupils.findIndex((one) => one.number === large.number);
  const next = view.pupils[(at + by + view.pupils.length) % view.pupils.length];
  Object.assign(large, { number: next.number, pin: false });
  showLarge();
  announce(nameOf(next));
}

function showLarge() {
  if (!large) return;
  const pupil = view.pupils.find((one) => one.number === large.number);
  if (!pupil) {
    large.dialog.close();
    return;
  }
  find("h2", large.dialog).textContent = nameOf(pupil);
  const change = (what) => act(`pupils/${pupil.number}`, { do: what });
  const running = view.phase === "play" && pupil.table && !pupil.over;
  reconcile(large.place,
    make("p", { class: "quiet" }, [stateOf(pupil), pupil.total === null ? "" : tn("{n} point", "{n} points", pupil.total)].filter(Boolean).join(" · ")),
    pupil.table && view.drawn ? picture(pupil) : null,
    make("p", { class: "buttons" },
      button(t("Previous"), () => step(-1), { icon: "back" }),
      button(t("Next"), () => step(1), { icon: "next" }),
      running && !pupil.bot ? button(t("Let a bot play"), () => change("bot"), { icon: "bot" }) : null,
      running && pupil.bot ? button(t("Let the child play"), () => change("person"), { icon: "person" }) : null,
      pupil.table ? make("a", { class: "button", href: `/t/${pupil.table}/watch`, target: "_blank", rel: "noopener" }, t("Watch the table")) : null),
    make("details", {},
      make("summary", {}, t("Another device, or out of the class")),
      make("p", {}, large.pin ? t("With this number the child goes on from another device: {pin}", { pin: pupil.pin }) : t("The child’s number is secret: show it to nobody else.")),
      make("p", { class: "buttons" },
        button(large.pin ? t("Hide the number") : t("Show the number"), () => {
          large.pin = !large.pin;
          showLarge();
        }),
        button(t("New number"), () => {
          large.pin = true;
          change("new-number");
        }),
        button(t("Take out of the class"), () => confirmed(t("Take {name} out of the class?", { name: nameOf(pupil) }), t("A bot plays on, and the results of this child are deleted."), () => change("remove"))))));
}

/** Asks before something that cannot be taken back. */
function confirmed(title, words, work) {
  const dialog = openDialog(title, [make("p", {}, words), make("p", { class: "buttons" },
    button(t("Yes"), () => {
      dialog.close();
      work();
    }, { class: "primary" }),
    button(t("No"), () => dialog.close()))], "ask");
}

// --- the ranking ---

const improvement = (pupil) => (pupil.total === null || pupil.last === null ? null : pupil.total - pupil.last);
const worth = (pupil) => (rank === "points" ? pupil.total : improvement(pupil));
const signed = (n) => (n === null ? "–" : n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

function showRanking() {
  find("#ranking").hidden = view.phase !== "ended";
  if (view.phase !== "ended") return;
  const compared = view.pupils.some((one) => improvement(one) !== null);
  if (!compared) rank = "points";
  for (const one of all("[data-rank]")) {
    one.setAttribute("aria-pressed", String(one.dataset.rank === rank));
    one.disabled = one.dataset.rank === "improvement" && !compared;
  }
  const ranked = view.pupils.filter((one) => one.total !== null).sort((one, other) => (worth(other) ?? -Infinity) - (worth(one) ?? -Infinity));
  const place = (pupil) => (worth(pupil) === null ? "–" : 1 + ranked.filter((other) => (worth(other) ?? -Infinity) > worth(pupil)).length);
  reconcile(find("#ranking tbody"), ...ranked.map((pupil) => make("tr", { "data-key": pupil.number },
    make("td", {}, place(pupil)), make("th", { scope: "row" }, nameOf(pupil)), make("td", { class: "points" }, pupil.total),
    make("td", { class: "points" }, pupil.last ?? "–"), make("td", { class: "points" }, signed(improvement(pupil))))));
}

async function downloadResults() {
  try {
    const answer = await reach(`${api}/results.csv`, { headers: { Accept: "text/csv" } });
    if (!answer.ok) throw new Refusal(answer.status, null);
    download(await answer.blob(), `lamplighter-${view.code}.csv`);
  } catch (error) {
    toast(reason(error));
  }
}

// --- buttons and keys ---

find("#start").addEventListener("click", () => act("start"));
find("#next").addEventListener("click", () => {
  const { round } = view;
  const waited = view.pupils.filter((one) => one.waited).length;
  if (!waited) return act("next", { round });
  const words = tn("{n} child has not finished this round.", "{n} children have not finished this round.", waited);
  const then = view.leaving === "bot" ? t("A bot plays on for them until they take their seats back.") : t("Their tables wait, and others can tell them the next dice.");
  return confirmed(t("Go on without them?"), `${words} ${then}`, () => act("next", { round, anyway: true }));
});
find("#end").addEventListener("click", () => {
  const open = view.pupils.filter((one) => one.table && !one.over).length;
  const words = open ? tn("{n} child has not finished. What everybody has now is the result.", "{n} children have not finished. What everybody has now is the result.", open) : t("All have finished.");
  confirmed(t("End the match?"), words, () => act("end"));
});
find("#door").addEventListener("click", () => act("door", { open: !view.door }));
find("#hide-names").addEventListener("click", () => {
  remember("hide-names", !recall("hide-names", false));
  show();
});
find("#show-code").addEventListener("click", (event) => {
  const { dataset } = event.currentTarget;
  dataset.open = dataset.open === "yes" ? "" : "yes";
  show();
});
find("#own-link").addEventListener("click", () => openDialog(t("Your link"), [
  make("p", {}, t("With this link you can teach from another device. Keep it private: whoever has it can do what you can.")),
  copyLine(t("Your link"), link()),
]));
find("#csv").addEventListener("click", downloadResults);
for (const one of all("[data-rank]")) {
  one.addEventListener("click", () => {
    rank = one.dataset.rank;
    showRanking();
  });
}
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || find("dialog[open]") || !view || !keysAreOn()) return;
  if (event.key.toLowerCase() === "n" && !find("#next").hidden) find("#next").click();
});
document.documentElement.addEventListener("themechange", () => view && show());
setInterval(showTimer, 1000);

for (;;) {
  await look();
  if (!view && !find("#problem").hidden) break; // it is not ours to see
  await pause(POLL);
}
