/** A sheet as a picture to share: made here, from the drawn sheet. */

import { ask } from "./api.js";
import { reason, toast } from "./dialogs.js";
import { make } from "./dom.js";

const WIDTH = 1080; // px of the picture
const FOOT = 96; // px below the sheet, for the words

/**
 * Shares a sheet of a finished match, or downloads it where a browser shares no files.
 * @param {string} table
 * @param {number} seat
 * @param {string} words what is written below it
 */
export async function sharePicture(table, seat, words) {
  try {
    const picture = await toPng(await ask(`/api/tables/${table}/sheets/${seat}.svg?theme=light`), words);
    const file = new File([picture], `lamplighter-${table}.png`, { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title: words }).catch(() => {});
    else download(file, file.name);
  } catch (error) {
    toast(reason(error));
  }
}

/** @param {Blob} content @param {string} name */
export function download(content, name) {
  const address = URL.createObjectURL(content);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** @param {string} drawn the sheet as SVG @param {string} words @returns {Promise<Blob>} */
async function toPng(drawn, words) {
  const sheet = await load(drawn);
  const height = Math.round((WIDTH * sheet.height) / sheet.width);
  const canvas = make("canvas", { width: WIDTH, height: height + FOOT });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fbf7ee";
  pen.fillRect(0, 0, WIDTH, height + FOOT);
  pen.drawImage(sheet, 0, 0, WIDTH, height);
  pen.fillStyle = "#23252b";
  pen.font = `600 36px ${getComputedStyle(document.body).fontFamily}`;
  pen.fillText(words, 32, height + FOOT - 36, WIDTH - 64);
  return new Promise((done, fail) => canvas.toBlob((made) => (made ? done(made) : fail(new Error("no picture"))), "image/png"));
}

/** @param {string} drawn @returns {Promise<HTMLImageElement>} */
async function load(drawn) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
  await image.decode();
  return image;
}
