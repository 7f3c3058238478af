// SPDX-License-Identifier: GPL-2.0-only
// What took longest of what nobody wanted to take long.

// What takes as long as somebody wants, or is counted elsewhere.
const NO_TROUBLE = ['syscall', 'futex', 'event', 'lost', 'counter', 'on-cpu', 'idle', 'frequency', 'function', 'mark', 'initcall',
  'irq-gap', 'mark-gap', 'work', 'signal', 'boot'];

// The overview marks so many, and none that is a trifle beside the longest.
const MARKED = 4;
const TRIFLE = 1 / 25;

// Waiting that nobody wanted, and what keeps CPUs from tasks: not what tasks do by themselves.
function isTrouble(kind, name) {
  if (NO_TROUBLE.includes(kind)) return false;
  return kind !== 'task' || ['preempted', 'waiting', 'blocked'].includes(name);
}

// What kft why says of what is no stall: somebody asked for the time, or nobody wanted the CPU.
const WANTED = ['idle', 'sleep', 'timeout'];

function isWanted({cause}) {
  return WANTED.includes(cause);
}

// The longest of each kind of trouble in which no events are missing, the longest first, but
// what was wanted last.
export function worstOf(about) {
  const causes = new Map(about.why.map(({key, answer}) => [key, answer.cause]));
  return about.keys
    .map((key, number) => ({key, cause: causes.get(number), kind: about.kinds[key.kind].name, name: key.name}))
    .filter(({key, kind, name}) => key.worst && key.worst[2] > 0 && isTrouble(kind, name))
    .map((worst) => {
      const [track, begin, length] = worst.key.worst;
      return {...worst, track, begin, end: begin + length, length};
    })
    .sort((a, b) => isWanted(a) - isWanted(b) || b.length - a.length);
}

// Those that the whole trace is marked with: of what happened at the same time the longest.
export function mostTelling(worst) {
  const marked = [];
  for (const one of worst.filter((each) => !isWanted(each))) {
    if (marked.length === MARKED || (marked.length && one.length < marked[0].length * TRIFLE)) break;
    if (!marked.some((other) => one.begin <= other.end && one.end >= other.begin)) marked.push(one);
  }
  return marked;
}
