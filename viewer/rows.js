// SPDX-License-Identifier: GPL-2.0-only
// What the page has rows for, made of the trace's tracks.

export const OF_CPU = 1;
export const OF_TASK = 2;

export class Model {
  constructor(about) {
    this.about = about;
    this.kinds = about.kinds;
    this.tracks = about.tracks.map(([kind, owner, id, key, slot], number) =>
      ({number, kind, owner, id, key, slot, name: about.kinds[kind].name}));
    this.tasks = new Map(about.tasks.map(([pid, tgid, comm]) => [pid, {pid, tgid: tgid || pid, comm}]));
    this.tasks.set(0, {pid: 0, tgid: 0, comm: 'idle'});
  }

  comm(pid) {
    const task = this.tasks.get(pid);
    return task ? task.comm : '<...>';
  }

  taskName(pid) {
    return pid < 0 ? '' : `${this.comm(pid)} ${pid}`;
  }

  // What an item of a track is called.
  keyName(track, key) {
    if (track.name === 'on-cpu') return this.comm(key);
    const known = this.about.keys[key];
    return known ? known.name : String(key);
  }

  // "irq 4", "softirq TIMER", "read", "sched_stat_runtime"
  title(track, key) {
    const name = this.keyName(track, key);
    switch (track.name) {
      case 'on-cpu': return this.taskName(key);
      case 'event': return name;
      case 'lost': return 'lost events';
      case 'irq': case 'softirq': return `${track.name} ${name}`;
      default: return name;
    }
  }

  where(track, other) {
    if (track.owner === OF_TASK) return this.taskName(track.id);
    if (track.owner === OF_CPU) return `CPU ${track.id}`;
    return other >= 0 ? `CPU ${other}` : '';
  }
}

function by(key) {
  return (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0);
}

function groupBy(list, keyOf) {
  const groups = new Map();
  for (const item of list) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

const BAND = 15; // of what matters most in a row
const SUB_BAND = 8;
const SLOTS = 8;
const CURVE = 30;
const SLICE = 14; // of nested items, with room for a name
const PAD = 3;

// Bands below each other make a row.
function makeRow(row, bands) {
  let y = PAD;
  for (const band of bands) {
    band.y = y;
    y += band.height + 1;
  }
  return Object.assign(row, {bands, height: y + PAD - 1});
}

// What CPUs do, and what interrupts that.
const MAIN = ['on-cpu', 'idle', 'lost'];
const IN_PLACE = ['softirq', 'vector', 'irq'];

function cpuRows(model) {
  const onCpus = model.tracks.filter((track) => track.owner === OF_CPU && (MAIN.includes(track.name) || IN_PLACE.includes(track.name)));
  const rows = [];
  for (const [cpu, tracks] of groupBy(onCpus, (track) => track.id)) {
    const main = tracks.filter((track) => MAIN.includes(track.name));
    const inPlace = tracks.filter((track) => IN_PLACE.includes(track.name));
    const bands = main.length ? [{tracks: main, height: BAND, names: true}] : [];
    if (inPlace.length) bands.push({tracks: inPlace, height: main.length ? SUB_BAND : BAND, names: !main.length});
    rows.push(makeRow({id: `cpu${cpu}`, label: `CPU ${cpu}`, order: cpu, isCpu: true}, bands));
  }
  return rows.sort(by('order'));
}

function taskBands(tracks) {
  const states = tracks.filter((track) => track.name === 'task');
  const others = tracks.filter((track) => track.name !== 'task');
  const bands = states.length ? [{tracks: states, height: BAND}] : [];
  for (const [, same] of [...groupBy(others, (track) => track.name)].sort()) {
    for (const track of same.sort(by('slot'))) {
      bands.push({tracks: [track], height: same.length > 1 ? SLICE : SUB_BAND + 2, names: true});
    }
  }
  return bands;
}

// Processes by how much they have to show, their tasks below them.
function taskRows(model, weightOf) {
  const tracks = model.tracks.filter((track) => track.owner === OF_TASK);
  const rows = [...groupBy(tracks, (track) => track.id)].map(([pid, own]) => {
    const task = model.tasks.get(pid);
    return makeRow({
      id: `task${pid}`, label: model.taskName(pid), pid, tgid: task ? task.tgid : pid,
      weight: own.reduce((sum, track) => sum + weightOf(track.number), 0),
    }, taskBands(own));
  });
  const processes = [...groupBy(rows, (row) => row.tgid).values()];
  for (const threads of processes) {
    threads.sort((a, b) => (b.pid === b.tgid) - (a.pid === a.tgid) || b.weight - a.weight);
    threads.slice(1).forEach((row) => { row.indent = 1; });
  }
  const weight = (threads) => threads.reduce((sum, row) => sum + row.weight, 0);
  return processes.sort((a, b) => weight(b) - weight(a)).flat();
}

// Tracks that overlap are below each other; those of very many share the last band.
function slots(tracks, height, names) {
  const bySlot = groupBy(tracks, (track) => Math.min(track.slot, SLOTS - 1));
  return [...bySlot].sort((a, b) => a[0] - b[0]).map(([slot, own]) => ({tracks: own, height: slot ? SUB_BAND : height, names}));
}

function cpuKindRows(model, kind) {
  const tracks = model.tracks.filter((track) => track.name === kind && track.owner === OF_CPU);
  return [...groupBy(tracks, (track) => track.id)].sort((a, b) => a[0] - b[0]).map(([cpu, own]) =>
    makeRow({id: `${kind} cpu${cpu}`, label: `CPU ${cpu}`}, slots(own, BAND, true)));
}

// Values that change are curves, from 0 or from less.
function counterRows(model) {
  return model.tracks.filter((track) => track.name === 'counter').map((track) => {
    const {name, low, high} = model.about.keys[track.key];
    return makeRow({id: `counter ${track.key}`, label: name, order: name},
      [{tracks: [track], height: CURVE, curve: {low: Math.min(0, low), high: Math.max(low + 1, high)}}]);
  }).sort((a, b) => a.order.localeCompare(b.order, 'en', {numeric: true}));
}

// What was charted: rows in their order, of bars that have names.
function bootRows(model) {
  const tracks = model.tracks.filter((track) => track.name === 'boot');
  return [...groupBy(tracks, (track) => track.id)].sort((a, b) => a[0] - b[0]).map(([id, own]) =>
    makeRow({id: `boot ${id}`, label: model.about.boot[id]}, slots(own, BAND, true)));
}

// A row for each key of a kind: "irq 4" on all CPUs.
function keyRows(model, kind) {
  const tracks = model.tracks.filter((track) => track.name === kind && track.owner !== OF_TASK);
  const rows = [...groupBy(tracks, (track) => track.key)].map(([key, own]) =>
    makeRow({id: `${kind} ${key}`, label: key < 0 ? 'all others' : model.title(own[0], key), order: key < 0 ? 0 : -model.about.keys[key].count},
      slots(own, kind === 'event' ? SUB_BAND + 2 : BAND, kind !== 'event')));
  return rows.sort(by('order'));
}

const GROUP_TITLES = {
  irq: 'Interrupts', vector: 'CPU-internal interrupts', softirq: 'Softirqs', 'softirq-raised': 'Softirqs waiting',
  tasklet: 'Tasklets', hrtimer: 'High-resolution timers', 'hrtimer-late': 'Late high-resolution timers', timer: 'Timers',
  'work-queued': 'Work waiting', block: 'Block devices', 'block-queued': 'Block: requests waiting', fault: 'Page faults',
  migration: 'Migrations', frequency: 'Frequencies', idle: 'Idle states', napi: 'Network polls', printk: 'Kernel messages',
  'irq-gap': 'Between interrupts', 'mark-gap': 'Between marks', event: 'Other events', counter: 'Counters',
};

// The others are there to be opened.
const OPEN = ['irq', 'softirq', 'block', 'frequency', 'counter'];

/*
 * Groups with their rows. weightOf(track): how many items it has. Kinds that the page does
 * not know have a group of their own.
 */
export function makeGroups(model, weightOf) {
  const groups = [
    {id: 'boot', label: 'Boot', rows: bootRows(model), isOpen: true},
    {id: 'cpus', label: 'CPUs', rows: cpuRows(model), isOpen: true},
    {id: 'tasks', label: 'Tasks', rows: taskRows(model, weightOf), isOpen: true},
  ];
  for (const {name} of model.kinds) {
    if (['on-cpu', 'lost', 'boot'].includes(name)) continue;
    const rows = name === 'frequency' ? cpuKindRows(model, name) : name === 'counter' ? counterRows(model) : keyRows(model, name);
    groups.push({id: name, label: GROUP_TITLES[name] || name, rows, isOpen: OPEN.includes(name)});
  }
  return groups.filter((group) => group.rows.length);
}

export const HEADING = 22;

// All that can be scrolled to: headings of groups and the rows of those that are open.
export function layOut(groups, isShown = () => true) {
  const places = [];
  let y = 0;
  for (const group of groups) {
    places.push({y, height: HEADING, group});
    y += HEADING;
    if (!group.isOpen) continue;
    for (const row of group.rows) {
      if (!isShown(row)) continue;
      places.push({y, height: row.height, row, group});
      y += row.height;
    }
  }
  return {places, height: y};
}
