// SPDX-License-Identifier: GPL-2.0-only
// Looks through the tracks for what fits a query, the page going on meanwhile.
import {fitsItem, fitsTrack, parseQuery} from './query.js';
import {textOf} from './store.js';
import {isRun, items} from './tree.js';

const RESULTS_MAX = 5000;
const PAUSE_MS = 12; // of work, before the page gets a turn

export function toRow(track, chunk, i) {
  return {track, begin: chunk.begin[i], end: chunk.end[i], key: chunk.key[i], other: chunk.other[i],
    count: isRun(chunk, i) ? chunk.count[i] : 1, text: textOf(chunk, i)};
}

export class Search {
  constructor(model, store, rootOf, onChange) {
    Object.assign(this, {model, store, rootOf, onChange});
    this.clear();
  }

  clear() {
    Object.assign(this, {text: '', query: null, error: '', results: [], isRunning: false, at: -1, isFull: false});
    this.token = {};
  }

  async run(text) {
    this.clear();
    this.text = text;
    const {token} = this;
    try {
      this.query = parseQuery(text, this.model.kinds.map(({name}) => name));
    } catch (error) {
      this.error = error.message;
    }
    if (!this.query) return this.onChange();
    this.isRunning = true;
    this.onChange();
    const tracks = this.model.tracks.filter((track) => fitsTrack(this.query, track, this.model));
    const found = [];
    let turn = performance.now();
    for (const track of tracks) {
      const root = this.rootOf(track.number);
      if (!root) continue;
      for await (const {chunk, i} of this.candidates(track, root)) {
        if (token !== this.token) return undefined;
        const row = toRow(track, chunk, i);
        const length = isRun(chunk, i) ? chunk.max[i] : row.end - row.begin;
        if (fitsItem(this.query, track, {...row, length}, this.model)) found.push(row);
        if (found.length >= RESULTS_MAX) break;
        if (performance.now() - turn > PAUSE_MS) {
          await new Promise((resolve) => { setTimeout(resolve); });
          turn = performance.now();
        }
      }
      if (found.length >= RESULTS_MAX) break;
    }
    if (token !== this.token) return undefined;
    this.results = found.sort((a, b) => a.begin - b.begin);
    this.isFull = found.length >= RESULTS_MAX;
    this.isRunning = false;
    return this.onChange();
  }

  // Runs whose longest is too short need not be opened.
  candidates(track, root) {
    const {over} = this.query;
    const isWorth = (chunk, i) => chunk.max[i] > over;
    return items(this.store, root.chunk, track.number, root.range, 0, Infinity, isWorth);
  }

  // The next one (or the one before) from a time on.
  step(direction, time) {
    const n = this.results.length;
    if (!n) return null;
    if (this.at < 0) {
      const next = this.results.findIndex((row) => row.begin >= time);
      this.at = direction > 0 ? (next < 0 ? 0 : next) : (next <= 0 ? n : next) - 1;
    } else {
      this.at = (this.at + direction + n) % n;
    }
    return this.results[this.at];
  }
}
