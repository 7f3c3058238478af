// SPDX-License-Identifier: GPL-2.0-only
// Parts of the page that need no browser.
import assert from 'node:assert/strict';
import test from 'node:test';
import {bytesOfBase64, decodeChunk} from '../../viewer/codec.js';
import {Line, Names, fitText, isCovered, paintLine} from '../../viewer/draw.js';
import {formatCount, formatDuration, formatMoment, formatTick, niceStep, parseDuration} from '../../viewer/format.js';
import {openingEnd, readFragment, writeFragment} from '../../viewer/fragment.js';
import {FULL, HATCHED, LOW, THIN, colourOf, isLight, mix, pixelOf, styleOf} from '../../viewer/palette.js';
import {fitsItem, fitsTrack, parseQuery} from '../../viewer/query.js';
import {isLong} from '../../viewer/range.js';
import {Model, layOut, makeGroups} from '../../viewer/rows.js';
import {Store, prepare, textOf} from '../../viewer/store.js';
import {firstAfter, walk} from '../../viewer/tree.js';
import {mostTelling, worstOf} from '../../viewer/worst.js';

test('times', () => {
  assert.equal(formatDuration(0), '0 ns');
  assert.equal(formatDuration(999), '999 ns');
  assert.equal(formatDuration(7012345), '7.012 ms');
  assert.equal(formatDuration(61e9), '61.00 s');
  assert.equal(formatDuration(12, false), '12');
  assert.equal(formatMoment('281688578000', 123), '281.688578123');
  assert.equal(formatMoment('9007199254740993', 1), '9007199.254740994');
  assert.equal(formatTick(34910123000, 1000), '34.910123 s');
  assert.equal(formatTick(20e6, 10e6), '20 ms');
  assert.equal(formatTick(0, 10e6), '0 ns');
  assert.equal(formatCount(1234567), '1,234,567');
  assert.equal(parseDuration('2ms'), 2e6);
  assert.equal(parseDuration('1.5 s'), 1.5e9);
  assert.ok(Number.isNaN(parseDuration('soon')));
  for (const span of [1, 37, 1e3, 5e9, 1e15]) {
    const step = niceStep(span, 10);
    assert.ok(step >= 1 && (span < 10 || (span / step <= 10 && span / step > 3)), `${span} in steps of ${step}`);
  }
});

// One track: items of 10 ns with gaps of 5.
function level0() {
  const column = (...cells) => [1, ...cells];
  return Uint8Array.from([3, 3, ...column(5, 5, 5), 0, 10, ...column(0, 1, 0), ...column(0, 4, 3),
    ...column(2, 1, 4), 0, 0, ...column(2, 0, 1), ...Buffer.from('abc')]);
}

test('a chunk of level 0', () => {
  const chunk = prepare(decodeChunk(level0(), 0, 3));
  assert.deepEqual([...chunk.begin], [5, 20, 35]);
  assert.deepEqual([...chunk.end], [15, 30, 45]);
  assert.deepEqual([...chunk.key], [0, 1, 0]);
  assert.deepEqual([...chunk.value], [NaN, -2, 1]);
  assert.deepEqual([...chunk.other], [1, -1, 2]);
  assert.deepEqual([0, 1, 2].map((i) => textOf(chunk, i)), ['ab', '', 'c']);
  assert.deepEqual(chunk.byTrack.get(3), [0, 3]);
});

test('a chunk that is cut or lies', () => {
  for (let n = 0; n < level0().length - 3; n++) {
    assert.throws(() => decodeChunk(level0().subarray(0, n), 0, 3), `${n} bytes`);
  }
  assert.throws(() => decodeChunk(level0(), 0, 2));
  assert.throws(() => decodeChunk(level0(), 0, 4));
});

test('a chunk above', () => {
  const column = (...cells) => [1, ...cells];
  const chunk = prepare(decodeChunk(Uint8Array.from([0, 2, ...column(5, 5), ...column(25, 10), 0, 7, 0, 0, 0, 2, 0, 0,
    ...column(2, 1), ...column(4, 0), ...column(2, 1), ...column(5, 0), ...column(15, 0)]), 1, 2));
  assert.deepEqual([...chunk.child], [4, 4]);
  assert.deepEqual([...chunk.start], [0, 2]);
  assert.deepEqual([...chunk.busy], [20, 10]);
  assert.deepEqual([...chunk.max], [10, 10]);
});

test('base64', () => {
  assert.deepEqual([...bytesOfBase64('AP8Q')], [0, 255, 16]);
});

test('what is in a track at a time', () => {
  const chunk = prepare(decodeChunk(level0(), 0, 3));
  assert.equal(firstAfter(chunk, 0, 3, 0), 0);
  assert.equal(firstAfter(chunk, 0, 3, 16), 1);
  assert.equal(firstAfter(chunk, 0, 3, 46), 3);
  const seen = [];
  walk({}, chunk, 3, [0, 3], 18, 36, () => true, (c, i) => seen.push(i));
  assert.deepEqual(seen, [1, 2]);
});

test('a run of one that is a run is opened', () => {
  const track = new Map([[3, [0, 3]]]);
  const item = {level: 0, begin: [0, 10, 20], end: [5, 15, 25], byTrack: track};
  const runs = {level: 1, begin: [0], end: [25], n: [3], count: [3], child: [0], start: [0], byTrack: new Map([[3, [0, 1]]])};
  const above = {...runs, level: 2, n: [1], child: [1]};
  const seen = [];
  walk({want: (id) => [item, runs][id]}, above, 3, [0, 1], 0, 30, () => true, (c, i) => seen.push(c.begin[i]));
  assert.deepEqual(seen, [0, 10, 20]);
});

test('pixels', () => {
  const blue = pixelOf('#0072b2');
  assert.equal(colourOf(blue), '#0072b2');
  assert.equal(colourOf(mix(pixelOf('#000000'), pixelOf('#ffffff'), 0.5)), '#7f7f7f');
  assert.ok(isLight(pixelOf('#f0e442')) && !isLight(blue));
  const line = new Line(10);
  line.put(2, 5, blue, FULL, 1);
  line.put(7.2, 7.4, blue, FULL, 1);
  line.put(-5, -1, blue, FULL, 1);
  line.put(11, 12, blue, FULL, 1);
  line.blend(pixelOf('#ffffff'));
  assert.deepEqual([...line.pixel].map((p) => p === blue), [0, 0, 1, 1, 1, 0, 0, 0, 0, 0].map(Boolean));
  assert.notEqual(line.pixel[7], 0, 'what is small is seen');
  assert.deepEqual([0, 1, 5, 6, 8, 9].map((x) => line.pixel[x]), [0, 0, 0, 0, 0, 0]);
  const image = new Uint32Array(10 * 8);
  paintLine(line, image, 2, 4, 0, 8);
  assert.equal(image[2 * 10 + 2], blue);
  assert.equal(image[6 * 10 + 2], 0);
});

test('a band has each shape in its rows, whatever is beside it', () => {
  const line = new Line(60);
  const blue = pixelOf('#0000ff');
  [FULL, LOW, THIN, HATCHED].forEach((shape, i) => line.put(i * 15, i * 15 + 12, blue, shape, 1));
  for (const [top, clip] of [[0, 30], [3, 30], [-5, 30], [20, 26]]) {
    const image = new Uint32Array(60 * 30).fill(7);
    paintLine(line, image, top, 15, 0, clip);
    const expected = new Uint32Array(60 * 30).fill(7);
    for (let y = Math.max(0, -top); y < 15 && top + y < clip; y++) {
      for (let x = 0; x < 60; x++) {
        const isStripe = line.shape[x] !== HATCHED || (x + y) % 6 < 4;
        if (line.pixel[x] && isStripe && isCovered(line.shape[x], y, 15)) expected[(top + y) * 60 + x] = blue;
      }
    }
    assert.deepEqual(image, expected, `at ${top}`);
  }
});

// As wide as 6 for each letter.
function fakeContext() {
  const drawn = [];
  return {drawn, font: '', measureText: (text) => ({width: text.length * 6}), fillRect: () => {},
    fillText: (text, x) => drawn.push([text, x, x + text.length * 6])};
}

test('a name has the room of its item, and no more', () => {
  const context = fakeContext();
  assert.equal(fitText(context, 'f', 'pselect6', 48), 'pselect6');
  assert.equal(fitText(context, 'f', 'pselect6', 47), 'pselec…');
  assert.equal(fitText(context, 'f', 'pselect6', 11), '');
  const names = new Names();
  names.add('clock_nanosleep', 0, 60, 3, 15, 0);
  names.add('WWWWWWWW', 60, 120, 3, 15, 0);
  names.add('under the next', 120, 400, 3, 15, 0);
  names.add('read', 200, 300, 3, 15, 0);
  names.add('another row', 0, 300, 30, 15, 0);
  names.draw(context, 500, 1);
  const ends = [60, 120, 200, 300, 300];
  assert.equal(context.drawn.length, 5);
  context.drawn.forEach(([text, , end], i) => assert.ok(end <= ends[i], text));
  assert.deepEqual(context.drawn.slice(3).map(([text]) => text), ['read', 'another row']);
});

test('shapes tell states apart without their colours', () => {
  const shapes = ['running', 'waiting', 'sleeping', 'blocked'].map((state) => styleOf('task', state, 0, false).shape);
  assert.equal(new Set(shapes).size, 4);
  assert.deepEqual(shapes.slice(0, 3), [FULL, LOW, THIN]);
});

const about = {
  kinds: ['task', 'irq', 'syscall', 'on-cpu', 'event', 'work-queued'].map((name) => ({name})),
  keys: [{kind: 0, name: 'running', count: 4}, {kind: 1, name: '4 timer', count: 2}, {kind: 2, name: 'read', count: 1},
    {kind: 4, name: 'sched:sched_stat_runtime', count: 9}, {kind: 5, name: '<img src=x>', count: 1}],
  tracks: [[0, 2, 12, -1, 0], [2, 2, 12, -1, 0], [1, 1, 0, 1, 0], [3, 1, 0, -1, 0], [4, 1, 0, 3, 0], [5, 0, 0, 4, 0], [0, 2, 13, -1, 0]],
  tasks: [[12, 12, 'cat'], [13, 12, 'worker']],
};

test('rows', () => {
  const groups = makeGroups(new Model(about), () => 1);
  assert.deepEqual(groups.map((group) => group.id), ['cpus', 'tasks', 'irq', 'event', 'work-queued']);
  const [cpus, tasks] = groups;
  assert.deepEqual(cpus.rows[0].bands.map((band) => band.tracks.map((track) => track.name)), [['on-cpu'], ['irq']]);
  assert.deepEqual(tasks.rows.map((row) => [row.label, row.indent || 0]), [['cat 12', 0], ['worker 13', 1]]);
  assert.deepEqual(tasks.rows[0].bands.map((band) => band.tracks[0].name), ['task', 'syscall']);
  const all = layOut(groups);
  tasks.isOpen = false;
  assert.equal(all.places.length - layOut(groups).places.length, 2);
  all.places.forEach((place, i) => assert.equal(place.y, i ? all.places[i - 1].y + all.places[i - 1].height : 0));
});

test('a row has what its trace has, and no band of nothing', () => {
  for (const missing of ['on-cpu', 'irq', 'task']) {
    const tracks = about.tracks.filter(([kind]) => about.kinds[kind].name !== missing);
    const rows = makeGroups(new Model({...about, tracks}), () => 1).flatMap((group) => group.rows);
    assert.ok(rows.every((row) => row.bands.length && row.bands.every((band) => band.tracks.length)), `without ${missing}`);
  }
});

test('queries', () => {
  const model = new Model(about);
  const kinds = about.kinds.map(({name}) => name);
  const [task, syscall, irq, , event] = model.tracks;
  const item = (over) => ({key: 2, other: 0, length: 3e6, text: '', ...over});
  let query = parseQuery('irq:* > 2ms', kinds);
  assert.ok(fitsTrack(query, irq, model) && !fitsTrack(query, task, model));
  assert.ok(fitsItem(query, irq, item({key: 1}), model));
  assert.ok(!fitsItem(query, irq, item({key: 1, length: 2e6}), model));
  query = parseQuery('comm:cat syscall:read', kinds);
  assert.ok(fitsTrack(query, syscall, model) && fitsItem(query, syscall, item(), model));
  assert.ok(!fitsTrack(parseQuery('comm:dog', kinds), syscall, model));
  query = parseQuery('event:sched_* next', kinds);
  assert.ok(fitsItem(query, event, item({key: 3, length: 0, text: 'NEXT=1'}), model));
  assert.ok(!fitsItem(query, event, item({key: 3, length: 0, text: ''}), model));
  query = parseQuery('work-queued:<img*', kinds);
  assert.ok(fitsItem(query, model.tracks[5], item({key: 4}), model));
  assert.equal(parseQuery('  ', kinds), null);
  assert.throws(() => parseQuery('irq:* > soon', kinds), /no time/);
  assert.throws(() => parseQuery('nothing:x', kinds), /no kind/);
  assert.ok(fitsItem(parseQuery('irq:4(.*', kinds), irq, item({key: 1}), model) === false, 'no regular expression');
});

test('the address', () => {
  const state = {begin: 10, end: 2000, selected: {track: 3, time: 55}, marks: [5, 7], query: 'irq:* > 2ms', range: [4, 9], closed: ['irq', 'event']};
  const read = readFragment(`#${writeFragment(state)}`, 5000);
  assert.deepEqual(read, {view: {begin: 10, end: 2000}, range: [4, 9], selected: {track: 3, time: 55}, query: 'irq:* > 2ms',
    closed: ['irq', 'event'], marks: [5, 7]});
  const odd = readFragment('#t=9-1&s=x@y&m=1,foo,-3,99999&r=1-1&q=%3Cscript%3E', 5000);
  assert.deepEqual(odd, {view: null, range: null, selected: null, query: '<script>', closed: null, marks: [1]});
});

test('a page opens with all in view, or with the boot', () => {
  assert.equal(openingEnd({span: 5000}), 5000);
  assert.equal(openingEnd({span: 0}), 1);
  assert.equal(openingEnd({span: 5000, bootEnd: 100}), 200);
  assert.equal(openingEnd({span: 5000, bootEnd: 3000}), 5000);
});

test('chunks are asked for once, the last one first, and forgotten when there are many', async () => {
  const posted = [];
  const worker = {postMessage: (message) => posted.push(message.id)};
  const texts = new Map();
  const store = new Store(Array.from({length: 300}, () => [0, 3, 0, 0, 0]), (id) => (texts.has(id) ? {text: ''} : null), [worker]);
  const done = store.load(1);
  store.want(2);
  assert.deepEqual(posted, [], 'the page is not there yet');
  texts.set(1).set(2);
  store.pump();
  store.want(2);
  assert.deepEqual(posted, [2]);
  const answer = (id) => worker.onmessage({data: {id, chunk: decodeChunk(level0(), 0, 3)}});
  answer(2);
  assert.deepEqual(posted, [2, 1]);
  answer(1);
  assert.equal((await done).level, 0);
  for (let id = 3; id < 300; id++) {
    texts.set(id);
    store.want(id);
    answer(id);
  }
  assert.ok(store.kept.size <= 100 && store.peek(299) && !store.peek(1));
  const broken = store.load(1);
  worker.onmessage({data: {id: 1, error: 'cut'}});
  await assert.rejects(broken, /cut/);
});

test('a long range is not counted item by item', () => {
  const chunks = Array.from({length: 100}, (_, i) => [0, 3, i * 10, 10, 0]);
  assert.equal(isLong(chunks, 0, 50), false);
  assert.equal(isLong(chunks, 0, 1000), true);
  chunks[2][4] = 1;
  assert.equal(isLong(chunks, 0, 50), true);
});

test('what the overview marks', () => {
  const kinds = [{name: 'task'}, {name: 'irq'}, {name: 'hrtimer-late'}];
  const key = (kind, name, begin, length) => ({kind, name, worst: [0, begin, length]});
  const about = {kinds,
    keys: [key(0, 'blocked', 0, 900), key(0, 'waiting', 100, 500), key(1, '4', 150, 490), key(0, 'sleeping', 0, 5000),
      key(2, 'tick', 700, 800), key(1, '5', 2000, 30), key(1, '6', 3000, 10)],
    why: [{key: 0, answer: {cause: 'timeout'}}, {key: 4, answer: {cause: 'idle'}}, {key: 1, answer: {cause: 'cpu'}}]};
  const worst = worstOf(about);
  assert.deepEqual(worst.map(({length}) => length), [500, 490, 30, 10, 900, 800], 'what was wanted comes last, sleep not at all');
  assert.deepEqual(mostTelling(worst).map(({length}) => length), [500, 30], 'what is at the same time is one, trifles are none');
});
