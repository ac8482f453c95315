/** Makes and finds elements. What people typed goes in as text, never as HTML. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {any}
 */
export const find = (selector, root = document) => root.querySelector(selector);

/**
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {any[]}
 */
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/**
 * An HTML element. `onclick` and its like are listeners; null, undefined and false leave an attribute out.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {any}
 */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. @returns {any} */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
  return element;
}

const asNode = (child) => (child instanceof Node ? child : String(child));

/** One of the drawings of `icons.svg`. */
export function icon(name) {
  return draw("svg", { class: "icon", "aria-hidden": "true" }, draw("use", { href: `#icon-${name}` }));
}

/**
 * A button with an icon and words.
 * @param {string} words
 * @param {(event: Event) => void} onclick
 * @param {{icon?: string, class?: string, label?: string, disabled?: boolean, pressed?: boolean}} [looks]
 */
export function button(words, onclick, looks = {}) {
  const attributes = {
    type: "button", class: looks.class, "aria-label": looks.label, disabled: looks.disabled,
    "aria-pressed": looks.pressed === undefined ? null : String(looks.pressed), onclick,
  };
  return make("button", attributes, looks.icon ? icon(looks.icon) : null, words ? make("span", {}, words) : null);
}

/** Puts children in the place of what was there. */
export function put(place, ...children) {
  place.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return place;
}

/** Whether somebody is typing, so that single keys mean letters. */
export function isTyping(event) {
  const target = event.target;
  return target instanceof HTMLElement && target.matches("input:not([type=range]), select, textarea, [contenteditable]");
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
