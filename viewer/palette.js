// SPDX-License-Identifier: GPL-2.0-only
// Colours and shapes. What matters differs in shape too, so that no meaning is in hue alone.

// How much of a band's height an item takes.
export const FULL = 0;
export const LOW = 1; // the lower half
export const THIN = 2; // a line in the middle
export const HATCHED = 3; // all of it, striped

// Okabe and Ito's colours, which most people can tell apart.
const STATES = {
  running: {light: '#0072b2', dark: '#4ba3e3', shape: FULL, text: 'on a CPU'},
  preempted: {light: '#b8860b', dark: '#f0e442', shape: LOW, text: 'runnable, another task runs'},
  waiting: {light: '#e69f00', dark: '#ffb52e', shape: LOW, text: 'woken, waits for a CPU'},
  sleeping: {light: '#b4bcc8', dark: '#4c5666', shape: THIN, text: 'until it is woken'},
  blocked: {light: '#d55e00', dark: '#ff8442', shape: HATCHED, text: 'uninterruptible sleep'},
  stopped: {light: '#cc79a7', dark: '#e39ac3', shape: THIN, text: 'by a signal or a debugger'},
  dead: {light: '#777777', dark: '#999999', shape: THIN, text: 'it has exited'},
};

const KINDS = {
  irq: {light: '#b3003c', dark: '#ff6d92'},
  softirq: {light: '#7b3fa0', dark: '#c594e8'},
  syscall: {light: '#00795a', dark: '#38c79c'},
  event: {light: '#475569', dark: '#aab6c8'},
  lost: {light: '#000000', dark: '#ffffff'},
  vector: {light: '#8a4a00', dark: '#ffb070'},
  idle: {light: '#e2e7ee', dark: '#2a3442'},
  counter: {light: '#0f766e', dark: '#5eead4'},
};

const HUES = [205, 28, 160, 320, 48, 265, 185, 350, 95, 235, 15, 290, 130, 220, 70, 340];

function hash(number) {
  return Math.imul(number ^ (number >>> 15), 0x9e3779b1) >>> 8;
}

function hsl(hue, saturation, light) {
  const a = saturation * Math.min(light, 1 - light);
  const channel = (n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (light - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return `#${[0, 8, 4].map((n) => channel(n).toString(16).padStart(2, '0')).join('')}`;
}

// One of many: tasks on CPUs, functions, kinds that have no colour of their own.
export function colourOfNumber(number, isDark) {
  const h = hash(number);
  const hue = HUES[h % HUES.length];
  const shade = (h >>> 8) % 3;
  return isDark ? hsl(hue, 0.48, 0.5 + shade * 0.07) : hsl(hue, 0.52, 0.58 + shade * 0.06);
}

// Of a few beside each other.
export function colourOfIndex(index, isDark) {
  return hsl(HUES[index % HUES.length], 0.5, isDark ? 0.55 : 0.5);
}

export function styleOf(kindName, keyName, keyNumber, isDark) {
  const theme = isDark ? 'dark' : 'light';
  if (kindName === 'task' && STATES[keyName]) {
    return {colour: STATES[keyName][theme], shape: STATES[keyName].shape};
  }
  if (kindName === 'idle') return {colour: KINDS.idle[theme], shape: THIN};
  if (kindName === 'lost') return {colour: KINDS.lost[theme], shape: HATCHED};
  if (KINDS[kindName]) return {colour: KINDS[kindName][theme], shape: FULL};
  return {colour: colourOfNumber(keyNumber + 7 * kindName.length, isDark), shape: FULL};
}

export const STATE_TEXTS = Object.fromEntries(
  Object.entries(STATES).map(([name, state]) => [name, state.text]));

// #rrggbb as a pixel of ImageData on this (little-endian) machine.
export function pixelOf(colour) {
  const v = parseInt(colour.slice(1), 16);
  return (0xff000000 | (v & 0xff) << 16 | (v & 0xff00) | v >> 16) >>> 0;
}

export function colourOf(pixel) {
  const v = (pixel & 0xff) << 16 | (pixel & 0xff00) | (pixel >> 16 & 0xff);
  return `#${v.toString(16).padStart(6, '0')}`;
}

export function mix(from, to, share) {
  const part = (shift) => {
    const a = from >>> shift & 255;
    const b = to >>> shift & 255;
    return (a + (b - a) * share) & 255;
  };
  return (0xff000000 | part(16) << 16 | part(8) << 8 | part(0)) >>> 0;
}

// Dark text is easier to read on it than white text.
export function isLight(pixel) {
  return 0.2126 * (pixel & 255) + 0.7152 * (pixel >> 8 & 255) + 0.0722 * (pixel >> 16 & 255) > 118;
}
