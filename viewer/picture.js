// SPDX-License-Identifier: GPL-2.0-only
// What is in view as a file.
import {make} from './dom.js';

function offer(blob, name) {
  const url = URL.createObjectURL(blob);
  make('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function nameOf(app, ending) {
  return `${app.about.file.replace(/\.[^.]*$/, '')}.${ending}`;
}

export function saveSvg(app) {
  const text = new XMLSerializer().serializeToString(app.timeline.svg());
  offer(new Blob([text], {type: 'image/svg+xml'}), nameOf(app, 'svg'));
}

export function savePng(app) {
  const {timeline} = app;
  const canvas = document.createElement('canvas');
  const labels = Math.round(190 * timeline.scale);
  const axis = Math.round(20 * timeline.scale);
  canvas.width = timeline.canvas.width + labels;
  canvas.height = timeline.canvas.height + axis;
  const context = canvas.getContext('2d');
  const colours = timeline.colours();
  context.fillStyle = colours.back;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(timeline.canvas, labels, axis);
  context.scale(timeline.scale, timeline.scale);
  context.font = '11px sans-serif';
  context.fillStyle = colours.text;
  for (const place of timeline.visible()) {
    context.fillText(place.row ? place.row.label : place.group.label, 8, place.y - timeline.scrollTop + 20 + Math.min(place.height, 24) / 2 + 4, 176);
  }
  for (const {time, text} of timeline.ticks()) context.fillText(text, 190 + timeline.xOf(time) + 3, 13);
  canvas.toBlob((blob) => offer(blob, nameOf(app, 'png')));
}
