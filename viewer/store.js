// SPDX-License-Identifier: GPL-2.0-only
// Chunks that are unpacked: kept while they are of use, fetched from the page when needed.

const KEPT = 96;

export class Store {
  // source(id): what a worker makes the chunk of, {text} or {url}; null while the page is
  // still being read.
  constructor(chunks, source, workers) {
    this.about = chunks;
    this.source = source;
    this.workers = workers;
    this.kept = new Map(); // id -> chunk
    this.looks = 0; // a chunk has in lastUse how many there were when it was looked at
    this.pinned = new Set();
    this.waiting = new Map(); // id -> {promise, resolve, reject}, not begun yet
    this.running = new Map(); // the same, of those that a worker has
    this.idle = [...workers];
    this.onLoad = () => {};
    for (const worker of workers) {
      worker.onmessage = ({data}) => this.finish(worker, data);
    }
  }

  isLeftOut(id) {
    return this.about[id][4] === 1;
  }

  // The chunk if it is there.
  peek(id) {
    const chunk = this.kept.get(id);
    if (chunk) chunk.lastUse = ++this.looks;
    return chunk;
  }

  // The chunk if it is there; otherwise it is asked for.
  want(id) {
    const chunk = this.peek(id);
    if (!chunk && !this.isLeftOut(id)) this.request(id);
    return chunk;
  }

  load(id) {
    const chunk = this.peek(id);
    if (chunk) return Promise.resolve(chunk);
    return this.request(id).promise;
  }

  request(id) {
    const known = this.waiting.get(id) || this.running.get(id);
    if (known) return known;
    const entry = {};
    entry.promise = new Promise((resolve, reject) => Object.assign(entry, {resolve, reject}));
    entry.promise.catch(() => {});
    this.waiting.set(id, entry);
    this.pump();
    return entry;
  }

  pin(id) {
    this.pinned.add(id);
    return this.load(id);
  }

  // What was asked for last is begun first: it is what is looked at now.
  pump() {
    const ids = [...this.waiting.keys()].reverse();
    for (const id of ids) {
      if (!this.idle.length) return;
      const from = this.source(id);
      if (from === null) continue;
      const entry = this.waiting.get(id);
      this.waiting.delete(id);
      this.running.set(id, entry);
      const [level, items] = this.about[id];
      this.idle.pop().postMessage({id, level, items, ...from});
    }
  }

  finish(worker, {id, chunk, error}) {
    const entry = this.running.get(id);
    this.running.delete(id);
    this.idle.push(worker);
    if (error) {
      entry.reject(new Error(error));
    } else {
      this.keep(id, prepare(chunk));
      entry.resolve(this.kept.get(id));
      this.onLoad();
    }
    this.pump();
  }

  keep(id, chunk) {
    chunk.lastUse = ++this.looks;
    this.kept.set(id, chunk);
    if (this.kept.size <= KEPT + this.pinned.size) return;
    let oldest = id;
    for (const [other, {lastUse}] of this.kept) {
      if (!this.pinned.has(other) && lastUse < this.kept.get(oldest).lastUse) oldest = other;
    }
    this.kept.delete(oldest);
  }
}

// Tracks by their number: [first, behind the last].
export function prepare(chunk) {
  chunk.byTrack = new Map();
  for (let i = 0; i < chunk.tracks.length; i += 3) {
    const from = chunk.tracks[i + 1];
    chunk.byTrack.set(chunk.tracks[i], [from, from + chunk.tracks[i + 2]]);
  }
  return chunk;
}

export function textOf(chunk, i) {
  if (chunk.level || chunk.textAt[i] === chunk.textAt[i + 1]) return '';
  return new TextDecoder().decode(chunk.text.subarray(chunk.textAt[i], chunk.textAt[i + 1]));
}
