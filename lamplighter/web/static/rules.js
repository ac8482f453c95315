/** The rules beside the sheet, opened at a paragraph. */

import { ask } from "./api.js";
import { reason } from "./dialogs.js";
import { find, make, replaceContent } from "./dom.js";

const panel = find("#rules");
const text = find(".text", panel);
let loaded = "";
let opener = null;

/** @param {string} game @param {string} [address] such as `§3.2` */
export async function openRules(game, address = "") {
  opener = document.activeElement;
  panel.hidden = false;
  document.body.classList.add("with-rules");
  const source = `/rules/${encodeURIComponent(game)}?variant=${encodeURIComponent(document.body.dataset.variant ?? "")}&part=1`;
  if (loaded !== source) {
    try {
      text.innerHTML = await ask(source); // made by our own server, with all words escaped
      loaded = source;
    } catch (error) {
      replaceContent(text, make("p", { class: "problem", role: "alert" }, reason(error)));
    }
  }
  for (const old of panel.querySelectorAll(".here")) old.classList.remove("here");
  const place = address && document.getElementById(address.split(/[ ,]/)[0].replace("§", "p"));
  if (place) {
    place.classList.add("here");
    unfold(place);
  }
  text.focus({ preventScroll: true });
}

/** Shows a place in the rules, also in a part that is folded. @param {Element|null} place */
function unfold(place) {
  const folded = /** @type {HTMLDetailsElement|null} */ (place?.closest("details") ?? null);
  if (folded) folded.open = true;
  place?.scrollIntoView({ block: "start" });
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
  unfold(document.getElementById(link.getAttribute("href").slice(1)));
});
find(".close", panel).addEventListener("click", closeRules);
