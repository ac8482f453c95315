/** A child joins a class, waits for the match, and comes back: by this browser's own secret, or from another one by its number. */

import { Refusal, ask, askAs, newToken, pause, post } from "./api.js";
import { openDialog, reason, showProblem } from "./dialogs.js";
import { button, find, make, reconcile } from "./dom.js";
import { forget, recall, remember } from "./storage.js";
import { t } from "./i18n.js";

const POLL = 2000; // ms between two looks whether the match has begun
const main = find("#main");
const form = find("#join");
const fields = form.elements;
const tidy = (code) => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

/** The secrets of this browser, by code. */
const tokenFor = (code) => recall(`class.${code}`, "");

function showForm(code) {
  main.removeAttribute("aria-busy");
  form.hidden = false;
  fields.code.value = code;
  fields.name.value ||= recall("name", "");
  (code ? fields.name : fields.code).focus();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  showProblem(form, "");
  const code = tidy(fields.code.value);
  const name = fields.name.value.trim();
  const token = tokenFor(code) || newToken(); // a second try after a lost answer is the same child
  remember(`class.${code}`, token);
  try {
    const pin = fields.pin.value.trim();
    // a number that is refused because others were wrong says so at once: it is not sent again by itself
    const child = await post("/api/classes/join", { code, name, token, pin }, !pin);
    remember("name", name);
    wait(child, token);
  } catch (error) {
    if (error.code === "class/unknown") forget(`class.${code}`);
    showProblem(form, problem(error));
    if (error.code === "class/name-taken") {
      find("[data-pin]").hidden = false;
      fields.pin.focus();
      fields.pin.select();
    }
    if (error.code === "class/other-child") await askWho(code, token);
  }
});

/** On a device that another child has used: who is it now? */
async function askWho(code, token) {
  askAs({ token });
  const child = await ask(`/api/classes/me?code=${code}`);
  showProblem(form, "");
  const dialog = openDialog(t("Are you {name}?", { name: child.name }), [
    make("p", {}, t("On this device {name} is in the class.", { name: child.name })),
    make("p", { class: "buttons" },
      button(t("I am {name}", { name: child.name }), () => {
        dialog.close();
        wait(child, token);
      }, { class: "primary" }),
      button(t("I am not {name}", { name: child.name }), () => {
        dialog.close();
        forget(`class.${code}`);
        form.requestSubmit();
      })),
  ], "ask");
}

function problem(error) {
  if (error.code === "class/unknown") return t("There is no class with this code. Look at the wall again.");
  if (error.code === "class/name-taken" && !fields.pin.value) return t("Somebody with this name is in the class. If that is you, type your number. If not, choose another name.");
  if (error.code === "class/name-taken") return t("That did not work. Ask your teacher for your number.");
  return reason(error);
}

/** Waits for the match, and goes to the table when it has begun. */
async function wait(child, token) {
  askAs({ token });
  form.hidden = true;
  main.removeAttribute("aria-busy");
  history.replaceState(null, "", `/class/${child.code}`);
  for (let told = child; ; ) {
    if (told.phase === "play" && told.table) {
      location.replace(`/t/${told.table}#seat=${token}&class=${told.code}`);
      return;
    }
    show(told, token);
    await pause(POLL * (0.75 + Math.random() / 2)); // not a whole class at once
    try {
      told = await ask(`/api/classes/me?code=${told.code}`);
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) {
        forget(`class.${told.code}`);
        find("#waiting").hidden = true;
        showForm(told.code);
        return;
      }
    }
  }
}

function show(told, token) {
  const place = find("#waiting");
  place.hidden = false;
  const leave = () => {
    forget(`class.${told.code}`);
    location.assign(`/class/${told.code}`);
  };
  reconcile(place,
    make("h1", {}, t("You are in, {name}!", { name: told.name })),
    make("p", {}, told.phase === "ended" ? t("The match is over. Wait until your teacher begins the next one.") : t("Wait until your teacher begins. This page goes on by itself.")),
    told.phase === "ended" && told.table ? make("p", {}, make("a", { class: "button", href: `/t/${told.table}#seat=${token}&class=${told.code}` }, t("Your sheet"))) : null,
    make("p", { class: "own-number" }, t("Your number"), " ", make("strong", {}, told.pin)),
    make("p", { class: "quiet" }, t("Keep it to yourself. With the code, your name and this number you can go on from another device.")),
    make("p", { class: "buttons" }, button(t("I am not {name}", { name: told.name }), leave)));
}

async function begin() {
  const code = main.dataset.code;
  const token = code && tokenFor(code);
  if (!token) return showForm(code);
  askAs({ token });
  try {
    return await wait(await ask(`/api/classes/me?code=${code}`), token);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) forget(`class.${code}`);
    showForm(code);
    if (error instanceof Refusal && error.status === 404) return undefined;
    return showProblem(form, reason(error));
  }
}

begin();
