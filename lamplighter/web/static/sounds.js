/** Quiet sounds, made in the browser: no file is loaded. They are off until somebody turns them on in the settings. */

import { recall } from "./storage.js";

const LOUD = 0.05; // of 1
const FADE = 0.01; // seconds, so that nothing clicks

/** Notes of each sound: Hz, seconds until it begins, seconds that it lasts. @type {Record<string, number[][]>} */
const SOUNDS = {
  roll: [[170, 0, 0.04], [210, 0.07, 0.04], [150, 0.15, 0.04], [190, 0.26, 0.05]],
  deal: [[420, 0, 0.03], [560, 0.04, 0.05]],
  draw: [[880, 0, 0.03]],
  turn: [[523, 0, 0.1], [659, 0.11, 0.16]],
  end: [[523, 0, 0.14], [659, 0.15, 0.14], [784, 0.3, 0.3]],
};

let context = null;

/** @param {"roll"|"deal"|"draw"|"turn"|"end"} name */
export function playSound(name) {
  if (!recall("sounds", false) || !window.AudioContext) return;
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return; // browsers let nothing sound before a click
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const [pitch, begin, length] of SOUNDS[name]) playNote(pitch, context.currentTime + begin, length);
}

function playNote(pitch, begin, length) {
  const note = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(LOUD, begin + FADE);
  volume.gain.linearRampToValueAtTime(0, begin + length + FADE);
  note.connect(volume).connect(context.destination);
  note.start(begin);
  note.stop(begin + length + 2 * FADE);
}
