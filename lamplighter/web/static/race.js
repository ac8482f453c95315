/** A race: the same dice as a finished match, against the one who played it. */

import { ask, post } from "./api.js";
import { reason, showProblem } from "./dialogs.js";
import { find, make } from "./dom.js";
import { recall, remember } from "./storage.js";
import { t } from "./i18n.js";

const { table, seat } = find("#main").dataset;
const form = find("#race");
const challenge = find("#challenge");
form.elements.name.value ||= recall("name", "");

try {
  const view = await ask(`/api/tables/${table}`);
  const rival = view.seats[Number(seat)] ?? view.seats[0];
  if (view.phase === "over") {
    challenge.textContent = t("{name} scored {total} in {title}. Play with the same dice and see who does better, turn by turn.", { name: rival.name, total: rival.total, title: view.title });
    if (view.follows_play) challenge.after(make("p", { class: "note" }, t("What you draw depends on how you play, so only players who make the same moves get the same draws.")));
    find("button", form).disabled = false;
  } else challenge.textContent = t("This match is not over yet. When it ends, you can play with its dice.");
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
    const laid = await post("/api/tables", { variant: view.variant, name, same_dice_as: table, ghost_seat: Number(seat), hold: "long" });
    location.assign(laid.url);
  } catch (error) {
    showProblem(form, reason(error));
  }
}
