/** The home page: one click plays against bots; tables that were left can be taken up again. */

import { post } from "./api.js";
import { reason, toast } from "./dialogs.js";
import { all, button, find, make, put } from "./dom.js";
import { forgetTable, recall } from "./memory.js";
import { since, t } from "./texts.js";

for (const play of all("[data-play]")) {
  play.addEventListener("click", async () => {
    play.disabled = true;
    try {
      const name = recall("name", "") || t("Guest");
      const table = await post("/api/tables", { variant: `${play.dataset.play}?seats=${play.dataset.seats}`, name });
      location.assign(table.url);
    } catch (error) {
      play.disabled = false;
      toast(reason(error));
    }
  });
}

function showTables() {
  const tables = recall("tables", []);
  find("#resume").hidden = !tables.length;
  put(find("#resume ul"), ...tables.map((table) => make("li", {},
    make("a", { href: table.url }, table.title, make("span", { class: "quiet" }, table.over ? t("finished") : t("{time} ago", { time: since(table.at / 1000) }))),
    button("", () => {
      forgetTable(table.id);
      showTables();
    }, { icon: "close", class: "round", label: t("Forget {title}", { title: table.title }) }),
  )));
}

showTables();
