"""Measures pages in a browser: what is too wide, cut off, over something else, or too small for a thumb."""

from __future__ import annotations

from playwright.sync_api import Page

SCREENS = {360: 740, 390: 844, 768: 1024, 1440: 900}  # width: height
PRINT = """(large) => {
  localStorage.setItem("lamplighter.large", large);
  document.documentElement.dispatchEvent(new Event("settingschange"));
}"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"

# what is wrong with a page on a screen of this width
SPOILED = """(width) => {
  const name = (one) => `${one.tagName} ${one.id} ${one.className} "${one.textContent.trim().slice(0, 30)}"`;
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const found = [];
  const wide = document.scrollingElement.scrollWidth;
  if (wide > width) found.push(`the page is ${wide} wide`);

  // what is left of a box inside the boxes that cut it off, and which part of the page moves with it
  const ofParents = function* (one) { while ((one = one.parentElement)) yield [one, getComputedStyle(one)]; };
  const visible = (one) => {
    let { left, right, top, bottom } = one.getBoundingClientRect();
    let layer = document.body;
    for (const [parent, style] of ofParents(one)) {
      if (style.overflow !== "visible") {
        const box = parent.getBoundingClientRect();
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      if (["fixed", "sticky"].includes(style.position) && layer === document.body) layer = parent;
    }
    return { one, layer, left, right, top, bottom };
  };

  const buttons = [...document.querySelectorAll("button, a.button, summary")].filter(shown);
  for (const one of buttons)
    if (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
      found.push(`cut off: ${name(one)}`);
  const boxes = buttons.map(visible);
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (a.layer === b.layer && across > 1 && down > 1)
      found.push(`collide: ${name(a.one)} and ${name(b.one)}`);
  }));

  // words that a box cuts off although it neither scrolls nor writes an ellipsis
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (words.nextNode()) {
    const one = words.currentNode.parentElement;
    if (!words.currentNode.data.trim() || !shown(one) || one.closest("svg, .hush, .skip, option, datalist")) continue;
    range.selectNodeContents(words.currentNode);
    const text = range.getBoundingClientRect();
    for (const parent of [one, ...[...ofParents(one)].map(([parent]) => parent)]) {
      const style = getComputedStyle(parent);
      if (style.overflowX === "visible") continue;
      if (style.overflowX !== "hidden" || style.textOverflow === "ellipsis") break; // it scrolls, or says so
      if (style.webkitLineClamp !== "none") break;
      const box = parent.getBoundingClientRect();
      if (text.top < box.bottom && (text.left < box.left - 1 || text.right > box.right + 1))
        found.push(`cut off: ${name(one)} by ${name(parent)}`);
    }
  }
  return found;
}"""

PRESSED = "button, a.button, select, summary, label.choice, input:not([type=radio], [type=checkbox], [type=range])"
SMALL = """(pressed) => [...document.querySelectorAll(pressed)]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < 43.9)
  .map(([one, box]) => `${one.outerHTML.slice(0, 80)} ${box.width} × ${box.height}`)"""


def spoiled(page: Page, widths: list[int], prints: list[bool]) -> list[str]:
    """Return the faults of the open page on these screens, in normal or large print."""
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": SCREENS[width]})
        for large in prints:
            page.evaluate(PRINT, large)
            page.evaluate(PAINTED)
            where = f"{width}, {'large' if large else 'normal'} print"
            found += [f"{where}: {fault}" for fault in page.evaluate(SPOILED, width)]
    return found


def too_small(page: Page) -> list[str]:
    """Return what is pressed and is smaller than a thumb."""
    found: list[str] = page.evaluate(SMALL, PRESSED)
    return found
