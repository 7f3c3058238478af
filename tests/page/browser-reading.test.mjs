// SPDX-License-Identifier: GPL-2.0-only
// The page as its reader sees it: shares, tooltips, arrows, marks of a search, the legend, and
// windows of any size.
import assert from 'node:assert/strict';
import test from 'node:test';
import {makePage, openPage, picture, settle, unpack} from './browser.mjs';

test('shares name their whole and never exceed it', async (t) => {
  for (const name of ['6.12-all', '6.12-graph']) {
    const page = await openPage(t, makePage(unpack(name)));
    await page.evaluate(() => window.kftView.setRange([0, window.kftView.timeline.span]));
    const cells = await page.$$eval('#content tbody tr', (rows) => rows.map((row) => row.children[4].textContent));
    const shares = cells.filter((text) => text !== '–');
    assert.ok(shares.length > 3, cells.join());
    for (const share of shares) {
      assert.match(share, /^\d+\.\d % of \d+ (CPU|task|track)s?$/);
      assert.ok(parseFloat(share) <= 100, share);
    }
    if (name !== '6.12-all') continue;
    const cpus = await page.$$eval('.label', (all) => all.filter((label) => /^CPU \d+$/.test(label.textContent)).length);
    assert.ok(shares.some((share) => share.endsWith(`of ${cpus} CPUs`)), shares.join());
    assert.ok(shares.some((share) => / of ([2-9]|\d\d+) tasks$/.test(share)), shares.join());
  }
});

test('a tooltip is of the row that is under the pointer', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-all')));
  const box = await page.locator('#view').boundingBox();
  const [x, y] = [500, 180];
  const tip = () => page.evaluate(() => (document.getElementById('tip').hidden ? null : document.getElementById('tip').textContent));
  const expected = () => page.evaluate((at) => {
    const hit = window.kftView.hitAt(at);
    return hit ? window.kftView.describe(hit.track, hit.chunk, hit.i) : null;
  }, {x, y});
  const seen = new Set();
  const check = async () => {
    await settle(page);
    assert.equal(await tip(), await expected());
    seen.add(await tip());
  };
  await page.mouse.move(box.x + x, box.y + y);
  await check();
  for (const dy of [60, 60, 60, 60]) {
    await page.evaluate((by) => window.kftView.timeline.scrollTo(window.kftView.timeline.scrollTop + by), dy);
    await check();
  }
  await page.evaluate(() => window.kftView.timeline.toggle(window.kftView.timeline.groups[0]));
  await check();
  await page.keyboard.press('d');
  await check();
  assert.ok(seen.size > 2, [...seen].join('; '));
  await page.mouse.down();
  await page.mouse.move(box.x + x - 60, box.y + y, {steps: 3});
  await settle(page);
  assert.equal(await tip(), null, 'a drag hides it');
  await page.mouse.up();
});

test('arrows are of the selected interval or near, short and within the view', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-all')));
  const look = () => page.evaluate(() => {
    const {arrows, timeline} = window.kftView;
    return {found: arrows.find().length, shown: arrows.shown().length, selected: arrows.shown().filter((arrow) => arrow.isSelected).length,
      parts: arrows.shown().flatMap((arrow) => arrows.partsOf(arrow)), height: timeline.height};
  });
  /* A task that another one has woken, from afar and from near. */
  const begin = await page.evaluate(() => {
    const app = window.kftView;
    const {view} = app.timeline;
    for (let from = 0; from < app.timeline.span; from += 2e6) {
      app.timeline.show(from, from + 2e6);
      app.timeline.draw();
      const [arrow] = app.arrows.find().filter(({from: waker, to}) => app.timeline.placeOfTrack(waker) && app.timeline.placeOfTrack(to));
      if (!arrow) continue;
      app.timeline.show(view.begin, view.end);
      return app.select(arrow.to, arrow.time + 1).then(() => arrow.time);
    }
    return null;
  });
  assert.ok(begin !== null, 'the trace has wake-ups');
  await page.evaluate((time) => window.kftView.timeline.show(time - 1e6, time + 1e6), begin);
  await settle(page);
  const near = await look();
  assert.ok(near.shown > 0 && near.selected === 1, JSON.stringify(near));
  for (const {from, to} of near.parts) {
    assert.ok(Math.abs(to - from) <= 90 && Math.max(from, to) >= 0 && Math.min(from, to) <= near.height, JSON.stringify(near.parts));
  }
  await picture(page, 'arrows');
  /* From afar only that of what is selected. */
  await page.evaluate((time) => window.kftView.timeline.show(time - 1e7, time + 1e7), begin);
  await settle(page);
  const far = await look();
  assert.ok(far.found > 1 && far.shown === far.selected, JSON.stringify(far));
  await page.evaluate(() => window.kftView.setSelected(null));
  await settle(page);
  assert.equal((await look()).shown, 0);
});

test('hits of a search are marked on their rows and on the axis, and gone through by mouse', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-v7')));
  assert.ok(await page.isDisabled('#found-next'));
  await page.evaluate(() => window.kftView.timeline.show(0, window.kftView.timeline.span));
  const overlay = () => page.evaluate(() => {
    const canvas = document.getElementById('overlay');
    return canvas.hidden ? 0 : canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.filter((v, i) => i % 4 === 3 && v > 0).length;
  });
  const axis = () => page.evaluate(() => document.getElementById('axis').toDataURL());
  await settle(page);
  const [before, axisBefore] = [await overlay(), await axis()];
  await page.fill('#search', 'softirq:*');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => / found/.test(document.getElementById('search-count').textContent));
  await settle(page);
  const boxes = () => page.evaluate(() => window.kftView.hits.boxes());
  assert.ok((await boxes()).length > 3 && (await overlay()) > before, 'hits are drawn');
  assert.notEqual(await axis(), axisBefore);
  const n = await page.evaluate(() => window.kftView.search.results.length);
  await page.click('#found-next');
  await page.waitForFunction(() => window.kftView.selected);
  const first = Number((await page.textContent('#search-count')).match(/^(\d+) of (\d+)$/)[1]);
  assert.equal(await page.textContent('#search-count'), `${first} of ${n}`);
  await settle(page);
  assert.equal((await boxes()).filter(({isCurrent}) => isCurrent).length, 1);
  await picture(page, 'hits');
  await page.click('#found-previous');
  assert.equal(await page.textContent('#search-count'), `${(first - 2 + n) % n + 1} of ${n}`);
  /* An empty search takes the marks away. */
  await page.fill('#search', '');
  await page.keyboard.press('Enter');
  await settle(page);
  assert.deepEqual(await boxes(), []);
  assert.ok(await page.isDisabled('#found-next'));
});

test('the legend has the colours that are drawn, by key and by mouse', async (t) => {
  const page = await openPage(t, makePage(unpack('6.12-all')));
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('l');
  assert.equal(await page.getAttribute('#tab-legend', 'aria-selected'), 'true');
  assert.match(await page.textContent('#content'), /running: on a CPU.*softirq.*selected range/);
  await page.keyboard.press('l');
  assert.equal(await page.getAttribute('#tab-longest', 'aria-selected'), 'true');
  await page.click('#tab-legend');
  const look = () => page.evaluate(() => {
    const {model, timeline} = window.kftView;
    const hex = (pixel) => '#' + [0, 8, 16].map((shift) => (pixel >> shift & 255).toString(16).padStart(2, '0')).join('');
    const drawn = {};
    for (const track of model.tracks.filter(({name}) => ['task', 'irq', 'softirq', 'syscall'].includes(name))) {
      for (const [key, {pixel}] of timeline.pixels[track.kind]) drawn[model.keyName(track, key)] = hex(pixel);
    }
    return {drawn, legend: [...document.querySelectorAll('.legend rect')].map((rect) => rect.getAttribute('fill')),
      texts: [...document.querySelectorAll('.legend li')].map((item) => item.textContent)};
  });
  const check = ({drawn, legend}) => {
    assert.ok(Object.keys(drawn).length > 5);
    for (const [name, colour] of Object.entries(drawn)) assert.ok(legend.includes(colour), `${name} ${colour} is not in the legend`);
  };
  await settle(page);
  const light = await look();
  check(light);
  assert.ok(light.texts.some((text) => text.startsWith('a task on a CPU')), light.texts.join());
  await picture(page, 'legend');
  await page.click('#theme');
  await settle(page);
  const dark = await look();
  check(dark);
  assert.notDeepEqual(dark.legend, light.legend);
});

for (const [width, height] of [[400, 700], [550, 420], [700, 420], [900, 500], [360, 480], [1400, 900]]) {
  test(`nothing overlaps in a window of ${width} × ${height}`, async (t) => {
    const page = await openPage(t, makePage(unpack('6.12-all')));
    await page.setViewportSize({width, height});
    await page.fill('#search', 'softirq:*');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => / found/.test(document.getElementById('search-count').textContent));
    await page.click('#found-next');
    await settle(page);
    const seen = await page.evaluate(() => {
      const boxOf = (element) => {
        const {left, top, right, bottom} = element.getBoundingClientRect();
        return {name: element.id || element.tagName, left, top, right, bottom};
      };
      const all = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length).map(boxOf);
      return {controls: all('h1, #search, #search-count, #search-form button, nav button'),
        areas: all('header, #overview, #axis, #labels, #view, #tabs, #content'), page: {...boxOf(document.body), width: document.documentElement.scrollWidth}};
    });
    for (const boxes of [seen.controls, seen.areas]) {
      boxes.forEach((a, i) => {
        assert.ok(a.left >= 0 && a.right <= width + 0.5 && a.top >= 0 && a.bottom <= height + 0.5, `${a.name} is cut: ${JSON.stringify(a)}`);
        for (const b of boxes.slice(i + 1)) {
          const isApart = a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
          assert.ok(isApart, `${a.name} and ${b.name} overlap: ${JSON.stringify([a, b])}`);
        }
      });
    }
    assert.equal(seen.page.width, width);
    const view = seen.areas.find(({name}) => name === 'view');
    assert.ok(view.right - view.left > width * 0.6 && view.bottom - view.top > 90, JSON.stringify(view));
    /* Every tab and button is reached, and a tooltip stays in the view. */
    for (const id of ['tab-trace', 'tab-legend', 'tab-longest', 'theme', 'theme']) await page.click(`#${id}`);
    await page.mouse.move(view.right - 30, view.top + 60);
    await page.evaluate(() => { window.kftView.hasTip = true; window.kftView.timeline.drawNow(); });
    if (await page.isVisible('#tip')) {
      const tip = await page.locator('#tip').boundingBox();
      assert.ok(tip.x >= view.left && tip.x + tip.width <= view.right + 0.5, JSON.stringify(tip));
    }
    await picture(page, `window-${width}x${height}`);
  });
}
