// SPDX-License-Identifier: GPL-2.0-only
// Hits of a search, marked on the rows and on the time axis.

export class Hits {
  constructor(app) {
    this.app = app;
  }

  // Hits in view as {x, width, y, height, isCurrent}: those of a band that are in one pixel are one.
  boxes() {
    const {timeline, search} = this.app;
    const {view} = timeline;
    const seen = new Set();
    const boxes = [];
    search.results.forEach(({track, begin, end}, i) => {
      if (end < view.begin || begin > view.end) return;
      const isCurrent = i === search.at;
      const x = Math.max(-4, timeline.xOf(begin));
      const width = Math.max(2, Math.min(timeline.xOf(end), timeline.cssWidth + 4) - x);
      const id = `${track.number} ${Math.round(x)} ${Math.round(width)}`;
      const place = timeline.placeOfTrack(track.number);
      if (!place || (seen.has(id) && !isCurrent)) return;
      seen.add(id);
      const band = place.row.bands.find((each) => each.tracks.includes(track));
      const y = place.y + band.y - timeline.scrollTop;
      if (y + band.height >= 0 && y <= timeline.height) boxes.push({x, width, y, height: band.height, isCurrent});
    });
    return boxes;
  }

  draw(context, colours) {
    context.strokeStyle = context.fillStyle = colours.mark;
    for (const {x, width, y, height, isCurrent} of this.boxes()) {
      context.lineWidth = isCurrent ? 3 : 1.5;
      context.strokeRect(x - 1, y - 1, width + 2, height + 2);
    }
  }

  // Below the axis all of them, also those of rows that are collapsed or not in view.
  drawOnAxis(context, colours, height) {
    const {timeline, search} = this.app;
    context.fillStyle = colours.mark;
    for (const x of new Set(search.results.map(({begin}) => Math.round(timeline.xOf(begin))))) {
      if (x >= 0 && x <= timeline.cssWidth) context.fillRect(x, height - 6, 2, 6);
    }
  }
}
