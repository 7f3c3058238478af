// SPDX-License-Identifier: GPL-2.0-only
// A page's data as its scripts see it, taken from the file by Node.
import {readFileSync} from 'node:fs';
import {inflateRawSync} from 'node:zlib';
import {decodeChunk} from '../../viewer/codec.js';
import {prepare} from '../../viewer/store.js';

export function readPage(path) {
  const html = readFileSync(path, 'utf8');
  const data = new Map();
  for (const [, id, text] of html.matchAll(/<script type="application\/octet-stream" id="(\w+)">([^<]*)</g)) {
    data.set(id, inflateRawSync(Buffer.from(text, 'base64')));
  }
  const about = JSON.parse(data.get('about0').toString());
  const chunks = new Map();
  about.chunks.forEach(([level, items], id) => {
    if (data.has(`c${id}`)) chunks.set(id, prepare(decodeChunk(new Uint8Array(data.get(`c${id}`)), level, items)));
  });
  return {html, about, chunks};
}

// What Store does, with all chunks there.
export function storeOf({about, chunks}) {
  return {
    isLeftOut: (id) => about.chunks[id][4] === 1,
    want: (id) => chunks.get(id),
    load: async (id) => chunks.get(id),
  };
}
