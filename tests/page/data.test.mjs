// SPDX-License-Identifier: GPL-2.0-only
// What pages hold of recorded traces, against what kft's other verbs say of the same ones.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {rangeStatistics} from '../../viewer/range.js';
import {Model} from '../../viewer/rows.js';
import {Search} from '../../viewer/search.js';
import {textOf} from '../../viewer/store.js';
import {items} from '../../viewer/tree.js';
import {readPage, storeOf} from './page.mjs';

const {KFT: kft, DATA: data, GROW: grow} = process.env;
const dir = mkdtempSync(join(tmpdir(), 'kft-page-'));
test.after(() => rmSync(dir, {recursive: true}));

function run(...args) {
  return execFileSync(kft, args, {maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore']});
}

// Damage is told by the status: the page is there.
function tryRun(...args) {
  try {
    return run(...args);
  } catch (error) {
    assert.equal(error.status, 3, `kft ${args.join(' ')}: ${error.message}`);
    return error.stdout;
  }
}

function unpack(name) {
  const path = join(dir, name.replace('/', '-'));
  execFileSync('sh', ['-c', 'xz -dc "$1" >"$2"', 'sh', join(data, `${name}.dat.xz`), path]);
  return path;
}

function pageOf(trace, ...options) {
  const path = `${trace}.html`;
  tryRun('view', trace, '-o', path, ...options);
  return readPage(path);
}

// Tracks with all that is below them: [track, [begin, end, key] ...].
async function* tracksOf(page) {
  const store = storeOf(page);
  for (const id of page.about.roots) {
    const root = page.chunks.get(id);
    for (const [track, range] of root.byTrack) {
      const list = [];
      for await (const {chunk, i} of items(store, root, track, range, 0, Infinity, () => true)) {
        list.push({begin: chunk.begin[i], end: chunk.end[i], key: chunk.key[i], flags: chunk.flags[i], text: textOf(chunk, i)});
      }
      yield [page.about.tracks[track], list];
    }
  }
}

// What kft stats says of whole intervals, by kind and key.
function statistics(trace) {
  const sums = new Map();
  for (const {kind, key, count, total, max} of JSON.parse(tryRun('stats', 'all', '--json', trace)).intervals) {
    const id = `${kind} ${key}`;
    const sum = sums.get(id) || {kind, key, count: 0, total: 0, max: 0};
    sums.set(id, Object.assign(sum, {count: sum.count + count, total: sum.total + (total || 0), max: Math.max(sum.max, max || 0)}));
  }
  return [...sums.values()];
}

async function countKeys(page) {
  const counts = new Map();
  for await (const [[kind], list] of tracksOf(page)) {
    list.forEach((item, i) => {
      assert.ok(item.end >= item.begin && (!i || item.begin >= list[i - 1].end), 'items of a track overlap');
      if (page.about.kinds[kind].name === 'on-cpu') return;
      const sum = counts.get(item.key) || {count: 0, total: 0, max: 0};
      counts.set(item.key, sum);
      if (item.flags) return; /* it is not whole, or something was lost in it */
      sum.count++;
      sum.total += item.end - item.begin;
      sum.max = Math.max(sum.max, item.end - item.begin);
    });
  }
  return counts;
}

const names = readdirSync(data).filter((name) => /^6\.12-\w+\.dat\.xz$|^6\.1-(lost|mono|s390x-v7|armhf-graph|tsc)\.dat\.xz$/.test(name))
  .map((name) => name.replace('.dat.xz', ''));

for (const name of names) {
  test(`${name}: intervals as kft stats has them`, async () => {
    const trace = unpack(name);
    const page = pageOf(trace);
    const kinds = page.about.kinds.map((kind) => kind.name).filter((kind) => !['on-cpu', 'event', 'lost', 'counter'].includes(kind));
    const counts = await countKeys(page);
    const got = page.about.keys.map((key, i) => ({name: page.about.kinds[key.kind].name, key: key.name, ...counts.get(i)}))
      .filter((row) => kinds.includes(row.name));
    const wanted = statistics(trace).filter((row) => kinds.includes(row.kind));
    /* Functions may be addresses in the one and names in the other. */
    const isNamed = (kind) => !wanted.some((row) => row.kind === kind && row.key.startsWith('0x'));
    /* Where only the ends of calls were recorded, some began before the first record: they are cut here. */
    const isWhole = name !== '6.12-thresh';
    const text = (row) => [row.name || row.kind, isNamed(row.name || row.kind) ? row.key : '',
      ...(isWhole ? [row.count, row.total, row.max] : [])].join(' ');
    const whole = (rows) => rows.filter((row) => row.count > 0).map(text).sort();
    assert.deepEqual(whole(got), whole(wanted));
    assert.ok(wanted.length > 0 || /kprobes|uprobe|synthetic|marker|stack|subbuf|function|lost|mono|tsc/.test(name), 'there are intervals');
  });
}

test('what the trace cuts is cut as in kft export', async () => {
  const trace = unpack('6.12-all');
  const page = pageOf(trace);
  const {start} = page.about;
  const got = [];
  for await (const [[kind], list] of tracksOf(page)) {
    if (page.about.kinds[kind].name !== 'task') continue;
    for (const {begin, end, flags} of list) if (flags & 3) got.push(`${BigInt(start) + BigInt(begin)} ${BigInt(start) + BigInt(end)} ${flags}`);
  }
  const wanted = tryRun('export', '--to=csv', '--intervals=task', trace).toString().trim().split('\n').slice(1).map((line) => line.split(',').slice(-12))
    .map(([begin, end, , , , , , , , before, open, losses]) => [begin, end, Number(before) + 2 * open + 4 * losses])
    .filter(([, , flags]) => flags & 3).map((row) => row.join(' '));
  assert.ok(wanted.length > 3);
  assert.deepEqual(got.sort(), wanted.sort());
});

test('events of no kind with their fields as kft report has them', async () => {
  const trace = unpack('6.12-kprobes');
  const page = pageOf(trace);
  const got = [];
  for await (const [[kind], list] of tracksOf(page)) {
    if (page.about.kinds[kind].name !== 'event') continue;
    for (const {key, text} of list) got.push(`${page.about.keys[key].name.replace(/.*:/, '')}: ${text}`.trimEnd());
  }
  const report = tryRun('report', '--style=json', trace).toString().trim().split('\n').map((line) => JSON.parse(line));
  const events = report.map((event) => event.name || event.event);
  assert.ok(got.length > 0);
  const lines = tryRun('report', trace).toString().trim().split('\n').filter((line) => / \[\d+\] /.test(line))
    .map((line) => line.replace(/^.*?\] +[\d.]+: +/, '').replace(/^(\S+): +/, '$1: ').trimEnd());
  assert.equal(lines.length, events.length);
  for (const line of got) assert.ok(lines.includes(line), line);
});

// As much as several levels and many chunks need.
function large() {
  const path = join(dir, 'large');
  execFileSync(grow, [unpack('6.12-v7'), path, '250', '0']);
  return path;
}

test('a trace of several levels', async (t) => {
  const trace = large();
  const page = pageOf(trace);
  const {about, chunks} = page;
  const levels = Math.max(...about.chunks.map(([level]) => level));

  await t.test('each level stands for all of the one below', () => {
    assert.ok(levels >= 2);
    const counts = Array(levels + 1).fill(0);
    for (const chunk of chunks.values()) {
      for (let i = 0; i < chunk.begin.length; i++) counts[chunk.level] += chunk.level ? chunk.count[i] : 1;
    }
    for (const count of counts) assert.equal(count, counts[0]);
  });

  await t.test('runs say what is in them', () => {
    for (const [id, chunk] of chunks) {
      for (const [track, [from, to]] of chunk.level ? chunk.byTrack : []) {
        for (let i = from; i < to; i++) {
          const child = chunks.get(chunk.child[i]);
          const at = child.byTrack.get(track)[0] + chunk.start[i];
          const last = at + chunk.n[i] - 1;
          assert.equal(child.begin[at], chunk.begin[i], `chunk ${id}`);
          assert.equal(child.end[last], chunk.end[i]);
          const lengths = [];
          for (let k = at; k <= last; k++) lengths.push(child.level ? child.max[k] : child.end[k] - child.begin[k]);
          assert.equal(Math.max(...lengths), chunk.max[i]);
        }
      }
    }
  });

  await t.test('counts are those of kft stats', async () => {
    const counts = await countKeys(page);
    const of = (kind, key) => counts.get(about.keys.findIndex((k) => k.name === key && about.kinds[k.kind].name === kind));
    const rows = statistics(trace).filter(({kind, count}) => count && ['task', 'softirq', 'irq'].includes(kind));
    assert.ok(rows.length > 5);
    for (const {kind, key, count, total, max} of rows) assert.deepEqual(of(kind, key), {count, total, max}, `${kind} ${key}`);
  });

  await t.test('statistics of a range are those of its items', async () => {
    const model = new Model(about);
    const roots = new Map();
    for (const id of about.roots) for (const [track, range] of chunks.get(id).byTrack) roots.set(track, {chunk: chunks.get(id), range});
    const scene = {model, store: storeOf(page), rootOf: (track) => roots.get(track)};
    const [begin, end] = [about.span * 0.31, about.span * 0.36];
    const {rows, isExact} = await rangeStatistics(scene, begin, end, () => true);
    assert.ok(isExact);
    const sums = new Map();
    for await (const [[kind, , id], list] of tracksOf(page)) {
      const name = about.kinds[kind].name;
      for (const item of list) {
        if (item.end < begin || item.begin > end) continue;
        const key = `${name} ${name === 'on-cpu' ? model.taskName(item.key) : model.title({name, id}, item.key)}`;
        const sum = sums.get(key) || {count: 0, inside: 0};
        sums.set(key, sum);
        sum.count++;
        sum.inside += Math.max(0, Math.min(end, item.end) - Math.max(begin, item.begin));
      }
    }
    assert.equal(rows.length, sums.size);
    for (const row of rows) {
      const sum = sums.get(`${row.kind} ${row.name}`);
      assert.equal(row.count, sum.count, `${row.kind} ${row.name}`);
      assert.ok(Math.abs(row.inside - sum.inside) <= 1 + sum.inside * 1e-9, `${row.kind} ${row.name}: ${row.inside} ns, not ${sum.inside}`);
    }
  });

  await t.test('a search finds what a look at every item finds', async () => {
    const model = new Model(about);
    const roots = new Map();
    for (const id of about.roots) for (const [track, range] of chunks.get(id).byTrack) roots.set(track, {chunk: chunks.get(id), range});
    const search = new Search(model, storeOf(page), (track) => roots.get(track), () => {});
    await search.run('softirq:* > 200us');
    let wanted = 0;
    for await (const [[kind], list] of tracksOf(page)) {
      if (about.kinds[kind].name === 'softirq') wanted += list.filter((item) => item.end - item.begin > 2e5).length;
    }
    assert.ok(wanted > 0);
    assert.equal(search.results.length, wanted);
  });

  await t.test('a page that is too large keeps what is longest', async () => {
    const most = Math.round(page.html.length * 0.6);
    const small = pageOf(trace, `--max-size=${most}`);
    assert.ok(small.html.length < most * 1.2, `${small.html.length} bytes of ${page.html.length}`);
    const leftOut = small.about.chunks.filter((chunk) => chunk[4]);
    assert.ok(leftOut.length > 0 && leftOut.every(([level]) => level === 0));
    for (const {worst} of small.about.keys.filter((key) => key.worst)) {
      const [, begin, length] = worst;
      const around = small.about.chunks.filter(([level, , from, span]) => level === 0 && from <= begin && from + span >= begin + length);
      assert.ok(around.some((chunk) => !chunk[4]), 'the chunk of the longest is there');
    }
  });
});

test('a stretch of time that is asked for stays exact', () => {
  const trace = join(dir, 'exact');
  execFileSync(grow, [unpack('6.12-v7'), trace, '200', '0']);
  const most = Math.round(pageOf(trace).html.length * 0.6);
  const thinned = (...options) => pageOf(trace, `--max-size=${most}`, ...options).about;
  const about = thinned();
  const gone = about.chunks.filter((chunk) => chunk[4]);
  assert.ok(gone.length > 2, 'there is something to ask for');
  const [, , from, span] = gone[Math.floor(gone.length / 2)];
  const [begin, end] = [from + 1, from + span - 1].map((time) => BigInt(about.start) + BigInt(time));
  const seconds = (time) => `${time / 1000000000n}.${String(time % 1000000000n).padStart(9, '0')}`;
  for (const range of [`${seconds(begin)}..${seconds(end)}`, `+${from + 1}ns..+${from + span - 1}ns`]) {
    const within = thinned('--exact', range).chunks.filter(([, , at, length]) => at <= from + span - 1 && at + length > from);
    assert.ok(within.length > 0 && within.every((chunk) => !chunk[4]), JSON.stringify(within));
  }
  for (const wrong of ['1.5', '1..x', '..']) assert.throws(() => run('view', trace, '-o', join(dir, 'none'), '--exact', wrong), {status: 2});
});

test('names cannot leave their place in the page', () => {
  const page = pageOf(unpack('6.1-marker'));
  const data = page.html.match(/<script type="application\/octet-stream" id="\w+">[^<]*<\/script>/g);
  assert.equal(data.length, 1 + page.chunks.size);
  assert.match(page.html, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
  assert.doesNotMatch(page.html.replace(/<script type="application[^<]*<\/script>/g, ''), /https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
});

// Steps of a counter: [begin, end, value], exact ones.
async function stepsOf(page, key) {
  const store = storeOf(page);
  const track = page.about.tracks.findIndex(([kind, , , of]) => page.about.kinds[kind].name === 'counter' && of === key);
  const steps = [];
  for (const id of page.about.roots) {
    const root = page.chunks.get(id);
    for await (const {chunk, i} of items(store, root, track, root.byTrack.get(track), 0, Infinity, () => true)) {
      steps.push([chunk.begin[i], chunk.end[i], chunk.value[i]]);
    }
  }
  return steps;
}

test('counters have the values of their events', async () => {
  const trace = unpack('6.12-v7');
  const page = pageOf(trace, '--counter', 'sched:sched_switch/next_prio by cpu', '--counter', 'sched_wakeup/prio');
  const start = BigInt(page.about.start);
  for (const [name, event, field, cpu] of [['sched:sched_switch/next_prio cpu 1', 'sched_switch', 'next_prio', '1'], ['sched_wakeup/prio', 'sched_wakeup', 'prio', '']]) {
    const key = page.about.keys.findIndex((each) => each.name === name);
    const expected = [];
    for (const line of tryRun('report', trace, '-e', event, '-F', `ts,fields.${field}`, ...cpu ? ['--cpu', cpu] : []).toString().trim().split('\n')) {
      const [ts, value] = line.split('\t');
      const at = Number(BigInt(ts) - start);
      if (!expected.length || expected.at(-1)[1] !== Number(value)) expected.push([at, Number(value)]);
    }
    const steps = await stepsOf(page, key);
    assert.ok(steps.length > 2, `${steps.length} steps`);
    assert.deepEqual(steps.map(([begin, , value]) => [begin, value]), expected, name);
    steps.forEach(([, end], i) => assert.equal(end, i + 1 < steps.length ? steps[i + 1][0] : page.about.span));
    const values = expected.map(([, value]) => value);
    assert.deepEqual([page.about.keys[key].low, page.about.keys[key].high], [Math.min(...values), Math.max(...values)]);
  }
  for (const [what, status] of [['sched_switch', 2], ['sched_switch/', 2], ['sched_switch/next_comm', 1], ['nothing/prio', 1], ['sched_switch/next_prio by cpu,prev_pid,next_pid', 2], ['sched_switch/next_prio by ', 2]]) {
    assert.throws(() => run('view', trace, '-o', `${trace}.none`, '--counter', what), (error) => error.status === status, what);
  }
});

test('as many tasks wait as their states say', async () => {
  const page = pageOf(unpack('view/stall'));
  const waits = [];
  for await (const [[kind, owner], list] of tracksOf(page)) {
    if (page.about.kinds[kind].name !== 'task' || owner !== 2) continue;
    waits.push(...list.filter(({key, flags}) => ['waiting', 'preempted'].includes(page.about.keys[key].name) && !(flags & 1)));
  }
  const curves = [];
  for (let cpu = 0; cpu < 2; cpu++) curves.push(await stepsOf(page, page.about.keys.findIndex(({name}) => name === `tasks waiting CPU ${cpu}`)));
  const valueAt = (steps, time) => (steps.find(([begin, end]) => begin <= time && time < end) || [0, 0, 0])[2];
  let most = 0;
  for (const [begin, end] of curves.flat().filter(([from, to]) => to - from > 1)) {
    const time = (begin + end) / 2;
    const sum = valueAt(curves[0], time) + valueAt(curves[1], time);
    most = Math.max(most, sum);
    assert.equal(sum, waits.filter((wait) => wait.begin <= time && time < wait.end).length, `at ${time}`);
  }
  assert.ok(most >= 2, `${most} wait at once`);
});

test('a boot has rows of its steps and initcalls', async () => {
  const trace = unpack('view/boot');
  tryRun('boot', '--view', '-o', `${trace}.html`, trace);
  const page = readPage(`${trace}.html`);
  const report = JSON.parse(tryRun('boot', '--report', '--all', '--json', trace));
  const start = Number(page.about.start);
  const rows = new Map();
  for await (const [[kind, , id], list] of tracksOf(page)) {
    if (page.about.kinds[kind].name !== 'boot') continue;
    const label = page.about.boot[id];
    rows.set(label, [...rows.get(label) || [], ...list.map(({begin, end, key}) => [begin, end - begin, page.about.keys[key].name])]);
  }
  const kernel = report.initcall.filter((call) => call.level !== 'module').map((call) => call.start + call.duration);
  assert.equal(page.about.bootEnd, Math.max(...kernel, ...report.step.map((step) => step.start)) - start);
  const byStart = (a, b) => a[0] - b[0];
  for (const {level} of report.by_level) {
    const expected = report.initcall.filter((call) => call.level === level).map((call) => [call.start - start, call.duration, call.function]).sort(byStart);
    const drawn = rows.get(level).sort(byStart);
    assert.deepEqual(drawn.map(([begin, length]) => [begin, length]), expected.map(([begin, length]) => [begin, length]), level);
    if (level !== 'module') assert.deepEqual(drawn.map(([, , name]) => name), expected.map(([, , name]) => name), level);
  }
  assert.deepEqual(rows.get('steps').sort(byStart).map(([begin, , name]) => [begin, name]),
    report.step.map((step) => [step.start - start, step.function]).sort(byStart));
  assert.ok(rows.size > 10);
});
