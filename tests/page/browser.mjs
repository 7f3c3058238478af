// SPDX-License-Identifier: GPL-2.0-only
// A real Chromium with a page in it, for the tests of what is on the screen. Pictures of what
// was seen are kept beside the test's log.
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import test from 'node:test';

const {KFT: kft, DATA: data, MODULES: modules, CHROMIUM: chromium, PICTURES: pictures} = process.env;
export const require = createRequire(join(modules, 'x.js'));
const {chromium: driver} = require('playwright-core');
export const dir = mkdtempSync(join(tmpdir(), 'kft-page-'));
mkdirSync(pictures, {recursive: true});

let browser;
test.before(async () => {
  browser = await driver.launch({executablePath: chromium, args: ['--no-sandbox', '--disable-gpu']});
});
test.after(async () => {
  await browser.close();
  rmSync(dir, {recursive: true});
});

export function makePage(trace, ...options) {
  const out = `${trace}.html`;
  try {
    execFileSync(kft, ['view', trace, '-o', out, ...options], {stdio: 'ignore'});
  } catch (error) {
    assert.equal(error.status, 3);
  }
  return out;
}

export function unpack(name) {
  const path = join(dir, name.replace('/', '-'));
  if (!existsSync(path)) execFileSync('sh', ['-c', 'xz -dc "$1" >"$2"', 'sh', join(data, `${name}.dat.xz`), path]);
  return path;
}

// Serves a trace until the test is over. Its page's address.
export async function serve(t, trace) {
  const server = spawn(kft, ['view', '--serve', trace], {stdio: ['ignore', 'pipe', 'inherit']});
  const ended = new Promise((resolve) => server.on('exit', resolve));
  t.after(async () => {
    server.kill('SIGINT');
    assert.equal(await ended, 0);
  });
  for await (const line of createInterface({input: server.stdout})) return line;
  return assert.fail('it says no address');
}

// Opens a page and fails with whatever goes wrong in it. It asks nobody but who handed it out.
export async function openPage(t, path, {hash = '', dark = false} = {}) {
  const isServed = path.startsWith('http:');
  const context = await browser.newContext({viewport: {width: 1400, height: 900}, colorScheme: dark ? 'dark' : 'light', acceptDownloads: true});
  const page = await context.newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') wrong.push(message.text()); });
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(file|blob|data):/.test(url) && !(isServed && url.startsWith(path))) wrong.push(`asks for ${url}`);
  });
  await page.goto(`${isServed ? '' : 'file://'}${path}${hash}`);
  await page.waitForFunction(() => window.kftView);
  await settle(page);
  t.after(async () => {
    await context.close();
    assert.deepEqual(wrong, []);
  });
  return page;
}

// Until all that is in view is there and drawn.
export async function settle(page) {
  await page.waitForFunction(() => {
    const {store, timeline} = window.kftView;
    return !store.waiting.size && !store.running.size && !timeline.isDirty;
  });
}

export async function picture(page, name) {
  await page.screenshot({path: join(pictures, `${name}.png`)});
}
