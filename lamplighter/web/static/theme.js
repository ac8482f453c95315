// Runs before the page is painted: the theme and the size of print that were chosen last time.
"use strict";
(function () {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const contrast = matchMedia("(prefers-contrast: more)");

  function read(name) {
    try {
      return JSON.parse(localStorage.getItem("lamplighter." + name));
    } catch {
      return null; // a browser that keeps nothing still plays
    }
  }

  function apply() {
    const chosen = read("theme") || "system";
    const system = contrast.matches ? "contrast" : dark.matches ? "dark" : "light";
    root.dataset.theme = chosen === "system" ? system : chosen;
    root.toggleAttribute("data-large", read("large") === true);
    root.dispatchEvent(new Event("themechange"));
  }

  apply();
  dark.addEventListener("change", apply);
  contrast.addEventListener("change", apply);
  addEventListener("storage", apply);
  root.addEventListener("settingschange", apply);
})();
