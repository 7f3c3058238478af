// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is searched for: words that all must fit.
 *
 *   irq:4  syscall:read  task:waiting  event:sched_*   a kind and what it is called
 *   comm:cat  pid:12  cpu:0                            whose, where
 *   > 2ms  < 10us                                      how long
 *   words                                              in a name or in the text of an event
 */
import {parseDuration} from './format.js';

function globToRegExp(glob) {
  const parts = [...glob].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c.replace(/[\\^$.|+()[\]{}]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}$`, 'i');
}

function addTerm(query, name, value, kinds) {
  switch (name) {
    case 'comm': query.comm = globToRegExp(value); break;
    case 'pid': query.pid = Number(value); break;
    case 'cpu': query.cpu = Number(value); break;
    case 'text': query.words.push(value.toLowerCase()); break;
    default:
      if (!kinds.includes(name)) throw new Error(`there is no kind '${name}': ${kinds.join(', ')}`);
      query.kind = name;
      query.key = globToRegExp(value || '*');
  }
}

// Throws an Error that says what is wrong.
export function parseQuery(text, kinds) {
  const query = {kind: null, key: null, comm: null, pid: null, cpu: null, over: -1, under: Infinity, words: []};
  const pattern = /([<>])=?\s*(\S+)|([\w-]+):(\S*)|(\S+)/g;
  let any = false;
  for (const [, sign, limit, name, value, word] of text.matchAll(pattern)) {
    any = true;
    if (sign) {
      const ns = parseDuration(limit);
      if (Number.isNaN(ns)) throw new Error(`'${limit}' is no time: 2ms, 10us, 1.5s`);
      if (sign === '>') query.over = ns;
      else query.under = ns;
    } else if (name) {
      addTerm(query, name, value, kinds);
    } else {
      query.words.push(word.toLowerCase());
    }
  }
  return any ? query : null;
}

// May a track have what is searched for?
export function fitsTrack(query, track, model) {
  if (query.kind && track.name !== query.kind) return false;
  if (!query.kind && track.name === 'lost') return false;
  if (query.kind && track.key >= 0 && !query.key.test(model.keyName(track, track.key)) &&
      !query.key.test(model.keyName(track, track.key).split(':').pop())) return false;
  const ofTask = track.owner === 2;
  if (query.cpu !== null && !ofTask && track.id !== query.cpu) return false;
  if (query.pid !== null && ofTask && track.id !== query.pid) return false;
  return !(query.comm && ofTask && !query.comm.test(model.comm(track.id)));
}

// Of one item; text: of an event. A run fits when one of its items may.
export function fitsItem(query, track, item, model) {
  const {key, other, length, text} = item;
  if (!(length > query.over && length < query.under)) return false;
  const name = model.keyName(track, key);
  if (query.key && !query.key.test(name) && !query.key.test(name.split(':').pop())) return false;
  const pid = track.owner === 2 ? track.id : track.name === 'on-cpu' ? key : other;
  const cpu = track.owner === 2 ? other : track.id;
  if (query.pid !== null && pid !== query.pid) return false;
  if (query.cpu !== null && cpu !== query.cpu) return false;
  if (query.comm && !query.comm.test(model.comm(pid))) return false;
  const all = `${track.name} ${name} ${text}`.toLowerCase();
  return query.words.every((word) => all.includes(word));
}
