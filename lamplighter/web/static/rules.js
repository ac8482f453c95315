/** The rules beside the sheet, opened at a paragraph. */

import { ask } from "./api.js";
import { reason } from "./dialogs.js";
import { find, make, put } from "./dom.js";

const panel = find("#rules");
const text = find(".text", panel);
let loaded = "";
let opener = null;

/** @param {string} game @param {string} [address] such as `§3.2` */
export async function openRules(game, address = "") {
  opener = document.activeElement;
  panel.hidden = false;
  document.body.classList.add("with-rules");
  if (loaded !== game) {
    try {
      text.innerHTML = await ask(`/rules/${encodeURIComponent(game)}?part=1`); // made by our own server, with all words escaped
      loaded = game;
    } catch (error) {
      put(text, make("p", { class: "problem", role: "alert" }, reason(error)));
    }
  }
  for (const old of panel.querySelectorAll(".here")) old.classList.remove("here");
  const place = address && document.getElementById(address.split(/[ ,]/)[0].replace("§", "p"));
  if (place) {
    place.classList.add("here");
    place.scrollIntoView({ block: "start" });
  }
  text.focus({ preventScroll: true });
}

export function closeRules() {
  if (panel.hidden) return false;
  panel.hidden = true;
  document.body.classList.remove("with-rules");
  (opener?.isConnected ? opener : find("#paper")).focus();
  return true;
}

// links between paragraphs scroll the panel and leave the address of the page alone: it holds the seat
text.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (!link) return;
  event.preventDefault();
  document.getElementById(link.getAttribute("href").slice(1))?.scrollIntoView({ block: "start" });
});
find(".close", panel).addEventListener("click", closeRules);
