// SPDX-License-Identifier: GPL-2.0-only
// The whole trace in one strip, with what is longest marked, and the axis below it.
import {byId} from './dom.js';
import {Line, fillLine} from './draw.js';
import {formatDuration} from './format.js';
import {colourOf, pixelOf} from './palette.js';
import {mostTelling} from './worst.js';

function fit(canvas) {
  const scale = window.devicePixelRatio || 1;
  const width = Math.max(1, canvas.clientWidth);
  const height = Math.max(1, canvas.clientHeight);
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return {context, width, height};
}

export class Overview {
  constructor(app) {
    this.app = app;
    this.canvas = byId('overview');
    this.telling = mostTelling(app.worst);
    this.picture = null; // of the strip, which changes with size and theme only
    const seek = (event) => {
      const box = this.canvas.getBoundingClientRect();
      app.centre((event.clientX - box.left) / this.width * app.timeline.span);
    };
    let isSeeking = false;
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      const mark = this.markAt(event);
      isSeeking = !mark;
      if (mark) app.goTo(mark.track, mark.begin, mark.end);
      else seek(event);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons === 1 && isSeeking) seek(event);
      this.canvas.style.cursor = this.markAt(event) ? 'pointer' : 'crosshair';
    });
  }

  // Where the timeline's pixels begin and end.
  get width() {
    return this.app.timeline.cssWidth || 1;
  }

  markAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    if (event.clientY - box.top > 16) return null;
    return (this.marks || []).find((mark) => x >= mark.from && x <= mark.to);
  }

  draw() {
    const {app} = this;
    const {context, width, height} = fit(this.canvas);
    const colours = app.timeline.colours();
    const key = `${width} ${height} ${app.timeline.isDark} ${app.timeline.cssWidth}`;
    if (!this.picture || this.pictureKey !== key) {
      this.picture = this.strip(colours, height);
      this.pictureKey = key;
    }
    context.drawImage(this.picture, 0, 0);
    this.drawMarks(context, colours, height);
    const {view, span} = app.timeline;
    const x0 = Math.max(0, view.begin / span * this.width);
    const x1 = Math.min(this.width, view.end / span * this.width);
    if (x1 - x0 < this.width - 1) {
      context.fillStyle = app.timeline.isDark ? 'rgb(0 0 0 / 55%)' : 'rgb(120 132 150 / 38%)';
      context.fillRect(0, 16, x0, height - 16);
      context.fillRect(x1, 16, this.width - x1, height - 16);
      context.strokeStyle = colours.accent;
      context.lineWidth = 2;
      context.strokeRect(x0, 17, Math.max(2, x1 - x0), height - 18);
    }
  }

  // CPUs (or else what there is) below each other, a few pixels each.
  strip(colours, height) {
    const {timeline} = this.app;
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(this.width));
    canvas.height = height;
    const context = canvas.getContext('2d');
    const group = timeline.groups.find(({id}) => id === 'cpus') || timeline.groups[0];
    const rows = group ? group.rows : [];
    const each = (height - 19) / Math.max(1, rows.length);
    const line = new Line(canvas.width);
    rows.forEach((row, i) => {
      line.clear();
      fillLine(line, row.bands[0].tracks, {begin: 0, end: timeline.span, width: canvas.width}, timeline.scene);
      line.blend(pixelOf(colours.bar));
      for (let x = 0; x < canvas.width; x++) {
        if (!line.pixel[x]) continue;
        context.fillStyle = colourOf(line.pixel[x]);
        context.fillRect(x, 17 + i * each, 1, Math.max(1, each - 0.5));
      }
    });
    return canvas;
  }

  // What it is called where there is room for a few words: whose wait, or what took so long.
  textOf({kind, name, track, length}) {
    const {model, about} = this.app;
    const what = kind === 'task' ? `${model.comm(model.tracks[track].id)} ${name}` : `${kind} ${name}`;
    return `${what} ${formatDuration(length, about.isNs)}`;
  }

  // Each of the worst as long as it is, under a triangle; with its name where nothing is yet.
  drawMarks(context, colours, height) {
    const {span} = this.app.timeline;
    const places = this.telling.map((worst) => {
      const [x0, x1] = [worst.begin, worst.end].map((time) => time / span * this.width);
      return {...worst, x0, x1: Math.max(x1, x0 + 2), x: (x0 + x1) / 2};
    });
    context.font = 'bold 11px system-ui, sans-serif';
    context.fillStyle = context.strokeStyle = colours.mark;
    for (const {x0, x1, x} of places) {
      context.beginPath();
      context.moveTo(x - 5, 4);
      context.lineTo(x + 5, 4);
      context.lineTo(x, 13);
      context.fill();
      context.globalAlpha = 0.35;
      context.fillRect(x0, 15, x1 - x0, height - 15);
      context.globalAlpha = 1;
      context.strokeRect(x0, 15.5, x1 - x0, height - 16);
    }
    this.marks = [];
    for (const place of places) this.marks.push({...place, ...this.drawName(context, colours, place)});
  }

  // On the side where there is room, over the triangles of lesser ones. Where a click is its own.
  drawName(context, colours, place) {
    const {x} = place;
    const text = this.textOf(place);
    const width = context.measureText(text).width + 18;
    const isRight = x + width < this.width;
    const [from, to] = isRight ? [x - 6, x + width] : [x - width, x + 6];
    if (from < 0 || this.marks.some((mark) => from < mark.to && to > mark.from)) return {from: x - 6, to: x + 6};
    context.fillStyle = colours.bar;
    context.fillRect(isRight ? x + 7 : from, 0, to - from - 14, 14);
    context.fillStyle = colours.mark;
    context.fillText(text, isRight ? x + 9 : from + 4, 12);
    return {from, to};
  }
}

export function drawAxis(app) {
  const {context, width, height} = fit(byId('axis'));
  const {timeline} = app;
  const colours = timeline.colours();
  context.font = '11px system-ui, sans-serif';
  for (const {time, text} of timeline.ticks()) {
    const x = Math.round(timeline.xOf(time)) + 0.5;
    context.fillStyle = colours.line;
    context.fillRect(x, 0, 1, height);
    context.fillStyle = colours.dim;
    if (x + 4 + context.measureText(text).width <= width) context.fillText(text, x + 4, 15);
  }
  app.hits.drawOnAxis(context, colours, height);
  if (!app.range) return;
  context.fillStyle = colours.accent;
  const [x0, x1] = app.range.map((time) => timeline.xOf(time));
  context.fillRect(x0, height - 5, Math.max(2, x1 - x0), 5);
}
