/** The home page: one click plays against bots; tables that were left can be taken up again. */

import { compiled } from "./compiling.js";
import { all, button, find, make, replaceContent } from "./dom.js";
import { playAgainst } from "./quick.js";
import { forgetTable, recall, remember } from "./storage.js";
import { since, t } from "./i18n.js";

for (const play of all("[data-play]")) {
  const game = play.dataset.play;
  const against = find(`[data-against="${game}"]`);
  const usual = recall("against", {})[game];
  if ([...against.options].some((option) => option.value === usual)) against.value = usual;
  play.addEventListener("click", () => {
    remember("against", { ...recall("against", {}), [game]: against.value });
    playAgainst(play, game, against.value, Number(play.dataset.seats));
  });
}

function showTables() {
  const tables = recall("tables", []);
  find("#resume").hidden = !tables.length;
  replaceContent(find("#resume ul"), ...tables.map((table) => make("li", {},
    make("a", { href: table.url }, table.title, make("span", { class: "quiet" }, table.over ? t("finished") : t("{time} ago", { time: since(table.at / 1000) }))),
    button("", () => {
      forgetTable(table.id);
      showTables();
    }, { icon: "close", class: "round", label: t("Remove {title} from this list", { title: table.title }) }),
  )));
}

showTables();

const note = document.querySelector("#compiling");
if (note) {
  compiled(({ compiling: title, ready, games }) => {
    const text = t("Preparing {title} for faster play: {ready} of {games} games are ready. You can play now.", { title, ready, games });
    if (note.textContent !== text) note.textContent = text; // else it would be announced again
  }).then(() => note.remove());
}
