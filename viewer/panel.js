// SPDX-License-Identifier: GPL-2.0-only
// Tables beside the timeline: what is longest, statistics, a range, what is in view.
import {byId, link, make, makeSvg, makeTable} from './dom.js';
import {formatCount, formatDuration, formatExact, formatMoment, formatShare} from './format.js';
import {makeLegend} from './legend.js';
import {STATE_TEXTS} from './palette.js';
import {textOf} from './store.js';
import {isRun} from './tree.js';

function histogram(key) {
  const buckets = key.histogram || [];
  const first = buckets.findIndex((n) => n > 0);
  if (first < 0) return '';
  const shown = buckets.slice(first);
  const most = Math.max(...shown);
  const svg = makeSvg('svg', {class: 'histogram', width: shown.length * 6 + 2, height: 18, role: 'img',
    'aria-label': `lengths from ${formatDuration(2 ** first)} to ${formatDuration(2 ** buckets.length)}`});
  shown.forEach((n, i) => {
    const height = n ? Math.max(1, Math.round(17 * Math.log1p(n) / Math.log1p(most))) : 0;
    svg.append(makeSvg('rect', {x: i * 6 + 1, y: 18 - height, width: 5, height}));
  });
  const title = makeSvg('title');
  title.textContent = shown.map((n, i) => `${formatDuration(2 ** (first + i))}: ${n}`).join('\n');
  svg.append(title);
  return svg;
}

export class Panel {
  constructor(app) {
    this.app = app;
    this.tabs = [
      ['longest', 'Longest', () => this.longest()],
      ['details', 'Details', () => this.details()],
      ['statistics', 'Statistics', () => this.statistics()],
      ['range', 'Range', () => this.range()],
      ['inview', 'In view', () => this.inView()],
      ['found', 'Search hits', () => this.found()],
      ['marks', 'Marks', () => this.marks()],
      ['trace', 'Trace', () => this.trace()],
      ['legend', 'Legend', () => makeLegend(this.app)],
    ];
    this.open = 'longest';
    const buttons = this.tabs.map(([id, title]) => make('button', {type: 'button', role: 'tab', id: `tab-${id}`,
      textContent: title, 'aria-controls': 'content', onclick: () => this.show(id)}));
    byId('tabs').append(...buttons);
    byId('tabs').addEventListener('keydown', (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step) return;
      const at = this.tabs.findIndex(([id]) => id === this.open);
      const [id] = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
      this.show(id);
      byId(`tab-${id}`).focus();
      event.stopPropagation();
    });
  }

  show(id) {
    if (id !== this.open) this.before = this.open;
    this.open = id;
    for (const [tab] of this.tabs) {
      byId(`tab-${tab}`).setAttribute('aria-selected', String(tab === id));
      byId(`tab-${tab}`).tabIndex = tab === id ? 0 : -1;
    }
    byId(`tab-${id}`).scrollIntoView({block: 'nearest', inline: 'nearest'});
    byId('content').setAttribute('aria-labelledby', `tab-${id}`);
    this.refresh();
  }

  // The legend and back: to the tab that was open before.
  toggleLegend() {
    this.show(this.open === 'legend' ? this.before || 'longest' : 'legend');
  }

  refresh(id = this.open) {
    if (id !== this.open) return;
    const [, , fill] = this.tabs.find(([tab]) => tab === id);
    byId('content').replaceChildren(fill());
  }

  duration(ns) {
    return formatDuration(ns, this.app.about.isNs);
  }

  moment(time) {
    return formatMoment(this.app.about.start, time, this.app.about.isNs);
  }

  goTo(text, track, begin, end) {
    return link(text, () => this.app.goTo(track, begin, end), 'go there');
  }

  longest() {
    const {model} = this.app;
    const rows = this.app.worst;
    if (!rows.length) return make('p', {className: 'empty', textContent: 'The trace has no latencies to rank.'});
    return makeTable([
      {title: 'What', of: (w) => w.kind, show: (w) => `${w.kind} ${w.name}`},
      {title: 'Longest', isNumber: true, of: (w) => w.length, show: (w) => this.goTo(this.duration(w.length), w.track, w.begin, w.end)},
      {title: 'At', isNumber: true, of: (w) => w.begin, show: (w) => this.moment(w.begin)},
      {title: 'Where', show: (w) => model.where(model.tracks[w.track], -1)},
      {title: 'Average', isNumber: true, show: (w) => this.duration(w.key.total / (w.key.count - w.key.cut))},
      {title: 'Why', isLong: true, show: (w) => this.reason(w)},
    ], rows, {caption: 'The longest of each kind'});
  }

  // The sentence of kft why, or what the state is.
  reason({track, begin, name, end}) {
    const answer = this.app.why.of(track, begin);
    return answer && answer.sentence ? this.goTo(answer.sentence, track, begin, end) : STATE_TEXTS[name] || '';
  }

  statistics() {
    const {about} = this.app;
    const rows = about.keys.filter((key) => key.max !== undefined && !['event', 'counter'].includes(about.kinds[key.kind].name));
    const events = about.keys.filter((key) => about.kinds[key.kind].name === 'event');
    const table = makeTable([
      {title: 'Kind', of: (k) => about.kinds[k.kind].name, show: (k) => about.kinds[k.kind].name},
      {title: 'Name', of: (k) => k.name, show: (k) => k.name},
      {title: 'Count', isNumber: true, of: (k) => k.count, show: (k) => formatCount(k.count)},
      {title: 'Total', isNumber: true, of: (k) => k.total, show: (k) => this.duration(k.total)},
      {title: 'Average', isNumber: true, of: (k) => k.total / (k.count - k.cut), show: (k) => this.duration(k.total / (k.count - k.cut))},
      {title: 'Min', isNumber: true, of: (k) => k.min, show: (k) => this.duration(k.min)},
      {title: 'Max', isNumber: true, of: (k) => k.max, show: (k) => this.goTo(this.duration(k.max), k.track, k.at, k.at + k.max)},
      {title: 'Lengths', show: histogram},
    ], rows, {caption: 'Statistics of the whole trace', sortBy: 3});
    const counts = makeTable([
      {title: 'Other event', of: (k) => k.name, show: (k) => k.name},
      {title: 'Count', isNumber: true, of: (k) => k.count, show: (k) => formatCount(k.count)},
    ], events, {caption: 'Events without a length', sortBy: 1});
    const counters = about.keys.filter((key) => key.high !== undefined);
    const limits = makeTable([
      {title: 'Counter', of: (k) => k.name, show: (k) => k.name},
      {title: 'Lowest', isNumber: true, of: (k) => k.low, show: (k) => formatCount(k.low)},
      {title: 'Highest', isNumber: true, of: (k) => k.high, show: (k) => formatCount(k.high)},
    ], counters, {caption: 'Values that change', sortBy: 0});
    return make('div', {className: 'columns'}, table, events.length ? counts : null, counters.length ? limits : null);
  }

  // What is selected: {track, chunk, i}, and where it leads to.
  details() {
    const {selected, model} = this.app;
    if (!selected) return make('p', {className: 'empty', textContent: 'Click an interval, or select one with the arrow keys, to see its details.'});
    const {track, chunk, i} = selected;
    const list = make('dl');
    const add = (name, ...value) => list.append(make('dt', {textContent: name}), make('dd', {}, ...value));
    const begin = chunk.begin[i];
    const length = chunk.end[i] - begin;
    add('What', `${track.name === 'on-cpu' ? 'task' : track.name} · ${model.title(track, chunk.key[i])}`);
    add(track.owner === 1 ? 'CPU' : 'Task', track.owner === 1 ? String(track.id) : model.taskName(track.id));
    if (isRun(chunk, i)) {
      add('Summary', `${formatCount(chunk.count[i])} items, the longest of ${this.duration(chunk.max[i])}; zoom in for each`);
    }
    if (track.owner === 1 && chunk.other[i] >= 0 && track.name !== 'on-cpu') {
      add(track.name === 'event' ? 'Task' : 'Interrupted', model.taskName(chunk.other[i]));
    }
    if (track.owner === 2) add('On', `CPU ${chunk.other[i]}`);
    add(length ? 'From' : 'At', `${this.moment(begin)} (+${this.duration(begin)})`);
    if (length) {
      add('To', this.moment(chunk.end[i]));
      add('Duration', `${this.duration(length)} (${formatExact(length, this.app.about.isNs)})`);
    }
    this.addValue(add, track, chunk, i);
    this.addFlags(add, chunk.flags[i]);
    const text = textOf(chunk, i);
    if (text) add('Fields', make('pre', {textContent: text}));
    const links = make('p', {}, link('previous of its kind (←)', () => this.app.step(-1)), ' · ', link('next (→)', () => this.app.step(1)));
    if (length) links.append(' · ', link('zoom to it (f)', () => this.app.zoomToSelected()));
    return make('div', {className: 'columns'}, make('div', {}, list, links), this.app.why.show(selected));
  }

  addValue(add, track, chunk, i) {
    const value = chunk.value[i];
    if (Number.isNaN(value)) return;
    const {model} = this.app;
    const name = model.kinds[track.kind].value;
    if (name === 'woken_by') {
      const waker = model.tracks.find((l) => l.name === 'task' && l.id === value);
      add('Woken by', waker ? link(model.taskName(value), () => this.app.goTo(waker.number, chunk.begin[i], chunk.begin[i])) : model.taskName(value));
    } else {
      add(name ? name.replace(/_/g, ' ') : 'Value', String(value));
    }
  }

  addFlags(add, flags) {
    const known = [[1, 'it began before the trace, or before its task'], [2, 'it had not ended when the trace did, or its task'], [4, 'events are missing in it']];
    for (const [bit, text] of known) if (flags & bit) add('Note', text);
  }

  range() {
    const {rangeStats, range} = this.app;
    if (!range) return make('p', {className: 'empty', textContent: 'Drag with Shift, or on the time axis, to select a range; [ and ] set its ends at the cursor.'});
    const head = make('p', {textContent: `${this.moment(range[0])} to ${this.moment(range[1])}: ${this.duration(range[1] - range[0])}`});
    head.append(' · ', link('zoom to it', () => this.app.timeline.show(...range)), ' · ', link('remove', () => this.app.setRange(null)));
    if (!rangeStats) return make('div', {}, head, make('p', {className: 'empty', textContent: 'counting…'}));
    const note = rangeStats.isExact ? null : make('p', {className: 'empty', textContent: 'The range is long: what is close to each other is counted as the longest of it.'});
    return make('div', {}, head, note, makeTable([
      {title: 'Kind', of: (r) => r.kind, show: (r) => r.kind},
      {title: 'Name', of: (r) => r.name, show: (r) => r.name},
      {title: 'Count', isNumber: true, of: (r) => r.count, show: (r) => formatCount(r.count)},
      {title: 'Time', isNumber: true, of: (r) => r.inside, show: (r) => this.duration(r.inside)},
      {title: 'Share', isNumber: true, of: (r) => r.share || 0, show: (r) => (Number.isNaN(r.share) ? '–' : `${formatShare(r.share, 1)} of ${r.whole}`)},
      {title: 'Longest', isNumber: true, of: (r) => r.max, show: (r) => (r.max ? this.goTo(this.duration(r.max), r.track, r.at, r.at + r.max) : '–')},
    ], rangeStats.rows, {caption: 'Statistics of the selected range', sortBy: 3}));
  }

  itemTable(items, caption) {
    const {model} = this.app;
    return makeTable([
      {title: 'At', isNumber: true, of: (r) => r.begin, show: (r) => this.goTo(this.moment(r.begin), r.track.number, r.begin, r.end)},
      {title: 'What', of: (r) => r.track.name, show: (r) => (r.count > 1 ? `${formatCount(r.count)} × ` : '') + model.title(r.track, r.key)},
      {title: 'Kind', of: (r) => r.track.name, show: (r) => r.track.name},
      {title: 'Where', of: (r) => r.track.id, show: (r) => model.where(r.track, r.other)},
      {title: 'Duration', isNumber: true, of: (r) => r.end - r.begin, show: (r) => (r.end > r.begin ? this.duration(r.end - r.begin) : '')},
      {title: 'Fields', isLong: true, show: (r) => r.text},
    ], items, {caption});
  }

  inView() {
    const items = this.app.itemsInView();
    if (!items.length) return make('p', {className: 'empty', textContent: 'Nothing is in view.'});
    return this.itemTable(items, 'What is in view');
  }

  found() {
    const {search} = this.app;
    if (search.error) return make('p', {role: 'alert', textContent: search.error});
    if (!search.query) return make('p', {className: 'empty', textContent: 'Press / and type: irq:* > 2ms, comm:cat syscall:read, task:blocked > 10ms, some words.'});
    if (!search.results.length) return make('p', {className: 'empty', textContent: search.isRunning ? 'searching…' : 'No hits.'});
    return this.itemTable(search.results, 'What was found');
  }

  marks() {
    const {marks} = this.app;
    if (!marks.length) return make('p', {className: 'empty', textContent: 'Press m to set a mark at the pointer. This table shows the time between marks.'});
    const sorted = [...marks].sort((a, b) => a - b);
    return makeTable([
      {title: 'Mark', show: (time) => String(sorted.indexOf(time) + 1)},
      {title: 'At', isNumber: true, show: (time) => link(this.moment(time), () => this.app.centre(time))},
      {title: 'Since previous', isNumber: true, show: (time) => (sorted.indexOf(time) ? this.duration(time - sorted[sorted.indexOf(time) - 1]) : '')},
      {title: '', show: (time) => link('remove', () => this.app.removeMark(time))},
    ], sorted, {caption: 'Marks'});
  }

  trace() {
    const {about} = this.app;
    const list = make('dl');
    const add = (name, value) => { if (value) list.append(make('dt', {textContent: name}), make('dd', {textContent: value})); };
    add('Trace', about.file);
    add('Kernel', about.kernel);
    add('Clock', about.clock);
    add('Start', this.moment(0));
    add('Length', this.duration(about.span));
    add('Events', formatCount(about.events));
    add('Lost events', about.gaps ? `${formatCount(about.lost)} in ${formatCount(about.gaps)} gaps` : 'none');
    add('Left out', about.dropped ? `${formatCount(about.dropped)} intervals of which an end was not seen, or for which there is no room` : '');
    add('Other clocks', about.otherClocks ? `${formatCount(about.otherClocks)} events of buffers with another clock are not shown` : '');
    add('Fields', about.noTexts ? `of ${formatCount(about.texts)} of ${formatCount(about.texts + about.noTexts)} other events: the page would be too large` : '');
    add('Made by', `kft ${about.kft}`);
    return list;
  }
}
