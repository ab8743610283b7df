// A short knock for each move, made here rather than loaded; silent until it is asked for.

import { toast } from "./dom";

const KEY = "quiesce-sound";
let context: AudioContext | undefined;
let isOn = localStorage.getItem(KEY) === "on";

export function soundIsOn(): boolean {
  return isOn;
}

export function toggleSound(): boolean {
  isOn = !isOn;
  localStorage.setItem(KEY, isOn ? "on" : "off");
  toast(isOn ? "Sounds on" : "Sounds off");
  if (isOn) knock(false);
  return isOn;
}

export function knock(isCapture: boolean): void {
  if (!isOn) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(isCapture ? 190 : 260, now);
  tone.frequency.exponentialRampToValueAtTime(90, now + 0.08);
  gain.gain.setValueAtTime(0.35, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
  tone.connect(gain).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.13);
}
