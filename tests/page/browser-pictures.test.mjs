// SPDX-License-Identifier: GPL-2.0-only
// The picture of the page in README and docs/tour.md is one of the page as it is now: it is taken
// again and compared, coarsely, as fonts differ. With NEW_PICTURES (scripts/pictures) it is replaced.
import assert from 'node:assert/strict';
import {copyFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'node:test';
import {dir, makePage, openPage, settle} from './browser.mjs';

const top = join(process.env.DATA, '../..');
const kept = join(top, 'docs/pictures/view.png');
const CELLS = {width: 60, height: 36};
const MOST_DIFFERENT = 0.1; // of all cells

function address(path) {
  return `data:image/png;base64,${readFileSync(path).toString('base64')}`;
}

// The brightness of each cell of a picture.
function cells(page, path) {
  return page.evaluate(async ([url, {width, height}]) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(width, height).getContext('2d');
    canvas.drawImage(image, 0, 0, width, height);
    const {data} = canvas.getImageData(0, 0, width, height);
    return Array.from({length: width * height}, (_, i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2]);
  }, [address(path), CELLS]);
}

async function take(t, path) {
  const trace = join(dir, 'player.dat');
  copyFileSync(join(top, 'samples/player.dat'), trace);
  const page = await openPage(t, makePage(trace));
  await page.setViewportSize({width: 1200, height: 720});
  // The worst wait for the lock, explained.
  await page.evaluate(() => {
    const {about} = window.kftView;
    const {worst: [track, begin, length]} = about.keys.find(({kind, name}) =>
      about.kinds[kind].name === 'syscall' && name === 'futex');
    window.location.hash = `t=${begin - length}-${begin + 2 * length}&s=${track}@${begin + 1}`;
  });
  await settle(page);
  await page.screenshot({path});
  return page;
}

test('the picture of the page is current', async (t) => {
  const taken = join(dir, 'view.png');
  const page = await take(t, process.env.NEW_PICTURES ? kept : taken);
  if (process.env.NEW_PICTURES) return;
  const [now, then] = [await cells(page, taken), await cells(page, kept)];
  const different = now.filter((value, i) => Math.abs(value - then[i]) > 60).length;
  assert.ok(different < MOST_DIFFERENT * now.length,
    `${different} of ${now.length} cells differ: scripts/pictures takes it again`);
});
