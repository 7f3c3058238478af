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
    return hit ? window.kftView.describe(hit.lane, hit.chunk, hit.i) : null;
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
