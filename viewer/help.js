// SPDX-License-Identifier: GPL-2.0-only
// Keys, and what can be searched for.
import {byId, make} from './dom.js';

const KEYS = [
  ['w s', 'zoom in and out at the pointer (also Ctrl and the wheel, or two fingers)'],
  ['a d', 'move left and right (also drag, or Shift and the wheel)'],
  ['↑ ↓', 'previous row, next row'],
  ['← →', 'previous item, next item of the row'],
  ['f', 'zoom to the selected item'],
  ['0', 'show the whole trace'],
  ['x', 'go through the longest latencies'],
  ['/', 'search'],
  ['n N', 'the next, the previous hit of the search'],
  ['[ ]', 'begin and end of the range at the pointer (also drag with Shift, or on the axis)'],
  ['m', 'set a mark at the pointer'],
  ['l', 'legend of the colours, and back'],
  ['Esc', 'clear the selection'],
  ['?', 'this help'],
];

const QUERIES = [
  ['irq:* > 2ms', 'interrupts of more than 2 ms'],
  ['task:waiting > 1ms', 'tasks that waited for a CPU for more than 1 ms'],
  ['comm:cat syscall:read', 'calls of read by tasks named cat'],
  ['cpu:1 softirq:TIMER', 'on one CPU'],
  ['event:sched_* prev_comm', 'events by name, with a word in their fields'],
];

function table(rows, caption, tag) {
  return make('table', {}, make('caption', {className: 'hidden', textContent: caption}),
    make('tbody', {}, ...rows.map(([key, text]) => make('tr', {},
      make('th', {scope: 'row'}, ...key.split(tag === 'kbd' ? ' ' : '\n').flatMap((part) => [make(tag, {textContent: part}), ' '])),
      make('td', {textContent: text})))));
}

export function showHelp() {
  const dialog = byId('help');
  dialog.replaceChildren(
    make('h2', {textContent: 'Keys'}), table(KEYS, 'Keys', 'kbd'),
    make('h2', {textContent: 'Search'}), table(QUERIES, 'Examples', 'code'),
    make('p', {textContent: 'A hit matches all words of the search. The address of the page keeps the view: send it with the file.'}),
    make('form', {method: 'dialog'}, make('button', {textContent: 'Close'})));
  dialog.showModal();
}
