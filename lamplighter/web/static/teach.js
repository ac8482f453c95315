/** Opens a class: which game, how large the groups are, who begins a round, and what happens when a child leaves. */

import { post } from "./api.js";
import { reason, showProblem } from "./dialogs.js";
import { all, find } from "./dom.js";
import { showOptions, variantOf } from "./options.js";

const form = find("#teach");
const fields = form.elements;

function show() {
  showOptions(form, Number(fields.seats.value));
  find("[data-minutes]", form).hidden = fields.pace.value !== "timer";
}

form.addEventListener("change", (event) => {
  if (event.target === fields.game) location.assign(`/teach?game=${encodeURIComponent(fields.game.value)}`);
  else show();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  showProblem(form, "");
  const [submit] = all("button.primary", form);
  submit.disabled = true;
  try {
    const variant = variantOf(form, form.dataset.game, Number(fields.seats.value));
    const opened = await post("/api/classes", { variant, pace: fields.pace.value, minutes: Number(fields.minutes.value) || 3, leaving: fields.leaving.value });
    location.assign(opened.url);
  } catch (error) {
    submit.disabled = false;
    showProblem(form, reason(error));
  }
});

fields.game.value = form.dataset.game; // a browser that goes back remembers another one
show();
for (const one of [fields.game, find("button.primary", form)]) one.disabled = false;
