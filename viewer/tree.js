// SPDX-License-Identifier: GPL-2.0-only
// Items of a track, found through the levels of detail.

// The first of [from, to) that ends at a time or behind it.
export function firstAfter(chunk, from, to, time) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (chunk.end[middle] >= time) to = middle;
    else from = middle + 1;
  }
  return from;
}

// Where in its child a run's items are.
export function childRange(chunk, i, child, track) {
  const range = child.byTrack.get(track);
  if (!range) return [0, 0];
  const from = Math.min(range[0] + chunk.start[i], range[1]);
  return [from, Math.min(from + chunk.n[i], range[1])];
}

// One of the level below (n = 1) may be a run of more.
export function isRun(chunk, i) {
  return chunk.level > 0 && chunk.count[i] > 1;
}

/*
 * visit(chunk, i) for what is between two times, with as much detail as is there and worth
 * it: isWorth(chunk, i) says whether a run is opened. What is not there yet is asked for.
 */
export function walk(store, chunk, track, [low, high], from, to, isWorth, visit) {
  for (let i = firstAfter(chunk, low, high, from); i < high && chunk.begin[i] <= to; i++) {
    if (isRun(chunk, i) && isWorth(chunk, i)) {
      const child = store.want(chunk.child[i]);
      if (child) {
        walk(store, child, track, childRange(chunk, i, child, track), from, to, isWorth, visit);
        continue;
      }
    }
    visit(chunk, i);
  }
}

/*
 * The same, one item after the other, waiting for what is not there. Runs that isWorth is
 * false for are given as they are. backwards: the last one first.
 */
export async function* items(store, chunk, track, [low, high], from, to, isWorth, backwards = false) {
  let i = backwards ? high - 1 : firstAfter(chunk, low, high, from);
  if (backwards) {
    while (i >= low && chunk.begin[i] > to) i--;
  }
  for (; backwards ? i >= low && chunk.end[i] >= from : i < high && chunk.begin[i] <= to;
    i += backwards ? -1 : 1) {
    if (isRun(chunk, i) && !store.isLeftOut(chunk.child[i]) && isWorth(chunk, i)) {
      const child = await store.load(chunk.child[i]);
      yield* items(store, child, track, childRange(chunk, i, child, track), from, to, isWorth, backwards);
    } else {
      yield {chunk, i};
    }
  }
}
