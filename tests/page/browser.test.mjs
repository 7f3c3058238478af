// SPDX-License-Identifier: GPL-2.0-only
// The page in a real Chromium: what is on the screen, by keyboard alone, and whether people who
// do not see it can use it.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'node:test';
import {dir, makePage, openPage, picture, require, serve, settle, unpack} from './browser.mjs';

const {KFT: kft, GROW: grow, PICTURES: pictures} = process.env;
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// Colours of the pixels of a row's band, as many as differ.
function coloursOf(page, label, band = 0) {
  return page.evaluate(([wanted, at]) => {
    const {timeline} = window.kftView;
    const place = timeline.layout.places.find(({row}) => row && row.label === wanted);
    const {y, height} = place.row.bands[at];
    const top = Math.round((place.y + y - timeline.scrollTop) * timeline.scale);
    const pixels = timeline.context.getImageData(0, top + Math.floor(height / 2), timeline.canvas.width, 1).data;
    const seen = {};
    for (let i = 0; i < pixels.length; i += 4) {
      const colour = [...pixels.slice(i, i + 3)].map((v) => v.toString(16).padStart(2, '0')).join('');
      seen[colour] = (seen[colour] || 0) + 1;
    }
    return seen;
  }, [label, band]);
}

const spoken = (page) => page.textContent('#spoken');

test('what is on the screen', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  const labels = await page.$$eval('.label', (all) => all.map((label) => label.textContent));
  assert.ok(labels[0].includes('CPUs (2)'), labels[0]);
  assert.ok(labels.includes('CPU 0') && labels.includes('CPU 1') && labels.some((label) => label.startsWith('rcu_preempt')));
  const cpu = await coloursOf(page, 'CPU 0');
  assert.ok(Object.keys(cpu).length > 3, 'tasks have colours');
  assert.match(await page.textContent('#summary'), /6\.12.*2,849 events/);
  assert.match(await page.textContent('#content'), /waiting/);
  await picture(page, 'v7');
  /* The same time on the CPU as the numbers say. */
  const busy = await page.evaluate(() => {
    const app = window.kftView;
    const track = app.model.tracks.find(({name, id}) => name === 'on-cpu' && id === 0);
    const {chunk, range: [from, to]} = app.timeline.rootOf(track.number);
    let sum = 0;
    for (let i = from; i < to; i++) sum += chunk.level ? chunk.busy[i] : chunk.end[i] - chunk.begin[i];
    return sum / app.timeline.span;
  });
  const blank = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--back').trim().slice(1));
  const idle = cpu[blank] || 0;
  const all = Object.values(cpu).reduce((a, b) => a + b);
  assert.ok(Math.abs(1 - idle / all - busy) < 0.12, `${1 - idle / all} of the row is drawn, ${busy} of the time is busy`);
});

test('a click shows what something is, and what woke it', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  const at = await page.evaluate(async () => {
    const app = window.kftView;
    const key = app.about.keys.findIndex((k) => k.name === 'waiting');
    const [track, begin, length] = app.about.keys[key].worst;
    await app.goTo(track, begin, begin + length);
    app.setSelected(null);
    const place = app.timeline.placeOfTrack(track);
    const box = document.getElementById('view').getBoundingClientRect();
    return {x: box.left + app.timeline.xOf(begin + length / 2), y: box.top + place.y + place.row.bands[0].y + 7 - app.timeline.scrollTop, length};
  });
  await settle(page);
  await page.mouse.click(at.x, at.y);
  await page.waitForSelector('#content dl');
  const text = await page.textContent('#content');
  assert.match(text, /task · waiting/);
  assert.ok(text.includes(`${at.length.toLocaleString('en-US')} ns`), text);
  assert.match(text, /Woken by/);
  await page.waitForSelector('#why');
  assert.match(await page.textContent('#why'), /took/);
  await picture(page, 'why');
});

test('a planted stall is seen at first glance, and one click says why', async (t) => {
  const page = await openPage(t, makePage(unpack('view/stall')));
  const [first, ...others] = await page.evaluate(() => window.kftView.overview.marks);
  /* The module held CPU 0 for 7 ms; its victim wanted it once a millisecond. */
  assert.equal(await page.evaluate((track) => window.kftView.model.comm(window.kftView.model.tracks[track].id), first.track), 'faults-victim');
  assert.ok(first.length > 5e6 && first.length < 7.2e6, `${first.length} ns`);
  assert.ok(others.every((mark) => mark.length < first.length / 5), 'nothing is marked as much');
  /* Its colour is in the strip, where nobody has clicked. */
  const seen = await page.evaluate(({from, length}) => {
    const {overview, timeline} = window.kftView;
    const scale = window.devicePixelRatio;
    const {data} = overview.canvas.getContext('2d').getImageData((from + 6) * scale, 30 * scale, 1, 1);
    return {pixel: [...data], width: length / timeline.span * overview.width, back: getComputedStyle(document.documentElement).getPropertyValue('--bar')};
  }, first);
  assert.ok(seen.width > 3 && seen.pixel[1] < seen.pixel[0] && seen.pixel[1] < seen.pixel[2], JSON.stringify(seen));
  await picture(page, 'stall');
  const box = await page.locator('#overview').boundingBox();
  await page.mouse.click(box.x + first.from + 8, box.y + 8);
  await page.waitForSelector('#why');
  await settle(page);
  assert.match(await page.textContent('#why'), /99\.\d % of it: waiting for CPU 0 behind faults-preempt/);
  const labels = await page.$$eval('.label', (all) => all.slice(0, 4).map((label) => label.textContent));
  assert.match(labels[0], /^▾ Why it took so long/);
  assert.match(labels[1], /^faults-victim/);
  assert.ok(labels.includes('CPU 0') && labels.some((label) => label.startsWith('faults-preempt')), labels.join());
  /* What held the CPU is lit, what had nothing to do with it dimmed. */
  const alpha = await page.evaluate(() => {
    const {timeline, why} = window.kftView;
    const {begin, end} = why.ofSelected();
    const x = timeline.xOf((begin + end) / 2);
    const at = (label) => {
      const place = timeline.layout.places.find(({row}) => row && row.label.startsWith(label));
      const y = place.y - timeline.scrollTop + place.height / 2;
      return document.getElementById('overlay').getContext('2d').getImageData(x * timeline.scale, y * timeline.scale, 1, 1).data[3];
    };
    return {lit: at('faults-preempt'), dimmed: at('CPU 1')};
  });
  assert.ok(alpha.lit === 0 && alpha.dimmed > 100, JSON.stringify(alpha));
  await picture(page, 'stall-why');
});

test('keyboard alone', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  await page.evaluate(() => { document.activeElement.blur(); });
  const view = () => page.evaluate(() => ({...window.kftView.timeline.view}));
  const whole = await view();
  await page.keyboard.press('w');
  await page.keyboard.press('w');
  let now = await view();
  assert.ok(now.end - now.begin < 0.6 * (whole.end - whole.begin));
  const before = now;
  await page.keyboard.press('d');
  now = await view();
  assert.ok(now.begin > before.begin && Math.abs(now.end - now.begin - (before.end - before.begin)) < 2);
  await page.keyboard.press('a');
  await page.keyboard.press('s');
  await page.keyboard.press('0');
  now = await view();
  assert.ok(now.begin <= 0 && now.end >= whole.end * 0.99);
  /* From row to row and item to item, each told. */
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => window.kftView.selected);
  const first = await spoken(page);
  assert.match(first, /CPU 0/);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((text) => document.getElementById('spoken').textContent !== text, first);
  const second = await spoken(page);
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction((text) => document.getElementById('spoken').textContent !== text, second);
  await page.keyboard.press('f');
  await settle(page);
  const selected = await page.evaluate(() => {
    const {selected: {chunk, i}, timeline} = window.kftView;
    return (chunk.end[i] - chunk.begin[i]) / (timeline.view.end - timeline.view.begin);
  });
  assert.ok(selected > 0.3, `${selected} of the view is selected`);
  await page.keyboard.press('m');
  assert.equal(await page.evaluate(() => window.kftView.marks.length), 1);
  /* The worst, and its reason. */
  await page.keyboard.press('x');
  await page.waitForSelector('#why');
  /* Search. */
  await page.keyboard.press('/');
  await page.keyboard.type('softirq:* > 100us');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /[1-9].* found/.test(document.getElementById('search-count').textContent));
  await page.keyboard.press('n');
  await page.waitForFunction(() => /^1 of /.test(document.getElementById('search-count').textContent) || / of /.test(document.getElementById('search-count').textContent));
  await page.waitForFunction(() => /softirq/.test(document.getElementById('spoken').textContent));
  await page.keyboard.press('N');
  await page.keyboard.press('?');
  assert.ok(await page.isVisible('dialog'));
  await page.keyboard.press('Escape');
  assert.ok(!(await page.isVisible('dialog')));
  /* Every control can be reached. */
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.className));
  }
  for (const id of ['search', 'whole', 'theme', 'save-svg', 'help-button', 'view']) assert.ok(reached.has(id), `${id} is reached`);
});

test('two fingers zoom where they are, one moves', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  const cdp = await page.context().newCDPSession(page);
  const box = await page.locator('#view').boundingBox();
  const touch = (type, ...xs) => cdp.send('Input.dispatchTouchEvent', {type, touchPoints: xs.map((x, id) => ({x: box.x + x, y: box.y + 60, id}))});
  const state = () => page.evaluate(() => ({...window.kftView.timeline.view, width: window.kftView.timeline.cssWidth}));
  const whole = await state();
  await touch('touchStart', 400);
  await touch('touchStart', 400, 600);
  for (const spread of [120, 160, 200]) await touch('touchMove', 500 - spread, 500 + spread);
  await touch('touchEnd');
  const near = await state();
  const timeAt = (view, x) => view.begin + x / view.width * (view.end - view.begin);
  const length = near.end - near.begin;
  assert.ok(Math.abs(length / (whole.end - whole.begin) - 0.5) < 0.05, `${length} of ${whole.end - whole.begin}`);
  assert.ok(Math.abs(timeAt(near, 600) - timeAt(whole, 600)) < length * 0.12, 'what was between the fingers still is');
  await touch('touchStart', 600);
  await touch('touchMove', 550);
  await touch('touchMove', 500);
  await touch('touchEnd');
  const moved = await state();
  assert.ok(Math.abs(moved.begin - near.begin - 100 / near.width * length) < length * 0.01, 'it moved with the finger');
});

test('a range is counted at once', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  const box = await page.locator('#axis').boundingBox();
  await page.mouse.move(box.x + 300, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 600, box.y + 10, {steps: 4});
  await page.mouse.up();
  await page.waitForSelector('#content table');
  const text = await page.textContent('#content');
  assert.match(text, /on-cpu/);
  assert.match(text, /Share/);
  await picture(page, 'range');
});

test('the address leads to the same place', async (t) => {
  const path = makePage(unpack('6.12-v7'));
  const page = await openPage(t, path);
  await page.keyboard.press('x');
  await page.waitForFunction(() => window.kftView.selected);
  await page.evaluate(() => window.kftView.addMark());
  await page.waitForFunction(() => location.hash.includes('s=') && location.hash.includes('m='));
  await page.waitForTimeout(400);
  const state = () => ({...window.kftView.timeline.view, marks: window.kftView.marks, track: window.kftView.selected.track.number,
    at: window.kftView.selected.chunk.begin[window.kftView.selected.i]});
  const hash = await page.evaluate(() => location.hash);
  const first = await page.evaluate(state);
  const other = await openPage(t, path, {hash});
  await other.waitForFunction(() => window.kftView.selected);
  const second = await other.evaluate(state);
  assert.ok(Math.abs(first.begin - second.begin) <= 1 && Math.abs(first.end - second.end) <= 2, JSON.stringify([first, second]));
  assert.deepEqual([second.marks, second.track, second.at], [first.marks, first.track, first.at]);
});

test('pictures', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-graph')));
  for (const [id, ending, start] of [['save-svg', 'svg', '<svg '], ['save-png', 'png', '\x89PNG']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#${id}`)]);
    const path = join(pictures, `saved.${ending}`);
    await download.saveAs(path);
    const bytes = readFileSync(path, 'latin1');
    assert.ok(bytes.startsWith(start), bytes.slice(0, 20));
    assert.ok(bytes.length > 4000);
    if (ending === 'svg') {
      assert.match(bytes, /CPU 0/);
      assert.match(bytes, /vfs_read/);
    }
  }
});

test('a served page shows what a written one does', async (t) => {
  const trace = unpack('6.12-v7');
  const written = await openPage(t, makePage(trace));
  const served = await openPage(t, await serve(t, trace));
  for (const page of [written, served]) {
    await page.evaluate(() => window.kftView.goToWorst());
    await settle(page);
  }
  const shown = (page) => page.evaluate(() => [window.kftView.timeline.canvas.toDataURL(), document.getElementById('content').textContent]);
  assert.deepEqual(await shown(served), await shown(written));
});

test('names from a trace stay text', async (t) => {
  const trace = join(dir, 'hostile');
  const bytes = readFileSync(unpack('6.12-v7')).toString('latin1');
  assert.ok(bytes.includes('mount-tracefs') && bytes.includes('rcu_preempt') && bytes.includes('sched_stat_runtime'));
  writeFileSync(trace, Buffer.from(bytes.replaceAll('mount-tracefs', '<script>x()//').replaceAll('rcu_preempt', '<img src=x>')
    .replaceAll('sched_stat_runtime', '</script><b>&lt;"\x02'), 'latin1'));
  const page = await openPage(t, makePage(trace));
  const text = await page.evaluate(async () => {
    for (const group of window.kftView.timeline.groups) if (!group.isOpen) window.kftView.timeline.toggle(group);
    for (const [tab] of window.kftView.panel.tabs) window.kftView.panel.show(tab);
    window.kftView.panel.show('statistics');
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    return document.body.innerText;
  });
  assert.ok(text.includes('<script>x()//') && text.includes('<img src=x>'), text.slice(0, 2000));
  assert.equal(await page.locator('#labels script, #labels img, #content script, #content img, #content b').count(), 0);
  await picture(page, 'hostile');
});

for (const dark of [false, true]) {
  test(`axe finds nothing wrong${dark ? ' in the dark' : ''}`, async (t) => {
    const page = await openPage(t, makePage(unpack('6.12-v7')), {dark});
    await page.evaluate(() => window.kftView.goToWorst());
    await page.waitForSelector('#why');
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Runtime.evaluate', {expression: axe});
    for (const tab of ['longest', 'details', 'statistics', 'inview', 'trace', 'legend']) {
      await page.evaluate((id) => window.kftView.panel.show(id), tab);
      const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
      assert.deepEqual(violations.map(({id, nodes}) => `${tab}: ${id}: ${nodes.map((node) => node.html).slice(0, 3).join(' ')}`), []);
    }
    await page.evaluate(() => window.kftView.panel.show('longest'));
    await picture(page, dark ? 'dark' : 'light');
  });
}

test('what is in view is a table', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-graph')));
  await page.click('#tab-inview');
  const rows = await page.locator('#content tbody tr').count();
  assert.ok(rows > 50, `${rows} rows`);
  const names = await page.$$eval('#content thead th', (all) => all.map((th) => th.textContent));
  assert.deepEqual(names, ['At', 'What', 'Kind', 'Where', 'Duration', 'Fields']);
  assert.match(await page.textContent('#content'), /vfs_read/);
});

test('a large trace shows its whole, then its detail', async (t) => {
  const trace = join(dir, 'large');
  execFileSync(grow, [unpack('6.12-v7'), trace, '350', '0']);
  const page = await openPage(t, makePage(trace));
  const levels = await page.evaluate(() => Math.max(...window.kftView.about.chunks.map(([level]) => level)));
  assert.ok(levels >= 1);
  const cpu = await coloursOf(page, 'CPU 0');
  assert.ok(Object.keys(cpu).length > 3);
  /* Down to a single item in the middle of the trace. */
  await page.evaluate(() => window.kftView.centre(window.kftView.timeline.span / 2));
  for (let i = 0; i < 45; i++) {
    await page.keyboard.press('w');
  }
  await settle(page);
  const {span, exact} = await page.evaluate(() => {
    const app = window.kftView;
    const track = app.model.tracks.find(({name, id}) => name === 'on-cpu' && id === 0);
    const hit = app.timeline.nearest(track, (app.timeline.view.begin + app.timeline.view.end) / 2, Infinity);
    return {span: app.timeline.view.end - app.timeline.view.begin, exact: !hit.chunk.level || hit.chunk.n[hit.i] === 1};
  });
  assert.ok(span < 1e6 && exact);
  await picture(page, 'large');
});

test('marks have the time between them', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  const box = await page.locator('#view').boundingBox();
  for (const x of [700, 300]) {
    await page.mouse.move(box.x + x, box.y + 40);
    await page.keyboard.press('m');
  }
  const [late, early, expected] = await page.evaluate(([a, b]) => {
    const {marks, timeline} = window.kftView;
    return [...marks, [timeline.timeAt(a), timeline.timeAt(b)]];
  }, [700, 300]);
  assert.ok(Math.abs(late - expected[0]) < 1 && Math.abs(early - expected[1]) < 1, `${[late, early]} are not ${expected}`);
  const rows = await page.$$eval('#content tbody tr', (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(rows.map(([number, , since]) => [number, since.split(' (')[0]]), [['1', ''], ['2', await page.evaluate((ns) => window.kftView.panel.duration(ns), late - early)]]);
});

test('what was found is gone through in both directions', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  await page.keyboard.press('/');
  await page.keyboard.type('softirq:*');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => / found/.test(document.getElementById('search-count').textContent));
  const begins = await page.evaluate(() => window.kftView.search.results.map(({begin}) => begin));
  const selected = async (key) => {
    const before = await page.evaluate(() => window.kftView.selected && window.kftView.selected.chunk.begin[window.kftView.selected.i]);
    await page.keyboard.press(key);
    await page.waitForFunction((old) => window.kftView.selected && window.kftView.selected.chunk.begin[window.kftView.selected.i] !== old, before);
    return begins.indexOf(await page.evaluate(() => window.kftView.selected.chunk.begin[window.kftView.selected.i]));
  };
  await page.evaluate(() => { document.activeElement.blur(); window.kftView.setSelected(null); });
  const first = await selected('n');
  assert.equal(await selected('n'), first + 1);
  assert.equal(await selected('n'), first + 2);
  assert.equal(await selected('N'), first + 1);
});

test('counters are curves', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7'), '--counter', 'sched:sched_switch/next_prio by cpu'));
  const name = 'sched:sched_switch/next_prio cpu 1';
  await page.evaluate((wanted) => {
    const {about, model, timeline} = window.kftView;
    const key = about.keys.findIndex((each) => each.name === wanted);
    return window.kftView.goTo(model.tracks.find((track) => track.name === 'counter' && track.key === key).number, 0, timeline.span);
  }, name);
  await settle(page);
  const colours = await coloursOf(page, name);
  assert.ok(Object.keys(colours).length > 1, JSON.stringify(colours));
  await picture(page, 'counters');
});

test('a range has the numbers of the trace', async (t) => {
  const trace = unpack('6.12-v7');
  const page = await openPage(t, makePage(trace));
  const {start, span} = await page.evaluate(() => window.kftView.about);
  const [from, to] = [Math.round(span * 0.3), Math.round(span * 0.7)];
  await page.evaluate((range) => window.kftView.setRange(range), [from, to]);
  const found = await page.evaluate(() => window.kftView.rangeStats.rows.filter(({kind}) => kind === 'softirq').map(({name, count, inside}) => [name, count, Math.round(inside)]));
  const expected = new Map();
  for (const line of execFileSync(kft, ['export', '--to', 'json', '--intervals', 'softirq', trace]).toString().trim().split('\n')) {
    const {kind, name, begin, end} = JSON.parse(line);
    const [b, e] = [Number(BigInt(begin) - BigInt(start)), Number(BigInt(end) - BigInt(start))];
    if (kind !== 'softirq' || b > to || e < from) continue;
    const [count, inside] = expected.get(`softirq ${name}`) || [0, 0];
    expected.set(`softirq ${name}`, [count + 1, inside + Math.min(e, to) - Math.max(b, from)]);
  }
  assert.ok(expected.size > 1, `${expected.size} softirqs`);
  assert.deepEqual(found.sort(), [...expected].map(([name, sums]) => [name, ...sums]).sort());
});
