// SPDX-License-Identifier: GPL-2.0-only
// The page under somebody's hands: wheel, mouse and fingers, tables, light and dark, on paper.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import test from 'node:test';
import {dir, makePage, openPage, picture, settle, unpack} from './browser.mjs';

const {GROW: grow, KFT: kft, PICTURES: pictures} = process.env;

const stateOf = (page) => page.evaluate(() => {
  const {view, cssWidth, scrollTop} = window.kftView.timeline;
  return {...view, length: view.end - view.begin, width: cssWidth, scrollTop};
});

function timeAt(view, x) {
  return view.begin + x / view.width * view.length;
}

async function zoomed(t) {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  await page.evaluate(() => window.kftView.timeline.show(6e7, 1e8));
  await settle(page);
  return {page, box: await page.locator('#view').boundingBox()};
}

test('the wheel scrolls rows, moves with Shift and zooms with Ctrl, as two fingers on a pad do', async (t) => {
  const {page, box} = await zoomed(t);
  const wheel = async (dx, dy, key) => {
    const before = await stateOf(page);
    if (key) await page.keyboard.down(key);
    await page.mouse.wheel(dx, dy);
    await page.waitForFunction((old) => {
      const {view, scrollTop} = window.kftView.timeline;
      return view.begin !== old.begin || view.end !== old.end || scrollTop !== old.scrollTop;
    }, before);
    if (key) await page.keyboard.up(key);
    return [before, await stateOf(page)];
  };
  await page.mouse.move(box.x + 500, box.y + 80);
  let [before, after] = await wheel(0, 120);
  assert.deepEqual([after.scrollTop - before.scrollTop, after.begin, after.end], [120, before.begin, before.end]);
  [before, after] = await wheel(0, 90, 'Shift');
  assert.ok(Math.abs(after.begin - before.begin - before.length * 0.1) < before.length * 1e-3, 'it moved by a tenth');
  [before, after] = await wheel(-90, 0);
  assert.ok(Math.abs(before.begin - after.begin - before.length * 0.1) < before.length * 1e-3, 'it moved back');
  [before, after] = await wheel(0, -240, 'Control');
  assert.ok(Math.abs(after.length / before.length - 0.5) < 1e-3, `${after.length} of ${before.length}`);
  assert.ok(Math.abs(timeAt(after, 500) - timeAt(before, 500)) < before.length * 2e-3, 'what was under the pointer still is');
  const axis = await page.locator('#axis').boundingBox();
  await page.mouse.move(axis.x + 500, axis.y + 10);
  [before, after] = await wheel(0, 240);
  assert.ok(Math.abs(after.length / before.length - 2) < 1e-3, 'the wheel on the axis zooms');
});

test('dragging moves time and rows, with Shift it selects a range, in the overview it seeks', async (t) => {
  const {page, box} = await zoomed(t);
  const drag = async (from, to) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, {steps: 5});
    await page.mouse.up();
    await settle(page);
  };
  const before = await stateOf(page);
  await drag([box.x + 600, box.y + 300], [box.x + 400, box.y + 240]);
  const after = await stateOf(page);
  assert.ok(Math.abs(after.begin - timeAt(before, 200)) < before.length * 1e-3 && Math.abs(after.length - before.length) < 2);
  assert.equal(after.scrollTop, 60);
  assert.equal(await page.evaluate(() => window.kftView.selected), null, 'a drag is no click');
  await page.keyboard.down('Shift');
  await drag([box.x + 200, box.y + 100], [box.x + 500, box.y + 110]);
  await page.keyboard.up('Shift');
  const range = await page.evaluate(() => window.kftView.range);
  [200, 500].forEach((x, i) => assert.ok(Math.abs(range[i] - timeAt(after, x)) < after.length * 1e-3, `${range}`));
  assert.deepEqual(await stateOf(page), after);
  const overview = await page.locator('#overview').boundingBox();
  await drag([overview.x + 300, overview.y + 30], [overview.x + 900, overview.y + 30]);
  const sought = await stateOf(page);
  const span = await page.evaluate(() => window.kftView.timeline.span);
  assert.ok(Math.abs(sought.begin + sought.length / 2 - 900 / sought.width * span) < span * 2e-3, 'its middle is where the pointer is');
});

const cells = (page, nth) => page.$$eval('#content table:first-of-type tbody tr', (rows, at) => rows.map((row) => row.children[at].textContent), nth);

test('statistics are sorted by any heading, and each Max leads to its moment', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  await page.click('#tab-statistics');
  const keys = await page.evaluate(() => window.kftView.about.keys.filter((key) => key.max !== undefined).map(({name, count, total, max, track, at}) => ({name, count, total, max, track, at})));
  const table = page.locator('#content table').first();
  const heading = (name) => table.locator('th button', {hasText: new RegExp(`^${name}$`)});
  const sorting = (name) => table.locator('th', {has: page.locator('button', {hasText: new RegExp(`^${name}$`)})}).getAttribute('aria-sort');
  assert.equal(await sorting('Total'), 'descending');
  await heading('Count').click();
  const counts = (await cells(page, 2)).map((text) => Number(text.replaceAll(',', '')));
  assert.deepEqual([await sorting('Total'), await sorting('Count')], ['none', 'descending']);
  assert.deepEqual(counts, [...counts].sort((a, b) => b - a));
  await heading('Count').focus();
  await page.keyboard.press('Enter');
  assert.equal(await sorting('Count'), 'ascending');
  assert.deepEqual((await cells(page, 2)).map((text) => Number(text.replaceAll(',', ''))), [...counts].reverse());
  await heading('Name').click();
  const names = await cells(page, 1);
  assert.deepEqual(names, [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  /* As many bars as there are lengths, the highest where most are. */
  const bars = await table.locator('.histogram').first().evaluate((svg) => [...svg.querySelectorAll('rect')].map((rect) => Number(rect.getAttribute('height'))));
  const [first] = await page.evaluate((name) => window.kftView.about.keys.filter((key) => key.name === name && key.histogram).map((key) => key.histogram.slice(key.histogram.findIndex((n) => n > 0))), names[0]);
  assert.equal(bars.length, first.length);
  assert.equal(bars.indexOf(Math.max(...bars)), first.indexOf(Math.max(...first)));
  bars.forEach((height, i) => assert.equal(height > 0, first[i] > 0));
  await heading('Max').click();
  await picture(page, 'statistics');
  const longest = keys.reduce((a, b) => (b.max > a.max ? b : a));
  await table.locator('tbody tr').first().locator('button.link').click();
  await page.waitForFunction(() => window.kftView.selected);
  const found = await page.evaluate(() => {
    const {track, chunk, i} = window.kftView.selected;
    return {track: track.number, at: chunk.begin[i], max: chunk.end[i] - chunk.begin[i]};
  });
  assert.deepEqual(found, {track: longest.track, at: longest.at, max: longest.max});
  const view = await stateOf(page);
  assert.ok(view.begin <= found.at && view.end >= found.at + Math.min(found.max, view.length), 'it is in view');
});

test('it follows the system\'s light or dark, and the reader\'s choice', async (t) => {
  const path = makePage(unpack('6.12-v7'));
  for (const dark of [false, true]) {
    const page = await openPage(t, path, {dark});
    const looks = () => page.evaluate(() => {
      const {timeline} = window.kftView;
      const {data} = timeline.context.getImageData(timeline.width - 2, timeline.canvas.height - 2, 1, 1);
      const light = (colour) => colour.match(/\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) > 380;
      return {picture: light([...data].join()), text: light(getComputedStyle(document.body).color), page: light(getComputedStyle(document.body).backgroundColor)};
    });
    assert.deepEqual(await looks(), {picture: !dark, text: dark, page: !dark});
    await page.click('#theme');
    await settle(page);
    assert.deepEqual(await looks(), {picture: dark, text: !dark, page: dark});
    await page.click('#theme');
    await page.emulateMedia({colorScheme: dark ? 'light' : 'dark'});
    await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, dark ? 'light' : 'dark');
    await settle(page);
    assert.deepEqual(await looks(), {picture: dark, text: !dark, page: dark});
  }
});

test('on paper it is light, as wide as the paper, with what is in view and the table below', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')), {dark: true});
  await page.click('#tab-statistics');
  const onScreen = await stateOf(page);
  await page.setViewportSize({width: 720, height: 1000});
  await page.emulateMedia({media: 'print'});
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
  await settle(page);
  for (const id of ['search-form', 'tabs', 'scroll']) assert.ok(!(await page.isVisible(`#${id}`)), `${id} is not on paper`);
  assert.ok(!(await page.isVisible('nav')));
  const paper = await page.evaluate(() => {
    const {timeline} = window.kftView;
    const box = document.getElementById('canvas').getBoundingClientRect();
    const rows = document.querySelectorAll('#content table:first-of-type tbody tr');
    const last = rows[rows.length - 1].getBoundingClientRect();
    const content = document.getElementById('content').getBoundingClientRect();
    const pixels = timeline.context.getImageData(0, 0, timeline.width, timeline.canvas.height).data;
    const colours = new Set();
    for (let i = 0; i < pixels.length; i += 4) colours.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
    return {right: box.right, page: document.documentElement.clientWidth, width: timeline.cssWidth, box: box.width, height: box.height, colours: colours.size,
      isWhole: last.bottom <= content.bottom + 1, isBelow: content.top >= box.bottom};
  });
  assert.ok(paper.right <= paper.page && Math.abs(paper.width - paper.box) < 2 && paper.height > 200, JSON.stringify(paper));
  assert.ok(paper.colours > 10 && paper.isWhole && paper.isBelow, JSON.stringify(paper));
  const view = await stateOf(page);
  assert.deepEqual([view.begin, view.end], [onScreen.begin, onScreen.end]);
  await picture(page, 'print');
  await page.pdf({path: join(pictures, 'print.pdf'), printBackground: true});
  assert.ok(statSync(join(pictures, 'print.pdf')).size > 10000);
  await page.emulateMedia({media: 'screen'});
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
});

test('a page that had to be smaller says so, and is exact at what is longest and asked for', async (t) => {
  const trace = join(dir, 'thinned');
  execFileSync(grow, [unpack('6.12-v7'), trace, '200', '0']);
  const whole = await openPage(t, makePage(trace));
  assert.ok(!(await whole.isVisible('#warning')));
  const most = Math.round(statSync(`${trace}.html`).size * 0.6);
  const middle = await whole.evaluate(() => window.kftView.about.span / 2);
  const page = await openPage(t, makePage(trace, `--max-size=${most}`, '--exact', `+${middle}ns..+${middle + 1e6}ns`));
  const {leftOut, all} = await page.evaluate(() => ({leftOut: window.kftView.about.chunks.filter((chunk) => chunk[4]).length, all: window.kftView.about.chunks.length}));
  assert.ok(leftOut > 0 && (await page.isVisible('#warning')));
  assert.ok((await page.textContent('#warning')).includes(`${leftOut} of ${all} parts show less detail`));
  await picture(page, 'thinned');
  /* The same items, one by one, in both pages, when they have room for as many rows. */
  await page.evaluate(() => { document.getElementById('warning').hidden = true; });
  await page.waitForFunction((height) => window.kftView.timeline.height === height, await whole.evaluate(() => window.kftView.timeline.height));
  const itemsAt = async (where, begin, end) => {
    await where.evaluate(([from, to]) => window.kftView.timeline.show(from, to), [begin, end]);
    await settle(where);
    return where.evaluate(() => window.kftView.itemsInView().map((row) => [row.track.number, row.key, row.begin, row.end, row.count]));
  };
  const worst = await page.evaluate(() => window.kftView.worst.map(({begin, end}) => [begin, end]));
  for (const [begin, end] of [...worst, [middle, middle + 1e6]]) {
    assert.deepEqual(await itemsAt(page, begin, end), await itemsAt(whole, begin, end));
  }
});

test('groups, a range and a search are in the address, and a bad one does no harm', async (t) => {
  const path = makePage(unpack('6.12-v7'));
  const page = await openPage(t, path);
  await page.locator('button.label', {hasText: 'Tasks'}).click();
  await page.evaluate(() => window.kftView.setRange([2e7, 5e7]));
  await page.keyboard.press('/');
  await page.keyboard.type('softirq:*');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /found/.test(document.getElementById('search-count').textContent) && /q=.*c=|c=.*q=/.test(location.hash));
  const state = () => ({range: window.kftView.range, found: window.kftView.search.results.length, closed: window.kftView.timeline.groups.filter((group) => !group.isOpen).map((group) => group.id)});
  const first = await page.evaluate(state);
  assert.ok(first.closed.length > 0 && first.found > 0);
  const other = await openPage(t, path, {hash: await page.evaluate(() => location.hash)});
  await other.waitForFunction((n) => window.kftView.search.results.length === n, first.found);
  assert.deepEqual(await other.evaluate(state), first);
  const bad = await openPage(t, path, {hash: '#t=9e99-1&s=77777@1&m=x,-1&r=5-2&q=%28&c=%00'});
  assert.ok((await bad.locator('.label').count()) > 2);
});

test('SVG and PNG are of what is in view', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  const save = async (id, name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#${id}`)]);
    await download.saveAs(join(pictures, name));
    return readFileSync(join(pictures, name));
  };
  const svg = async (name) => {
    const text = (await save('save-svg', name)).toString();
    const viewer = await page.context().newPage();
    await viewer.goto(`file://${join(pictures, name)}`);
    const seen = await viewer.evaluate(() => ({errors: document.querySelectorAll('parsererror').length, rects: document.querySelectorAll('rect').length}));
    await viewer.close();
    assert.equal(seen.errors, 0);
    assert.ok(seen.rects > 20);
    return text;
  };
  const whole = await svg('whole.svg');
  await page.evaluate(() => window.kftView.timeline.show(6e7, 6.4e7));
  await settle(page);
  const part = await svg('part.svg');
  assert.notEqual(part, whole);
  assert.match(part, /\+6[0-4](\.\d+)? ms/);
  /* The picture's pixels are those on the screen, right of the labels and below the axis. */
  const png = await save('save-png', 'part.png');
  const same = await page.evaluate(async (bytes) => {
    const {timeline} = window.kftView;
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const {width, height} = timeline.canvas;
    const ours = context.getImageData(image.width - width, image.height - height, width, height).data;
    const screen = timeline.context.getImageData(0, 0, width, height).data;
    return ours.every((value, i) => value === screen[i]);
  }, [...png]);
  assert.ok(same);
});

// Of one system only: what the others would have told is missing.
function partOf(trace, system) {
  const part = `${trace}-${system}`;
  execFileSync(kft, ['export', '-q', '--to', 'trace.dat', '-o', part, '-e', `${system}:*`, trace], {stdio: 'ignore'});
  return part;
}

test('a trace of a few kinds of events is shown as well', async (t) => {
  const all = unpack('6.12-all');
  const parts = ['irq', 'irq_vectors', 'sched', 'timer', 'raw_syscalls', 'workqueue', 'signal'].map((system) => partOf(all, system));
  for (const trace of [...parts, unpack('6.12-marker'), unpack('6.12-lost')]) {
    const page = await openPage(t, makePage(trace));
    const colours = await page.evaluate(async () => {
      const {timeline} = window.kftView;
      for (const group of timeline.groups) if (!group.isOpen) timeline.toggle(group);
      timeline.drawNow();
      return new Set(timeline.pixelsOfImage).size;
    });
    assert.ok(colours > 2, `${trace}: nothing is drawn`);
    await page.locator('#view').focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'w', 'f', 'x', '0']) await page.keyboard.press(key);
    await settle(page);
  }
});
