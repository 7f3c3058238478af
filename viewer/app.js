// SPDX-License-Identifier: GPL-2.0-only
// The page: reads what it carries, and does what its reader asks for.
import {Arrows} from './arrows.js';
import {bytesOfBase64, inflate} from './codec.js';
import {byId, make} from './dom.js';
import {formatCount, formatDuration, formatMoment} from './format.js';
import {openingEnd, readFragment, writeFragment} from './fragment.js';
import {showHelp} from './help.js';
import {Hits} from './hits.js';
import {Overview, drawAxis} from './overview.js';
import {Panel} from './panel.js';
import {savePng, saveSvg} from './picture.js';
import {rangeStatistics} from './range.js';
import {Model, makeGroups} from './rows.js';
import {Search, toRow} from './search.js';
import {Store, textOf} from './store.js';
import {Timeline, findItem} from './timeline.js';
import {isRun, items, walk} from './tree.js';
import {Why} from './why.js';
import {worstOf} from './worst.js';

const IN_VIEW_MAX = 400;
const LOOKED_AT_MAX = 20000;

class App {
  constructor(about, store, roots) {
    Object.assign(this, {about, store});
    this.model = new Model(about);
    const weights = new Map();
    for (const chunk of roots) for (const [track, [from, to]] of chunk.byTrack) weights.set(track, to - from);
    const groups = makeGroups(this.model, (track) => weights.get(track) || 0);
    this.worst = worstOf(about);
    this.selected = null;
    this.range = null;
    this.rangeStats = null;
    this.marks = [];
    this.cursor = {x: 0, time: 0, y: -1};
    this.timeline = new Timeline(this.model, store, roots, groups);
    const rootOf = (track) => this.timeline.rootOf(track);
    this.scene = {model: this.model, store, rootOf};
    this.search = new Search(this.model, store, rootOf, () => this.showSearch());
    this.panel = new Panel(this);
    this.arrows = new Arrows(this);
    this.hits = new Hits(this);
    this.why = new Why(this);
    this.overview = new Overview(this);
    this.timeline.onDraw = () => this.afterDraw();
    this.timeline.onToggle = () => this.remember();
    store.onLoad = () => this.timeline.update();
  }

  start() {
    const {about} = this;
    byId('title').textContent = about.file;
    document.title = `${about.file} – kft view`;
    byId('summary').textContent = `${about.kernel.split(' ').slice(1, 3).join(' ')} · ${formatCount(about.events)} events · ${formatDuration(about.span, about.isNs)}`;
    this.warn();
    this.followMedia();
    this.restore();
    this.panel.show(this.panel.open);
    this.timeline.resize();
  }

  warn() {
    const {about} = this;
    const texts = [];
    const leftOut = about.chunks.filter((chunk) => chunk[4]).length;
    const parts = `${leftOut} of ${about.chunks.length} parts`;
    if (leftOut) texts.push(`The page would have been too large: ${parts} show less detail (kft view --max-size). What is longest of each kind is exact, and what kft view --exact asked for.`);
    if (about.gaps) texts.push(`${formatCount(about.lost)} events are missing in ${formatCount(about.gaps)} places, which are striped.`);
    if (about.unfinished) texts.push('The recording was not finished.');
    byId('warning').textContent = texts.join(' ');
    byId('warning').hidden = !texts.length;
  }

  // As the system has it, until the reader chooses; on paper light.
  followMedia() {
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const paper = window.matchMedia('print');
    const follow = () => this.setTheme(!paper.matches && (this.isChosenDark ?? dark.matches));
    byId('theme').onclick = () => {
      const isDark = !this.timeline.isDark;
      this.isChosenDark = isDark === dark.matches ? undefined : isDark;
      follow();
    };
    dark.addEventListener('change', follow);
    paper.addEventListener('change', () => {
      follow();
      this.timeline.resize();
      this.timeline.drawNow();
    });
    follow();
  }

  setTheme(isDark) {
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    this.timeline.setTheme(isDark);
    this.panel.refresh('legend');
  }

  // ---- where one is

  restore() {
    const state = readFragment(location.hash, this.timeline.span);
    if (state.closed) {
      for (const group of this.timeline.groups) group.isOpen = !state.closed.includes(group.id);
      this.timeline.layOut();
    }
    this.marks = state.marks;
    if (state.view) this.timeline.show(state.view.begin, state.view.end);
    else this.timeline.show(0, openingEnd(this.model.about));
    if (state.range) this.setRange(state.range);
    if (state.query) {
      byId('search').value = state.query;
      this.search.run(state.query);
    }
    if (state.selected && this.model.tracks[state.selected.track]) this.select(state.selected.track, state.selected.time);
  }

  remember() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const {track, chunk, i} = this.selected || {};
      const text = writeFragment({...this.timeline.view, marks: this.marks, query: this.search.text, range: this.range,
        selected: this.selected ? {track: track.number, time: (chunk.begin[i] + chunk.end[i]) / 2} : null,
        closed: this.timeline.groups.filter((group) => !group.isOpen).map((group) => group.id)});
      this.written = `#${text}`;
      history.replaceState(null, '', this.written);
    }, 150);
  }

  centre(time) {
    const half = (this.timeline.view.end - this.timeline.view.begin) / 2;
    this.timeline.show(time - half, time + half);
  }

  // To an item, with a little around it.
  goTo(track, begin, end) {
    const length = Math.max(end - begin, 1);
    const {view} = this.timeline;
    const shown = view.end - view.begin;
    if (end === begin || begin < view.begin || end > view.end || length < shown / 8 || length > shown) {
      const room = end === begin ? Math.min(shown / 2, 1e6) : length * 1.5;
      this.timeline.show(begin - room, end + room);
    }
    return this.select(track, (begin + end) / 2);
  }

  zoomToSelected() {
    if (!this.selected) return;
    const {chunk, i} = this.selected;
    const room = Math.max(20, (chunk.end[i] - chunk.begin[i]) * 0.15);
    this.timeline.show(chunk.begin[i] - room, chunk.end[i] + room);
  }

  // ---- what is selected

  async select(number, time) {
    const root = this.timeline.rootOf(number);
    const track = this.model.tracks[number];
    if (!root) return;
    this.selecting = {};
    const token = this.selecting;
    const found = await findItem(this.store, root, number, time);
    if (!found || token !== this.selecting) return;
    this.setSelected({track, ...found});
  }

  setSelected(selected, isSpoken = true) {
    this.selected = selected;
    this.timeline.chosenRow = null;
    const answer = this.why.ofSelected();
    if (answer) this.timeline.pin(this.why.group(answer));
    else if (!selected) this.timeline.pin(null);
    if (selected) {
      let place = this.timeline.placeOfTrack(selected.track.number);
      if (!place) {
        this.openGroupOf(selected.track);
        place = this.timeline.placeOfTrack(selected.track.number);
      }
      if (place) {
        this.timeline.chosenRow = place.row;
        this.timeline.reveal(place);
      }
      this.panel.show('details');
      if (isSpoken) this.speak(this.describe(selected.track, selected.chunk, selected.i));
    }
    this.timeline.update();
    this.remember();
  }

  openGroupOf(track) {
    const has = (group) => group.rows.some((row) => row.bands.some((band) => band.tracks.includes(track)));
    const group = this.timeline.groups.find(has);
    if (group && !group.isOpen) this.timeline.toggle(group);
  }

  describe(track, chunk, i) {
    const length = chunk.end[i] - chunk.begin[i];
    const many = isRun(chunk, i) ? `${formatCount(chunk.count[i])} items, mostly ` : '';
    const value = track.name === 'counter' ? `: ${formatCount(chunk.value[i])}` : '';
    const parts = [`${many}${this.model.title(track, chunk.key[i])}${value}`, this.model.where(track, chunk.other[i])];
    if (length) parts.push(formatDuration(length, this.about.isNs));
    parts.push(`at +${formatDuration(chunk.begin[i], this.about.isNs)}`);
    const text = textOf(chunk, i);
    if (text) parts.push(text.slice(0, 300));
    return parts.filter(Boolean).join(', ');
  }

  speak(text) {
    byId('spoken').textContent = text;
  }

  // The next item of what is selected (or of the row), or the one before.
  async step(direction) {
    if (!this.selected) return this.stepRow(0);
    const {track, chunk, i} = this.selected;
    const root = this.timeline.rootOf(track.number);
    const [from, to] = direction > 0 ? [chunk.end[i], Infinity] : [-1, chunk.begin[i]];
    const isSame = (found) => found.chunk.begin[found.i] === chunk.begin[i] && found.chunk.end[found.i] === chunk.end[i];
    for await (const found of items(this.store, root.chunk, track.number, root.range, from, to, () => true, direction < 0)) {
      const isBehind = direction > 0 ? found.chunk.begin[found.i] >= chunk.end[i] : found.chunk.end[found.i] <= chunk.begin[i];
      if (!isBehind || isSame(found)) continue;
      const begin = found.chunk.begin[found.i];
      if (begin < this.timeline.view.begin || begin > this.timeline.view.end) this.centre(begin);
      return this.setSelected({track, ...found});
    }
    return this.speak(direction > 0 ? 'there is no later one' : 'there is no earlier one');
  }

  // To the row below or above, at the same time.
  stepRow(direction) {
    const rows = this.timeline.layout.places.filter((place) => place.row);
    const at = rows.findIndex((place) => place.row === this.timeline.chosenRow);
    const next = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + direction))];
    if (!next) return;
    const {view} = this.timeline;
    const time = this.selected ? this.selected.chunk.begin[this.selected.i] : (view.begin + view.end) / 2;
    const inView = Math.max(view.begin, Math.min(time, view.end));
    this.timeline.chosenRow = next.row;
    this.timeline.reveal(next);
    this.select(next.row.bands[0].tracks[0].number, inView);
  }

  // ---- ranges and marks

  async setRange(range) {
    this.range = range;
    this.rangeStats = null;
    this.timeline.update();
    this.remember();
    if (!range) return this.panel.refresh('range');
    this.panel.show('range');
    this.counting = {};
    const token = this.counting;
    const stats = await rangeStatistics(this.scene, range[0], range[1], () => token === this.counting);
    if (!stats) return undefined;
    this.rangeStats = stats;
    return this.panel.refresh('range');
  }

  setRangeEnd(which) {
    const range = this.range ? [...this.range] : [this.timeline.view.begin, this.timeline.view.end];
    range[which] = this.cursorTime();
    if (range[0] < range[1]) this.setRange(range);
  }

  cursorTime() {
    if (this.cursor.y < 0 && this.selected) return this.selected.chunk.begin[this.selected.i];
    return this.cursor.y < 0 ? (this.timeline.view.begin + this.timeline.view.end) / 2 : this.timeline.timeAt(this.cursor.x);
  }

  addMark() {
    const time = Math.max(0, Math.min(this.cursorTime(), this.timeline.span));
    this.marks.push(Math.round(time));
    this.speak(`mark at +${formatDuration(time, this.about.isNs)}`);
    this.changeMarks();
  }

  removeMark(time) {
    this.marks.splice(this.marks.indexOf(time), 1);
    this.changeMarks();
  }

  changeMarks() {
    this.panel.show('marks');
    this.timeline.update();
    this.remember();
  }

  // ---- search

  showSearch() {
    const {search} = this;
    const n = search.results.length;
    byId('search-count').textContent = search.error ? 'not understood' : search.isRunning ? 'searching…'
      : search.query ? `${formatCount(n)}${search.isFull ? ' or more' : ''} found` : '';
    if (search.query || search.error) this.panel.show('found');
    for (const id of ['found-previous', 'found-next']) byId(id).disabled = !n;
    this.timeline.update();
    this.remember();
  }

  stepFound(direction) {
    const row = this.search.step(direction, this.timeline.view.begin);
    if (!row) return;
    byId('search-count').textContent = `${this.search.at + 1} of ${formatCount(this.search.results.length)}${this.search.isFull ? '+' : ''}`;
    this.timeline.update();
    this.goTo(row.track.number, row.begin, row.end);
  }

  // ---- picture

  // The longest of them, in the order of the rows.
  itemsInView() {
    const {begin, end} = this.timeline.view;
    const scale = this.timeline.width / (end - begin);
    const list = [];
    for (const {row} of this.timeline.visible()) {
      for (const band of row ? row.bands : []) {
        for (const track of band.tracks) {
          const root = this.timeline.rootOf(track.number);
          if (!root) continue;
          walk(this.store, root.chunk, track.number, root.range, begin, end,
            (chunk, i) => (chunk.end[i] - chunk.begin[i]) * scale > 1.6, (chunk, i) => {
              if (list.length < LOOKED_AT_MAX) list.push([list.length, chunk.end[i] - chunk.begin[i], track, chunk, i]);
            });
        }
      }
    }
    list.sort((a, b) => b[1] - a[1]);
    return list.slice(0, IN_VIEW_MAX).sort((a, b) => a[0] - b[0]).map(([, , track, chunk, i]) => toRow(track, chunk, i));
  }

  afterDraw() {
    this.overview.draw();
    drawAxis(this);
    this.drawOverlay();
    /* Rows and times may have moved under a pointer that rests. */
    if (this.hasTip) this.hover(this.cursor);
    const {view} = this.timeline;
    byId('clock').textContent = `${formatDuration(view.end - view.begin, this.about.isNs)} in view`;
    this.remember();
    clearTimeout(this.inViewTimer);
    this.inViewTimer = setTimeout(() => this.panel.refresh('inview'), 200);
  }

  // Hidden while there is nothing on it: the browser has one picture less to put together.
  drawOverlay() {
    const canvas = byId('overlay');
    const {timeline} = this;
    canvas.hidden = !this.selected && !this.range && !this.marks.length && !timeline.wakeUps.length && !this.search.results.length;
    if (canvas.hidden) return;
    const scale = timeline.scale || 1;
    if (canvas.width !== timeline.canvas.width || canvas.height !== timeline.canvas.height) {
      canvas.width = timeline.canvas.width;
      canvas.height = timeline.canvas.height;
    }
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, timeline.cssWidth, timeline.height);
    const colours = timeline.colours();
    if (!this.why.draw(context, colours)) this.arrows.draw(context, colours);
    this.hits.draw(context, colours);
    this.drawRange(context, colours);
    this.drawMarks(context, colours);
    this.drawSelected(context, colours);
  }

  drawRange(context, colours) {
    if (!this.range) return;
    const [x0, x1] = this.range.map((time) => this.timeline.xOf(time));
    context.fillStyle = `${colours.accent}2b`;
    context.fillRect(x0, 0, x1 - x0, this.timeline.height);
    context.fillStyle = colours.accent;
    context.fillRect(x0, 0, 1, this.timeline.height);
    context.fillRect(x1, 0, 1, this.timeline.height);
  }

  drawMarks(context, colours) {
    const sorted = [...this.marks].sort((a, b) => a - b);
    context.font = '11px system-ui, sans-serif';
    sorted.forEach((time, i) => {
      const x = Math.round(this.timeline.xOf(time));
      context.fillStyle = colours.mark;
      context.fillRect(x, 0, 1.5, this.timeline.height);
      const since = i ? ` +${formatDuration(time - sorted[i - 1], this.about.isNs)}` : '';
      context.fillText(`${i + 1}${since}`, x + 4, 12);
    });
  }

  drawSelected(context, colours) {
    if (!this.selected) return;
    const {track, chunk, i} = this.selected;
    const place = this.timeline.placeOfTrack(track.number);
    if (!place) return;
    const band = place.row.bands.find((b) => b.tracks.includes(track));
    const x0 = this.timeline.xOf(chunk.begin[i]);
    const x1 = this.timeline.xOf(chunk.end[i]);
    const y = place.y + band.y - this.timeline.scrollTop;
    context.strokeStyle = colours.text;
    context.lineWidth = 2;
    context.strokeRect(Math.max(-4, x0 - 1), y - 1, Math.min(x1, this.timeline.cssWidth + 4) - Math.max(-4, x0) + 2, band.height + 2);
  }

  // ---- input

  listen() {
    this.listenToPointer();
    this.listenToAxis();
    document.addEventListener('keydown', (event) => this.onKey(event));
    byId('search-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.search.run(byId('search').value);
      byId('view').focus();
    });
    byId('found-previous').onclick = () => this.stepFound(-1);
    byId('found-next').onclick = () => this.stepFound(1);
    byId('whole').onclick = () => this.timeline.show(0, this.timeline.span);
    byId('save-svg').onclick = () => saveSvg(this);
    byId('save-png').onclick = () => savePng(this);
    byId('help-button').onclick = () => showHelp();
    window.addEventListener('hashchange', () => { if (location.hash !== this.written) this.restore(); });
  }

  listenToPointer() {
    const view = byId('view');
    const pointers = new Map();
    let start = null;
    const place = (event) => {
      const box = view.getBoundingClientRect();
      return {x: event.clientX - box.left, y: event.clientY - box.top};
    };
    view.addEventListener('pointerdown', (event) => {
      view.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, place(event));
      start = {...place(event), view: {...this.timeline.view}, scrollTop: this.timeline.scrollTop, isRange: event.shiftKey, hasMoved: false,
        time: this.timeline.timeAt(place(event).x), spread: this.spread(pointers)};
    });
    view.addEventListener('pointermove', (event) => {
      const at = place(event);
      Object.assign(this.cursor, {x: at.x, y: at.y});
      if (!pointers.has(event.pointerId)) {
        this.hasTip = true;
        return this.hover(at);
      }
      pointers.set(event.pointerId, at);
      if (!start || Math.hypot(at.x - start.x, at.y - start.y) < 4) return undefined;
      start.hasMoved = true;
      this.hideTip();
      return this.drag(start, at, pointers);
    });
    const end = (event) => {
      const at = place(event);
      pointers.delete(event.pointerId);
      if (start && !start.hasMoved && event.type === 'pointerup') this.click(at);
      if (start && start.hasMoved && start.isRange) this.setRange(this.range);
      start = null;
      if (event.pointerType !== 'mouse') this.hideTip();
    };
    view.addEventListener('pointerup', end);
    view.addEventListener('pointercancel', end);
    view.addEventListener('pointerleave', () => {
      this.hideTip();
      this.cursor.y = -1;
    });
    view.addEventListener('dblclick', () => this.zoomToSelected());
    view.addEventListener('wheel', (event) => {
      event.preventDefault();
      const {x} = place(event);
      const fits = this.timeline.layout.height <= this.timeline.height;
      if (event.ctrlKey || event.metaKey || (fits && !event.shiftKey && !event.deltaX)) this.timeline.zoom(2 ** (event.deltaY / 240), x);
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.timeline.move((event.deltaX || event.deltaY) / 900);
      else this.timeline.scrollTo(this.timeline.scrollTop + event.deltaY);
    }, {passive: false});
  }

  spread(pointers) {
    const [a, b] = [...pointers.values()];
    return b ? Math.max(10, Math.abs(a.x - b.x)) : 0;
  }

  drag(start, at, pointers) {
    const length = start.view.end - start.view.begin;
    const spread = this.spread(pointers);
    if (spread && start.spread) {
      const zoomed = length * start.spread / spread;
      const part = start.x / this.timeline.cssWidth;
      this.timeline.show(start.time - part * zoomed, start.time + (1 - part) * zoomed);
    } else if (start.isRange) {
      const time = this.timeline.timeAt(at.x);
      this.range = [Math.max(0, Math.min(start.time, time)), Math.max(start.time, time)];
      this.timeline.update();
    } else {
      const moved = (start.x - at.x) / this.timeline.cssWidth * length;
      this.timeline.show(start.view.begin + moved, start.view.end + moved);
      this.timeline.scrollTo(start.scrollTop + start.y - at.y);
    }
  }

  listenToAxis() {
    const axis = byId('axis');
    let from = null;
    const time = (event) => this.timeline.timeAt(event.clientX - axis.getBoundingClientRect().left);
    axis.addEventListener('pointerdown', (event) => {
      axis.setPointerCapture(event.pointerId);
      from = time(event);
    });
    axis.addEventListener('pointermove', (event) => {
      if (from === null) return;
      const to = time(event);
      this.range = [Math.max(0, Math.min(from, to)), Math.max(from, to)];
      this.timeline.update();
    });
    axis.addEventListener('pointerup', () => {
      from = null;
      if (this.range && this.range[1] > this.range[0]) this.setRange(this.range);
    });
    axis.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.timeline.zoom(2 ** (event.deltaY / 240), event.clientX - axis.getBoundingClientRect().left);
    }, {passive: false});
  }

  hitAt({x, y}) {
    return this.timeline.hit(this.timeline.placeAt(y), y, this.timeline.timeAt(x));
  }

  hideTip() {
    this.hasTip = false;
    byId('tip').hidden = true;
  }

  hover(at) {
    const tip = byId('tip');
    const hit = this.hitAt(at);
    byId('cursor-time').textContent = formatMoment(this.about.start, Math.max(0, this.timeline.timeAt(at.x)), this.about.isNs);
    tip.hidden = !hit;
    if (!hit) return;
    tip.textContent = this.describe(hit.track, hit.chunk, hit.i);
    tip.style.left = 0; // its width is measured where it has the most room
    tip.style.left = `${Math.max(0, Math.min(at.x + 14, this.timeline.cssWidth - tip.offsetWidth))}px`;
    tip.style.top = `${at.y + 18 + tip.offsetHeight > this.timeline.height ? Math.max(0, at.y - tip.offsetHeight - 8) : at.y + 18}px`;
  }

  click(at) {
    const hit = this.hitAt(at);
    byId('view').focus({preventScroll: true});
    if (!hit) return this.setSelected(null);
    this.timeline.chosenRow = null;
    return this.select(hit.track.number, Math.max(hit.chunk.begin[hit.i], Math.min(this.timeline.timeAt(at.x), hit.chunk.end[hit.i])));
  }

  onKey(event) {
    const isTyping = event.target.matches('input, textarea, select');
    if (event.key === 'Escape') {
      if (isTyping) byId('view').focus();
      else this.setSelected(null);
      return;
    }
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
    const {timeline} = this;
    const x = this.cursor.y < 0 ? timeline.cssWidth / 2 : this.cursor.x;
    const keys = {
      w: () => timeline.zoom(0.72, x), s: () => timeline.zoom(1.39, x),
      a: () => timeline.move(-0.12), d: () => timeline.move(0.12),
      '+': () => timeline.zoom(0.72, timeline.cssWidth / 2), '-': () => timeline.zoom(1.39, timeline.cssWidth / 2),
      '0': () => timeline.show(0, timeline.span), f: () => this.zoomToSelected(),
      '/': () => byId('search').select(), n: () => this.stepFound(1), N: () => this.stepFound(-1),
      m: () => this.addMark(), '[': () => this.setRangeEnd(0), ']': () => this.setRangeEnd(1),
      '?': () => showHelp(), l: () => this.panel.toggleLegend(), x: () => this.goToWorst(),
    };
    const rows = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1),
      ArrowDown: () => this.stepRow(1), ArrowUp: () => this.stepRow(-1),
      PageDown: () => timeline.scrollTo(timeline.scrollTop + timeline.height * 0.8),
      PageUp: () => timeline.scrollTo(timeline.scrollTop - timeline.height * 0.8),
      Home: () => this.centre(0), End: () => this.centre(timeline.span),
    };
    const isInView = byId('view').contains(event.target) || event.target === document.body;
    const act = keys[event.key] || (isInView ? rows[event.key] : null);
    if (!act) return;
    event.preventDefault();
    act();
  }

  // One after the other of what is longest.
  goToWorst() {
    if (!this.worst.length) return;
    this.worstAt = ((this.worstAt === undefined ? -1 : this.worstAt) + 1) % this.worst.length;
    const {track, begin, end} = this.worst[this.worstAt];
    this.goTo(track, begin, end);
  }
}

// A chunk in the page.
function embedded(id) {
  const element = byId(`c${id}`);
  return element ? {text: element.textContent} : null;
}

// A chunk beside the page, at the server that the page is from.
function served(id) {
  return {url: new URL(`c${id}`, location.href).href};
}

function makeWorkers() {
  const url = URL.createObjectURL(new Blob([byId('worker').textContent], {type: 'text/javascript'}));
  const n = Math.max(1, Math.min(3, (navigator.hardwareConcurrency || 2) - 1));
  return Array.from({length: n}, () => new Worker(url));
}

async function open() {
  const started = performance.now();
  const bytes = await inflate(bytesOfBase64(byId('about0').textContent));
  const about = JSON.parse(new TextDecoder().decode(bytes));
  const store = new Store(about.chunks, about.served ? served : embedded, makeWorkers());
  const app = new App(about, store, await Promise.all(about.roots.map((id) => store.pin(id))));
  app.listen();
  app.start();
  app.openedAfter = performance.now();
  app.openedIn = app.openedAfter - started;
  window.kftView = app;
  /* Chunks behind this script come while the page is being read. */
  const pump = setInterval(() => store.pump(), 100);
  const stop = () => {
    clearInterval(pump);
    store.pump();
  };
  if (document.readyState === 'complete') stop();
  else window.addEventListener('load', stop);
}

open().catch((error) => {
  byId('warning').hidden = false;
  byId('warning').replaceChildren(make('strong', {textContent: 'This page cannot be shown: '}), String(error));
});
