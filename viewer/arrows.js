// SPDX-License-Identifier: GPL-2.0-only
// Wake-ups as arrows, from who woke a task to the task.

const ARROWS_MAX = 40;

export class Arrows {
  constructor(app) {
    this.app = app;
    this.taskLanes = new Map(app.model.lanes.filter((lane) => lane.name === 'task').map((lane) => [lane.id, lane.number]));
  }

  // Those of the chosen row alone where all in view would be too many.
  draw(context, colours) {
    const {timeline} = this.app;
    const all = this.find();
    const isChosen = ({to}) => timeline.chosenRow && timeline.placeOfLane(to)?.row === timeline.chosenRow;
    const arrows = all.length <= ARROWS_MAX ? all : all.filter(isChosen);
    for (const arrow of arrows.slice(0, 4 * ARROWS_MAX)) {
      this.drawOne(context, arrow, arrow.isSelected ? colours.mark : `${colours.dim}80`, arrow.isSelected ? 2 : 1);
    }
  }

  // {time, from, to: lanes of tasks, isSelected} of what was drawn.
  find() {
    const {timeline, model, selected} = this.app;
    const found = [];
    for (const {lane, chunk, i} of timeline.wakeUps) {
      const from = this.taskLanes.get(chunk.value[i]);
      if (from === undefined || from === lane.number || chunk.begin[i] < timeline.view.begin) continue;
      if (model.keyName(lane, chunk.key[i]) !== 'waiting') continue;
      found.push({time: chunk.begin[i], from, to: lane.number, isSelected: selected && selected.chunk === chunk && selected.i === i});
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
