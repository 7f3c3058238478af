// SPDX-License-Identifier: GPL-2.0-only
// Unpacks chunks beside the page, so that it stays smooth meanwhile.
import {bytesOfBase64, decodeChunk, inflate} from './codec.js';

async function bytesFrom(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

self.onmessage = async ({data: {id, level, items, text, url}}) => {
  try {
    const bytes = url ? await bytesFrom(url) : bytesOfBase64(text);
    const chunk = decodeChunk(await inflate(bytes), level, items);
    const buffers = Object.values(chunk).filter(ArrayBuffer.isView).map((a) => a.buffer);
    self.postMessage({id, chunk}, buffers);
  } catch (error) {
    self.postMessage({id, error: String(error)});
  }
};
