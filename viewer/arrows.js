// SPDX-License-Identifier: GPL-2.0-only
// Wake-ups as arrows, from who woke a task to the task.

const ARROWS_MAX = 40;

// Up to so much of the trace in a pixel is near: wake-ups are microseconds apart.
const NEAR_NS = 10e3;

// An arrow between rows that are further apart is drawn at its ends only, so long.
const WHOLE_MAX = 90;
const STUB = 16;

export class Arrows {
  constructor(app) {
    this.app = app;
    this.taskTracks = new Map(app.model.tracks.filter((track) => track.name === 'task').map((track) => [track.id, track.number]));
  }

  // The one of the selected interval, and others when zoomed in: of the chosen row where all are too many.
  draw(context, colours) {
    for (const arrow of this.shown()) {
      this.drawOne(context, arrow, arrow.isSelected ? colours.mark : `${colours.dim}80`, arrow.isSelected ? 2 : 1);
    }
  }

  shown() {
    const {timeline} = this.app;
    const all = this.find();
    const {begin, end} = timeline.view;
    if ((end - begin) / timeline.cssWidth > NEAR_NS) return all.filter((arrow) => arrow.isSelected);
    if (all.length <= ARROWS_MAX) return all;
    const isChosen = ({to}) => timeline.chosenRow && timeline.placeOfTrack(to)?.row === timeline.chosenRow;
    return all.filter((arrow) => arrow.isSelected || isChosen(arrow)).slice(0, 4 * ARROWS_MAX);
  }

  // {time, from, to: tracks of tasks, isSelected} of what was drawn.
  find() {
    const {timeline, model, selected} = this.app;
    const found = [];
    for (const {track, chunk, i} of timeline.wakeUps) {
      const from = this.taskTracks.get(chunk.value[i]);
      if (from === undefined || from === track.number || chunk.begin[i] < timeline.view.begin) continue;
      if (model.keyName(track, chunk.key[i]) !== 'waiting') continue;
      found.push({time: chunk.begin[i], from, to: track.number, isSelected: selected && selected.chunk === chunk && selected.i === i});
    }
    return found;
  }

  middleOf(number) {
    const {timeline} = this.app;
    const place = timeline.placeOfTrack(number);
    if (!place) return null;
    const band = place.row.bands.find((b) => b.tracks.some((track) => track.number === number));
    return place.y + band.y + band.height / 2 - timeline.scrollTop;
  }

  // The parts of an arrow that are drawn, from and to which y: within the view, and not through all rows.
  partsOf({from, to}) {
    const y0 = this.middleOf(from);
    const y1 = this.middleOf(to);
    if (y0 === null || y1 === null || y0 === y1) return [];
    const down = y1 > y0 ? 1 : -1;
    const isWhole = Math.abs(y1 - y0) <= WHOLE_MAX;
    const parts = isWhole ? [[y0, y1]] : [[y0, y0 + STUB * down], [y1 - STUB * down, y1]];
    const {height} = this.app.timeline;
    return parts.filter(([a, b]) => Math.max(a, b) >= 0 && Math.min(a, b) <= height)
      .map(([a, b]) => ({from: a, to: b, hasHead: b === y1}));
  }

  drawOne(context, arrow, colour, width) {
    const x = this.app.timeline.xOf(arrow.time);
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    for (const {from, to, hasHead} of this.partsOf(arrow)) {
      const down = to > from ? 1 : -1;
      context.beginPath();
      context.moveTo(x, from);
      context.lineTo(x, hasHead ? to - 5 * down : to);
      context.stroke();
      if (!hasHead) continue;
      context.beginPath();
      context.moveTo(x - 3.5, to - 6 * down);
      context.lineTo(x + 3.5, to - 6 * down);
      context.lineTo(x, to);
      context.fill();
    }
  }
}
