/** The interface's words in the language of the page. English is in the source; other languages are loaded. */

import { now } from "./clock.js";
import { asText } from "./dom.js";

const language = document.documentElement.lang;
const messages = language === "en" ? {} : await load();
const plural = new Intl.PluralRules(language);

async function load() {
  try {
    const answer = await fetch(`/messages/${language}.json`);
    return answer.ok ? await answer.json() : {};
  } catch {
    return {}; // English is better than nothing
  }
}

/**
 * A message; `{name}` in it becomes the value of that name.
 * @param {string} text
 * @param {Record<string, string|number>} [values]
 */
export function t(text, values = {}) {
  return withValues(messages[text] ?? text, values);
}

/**
 * A message that counts; `{n}` is the number.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 */
export function tn(one, many, n, values = {}) {
  const forms = messages[one] ?? [one, many];
  return withValues(forms[plural.select(n) === "one" ? 0 : forms.length - 1], { n, ...values });
}

const withValues = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => asText(values[name] ?? whole));

/** Words of a move or a die as people read them: `special:three-rails` is "special: three rails". */
export const plain = (words) => words.replaceAll(":", ": ").replaceAll(/[-_](?=[a-z])/g, " ");

/** An outcome, a piece or a move as people say it. @param {string} text @param {Record<string, string>} words of a view */
export function say(text, words) {
  const parts = text.split("+").map((part) => words[part] ?? part);
  return words[text] ?? plain(parts.join(" + "));
}

/** A whole move as people read it: as the game says it, or word by word. @param {string} text @param {Record<string, string>} words */
export const sayMove = (text, words) => words[text] ?? text.split(" ").map((word) => say(word, words)).join(" ");

/** How long ago, in words. @param {number} epoch in seconds of the server's clock */
export function since(epoch) {
  const seconds = Math.max(0, Math.round(now() - epoch));
  if (seconds < 60) return t("{n} s", { n: seconds });
  if (seconds < 3600) return t("{n} min", { n: Math.floor(seconds / 60) });
  if (seconds < 86400) return t("{n} h", { n: Math.floor(seconds / 3600) });
  return tn("{n} day", "{n} days", Math.floor(seconds / 86400));
}
