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
