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
    if (name.startsWith("on")) listen(element, name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
  return element;
}

/**
 * What an element does when something happens to it: one thing, which can be replaced.
 * @param {any} element
 * @param {string} type
 * @param {(event: any) => void} work
 */
export function listen(element, type, work) {
  element.hears ??= {};
  if (!(type in element.hears)) element.addEventListener(type, (event) => element.hears[type]?.(event));
  element.hears[type] = work;
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

/**
 * Lets what stands in a place become like these children. What is alike stays where it is, so that nothing goes away under
 * a finger, and nothing loses the focus or is read aloud again.
 */
export function become(place, ...children) {
  const wanted = children.filter((child) => child !== null && child !== undefined && child !== false).map(nodeOf);
  wanted.forEach((child, i) => {
    const now = place.childNodes[i];
    if (!now) place.append(child);
    else if (isAlike(now, child)) liken(now, child);
    else now.replaceWith(child);
  });
  while (place.childNodes.length > wanted.length) place.lastChild.remove();
  return place;
}

const nodeOf = (child) => (child instanceof Node ? child : document.createTextNode(String(child)));
const isAlike = (one, other) => one.nodeName === other.nodeName && one.dataset?.key === other.dataset?.key;

function liken(now, wanted) {
  if (now instanceof Text) {
    if (now.data !== wanted.data) now.data = wanted.data;
    return;
  }
  for (const { name } of [...now.attributes]) if (name !== "open" && !wanted.hasAttribute(name)) now.removeAttribute(name);
  for (const { name, value } of [...wanted.attributes]) if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  for (const type of Object.keys(now.hears ?? {})) now.hears[type] = null;
  for (const [type, work] of Object.entries(wanted.hears ?? {})) listen(now, type, work);
  become(now, ...wanted.childNodes);
}

/** Whether somebody is typing, so that single keys mean letters. */
export function isTyping(event) {
  const target = event.target;
  return target instanceof HTMLElement && target.matches("input:not([type=range]), select, textarea, [contenteditable]");
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
