// SPDX-License-Identifier: GPL-2.0-only
// The legend: colours and shapes of states and of the kinds of intervals that the trace has.
import {make, makeSvg} from './dom.js';
import {HATCHED, LOW, STATE_TEXTS, THIN, styleOf} from './palette.js';

// Kinds with a colour for each name show so many of them.
const EXAMPLES = 5;

const KIND_TEXTS = {
  'on-cpu': 'a task on a CPU', idle: 'idle CPU', irq: 'interrupt', softirq: 'softirq', vector: 'CPU-internal interrupt',
  syscall: 'system call', event: 'other event', counter: 'counter', lost: 'missing events',
};

function shapeOf({colour, shape}, x) {
  if (shape === LOW) return [makeSvg('rect', {x, y: 7, width: 14, height: 7, fill: colour})];
  if (shape === THIN) return [makeSvg('rect', {x, y: 5.5, width: 14, height: 3, fill: colour})];
  if (shape === HATCHED) return [0, 5, 10].map((at) => makeSvg('rect', {x: x + at, width: 4, height: 14, fill: colour}));
  return [makeSvg('rect', {x, width: 14, height: 14, fill: colour})];
}

function swatch(styles) {
  const svg = makeSvg('svg', {class: 'swatch', width: styles.length * 16 - 2, height: 14, 'aria-hidden': 'true'});
  styles.forEach((style, i) => svg.append(...shapeOf(style, i * 16)));
  return svg;
}

function list(title, entries) {
  return make('div', {}, make('h2', {textContent: title}), make('ul', {className: 'legend'},
    ...entries.map(([styles, text]) => make('li', {}, swatch(styles), text))));
}

// Colours of a kind: one, or those of some names where each name has its own.
function stylesOf(app, kind, number) {
  const {about, model, timeline: {isDark}} = app;
  const names = kind === 'on-cpu' ? [...model.tasks.values()].filter(({pid}) => pid).map(({pid, comm}) => [pid, comm])
    : about.keys.map((key, i) => [i, key.name, key.kind]).filter(([, , of]) => of === number);
  const styles = new Map();
  for (const [key, name] of names) {
    const style = styleOf(kind, name, key, isDark);
    styles.set(`${style.colour} ${style.shape}`, style);
  }
  return styles.size ? [...styles.values()].slice(0, EXAMPLES) : [styleOf(kind, '', 0, isDark)];
}

export function makeLegend(app) {
  const {about, timeline} = app;
  const states = Object.entries(STATE_TEXTS).map(([name, text]) => [[styleOf('task', name, 0, timeline.isDark)], `${name}: ${text}`]);
  const kinds = about.kinds.map(({name}, number) => ({name, styles: name === 'task' ? [] : stylesOf(app, name, number)}))
    .filter(({styles}) => styles.length)
    .map(({name, styles}) => [styles, `${KIND_TEXTS[name] || name}${styles.length > 1 ? ', a colour for each name' : ''}`]);
  const {mark, accent, chosen} = timeline.colours();
  const others = [[mark, 'longest, marks, hits of a search, arrow of the selected wake-up'], [accent, 'selected range'], [chosen, 'row of the selected interval']];
  const hasStates = about.kinds.some(({name}) => name === 'task');
  return make('div', {className: 'columns'}, hasStates ? list('States of tasks', states) : null, list('Events and intervals', kinds),
    list('Marks', others.map(([colour, text]) => [[{colour}], text])),
    make('p', {className: 'empty', textContent: 'A paler colour: only part of the pixel\'s time is taken.'}));
}
