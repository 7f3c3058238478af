// SPDX-License-Identifier: GPL-2.0-only
// Rows as pixels: each band becomes a line of colours, which is then as high as the band.
import {FULL, HATCHED, LOW, THIN, isLight, mix} from './palette.js';
import {childRange, firstAfter, walk} from './tree.js';

// Runs wider than this show what they are made of, if that is not too much for so few pixels.
const OPEN_WIDTH = 1.6;
const OPEN_ALWAYS = 8;
const OPEN_ITEMS = 24; // for each pixel

// A name takes this much room at least.
const NAME_WIDTH = 34;
const NAMES_MAX = 260;
export const NAME_PAD = 4; // to both sides of a name

// One line of pixels that items of tracks are put into.
export class Line {
  constructor(width) {
    this.width = width;
    this.pixel = new Uint32Array(width); // 0: nothing
    this.shape = new Uint8Array(width);
    this.share = new Float32Array(width); // how much of the pixel what is small takes
    this.most = new Float32Array(width); // the part of the one that its colour is of
  }

  clear() {
    this.pixel.fill(0);
    this.share.fill(0);
    this.most.fill(0);
  }

  // From x0 to x1 (fractions of pixels); strength: how much of that is busy.
  put(x0, x1, pixel, shape, strength) {
    const from = Math.max(0, Math.floor(x0));
    const to = Math.min(this.width, Math.ceil(x1));
    if (to <= from) {
      if (x1 >= 0 && x0 < this.width) this.putPart(Math.min(from, this.width - 1), 0.3, pixel, shape);
      return;
    }
    if (to - from <= 2) {
      for (let x = from; x < to; x++) {
        const part = Math.min(x1, x + 1) - Math.max(x0, x);
        this.putPart(x, Math.max(part * strength, 0.04), pixel, shape);
      }
      return;
    }
    for (let x = from; x < to; x++) {
      const part = x === from ? from + 1 - x0 : x === to - 1 ? x1 - to + 1 : 1;
      this.putPart(x, part * strength, pixel, shape);
    }
  }

  putPart(x, part, pixel, shape) {
    this.share[x] += part;
    if (part < this.most[x]) return;
    this.most[x] = part;
    this.pixel[x] = pixel;
    this.shape[x] = shape;
  }

  // What is small is paler, but never so pale that nobody sees it.
  blend(background) {
    for (let x = 0; x < this.width; x++) {
      if (!this.pixel[x] || this.share[x] >= 0.98) continue;
      this.pixel[x] = mix(background, this.pixel[x], 0.42 + 0.58 * this.share[x]);
    }
  }
}

export function isCovered(shape, y, height) {
  switch (shape) {
    case LOW: return y >= height * 0.5;
    case THIN: return Math.abs(y - height * 0.5) < Math.max(1, height * 0.12);
    default: return true;
  }
}

// Rows of a band that have the same number look alike: which shapes cover it, and its stripes.
function kindOfRow(shapes, y, height) {
  const isLow = shapes & 1 << LOW && isCovered(LOW, y, height) ? 1 : 0;
  const isThin = shapes & 1 << THIN && isCovered(THIN, y, height) ? 2 : 0;
  return (shapes & 1 << HATCHED ? y % 6 : 0) * 4 + isLow + isThin;
}

// The line as the rows of pixels of a band, on a background that is the same in all of them.
export function paintLine(line, image, top, height, clipTop, clipBottom) {
  const {width, pixel, shape} = line;
  const painted = []; // by the kind of row, where in the image one is
  let shapes = 0;
  for (let x = 0; x < width; x++) if (pixel[x]) shapes |= 1 << shape[x];
  if (!shapes) return;
  for (let y = Math.max(0, clipTop - top); y < height && top + y < clipBottom; y++) {
    const at = (top + y) * width;
    const kind = kindOfRow(shapes, y, height);
    if (painted[kind] !== undefined) {
      image.copyWithin(at, painted[kind], painted[kind] + width);
      continue;
    }
    painted[kind] = at;
    const covers = [FULL, LOW, THIN].map((each) => isCovered(each, y, height));
    for (let x = 0; x < width; x++) {
      if (pixel[x] && (shape[x] === HATCHED ? (x + y) % 6 < 4 : covers[shape[x]])) image[at + x] = pixel[x];
    }
  }
}

// The greatest value that a track has at each pixel; NaN: none.
export function fillCurve(values, track, view, scene) {
  const scale = values.length / (view.end - view.begin);
  const root = scene.rootOf(track.number);
  values.fill(NaN);
  if (!root) return;
  walk(scene.store, root.chunk, track.number, root.range, view.begin, view.end,
    (chunk, i) => (chunk.end[i] - chunk.begin[i]) * scale > OPEN_WIDTH, (chunk, i) => {
      const from = Math.max(0, Math.floor((chunk.begin[i] - view.begin) * scale));
      const to = Math.min(values.length, Math.max(from + 1, Math.ceil((chunk.end[i] - view.begin) * scale)));
      for (let x = from; x < to; x++) if (!(values[x] > chunk.value[i])) values[x] = chunk.value[i];
    });
}

// How many of a band's pixels a value takes: one at least, so that a 0 is not nothing.
export function curveHeight(value, {low, high}, height) {
  return Number.isNaN(value) ? 0 : 1 + Math.round((value - low) / (high - low) * (height - 1));
}

/*
 * As walk() of tree.js with a visit that puts items into the line: every frame does this with all
 * that is in view, so it makes no object and calls no closure for an item. into: of fillLine().
 */
function fillItems(into, chunk, track, low, high) {
  const {line, scale, from, to, scene, onItem, onWaker} = into;
  const {begin, end, key, value} = chunk;
  const hasRuns = chunk.level > 0;
  let lastKey = -1;
  let style = null;
  for (let i = firstAfter(chunk, low, high, from); i < high && begin[i] <= to; i++) {
    const length = end[i] - begin[i];
    const width = length * scale;
    const isMany = hasRuns && chunk.count[i] > 1;
    if (isMany && width > OPEN_WIDTH && (width > OPEN_ALWAYS || chunk.n[i] < OPEN_ITEMS * width)) {
      const child = scene.store.want(chunk.child[i]);
      if (child) {
        const [first, behind] = childRange(chunk, i, child, track.number);
        fillItems(into, child, track, first, behind);
        continue;
      }
    }
    if (key[i] !== lastKey) {
      lastKey = key[i];
      style = scene.pixelOf(track, lastKey);
    }
    const x0 = (begin[i] - from) * scale;
    const x1 = (end[i] - from) * scale;
    line.put(x0, x1, style.pixel, style.shape, isMany && length > 0 ? chunk.busy[i] / length : 1);
    if (isMany) continue;
    if (onWaker && value[i] >= 0) onWaker(track, chunk, i);
    if (onItem && x1 - x0 > NAME_WIDTH) onItem(track, chunk, i, x0, x1);
  }
}

/*
 * Puts what tracks have between two times into a line. view: {begin, end, width}; scene:
 * {store, model, rootOf, pixelOf(track, key) -> {pixel, shape}}; onItem sees what is wide,
 * onWaker what has a value.
 */
export function fillLine(line, tracks, view, scene, onItem, onWaker) {
  const into = {line, scene, onItem, onWaker, from: view.begin, to: view.end, scale: view.width / (view.end - view.begin)};

  for (const track of tracks) {
    const root = scene.rootOf(track.number);
    if (root) fillItems(into, root.chunk, track, root.range[0], root.range[1]);
  }
}

// Widths of texts, each measured once.
const WIDTHS_MAX = 20000;
const widths = new Map();

// In the context's font, which has to be given as asking for it takes time.
function widthOf(context, font, text) {
  const key = `${font} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size >= WIDTHS_MAX) widths.clear();
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

// As much of a text as there is room for; '' if that is not worth it.
export function fitText(context, font, text, room) {
  const width = widthOf(context, font, text);
  if (width <= room) return text;
  for (let n = Math.floor(text.length * room / width); n > 1; n--) {
    const part = `${text.slice(0, n)}…`;
    if (widthOf(context, font, part) <= room) return part;
  }
  return '';
}

// Names in what is wide enough for them, drawn after all pixels.
export class Names {
  constructor() {
    this.list = [];
  }

  add(text, x0, x1, y, height, pixel) {
    if (this.list.length < NAMES_MAX) this.list.push({text, x0, x1, y, height, pixel});
  }

  // Where items overlap, the one that begins later is in front.
  draw(context, width, scale) {
    context.textBaseline = 'middle';
    let font = '';
    this.list.sort((a, b) => a.y - b.y || a.x0 - b.x0);
    this.list.forEach(({text, x0, x1, y, height, pixel}, i) => {
      const next = this.list[i + 1];
      const end = Math.min(x1, width, next && next.y === y ? next.x0 : width);
      const wanted = `${Math.min(11, height / scale - 2) * scale}px system-ui, sans-serif`;
      if (wanted !== font) context.font = font = wanted;
      const isDark = !isLight(pixel);
      context.fillStyle = isDark ? '#ffffff80' : '#0b0f1580'; // where it begins, which its colour may not tell
      context.fillRect(Math.floor(x0), y, 1, height);
      const from = Math.max(x0, 0) + NAME_PAD * scale;
      const shown = fitText(context, font, text, end - from - NAME_PAD * scale);
      if (!shown) return;
      context.fillStyle = isDark ? '#ffffff' : '#0b0f15';
      context.fillText(shown, from, y + height / 2 + 0.5);
    });
  }
}
