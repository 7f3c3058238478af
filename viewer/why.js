// SPDX-License-Identifier: GPL-2.0-only
// Why what is longest took so long: the answers of `kft why` that the page carries.
import {link, make, makeTable} from './dom.js';

export class Why {
  constructor(app) {
    this.app = app;
    this.byLane = new Map();
    for (const {key, answer} of app.about.why) {
      const [lane, begin, length] = app.about.keys[key].worst;
      this.byLane.set(`${lane} ${begin}`, {answer, lane, begin, end: begin + length});
    }
  }

  // Moments are on the trace's clock: exact ones may be strings.
  time(value) {
    return Number(BigInt(value) - BigInt(this.app.about.start));
  }

  read(answer, lane, begin, end) {
    const segments = answer.segments.map((segment) => {
      const from = this.time(segment.begin);
      return {...segment, begin: from, end: from + segment.time};
    });
    return {...answer, segments, lane, begin, end, rows: answer.rows.map((row) => ({...row, from: this.time(row.longest)}))};
  }

  // The answer for an item, if it is one of those: read when it is asked for.
  of(lane, begin) {
    const found = this.byLane.get(`${lane} ${begin}`);
    if (found && !found.read) found.read = this.read(found.answer, found.lane, found.begin, found.end);
    return found && found.read;
  }

  ofSelected() {
    const {selected} = this.app;
    return selected ? this.of(selected.lane.number, selected.chunk.begin[selected.i]) : undefined;
  }

  show(selected) {
    const answer = this.of(selected.lane.number, selected.chunk.begin[selected.i]);
    if (!answer) return null;
    const duration = (ns) => this.app.panel.duration(ns);
    const {timeline} = this.app;
    const table = makeTable([
      {title: 'Share', isNumber: true, of: (r) => r.share, show: (r) => `${(r.share * 100).toFixed(1)} %`},
      {title: 'Time', isNumber: true, of: (r) => r.time, show: (r) => duration(r.time)},
      {title: 'Times', isNumber: true, of: (r) => r.count, show: (r) => String(r.count)},
      {title: 'What', of: (r) => r.what, show: (r) => [r.what, r.chain].filter(Boolean).join(' · ')},
      {title: 'Sure', of: (r) => r.sure, show: (r) => r.sure},
      {title: 'Longest', isNumber: true, of: (r) => r.longest_time, show: (r) => link(duration(r.longest_time),
        () => timeline.show(r.from - r.longest_time, r.from + 2 * r.longest_time), 'go there')},
    ], answer.rows, {caption: 'What its time was spent on', most: 12});
    return make('div', {id: 'why'}, make('h2', {textContent: 'Why'}), make('p', {textContent: answer.sentence || ''}),
      table, answer.remarks ? make('pre', {className: 'empty', textContent: answer.remarks}) : null);
  }

  // Everything but what the answer is about becomes pale.
  draw(context, colours) {
    const answer = this.ofSelected();
    if (!answer) return;
    const {timeline, model} = this.app;
    const places = new Map();
    for (const place of timeline.visible()) {
      for (const lane of place.row ? place.row.bands[0].lanes : []) {
        if (lane.name === 'task') places.set(`pid ${lane.id}`, place);
        if (lane.name === 'on-cpu') places.set(`cpu ${lane.id}`, place);
      }
    }
    context.fillStyle = `${colours.back}b4`;
    context.fillRect(0, 0, timeline.cssWidth, timeline.height);
    const lit = [{begin: answer.begin, end: answer.end, place: timeline.placeOfLane(answer.lane)}];
    for (const {begin, end, pid, cpu} of answer.segments) {
      lit.push({begin, end, place: places.get(`pid ${pid}`), isPart: true}, {begin, end, place: places.get(`cpu ${cpu}`), isPart: true});
    }
    for (const {begin, end, place, isPart} of lit) {
      if (!place) continue;
      const x = timeline.xOf(begin);
      const width = Math.max(2, timeline.xOf(end) - x);
      const y = place.y - timeline.scrollTop;
      context.clearRect(x, y, width, place.height);
      if (!isPart || width < 4) continue;
      context.strokeStyle = colours.mark;
      context.lineWidth = 1;
      context.strokeRect(x + 0.5, y + 1.5, width - 1, place.height - 3);
    }
  }
}
