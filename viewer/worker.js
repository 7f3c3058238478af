// SPDX-License-Identifier: GPL-2.0-only
// Unpacks chunks beside the page, so that it stays smooth meanwhile.
import {bytesOfBase64, decodeChunk, inflate} from './codec.js';

self.onmessage = async ({data: {id, level, items, text}}) => {
  try {
    const chunk = decodeChunk(await inflate(bytesOfBase64(text)), level, items);
    const buffers = Object.values(chunk).filter(ArrayBuffer.isView).map((a) => a.buffer);
    self.postMessage({id, chunk}, buffers);
  } catch (error) {
    self.postMessage({id, error: String(error)});
  }
};
