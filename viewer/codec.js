// SPDX-License-Identifier: GPL-2.0-only
// Chunks of a page (docs/formats/page.md): columns of small numbers become typed arrays.

class Bytes {
  constructor(data) {
    this.data = data;
    this.at = 0;
  }

  byte() {
    if (this.at >= this.data.length) throw new Error('a chunk ends too early');
    return this.data[this.at++];
  }

  varint() {
    let byte = this.byte();
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let unit = 128; ; unit *= 128) {
      byte = this.byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  }

  column(into, from, n) {
    if (this.byte() === 0) {
      into.fill(this.varint(), from, from + n);
      return;
    }
    const data = this.data;
    for (let i = from; i < from + n; i++) {
      const byte = data[this.at];
      if (byte < 128) {
        into[i] = byte;
        this.at++;
      } else {
        into[i] = this.varint();
      }
    }
  }
}

function unzigzag(value) {
  return value % 2 ? -(value + 1) / 2 : value / 2;
}

// The tracks of a chunk: where each one's items are.
function findTracks(bytes, visit) {
  let track = 0;
  while (bytes.at < bytes.data.length) {
    track += bytes.varint();
    visit(track, bytes.varint());
  }
}

function makeArrays(n, level) {
  const arrays = {
    begin: new Float64Array(n), end: new Float64Array(n), key: new Uint32Array(n),
    value: new Float64Array(n), other: new Int32Array(n), flags: new Uint8Array(n),
  };
  if (!level) return Object.assign(arrays, {textAt: new Uint32Array(n + 1)});
  return Object.assign(arrays, {
    n: new Uint32Array(n), child: new Uint32Array(n), start: new Uint32Array(n),
    count: new Float64Array(n), busy: new Float64Array(n), max: new Float64Array(n),
  });
}

// begin and end are gaps and lengths so far.
function addUp(a, from, to) {
  let time = 0;
  for (let i = from; i < to; i++) {
    a.begin[i] += time;
    time = a.end[i] += a.begin[i];
    const value = a.value[i];
    a.value[i] = value ? unzigzag(value - 1) : NaN;
    a.other[i] = (a.other[i] >>> 1) ^ -(a.other[i] & 1);
  }
}

// Where each run begins in its child: behind the one before it.
function addUpRuns(a, from, to) {
  let child = 0;
  let start = 0;
  for (let i = from; i < to; i++) {
    const next = (child + a.child[i]) >>> 0;
    if (next !== child || i === from) start = 0;
    child = a.child[i] = next;
    a.start[i] = start;
    start += a.n[i];
    a.busy[i] = a.end[i] - a.begin[i] - a.busy[i];
    a.max[i] = a.end[i] - a.begin[i] - a.max[i];
  }
}

function decodeTexts(bytes, a, lengths, from, to, parts) {
  for (let i = from; i < to; i++) {
    a.textAt[i + 1] = a.textAt[i] + lengths[i];
  }
  const size = a.textAt[to] - a.textAt[from];
  parts.push(bytes.data.subarray(bytes.at, bytes.at + size));
  bytes.at += size;
}

function join(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/*
 * data: a chunk's bytes, unpacked; items: how many it has. All tracks share the arrays;
 * tracks has three numbers for each: track, first item, how many.
 */
export function decodeChunk(data, level, items) {
  const bytes = new Bytes(data);
  const a = makeArrays(items, level);
  const lengths = level ? null : new Uint32Array(items);
  const tracks = [];
  const texts = [];
  let from = 0;
  findTracks(bytes, (track, n) => {
    const to = from + n;
    if (to > items) throw new Error('a chunk has too many items');
    tracks.push(track, from, n);
    for (const name of ['begin', 'end', 'key', 'value', 'other', 'flags']) {
      bytes.column(a[name], from, n);
    }
    if (level) {
      for (const name of ['n', 'child', 'count', 'busy', 'max']) bytes.column(a[name], from, n);
    } else {
      bytes.column(lengths, from, n);
    }
    addUp(a, from, to);
    if (level) addUpRuns(a, from, to);
    else decodeTexts(bytes, a, lengths, from, to, texts);
    from = to;
  });
  if (from !== items) throw new Error('a chunk has too few items');
  a.level = level;
  a.tracks = Uint32Array.from(tracks);
  if (!level) a.text = join(texts);
  return a;
}

export function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
