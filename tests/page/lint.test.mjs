// SPDX-License-Identifier: GPL-2.0-only
// The page's scripts as a careful reader would go through them: what is written and not used,
// what does not do what it looks like, and what would let a trace's text become code.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import test from 'node:test';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const viewer = join(here, '../../viewer');
const modules = readdirSync(viewer).filter((name) => name.endsWith('.js'));
const tests = readdirSync(here).filter((name) => name.endsWith('.mjs')).map((name) => readFileSync(join(here, name), 'utf8'));

// Without comments and without what is in quotes; what templates have within ${} stays.
function codeOf(text) {
  const pattern = /\/\*[\s\S]*?\*\/|(?<![\\:'"`])\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  return text.replace(pattern, (match) => {
    if (match[0] === '`') return (match.match(/\$\{[^`]*?\}/g) || []).join(' ').replace(/[${}]/g, ' ');
    return match[0] === '/' ? '' : '""';
  });
}

function uses(code, name) {
  return (code.match(new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?![\\w$])`, 'g')) || []).length;
}

const FORBIDDEN = [
  [/\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function)\b/, 'makes text to code'],
  [/(?<![=!<>])==(?!=)|!=(?!=)/, 'compares after changing types'],
  [/\bvar\b/, 'var'],
  [/\bconsole\.|\bdebugger\b/, 'is for looking at it'],
  [/\balert\(|\bconfirm\(|\bprompt\(/, 'stops the page'],
];

// Chunks of a served page come from its server: one place asks, and only for them.
const ASKS = /\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts)\b/g;

for (const name of modules) {
  test(name, () => {
    const text = readFileSync(join(viewer, name), 'utf8');
    const code = codeOf(text);
    execFileSync(process.execPath, ['--input-type=module', '--check'], {input: text});
    for (const [pattern, why] of FORBIDDEN) assert.ok(!pattern.test(code), `${code.match(pattern)}: ${why}`);
    assert.deepEqual(code.match(ASKS) || [], name === 'worker.js' ? ['fetch'] : [], 'asks the network');
    text.split('\n').forEach((line, i) => {
      assert.ok(line.length <= 200 && !/[ \t]$|\t/.test(line), `${name}:${i + 1}: too long, or blanks that nobody sees`);
    });
    for (const [, list, from] of text.matchAll(/^import \{([^}]*)\} from '\.\/([\w-]+\.js)';$/gm)) {
      const exported = readFileSync(join(viewer, from), 'utf8');
      for (const imported of list.match(/\w+/g)) {
        assert.ok(uses(code, imported) > 1, `${imported} is imported and not used`);
        assert.match(exported, new RegExp(`^export (?:async )?(?:function\\*?|class|const|let) ${imported}\\b`, 'm'), `${from} has no ${imported}`);
      }
    }
    for (const [, isExported, top] of text.matchAll(/^(export )?(?:async )?(?:function\*?|class|const|let) (\w+)/gm)) {
      const others = isExported ? [...modules.filter((other) => other !== name).map((other) => readFileSync(join(viewer, other), 'utf8')), ...tests] : [];
      assert.ok(uses(code, top) > 1 || others.some((other) => uses(other, top)), `${top} is not used`);
    }
    for (const [, method] of code.matchAll(/^ {2}(?:async |get |static )*\*?(\w+)\([^)]*\) \{$/gm)) {
      if (['constructor', 'if', 'for', 'while', 'switch'].includes(method)) continue;
      const everywhere = modules.map((other) => codeOf(readFileSync(join(viewer, other), 'utf8'))).reduce((sum, other) => sum + uses(other, method), 0);
      assert.ok(everywhere > 1 || tests.some((each) => uses(each, method)), `method ${method} is not used`);
    }
  });
}
