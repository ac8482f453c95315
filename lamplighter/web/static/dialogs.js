/** Dialogs, short messages and what is read aloud. */

import { Refusal, post } from "./api.js";
import { button, find, make, replaceContent } from "./dom.js";
import { t } from "./i18n.js";

/**
 * A dialog that is gone when it closes.
 * @param {string} title
 * @param {(Node|string)[]} content
 * @param {string} [kind] class
 * @returns {any}
 */
export function openDialog(title, content, kind = "") {
  const close = button("", () => dialog.close(), { icon: "close", class: "round close", label: t("Close") });
  const dialog = make("dialog", { class: kind, "aria-label": title }, make("h2", {}, title), close, ...content);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Lets somebody choose one of several; null if they would rather not.
 * @param {string} title
 * @param {{value: string, words: string}[]} ways
 * @returns {Promise<string|null>}
 */
export function choose(title, ways) {
  return new Promise((settle) => {
    let chosen = null;
    const buttons = ways.map(({ value, words }) =>
      button(words, () => {
        chosen = value;
        dialog.close();
      }),
    );
    const dialog = openDialog(title, [make("div", { class: "ways" }, ...buttons)], "choose");
    dialog.addEventListener("close", () => settle(chosen));
    buttons[0]?.focus();
  });
}

const TOAST = 5000; // ms

/** A short message that goes by itself. @param {string} words */
export function toast(words) {
  const shown = make("p", { class: "toast" }, words);
  find("#toasts").append(shown);
  setTimeout(() => shown.remove(), TOAST);
  announce(words);
}

/** What to say about something that went wrong. @param {any} error */
export function reason(error) {
  if (!(error instanceof Refusal)) return t("The server is not responding. Try again.");
  return error.code === "table/tomorrow" ? t("This is one of today’s matches, and everybody gets the same dice. You can watch it tomorrow.") : error.message;
}

let spoken = [];

/** Says something to a screen reader; several sentences at once are one. @param {string} words */
export function announce(words) {
  spoken.push(words);
  if (spoken.length > 1) return;
  setTimeout(() => {
    replaceContent(find("#live"), spoken.join(". "));
    spoken = [];
  }, 150);
}

/** Shows what went wrong in a form. @param {ParentNode} form @param {string} words */
export function showProblem(form, words) {
  const place = find(".problem", form);
  place.hidden = !words;
  place.textContent = words;
}

/** A picture of the code that a phone reads to open a link; nothing if there is none. @param {string} link */
export async function qrImage(link) {
  const drawn = await post("/api/qr", { text: link }, true).catch(() => "");
  if (!drawn) return null;
  const source = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
  return make("img", { class: "qr", src: source, alt: t("Code to scan: {link}", { link }), width: 200, height: 200 });
}

/** A link with a button that copies it, and perhaps others. @param {string} words @param {string} link @param {...any} more */
export function copyLine(words, link, ...more) {
  const field = make("input", { readonly: true, value: link, "aria-label": words, onfocus: () => field.select() });
  const copy = button(t("Copy"), async () => {
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      field.select();
      document.execCommand("copy"); // plain http: browsers give the newer way to safe pages only
    }
    toast(t("Copied"));
  });
  const share = navigator.share
    ? button(t("Share"), () => navigator.share({ url: link, title: document.title }).catch(() => {}))
    : null;
  return make("div", { class: "copy" }, make("span", { class: "words" }, words), field, make("span", { class: "buttons" }, copy, share, ...more));
}
