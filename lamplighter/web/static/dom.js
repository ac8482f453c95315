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
  element.handlers ??= {};
  if (!(type in element.handlers)) element.addEventListener(type, (event) => element.handlers[type]?.(event));
  element.handlers[type] = work;
}

const asNode = (child) => (child instanceof Node ? child : asText(child));

/** A text as people read it: a number below zero has a minus, not a hyphen. @param {string|number} text */
export const asText = (text) => (typeof text === "number" ? String(text).replace("-", "−") : String(text));

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

/** Replaces everything in a place with these children. */
export function replaceContent(place, ...children) {
  place.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return place;
}

/**
 * Makes the content of a place equal to these children. Matching nodes are reused, so that nothing goes away under a finger,
 * the focus survives, and nothing is read aloud again.
 */
export function reconcile(place, ...children) {
  const wanted = children.filter((child) => child !== null && child !== undefined && child !== false).map(nodeOf);
  wanted.forEach((child, i) => {
    const now = place.childNodes[i];
    if (!now) place.append(child);
    else if (matches(now, child)) patchNode(now, child);
    else now.replaceWith(child);
  });
  while (place.childNodes.length > wanted.length) place.lastChild.remove();
  return place;
}

const nodeOf = (child) => (child instanceof Node ? child : document.createTextNode(asText(child)));
/** Whether a node can be patched into another. */
const matches = (one, other) => one.nodeName === other.nodeName && one.dataset?.key === other.dataset?.key;

/** Gives a node the attributes, listeners and children of another. */
function patchNode(now, wanted) {
  if (now instanceof Text) {
    if (now.data !== wanted.data) now.data = wanted.data;
    return;
  }
  for (const { name } of [...now.attributes]) if (name !== "open" && !wanted.hasAttribute(name)) now.removeAttribute(name);
  for (const { name, value } of [...wanted.attributes]) if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  for (const type of Object.keys(now.handlers ?? {})) now.handlers[type] = null;
  for (const [type, work] of Object.entries(wanted.handlers ?? {})) listen(now, type, work);
  reconcile(now, ...wanted.childNodes);
}

/** Whether somebody is typing, so that single keys mean letters. */
export function isTyping(event) {
  const target = event.target;
  return target instanceof HTMLElement && target.matches("input:not([type=range]), select, textarea, [contenteditable]");
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
