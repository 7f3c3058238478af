// SPDX-License-Identifier: GPL-2.0-only
// Statistics of a part of the trace, from as much detail as can be looked at at once.
import {OF_CPU, OF_TASK} from './rows.js';
import {isRun, items} from './tree.js';

// Parts of the trace with all their detail: more take too long for an answer at once.
const CHUNKS_MAX = 48;

// Does the range need more chunks of the most detailed level than are looked at?
export function isLong(chunks, begin, end) {
  let n = 0;
  for (const [level, , from, length, isLeftOut] of chunks) {
    if (level > 0 || from > end || from + length < begin) continue;
    n++;
    if (isLeftOut) return true;
  }
  return n > CHUNKS_MAX;
}

function addTo(sums, track, chunk, i, begin, end, model) {
  const id = `${track.kind} ${chunk.key[i]}`;
  let sum = sums.get(id);
  if (!sum) {
    sum = {kind: track.name, name: model.title(track, chunk.key[i]), count: 0,
      inside: 0, max: 0, at: 0, track: track.number, owner: track.owner, tracks: new Set(), owners: new Set()};
    sums.set(id, sum);
  }
  const length = chunk.end[i] - chunk.begin[i];
  const inside = Math.min(end, chunk.end[i]) - Math.max(begin, chunk.begin[i]);
  const isMany = isRun(chunk, i);
  const share = length > 0 ? Math.max(0, inside) / length : 1;
  const longest = isMany ? chunk.max[i] : length;
  sum.tracks.add(track.number);
  sum.owners.add(track.id);
  sum.count += isMany ? chunk.count[i] : 1;
  sum.inside += isMany ? chunk.busy[i] * share : Math.max(0, inside);
  if (longest > sum.max) Object.assign(sum, {max: longest, at: chunk.begin[i], track: track.number});
}

function countOf(n, noun) {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/*
 * The whole that a sum of times is a share of: {n, text}. All CPUs of the trace, or the tasks that
 * have such items. Intervals that overlap are on several tracks of a CPU or a task, so that these
 * are counted instead: within one track nothing overlaps, and no share exceeds 100 %.
 */
export function wholeOf({owner, tracks, owners}, cpus) {
  if (tracks.size > owners.size || (owner !== OF_CPU && owner !== OF_TASK)) return {n: tracks.size, text: countOf(tracks.size, 'track')};
  return owner === OF_CPU ? {n: cpus, text: countOf(cpus, 'CPU')} : {n: owners.size, text: countOf(owners.size, 'task')};
}

/*
 * {rows, isExact}, or null when isCurrent() says that nobody waits for it any more. What
 * crosses an end of the range counts with the part that is inside.
 */
export async function rangeStatistics({model, store, rootOf}, begin, end, isCurrent) {
  const isExact = !isLong(model.about.chunks, begin, end);
  const sums = new Map();

  for (const track of model.tracks) {
    const root = rootOf(track.number);
    if (!root) continue;
    /* Of one key all are the same: only what crosses the ends has to be opened. */
    const isWorth = (chunk, i) => (isExact && track.key < 0) ||
      (chunk.level === 1 ? isExact : true) && (chunk.begin[i] < begin || chunk.end[i] > end);
    for await (const {chunk, i} of items(store, root.chunk, track.number, root.range, begin, end, isWorth)) {
      if (!isCurrent()) return null;
      addTo(sums, track, chunk, i, begin, end, model);
    }
  }
  const cpus = new Set(model.tracks.filter((track) => track.owner === OF_CPU).map((track) => track.id)).size;
  const rows = [...sums.values()].map((sum) => {
    const whole = wholeOf(sum, cpus);
    const hasLength = sum.max > 0 && sum.kind !== 'counter';
    return {...sum, whole: whole.text, share: hasLength && end > begin ? sum.inside / (whole.n * (end - begin)) : NaN};
  });
  return {rows, isExact};
}
