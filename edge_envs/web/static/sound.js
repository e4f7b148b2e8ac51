/* Five short sounds of our own, made with Web Audio: a knock, dice, a card, a fall, and thunder. One switch turns them
   off; so does a system that asks for reduced motion. Nothing sounds before the user has clicked or pressed a key. */

import { store, stored } from "./dom.js";

const LOUDNESS = 0.25;
const SOUNDS = { storm: thunder, fall, tumble: rattle, fly: swish, drift: swish, rise: knock, slide: knock, vanish: knock }; // by the kind of change

let context = null, noise = null;
let on = stored("sound", !matchMedia("(prefers-reduced-motion: reduce)").matches);

export const soundIsOn = () => on;

export function switchSound() {
  on = !on;
  store("sound", on);
  play(["slide"]);
}

/* Play the sounds of changes, given their kinds. */
export function play(kinds) {
  const sounds = new Set([...kinds].map((kind) => SOUNDS[kind]).filter(Boolean));
  if (!on || !sounds.size || document.hidden || !navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    context.resume();
    for (const sound of sounds) sound(context.currentTime + 0.02);
  } catch { /* a browser without audio plays silently */ }
}

/* Return a gain that rises to `loudness` at once and fades within `seconds`. */
function fading(at, loudness, seconds) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(LOUDNESS * loudness, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(context.destination);
  return gain;
}

function tone(at, kind, from, to, loudness, seconds) {
  const source = new OscillatorNode(context, { type: kind, frequency: from });
  source.frequency.exponentialRampToValueAtTime(to, at + seconds);
  source.connect(fading(at, loudness, seconds));
  source.start(at);
  source.stop(at + seconds);
}

function hiss(at, filter, from, to, loudness, seconds) {
  if (!noise) {
    noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
    noise.getChannelData(0).forEach((_, k, all) => { all[k] = 2 * Math.random() - 1; });
  }
  const source = new AudioBufferSourceNode(context, { buffer: noise, loop: true }), band = new BiquadFilterNode(context, { type: filter, frequency: from });
  band.frequency.setValueAtTime(from, at);
  band.frequency.exponentialRampToValueAtTime(to, at + seconds);
  source.connect(band).connect(fading(at, loudness, seconds));
  source.start(at, Math.random());
  source.stop(at + seconds);
}

function knock(at) {
  tone(at, "triangle", 320, 140, 0.8, 0.11);
}

function rattle(at) {
  for (const [wait, loudness] of [[0, 0.9], [0.07, 0.6], [0.13, 0.8], [0.21, 0.5], [0.3, 0.35]]) hiss(at + wait, "bandpass", 2600, 1500, loudness, 0.05);
}

function swish(at) {
  hiss(at, "bandpass", 700, 3200, 0.5, 0.28);
}

function fall(at) {
  tone(at, "sine", 950, 110, 0.6, 0.75);
}

function thunder(at) {
  hiss(at, "highpass", 3500, 1200, 0.5, 0.14);
  hiss(at + 0.06, "lowpass", 420, 60, 1.6, 1.3);
}
