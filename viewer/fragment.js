// SPDX-License-Identifier: GPL-2.0-only
// Where one is, as the fragment of the page's address: for a colleague with the same file.

export function writeFragment({begin, end, selected, marks, query, range, closed}) {
  const parts = new URLSearchParams();
  parts.set('t', `${Math.round(begin)}-${Math.round(end)}`);
  if (selected) parts.set('s', `${selected.track}@${Math.round(selected.time)}`);
  if (marks.length) parts.set('m', marks.map((time) => Math.round(time)).join(','));
  if (range) parts.set('r', `${Math.round(range[0])}-${Math.round(range[1])}`);
  if (query) parts.set('q', query);
  if (closed.length) parts.set('c', closed.join(','));
  return parts.toString();
}

function pair(text, separator) {
  const numbers = (text || '').split(separator).map(Number);
  return numbers.length === 2 && numbers.every((n) => Number.isFinite(n) && n >= 0) ? numbers : null;
}

// Who is given no place sees all of it; of a boot that was recorded for long after it, the boot and
// as long again of what it started.
export function openingEnd({bootEnd = 0, span}) {
  const end = 2 * bootEnd;
  return bootEnd && end < span ? end : Math.max(span, 1);
}

// What cannot be understood is left out.
export function readFragment(text, span) {
  const parts = new URLSearchParams(text.replace(/^#/, ''));
  const time = pair(parts.get('t'), '-');
  const range = pair(parts.get('r'), '-');
  const selected = pair(parts.get('s'), '@');
  const marks = (parts.get('m') || '').split(',').filter(Boolean).map(Number)
    .filter((n) => n >= 0 && n <= span).slice(0, 100);
  return {
    view: time && time[1] > time[0] && time[0] <= span ? {begin: time[0], end: time[1]} : null,
    range: range && range[1] > range[0] ? range : null,
    selected: selected ? {track: selected[0], time: selected[1]} : null,
    query: (parts.get('q') || '').slice(0, 200),
    closed: parts.has('c') ? parts.get('c').split(',') : null,
    marks,
  };
}
