// SPDX-License-Identifier: GPL-2.0-only
// Why what is longest took so long: the answers of `kft why` that the page carries.
import {link, make, makeSvg, makeTable} from './dom.js';
import {colourOfIndex} from './palette.js';
import {OF_CPU} from './rows.js';

const PINNED_ROWS = 6;

export class Why {
  constructor(app) {
    this.app = app;
    this.byTrack = new Map();
    for (const {key, answer} of app.about.why) {
      const [track, begin, length] = app.about.keys[key].worst;
      this.byTrack.set(`${track} ${begin}`, {answer, track, begin, end: begin + length});
    }
  }

  // Moments are on the trace's clock: exact ones may be strings.
  time(value) {
    return Number(BigInt(value) - BigInt(this.app.about.start));
  }

  read(answer, track, begin, end) {
    const segments = answer.segments.map((segment) => {
      const from = this.time(segment.begin);
      return {...segment, begin: from, end: from + segment.time};
    });
    return {...answer, segments, track, begin, end, rows: answer.rows.map((row) => ({...row, from: this.time(row.longest)}))};
  }

  // The answer for an item, if it is one of those: read when it is asked for.
  of(track, begin) {
    const found = this.byTrack.get(`${track} ${begin}`);
    if (found && !found.read) found.read = this.read(found.answer, found.track, found.begin, found.end);
    return found && found.read;
  }

  ofSelected() {
    const {selected} = this.app;
    return selected ? this.of(selected.track.number, selected.chunk.begin[selected.i]) : undefined;
  }

  show(selected) {
    const answer = this.of(selected.track.number, selected.chunk.begin[selected.i]);
    if (!answer) return null;
    const duration = (ns) => this.app.panel.duration(ns);
    const {timeline} = this.app;
    const table = makeTable([
      {title: 'Share', isNumber: true, of: (r) => r.share, show: (r) => `${(r.share * 100).toFixed(1)} %`},
      {title: 'Time', isNumber: true, of: (r) => r.time, show: (r) => duration(r.time)},
      {title: 'Count', isNumber: true, of: (r) => r.count, show: (r) => String(r.count)},
      {title: 'Cause', of: (r) => r.what, show: (r) => make('span', {}, this.swatch(answer.rows.indexOf(r)), [r.what, r.chain].filter(Boolean).join(' · '))},
      {title: 'Confidence', of: (r) => r.sure, show: (r) => r.sure},
      {title: 'Longest', isNumber: true, of: (r) => r.longest_time, show: (r) => link(duration(r.longest_time),
        () => timeline.show(r.from - r.longest_time, r.from + 2 * r.longest_time), 'go there')},
    ], answer.rows, {caption: 'Causes of its time', most: 12});
    return make('div', {id: 'why'}, make('h2', {textContent: 'Why'}), make('p', {textContent: answer.sentence || ''}),
      this.strip(answer), table, answer.remarks ? make('pre', {className: 'empty', textContent: answer.remarks}) : null);
  }

  /*
   * The rows of what an answer tells as a group: that of what is explained, then CPUs and
   * tasks by how much of its time was spent there.
   */
  group(answer) {
    const {groups} = this.app.timeline;
    const times = new Map();
    const add = (name, time) => times.set(name, (times.get(name) || 0) + time);
    for (const {pid, cpu, time} of answer.segments) {
      add(`task${pid}`, time);
      add(`cpu${cpu}`, time);
    }
    const all = groups.flatMap((group) => group.rows);
    const own = all.find((row) => row.bands.some((band) => band.tracks.some((track) => track.number === answer.track)));
    const others = all.filter((row) => row !== own && times.has(row.id)).sort((a, b) => times.get(b.id) - times.get(a.id));
    const rows = [own, ...others.slice(0, PINNED_ROWS)].filter(Boolean).map((row) => ({...row, id: `why ${row.id}`, indent: 0}));
    return {id: `why ${answer.track} ${answer.begin}`, label: 'Why it took so long', rows, isOpen: true};
  }

  colour(row) {
    return colourOfIndex(row, this.app.timeline.isDark);
  }

  swatch(row) {
    return makeSvg('svg', {class: 'swatch', width: 10, height: 10, 'aria-hidden': 'true'}, makeSvg('rect', {width: 10, height: 10, fill: this.colour(row)}));
  }

  // What the time was spent on as it went by, in the colours of the table's rows.
  strip(answer) {
    const svg = makeSvg('svg', {class: 'strip', viewBox: '0 0 1000 18', preserveAspectRatio: 'none', role: 'img',
      'aria-label': 'causes of the time, from its beginning to its end'});
    for (const {begin, end, row} of answer.segments) {
      const {what} = answer.rows[row] || {what: 'other'};
      const x = (begin - answer.begin) / (answer.end - answer.begin) * 1000;
      const rect = makeSvg('rect', {x, width: Math.max(0.5, (end - begin) / (answer.end - answer.begin) * 1000), height: 18, fill: this.colour(row)});
      const title = makeSvg('title');
      title.textContent = `${what}: ${this.app.panel.duration(end - begin)}`;
      rect.append(title);
      rect.addEventListener('click', () => this.app.timeline.show(begin - (end - begin) / 4, end + (end - begin) / 4));
      svg.append(rect);
    }
    return svg;
  }

  // Is a wake-up part of what an answer tells?
  isInChain(answer, {time, from, to}) {
    const {tracks} = this.app.model;
    const pids = new Set(answer.segments.map((segment) => segment.pid));
    pids.add(answer.pid);
    return time >= answer.begin && time <= answer.end && pids.has(tracks[from].id) && pids.has(tracks[to].id);
  }

  // Everything but what the answer is about becomes pale. False when nothing is explained.
  draw(context, colours) {
    const answer = this.ofSelected();
    if (!answer) return false;
    const {timeline, arrows} = this.app;
    context.fillStyle = `${colours.back}b4`;
    context.fillRect(0, 0, timeline.cssWidth, timeline.height);
    for (const {begin, end, places} of this.lit(answer)) {
      for (const place of places) this.light(context, place, begin, end);
    }
    for (const arrow of arrows.find()) {
      if (this.isInChain(answer, arrow)) arrows.drawOne(context, arrow, colours.mark, 2);
    }
    return true;
  }

  // What the answer is about, and where what it says happened: of tasks, and of CPUs.
  lit(answer) {
    const {timeline} = this.app;
    const byName = new Map();
    for (const place of timeline.visible()) {
      const [track] = place.row ? place.row.bands[0].tracks : [];
      if (!track || (track.name !== 'task' && track.owner !== OF_CPU)) continue;
      const name = track.name === 'task' ? `pid ${track.id}` : `cpu ${track.id}`;
      if (track.name === 'task' || place.row.isCpu) byName.set(name, [...byName.get(name) || [], place]);
    }
    const of = (name) => byName.get(name) || [];
    const own = timeline.visible().filter(({row}) => row && row.bands.some((band) => band.tracks.some((track) => track.number === answer.track)));
    return [{begin: answer.begin, end: answer.end, places: own},
      ...answer.segments.map(({begin, end, pid, cpu}) => ({begin, end, places: [...of(`pid ${pid}`), ...of(`cpu ${cpu}`)]}))];
  }

  light(context, place, begin, end) {
    const {timeline} = this.app;
    const x = timeline.xOf(begin);
    context.clearRect(x, place.y - timeline.scrollTop, Math.max(2, timeline.xOf(end) - x), place.height);
  }
}
