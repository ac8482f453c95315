/** Settings, pictures that follow the theme, and buttons that open dialogs: what every page has. */

import { all, find } from "./dom.js";
import { recall, remember } from "./storage.js";

const root = document.documentElement;
const dialog = find("#settings");
const form = find("form", dialog);

form.theme.value = recall("theme", "system");
form.large.checked = recall("large", false);
form.keys.checked = recall("keys", true);
form.sounds.checked = recall("sounds", false);
form.notices.checked = recall("notices", false) && globalThis.Notification?.permission === "granted";
form.reactions.checked = recall("reactions", true);

/** Whether single letters and digits do something by themselves: who speaks to their device may not want that. */
export const keysAreOn = () => recall("keys", true);

/** Asks the browser for notifications, which it may refuse. */
async function allowNotices() {
  const allowed = form.notices.checked && (await globalThis.Notification?.requestPermission()) === "granted";
  find("#no-notices", form).hidden = allowed || !form.notices.checked;
  form.notices.checked = allowed;
  remember("notices", allowed);
}

form.addEventListener("change", (event) => {
  if (event.target === form.lang) {
    document.cookie = `lang=${form.lang.value}; path=/; max-age=31536000; samesite=lax`;
    location.reload();
    return;
  }
  remember("theme", form.theme.value);
  remember("large", form.large.checked);
  remember("keys", form.keys.checked);
  remember("sounds", form.sounds.checked);
  remember("reactions", form.reactions.checked);
  if (event.target === form.notices) allowNotices();
  root.dispatchEvent(new Event("settingschange"));
});

for (const opener of all("[data-opens]")) {
  opener.addEventListener("click", () => find(`#${opener.dataset.opens}`).showModal());
}
for (const one of all("dialog")) {
  one.addEventListener("click", (event) => event.target === one && one.close());
}

/** The address of a sheet's picture in the theme of the page. @param {string} address */
export function themed(address) {
  const joint = address.includes("?") ? "&" : "?";
  return `${address}${joint}theme=${root.dataset.theme}${"large" in root.dataset ? "&large=1" : ""}`;
}

export function dress() {
  for (const image of all("img[data-themed]")) {
    const wanted = themed(image.dataset.themed);
    if (image.getAttribute("src") !== wanted) image.src = wanted;
  }
}

dress();
root.addEventListener("themechange", dress);
addEventListener("keydown", (event) => {
  const free = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === "?" && free && keysAreOn() && !event.target.matches?.("input, select, textarea")) location.assign("/help");
});
