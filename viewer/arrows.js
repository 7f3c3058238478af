// SPDX-License-Identifier: GPL-2.0-only
// Wake-ups as arrows, from who woke a task to the task.
import {isRun, walk} from './tree.js';

const ARROWS_MAX = 40;

export class Arrows {
  constructor(app) {
    this.app = app;
    this.taskLanes = new Map(app.model.lanes.filter((lane) => lane.name === 'task').map((lane) => [lane.id, lane.number]));
  }

  // Those of the chosen row alone where all in view would be too many.
  draw(context, colours) {
    const {timeline} = this.app;
    const visible = timeline.visible();
    const all = this.find(visible);
    const arrows = all.length <= ARROWS_MAX ? all : this.find(visible.filter((place) => place.row && place.row === timeline.chosenRow));
    for (const arrow of arrows.slice(0, 4 * ARROWS_MAX)) {
      this.drawOne(context, arrow, arrow.isSelected ? colours.mark : `${colours.dim}80`, arrow.isSelected ? 2 : 1);
    }
  }

  // {time, from, to: lanes of tasks, isSelected}, no more than can be drawn.
  find(places) {
    const {timeline, model, store, selected} = this.app;
    const {begin, end} = timeline.view;
    const scale = timeline.width / (end - begin);
    const found = [];
    for (const {row} of places) {
      for (const lane of row ? row.bands[0].lanes : []) {
        const root = lane.name === 'task' && timeline.rootOf(lane.number);
        if (!root || found.length > 5 * ARROWS_MAX) continue;
        walk(store, root.chunk, lane.number, root.range, begin, end,
          (chunk, i) => (chunk.end[i] - chunk.begin[i]) * scale > 1.6, (chunk, i) => {
            const from = this.taskLanes.get(chunk.value[i]);
            if (isRun(chunk, i) || from === undefined || from === lane.number || chunk.begin[i] < begin) return;
            if (model.keyName(lane, chunk.key[i]) !== 'waiting') return;
            found.push({time: chunk.begin[i], from, to: lane.number, isSelected: selected && selected.chunk === chunk && selected.i === i});
          });
      }
    }
    return found;
  }

  middleOf(number) {
    const {timeline} = this.app;
    const place = timeline.placeOfLane(number);
    if (!place) return null;
    const band = place.row.bands.find((b) => b.lanes.some((lane) => lane.number === number));
    return place.y + band.y + band.height / 2 - timeline.scrollTop;
  }

  drawOne(context, {time, from, to}, colour, width) {
    const y0 = this.middleOf(from);
    const y1 = this.middleOf(to);
    if (y0 === null || y1 === null || y0 === y1) return;
    const x = this.app.timeline.xOf(time);
    const down = y1 > y0 ? 1 : -1;
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x, y0);
    context.lineTo(x, y1 - 5 * down);
    context.stroke();
    context.beginPath();
    context.moveTo(x - 3.5, y1 - 6 * down);
    context.lineTo(x + 3.5, y1 - 6 * down);
    context.lineTo(x, y1);
    context.fill();
  }
}
