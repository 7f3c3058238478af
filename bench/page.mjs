// SPDX-License-Identifier: GPL-2.0-only
// See bench/page.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const {MODULES: modules, CHROMIUM: chromium, KFT: kft, GROW: grow} = process.env;
const {chromium: driver} = createRequire(join(modules, 'x.js'))('playwright-core');
const [seed, ...sizes] = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), 'kft-bench-'));

function countEvents(trace) {
  return JSON.parse(execFileSync(kft, ['stats', 'events', '--json', trace], {maxBuffer: 1 << 28})).events;
}

// In seconds.
function makePage(trace, page) {
  const started = performance.now();
  execFileSync(kft, ['view', trace, '-o', page, '--max-size=0'], {stdio: 'ignore'});
  return (performance.now() - started) / 1000;
}

function describe(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  return `${at(0.5)} ms median, ${at(0.95)} ms at 95 %, ${at(1)} ms longest`;
}

// Of the page's own thread, whatever else runs: all that it does, and its scripts, in ms.
async function cpuTimes(cdp) {
  const {metrics} = await cdp.send('Performance.getMetrics');
  return ['TaskDuration', 'ScriptDuration'].map((name) => metrics.find((metric) => metric.name === name).value * 1000);
}

async function measure(browser, path) {
  const page = await browser.newPage({viewport: {width: 1600, height: 950}});
  await page.goto(`file://${path}`, {waitUntil: 'commit'});
  await page.waitForFunction(() => window.kftView, null, {timeout: 120000});
  const opened = await page.evaluate(() => window.kftView.openedAfter);
  await page.waitForLoadState('load', {timeout: 120000});
  const loaded = await page.evaluate(() => performance.timing.loadEventEnd - performance.timing.navigationStart);
  const run = (name) => page.evaluate(async (what) => {
    const {timeline} = window.kftView;
    timeline.frames.length = 0;
    const middle = timeline.cssWidth / 2;
    const acts = {
      'zoom in': () => timeline.zoom(0.94, middle),
      'pan': (i) => timeline.move(i % 120 < 60 ? 0.02 : -0.02),
      'zoom out': () => timeline.zoom(1 / 0.94, middle),
    };
    const act = acts[what];
    // The times from frame to frame.
    const times = await new Promise((resolve) => {
      const list = [];
      let last = performance.now();
      const step = (now) => {
        list.push(now - last);
        last = now;
        act(list.length);
        if (list.length < 180) requestAnimationFrame(step);
        else resolve(list.slice(2));
      };
      requestAnimationFrame(step);
    });
    return {times, draws: [...timeline.frames]};
  }, name);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', {timeDomain: 'threadTicks'});
  const moves = {};
  for (const name of ['zoom in', 'pan', 'zoom out', 'pan']) {
    const before = await cpuTimes(cdp);
    const {times, draws} = await run(name);
    const cpu = (await cpuTimes(cdp)).map((ms, i) => (ms - before[i]) / draws.length);
    moves[name === 'pan' && moves.pan ? 'pan (all in view)' : name] = {times, draws, cpu};
  }
  await page.close();
  return {opened, loaded, moves};
}

const browser = await driver.launch({executablePath: chromium, args: ['--no-sandbox', '--disable-gpu']});
try {
  const each = countEvents(seed);
  for (const size of ['seed', ...sizes]) {
    const trace = size === 'seed' ? seed : join(dir, 'trace');
    if (size !== 'seed') execFileSync(grow, [seed, trace, String(Math.ceil(Number(size) / each)), '0']);
    const out = join(dir, 'page.html');
    const seconds = makePage(trace, out);
    const events = countEvents(trace);
    const {size: bytes} = statSync(out);
    const {opened, loaded, moves} = await measure(browser, out);
    console.log(`${events} events: kft view ${seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / events).toFixed(2)} bytes an event`);
    console.log(`  opens after ${opened.toFixed(0)} ms, all read after ${loaded.toFixed(0)} ms`);
    for (const [name, {times, draws, cpu}] of Object.entries(moves)) {
      console.log(`  ${name}: CPU time a frame ${cpu[0].toFixed(1)} ms, ${cpu[1].toFixed(1)} ms of that scripts; frames ${describe(times)}; drawing ${describe(draws)}`);
    }
    rmSync(out);
  }
} finally {
  await browser.close();
  rmSync(dir, {recursive: true});
}
