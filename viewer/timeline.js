// SPDX-License-Identifier: GPL-2.0-only
// The rows on the screen: what part of the trace is in view, and its picture.
import {byId, make, makeSvg} from './dom.js';
import {Line, NAME_PAD, Names, curveHeight, fillCurve, fillLine, fitText, isCovered, paintLine} from './draw.js';
import {formatTick, niceStep} from './format.js';
import {HATCHED, FULL, colourOf, isLight, pixelOf, styleOf} from './palette.js';
import {layOut} from './rows.js';
import {firstAfter, isRun, walk} from './tree.js';

const SPAN_MIN = 20; // ns

// More of them are no arrows that anybody can follow.
const WAKE_UPS_MAX = 2000;

const SVG_FONT = '11px sans-serif';

// What is drawn without what it is called.
const NAMELESS = ['lost', 'idle', 'task'];

export class Timeline {
  constructor(model, store, roots, groups) {
    Object.assign(this, {model, store, roots, groups});
    this.span = Math.max(model.about.span, 1);
    this.view = {begin: 0, end: this.span};
    this.scrollTop = 0;
    this.isDark = false;
    this.pixels = model.kinds.map(() => new Map()); // by kind: key -> {pixel, shape}
    this.canvas = byId('canvas');
    this.context = this.canvas.getContext('2d', {alpha: false});
    this.scene = this.makeScene();
    this.labels = new Map(); // id -> element
    this.onDraw = () => {};
    this.onToggle = () => {};
    this.isDirty = false;
    this.wakeUps = []; // of tasks, in what was drawn: {track, chunk, i}
    this.frames = []; // times of the last ones, for bench/
    this.layOut();
    new ResizeObserver(() => this.resize()).observe(byId('view'));
    byId('scroll').addEventListener('scroll', () => {
      if (this.scrollTop === byId('scroll').scrollTop) return;
      this.scrollTop = byId('scroll').scrollTop;
      this.update();
    });
  }

  layOut() {
    this.layout = layOut(this.pinned ? [this.pinned, ...this.groups] : this.groups);
    this.placeByTrack = new Map();
    for (const place of this.layout.places) {
      for (const band of place.row ? place.row.bands : []) {
        for (const track of band.tracks) if (!this.placeByTrack.has(track.number)) this.placeByTrack.set(track.number, place);
      }
    }
    byId('scroll-size').style.height = `${this.layout.height + 24}px`;
    this.scrollTo(this.scrollTop);
  }

  scrollTo(y) {
    const most = Math.max(0, this.layout.height + 24 - (this.height || 0));
    this.scrollTop = Math.max(0, Math.min(y, most));
    byId('scroll').scrollTop = this.scrollTop;
    this.update();
  }

  resize() {
    const {clientWidth, clientHeight} = byId('view');
    this.scale = Math.min(window.devicePixelRatio || 1, 2);
    this.cssWidth = clientWidth;
    this.height = clientHeight;
    this.width = Math.max(1, Math.round(clientWidth * this.scale));
    this.canvas.width = this.width;
    this.canvas.height = Math.max(1, Math.round(clientHeight * this.scale));
    this.image = this.context.createImageData(this.canvas.width, this.canvas.height);
    this.pixelsOfImage = new Uint32Array(this.image.data.buffer);
    this.line = new Line(this.width);
    this.values = new Float64Array(this.width);
    this.scrollTo(this.scrollTop);
  }

  setTheme(isDark) {
    this.isDark = isDark;
    this.pixels = this.model.kinds.map(() => new Map());
    this.css = null;
    this.update();
  }

  // Asked for in every frame: read once for each theme.
  colours() {
    if (!this.css) this.css = this.readColours();
    return this.css;
  }

  readColours() {
    const css = getComputedStyle(document.documentElement);
    const get = (name) => css.getPropertyValue(name).trim();
    return {back: get('--back'), bar: get('--bar'), line: get('--line'), text: get('--text'),
      dim: get('--dim'), accent: get('--accent'), mark: get('--mark'), chosen: get('--chosen')};
  }

  update() {
    if (this.isDirty) return;
    this.isDirty = true;
    requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    const before = performance.now();
    this.isDirty = false;
    this.draw();
    this.onDraw();
    this.frames.push(performance.now() - before);
    if (this.frames.length > 600) this.frames.shift();
  }

  // ---- where

  timeAt(x) {
    return this.view.begin + x / this.cssWidth * (this.view.end - this.view.begin);
  }

  xOf(time) {
    return (time - this.view.begin) / (this.view.end - this.view.begin) * this.cssWidth;
  }

  show(begin, end) {
    const length = Math.max(SPAN_MIN, Math.min(end - begin, this.span * 1.02));
    const from = Math.max(-this.span * 0.01, Math.min(begin, this.span * 1.01 - length));
    this.view = {begin: from, end: from + length};
    this.update();
  }

  zoom(factor, x) {
    const {begin, end} = this.view;
    const length = Math.max(SPAN_MIN, Math.min((end - begin) * factor, this.span * 1.02));
    const time = this.timeAt(x);
    const part = x / this.cssWidth;
    this.show(time - part * length, time + (1 - part) * length);
  }

  move(share) {
    const length = this.view.end - this.view.begin;
    this.show(this.view.begin + share * length, this.view.end + share * length);
  }

  // The first place that ends below y.
  firstPlace(y) {
    const {places} = this.layout;
    let from = 0;
    let to = places.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (places[middle].y + places[middle].height > y) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  placeAt(y) {
    const place = this.layout.places[this.firstPlace(y + this.scrollTop)];
    return place && y + this.scrollTop >= place.y ? place : undefined;
  }

  placeOfTrack(number) {
    return this.placeByTrack.get(number);
  }

  reveal(place) {
    if (place.y < this.scrollTop) this.scrollTo(place.y - 30);
    else if (place.y + place.height > this.scrollTop + this.height) this.scrollTo(place.y + place.height - this.height + 30);
  }

  // The band of a row, or its first one, and what is in it at a time: {track, chunk, i}.
  hit(place, y, time) {
    if (!place || !place.row) return null;
    const inRow = y + this.scrollTop - place.y;
    const near = (this.view.end - this.view.begin) / this.cssWidth * 3;
    const {bands} = place.row;
    const band = bands.find((b) => inRow >= b.y && inRow < b.y + b.height + 1) || bands[0];
    let best = null;
    for (const track of band.tracks) {
      const found = this.nearest(track, time, near);
      if (found && (!best || found.distance < best.distance ||
          (found.distance === best.distance && found.length < best.length))) best = found;
    }
    return best;
  }

  nearest(track, time, near) {
    const root = this.rootOf(track.number);
    let best = null;
    if (!root) return null;
    walk(this.store, root.chunk, track.number, root.range, time - near, time + near, () => true, (chunk, i) => {
      const distance = Math.max(0, chunk.begin[i] - time, time - chunk.end[i]);
      const length = chunk.end[i] - chunk.begin[i];
      if (distance <= near && (!best || distance < best.distance || (distance === best.distance && length < best.length))) {
        best = {track, chunk, i, distance, length};
      }
    });
    return best;
  }

  rootOf(track) {
    if (!this.rootByTrack) {
      this.rootByTrack = new Map();
      for (const chunk of this.roots) {
        for (const [number, range] of chunk.byTrack) this.rootByTrack.set(number, {chunk, range});
      }
    }
    return this.rootByTrack.get(track);
  }

  pixelFor(track, key) {
    let found = this.pixels[track.kind].get(key);
    if (!found) {
      const style = styleOf(track.name, this.model.keyName(track, key), key, this.isDark);
      found = {pixel: pixelOf(style.colour), shape: style.shape};
      this.pixels[track.kind].set(key, found);
    }
    return found;
  }

  makeScene() {
    return {store: this.store, model: this.model, rootOf: (track) => this.rootOf(track),
      pixelOf: (track, key) => this.pixelFor(track, key)};
  }

  visible() {
    const {places} = this.layout;
    const first = this.firstPlace(this.scrollTop);
    let last = first;
    while (last < places.length && places[last].y < this.scrollTop + this.height) last++;
    return places.slice(first, last);
  }

  // ---- picture

  draw() {
    if (!this.image) return;
    const colours = this.colours();
    const {context, scale} = this;
    const names = new Names();
    this.pixelsOfImage.fill(pixelOf(colours.back));
    const places = this.visible();
    this.wakeUps = [];
    for (const place of places) this.drawPlace(place, colours, names);
    context.putImageData(this.image, 0, 0);
    names.draw(context, this.width, scale);
    this.drawLabels(places);
  }

  drawPlace(place, colours, names) {
    const {scale, width} = this;
    const top = Math.round((place.y - this.scrollTop) * scale);
    const bottom = Math.round((place.y + place.height - this.scrollTop) * scale);
    const image = this.pixelsOfImage;
    const clip = this.canvas.height;
    const fillRow = (y, pixel) => {
      if (y >= 0 && y < clip) image.fill(pixel, y * width, (y + 1) * width);
    };
    if (!place.row) {
      const pixel = pixelOf(colours.line);
      for (let y = top; y < bottom; y++) fillRow(y, pixel);
      return;
    }
    const back = pixelOf(place.row === this.chosenRow ? colours.chosen : colours.back);
    if (place.row === this.chosenRow) for (let y = top; y < bottom; y++) fillRow(y, back);
    fillRow(bottom - 1, pixelOf(colours.line));
    const view = {...this.view, width};
    for (const band of place.row.bands) {
      const y = Math.round((place.y + band.y - this.scrollTop) * scale);
      const height = Math.round(band.height * scale);
      if (band.curve) {
        this.drawCurve(band, y, height);
        continue;
      }
      const onWaker = band.tracks[0].name !== 'task' ? null : (track, chunk, i) => {
        if (this.wakeUps.length < WAKE_UPS_MAX) this.wakeUps.push({track, chunk, i});
      };
      this.line.clear();
      fillLine(this.line, band.tracks, view, this.scene, band.names ? (track, chunk, i, x0, x1) => {
        if (y + height > 0 && !NAMELESS.includes(track.name)) {
          names.add(this.model.keyName(track, chunk.key[i]), x0, x1, y, height, this.pixelFor(track, chunk.key[i]).pixel);
        }
      } : null, onWaker);
      this.line.blend(back);
      paintLine(this.line, image, y, height, 0, clip);
    }
  }

  drawCurve(band, top, height) {
    const [track] = band.tracks;
    const {pixel} = this.pixelFor(track, track.key);
    fillCurve(this.values, track, this.view, this.scene);
    for (let x = 0; x < this.width; x++) {
      const from = Math.max(0, top + height - curveHeight(this.values[x], band.curve, height));
      for (let y = from; y < Math.min(top + height, this.canvas.height); y++) this.pixelsOfImage[y * this.width + x] = pixel;
    }
  }

  // Only those in view are elements, in the order of the rows, which is that of the keyboard.
  drawLabels(places) {
    const wanted = new Set();
    let last = null;
    for (const place of places) {
      const id = place.row ? place.row.id : `group ${place.group.id}`;
      wanted.add(id);
      let label = this.labels.get(id);
      if (!label) {
        label = this.makeLabel(place);
        this.labels.set(id, label);
        if (last) last.after(label);
        else byId('labels').prepend(label);
      }
      last = label;
      label.style.top = `${place.y - this.scrollTop}px`;
      label.style.height = `${place.height}px`;
      label.classList.toggle('chosen', place.row !== undefined && place.row === this.chosenRow);
      if (!place.row) label.setAttribute('aria-expanded', String(place.group.isOpen));
    }
    for (const [id, label] of this.labels) {
      if (wanted.has(id)) continue;
      label.remove();
      this.labels.delete(id);
    }
  }

  makeLabel({row, group}) {
    if (row) {
      return make('div', {className: `label${row.indent ? ' inner' : ''}`, title: row.label}, make('span', {textContent: row.label}));
    }
    const button = make('button', {type: 'button', className: 'label'});
    const write = () => { button.textContent = `${group.isOpen ? '▾' : '▸'} ${group.label} (${group.rows.length})`; };
    write();
    button.onclick = () => {
      this.toggle(group);
      write();
    };
    return button;
  }

  // A group above all others, of rows that these have too: null for none.
  pin(group) {
    const before = this.pinned ? this.pinned.id : '';
    this.pinned = group;
    if (before === (group ? group.id : '')) return;
    this.layOut();
    if (group) this.scrollTo(0);
  }

  toggle(group) {
    group.isOpen = !group.isOpen;
    this.layOut();
    this.onToggle();
  }

  // ---- the same as elements of SVG, for pictures

  svg() {
    const colours = this.colours();
    const width = Math.round(this.cssWidth);
    const svg = makeSvg('svg', {xmlns: 'http://www.w3.org/2000/svg', width: width + 190, height: this.height,
      viewBox: `0 0 ${width + 190} ${this.height}`, 'font-family': 'sans-serif', 'font-size': 11});
    const add = (parent, tag, attributes, ...children) => parent.append(makeSvg(tag, attributes, ...children));
    add(svg, 'rect', {width: '100%', height: '100%', fill: colours.back});
    const line = new Line(width);
    this.context.font = SVG_FONT; // that names are measured in
    const picture = makeSvg('svg', {x: 190, y: 20, width, height: this.height - 20});
    for (const place of this.visible()) {
      const y = place.y - this.scrollTop;
      if (place.row) this.svgRow(picture, place, y, line, colours);
      else add(picture, 'rect', {y, width: '100%', height: place.height, fill: colours.line});
      const label = makeSvg('text', {x: 8, y: y + 20 + Math.min(place.height, 24) / 2 + 4, fill: colours.text});
      label.textContent = place.row ? place.row.label : place.group.label;
      svg.append(label);
    }
    svg.append(picture);
    for (const {time, text} of this.ticks()) {
      const x = 190 + this.xOf(time);
      add(svg, 'line', {x1: x, x2: x, y1: 14, y2: this.height, stroke: colours.line, 'stroke-width': 0.5});
      const label = makeSvg('text', {x: x + 3, y: 12, fill: colours.dim});
      label.textContent = text;
      svg.append(label);
    }
    return svg;
  }

  svgRow(parent, place, y, line, colours) {
    for (const band of place.row.bands) {
      if (band.curve) {
        this.svgCurve(parent, band, y + band.y, line.width);
        continue;
      }
      line.clear();
      fillLine(line, band.tracks, {...this.view, width: line.width}, this.scene, (track, chunk, i, x0, x1) => {
        if (!band.names || NAMELESS.includes(track.name)) return;
        const from = Math.max(x0, 0) + NAME_PAD;
        const text = fitText(this.context, SVG_FONT, this.model.keyName(track, chunk.key[i]), Math.min(x1, line.width) - from - NAME_PAD);
        if (!text) return;
        const label = makeSvg('text', {x: from, y: y + band.y + band.height - 4, class: 'name', fill: isLight(this.pixelFor(track, chunk.key[i]).pixel) ? '#0b0f15' : '#ffffff'});
        label.textContent = text;
        this.svgNames = this.svgNames || [];
        this.svgNames.push(label);
      });
      line.blend(pixelOf(colours.back));
      for (let x = 0; x < line.width;) {
        const from = x;
        while (x < line.width && line.pixel[x] === line.pixel[from] && line.shape[x] === line.shape[from]) x++;
        if (!line.pixel[from]) continue;
        const rows = [...Array(band.height).keys()].filter((at) => isCovered(line.shape[from], at, band.height));
        const isPlain = line.shape[from] === FULL || line.shape[from] === HATCHED;
        parent.append(makeSvg('rect', {x: from, y: y + band.y + (isPlain ? 0 : rows[0]), width: x - from,
          height: isPlain ? band.height : rows.length, fill: colourOf(line.pixel[from])}));
      }
      parent.append(...(this.svgNames || []));
      this.svgNames = null;
    }
  }

  svgCurve(parent, band, top, width) {
    const [track] = band.tracks;
    const values = new Float64Array(width);
    fillCurve(values, track, this.view, this.scene);
    const bottom = top + band.height;
    const steps = [...values].map((value, x) => `V${bottom - curveHeight(value, band.curve, band.height)}H${x + 1}`);
    parent.append(makeSvg('path', {d: `M0 ${bottom}${steps.join('')}V${bottom}Z`, fill: colourOf(this.pixelFor(track, track.key).pixel)}));
  }

  // Moments that are round from the start of the trace on.
  ticks() {
    const {begin, end} = this.view;
    const step = niceStep(end - begin, this.cssWidth / 110);
    const list = [];
    for (let time = Math.ceil(begin / step) * step; time <= end; time += step) {
      list.push({time, text: `+${formatTick(time, step, this.model.about.isNs)}`});
    }
    return list;
  }
}

// What is in a track around a time, wherever its detail is.
export async function findItem(store, root, track, time) {
  let {chunk, range: [from, to]} = root;
  for (;;) {
    const i = firstAfter(chunk, from, to, time);
    if (i >= to) return null;
    if (!isRun(chunk, i) || store.isLeftOut(chunk.child[i])) return {chunk, i};
    const child = await store.load(chunk.child[i]);
    const range = child.byTrack.get(track);
    from = range[0] + chunk.start[i];
    to = from + chunk.n[i];
    chunk = child;
  }
}
