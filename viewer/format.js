// SPDX-License-Identifier: GPL-2.0-only
// Numbers as people read them.

const UNITS = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]];

export function formatDuration(ns, isNs = true) {
  if (!isNs) return formatCount(ns);
  const size = Math.abs(ns);
  for (const [name, unit] of UNITS) {
    if (size < unit && unit > 1) continue;
    const value = ns / unit;
    const digits = unit === 1 ? 0 : Math.abs(value) >= 100 ? 1 : Math.abs(value) >= 10 ? 2 : 3;
    return `${value.toFixed(digits)} ${name}`;
  }
  return '0 ns';
}

// A moment on an axis: as many digits as its step needs, in a unit that fits its size.
export function formatTick(time, step, isNs = true) {
  if (!isNs) return formatCount(time);
  const [name, unit] = UNITS.find(([, size]) => Math.abs(time) >= size) || UNITS[3];
  const digits = Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9));
  return `${(time / unit).toFixed(Math.min(digits, 9))} ${name}`;
}

// All digits: "7,012,345 ns".
export function formatExact(ns, isNs = true) {
  return isNs ? `${formatCount(ns)} ns` : formatCount(ns);
}

export function formatCount(n) {
  return n.toLocaleString('en-US', {maximumFractionDigits: 0});
}

// The trace's own clock; start is a string of its first stamp, time counts from it.
export function formatMoment(start, time, isNs = true) {
  const stamp = BigInt(start) + BigInt(Math.round(time));
  if (!isNs) return String(stamp);
  const digits = String(stamp).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

export function formatShare(part, all) {
  return all > 0 ? `${(part / all * 100).toFixed(1)} %` : '–';
}

// "2ms", "1.5 s", "300us" or a number of ns; NaN when it is none.
export function parseDuration(text) {
  const match = /^([\d.]+)\s*(s|ms|us|µs|ns)?$/.exec(text.trim());
  if (!match) return NaN;
  const unit = {s: 1e9, ms: 1e6, us: 1e3, 'µs': 1e3, ns: 1}[match[2] || 'ns'];
  return Number(match[1]) * unit;
}

// A step of 1, 2 or 5 times a power of ten so that about n steps are in a span.
export function niceStep(span, n) {
  const raw = span / Math.max(n, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  for (const factor of [1, 2, 5]) if (factor * power >= raw) return Math.max(1, factor * power);
  return Math.max(1, 10 * power);
}
