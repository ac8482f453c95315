/** A race: the same dice as a finished match, against the one who played it. */

import { ask, post } from "./api.js";
import { reason, showProblem } from "./dialogs.js";
import { find, make } from "./dom.js";
import { recall, remember } from "./memory.js";
import { t } from "./texts.js";

const { table, seat } = find("#main").dataset;
const form = find("#race");
const challenge = find("#challenge");
form.elements.name.value ||= recall("name", "");

try {
  const view = await ask(`/api/tables/${table}`);
  const rival = view.seats[Number(seat)] ?? view.seats[0];
  if (view.phase === "over") {
    challenge.textContent = t("{name} came to {total} at {title}. Play with the same dice and see who does better, turn by turn.", { name: rival.name, total: rival.total, title: view.title });
    if (view.follows_play) challenge.after(make("p", { class: "note" }, t("What is drawn here depends on what was played: the draws are the same only for those who play alike.")));
    find("button", form).disabled = false;
  } else challenge.textContent = t("This match is not over yet. Its dice can be played again when it is.");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    race(view);
  });
} catch (error) {
  challenge.textContent = reason(error);
}

async function race(view) {
  const name = form.elements.name.value.trim();
  remember("name", name);
  try {
    const laid = await post("/api/tables", { variant: view.variant, name, same_dice_as: table, ghost_seat: Number(seat) });
    location.assign(laid.url);
  } catch (error) {
    showProblem(form, reason(error));
  }
}
