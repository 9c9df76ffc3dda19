// Arrays of a recording: base64 -> deflate -> byte planes -> typed arrays. See viewer/README.md for the codes.

const TYPES = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array, f32: Float32Array, f64: Float64Array };

/** @param {string} text @returns {Uint8Array} */
export function fromBase64(text) {
  // @ts-ignore: newer browsers only, and four times as fast
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text.trim());
  const binary = atob(text.trim());
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < out.length; ++i) out[i] = binary.charCodeAt(i);
  return out;
}

const CRC = new Uint32Array(256).map((_, n) => {
  for (let k = 0; k < 8; ++k) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

/** @param {Uint8Array} bytes */
export function crc32(bytes) {
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; ++i) c = CRC[(c ^ bytes[i]) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** All first bytes, then all second bytes, ... -> values. */
export function fromPlanes(bytes, Type) {
  const size = Type.BYTES_PER_ELEMENT, n = bytes.length / size;
  if (size === 1) return new Type(bytes.buffer, bytes.byteOffset, bytes.length);
  const whole = new Uint8Array(bytes.length);
  for (let k = 0; k < size; ++k) {
    const from = k * n;
    for (let i = 0, to = k; i < n; ++i, to += size) whole[to] = bytes[from + i];
  }
  return new Type(whole.buffer);
}

/** The sign comes back from the last bit. */
export function fromZigzag(bytes) {
  const folded = fromPlanes(bytes, Uint32Array), out = new Int32Array(folded.length);
  for (let i = 0; i < out.length; ++i) out[i] = (folded[i] >>> 1) ^ -(folded[i] & 1);
  return out;
}

/** Differences in time, channel after channel -> rows × channels, row after row. */
export function fromDelta(bytes, rows, channels) {
  const changes = fromZigzag(bytes), out = new Int32Array(changes.length);
  for (let c = 0; c < channels; ++c) {
    let value = 0;
    for (let r = 0, from = c * rows, to = c; r < rows; ++r, ++from, to += channels) out[to] = value = (value + changes[from]) | 0;
  }
  return out;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @returns {Promise<{type: string, shape: number[], step: number, values: any}>} */
export async function decodeArray(name, entry, all) {
  const Type = TYPES[entry.type];
  if (!Type) throw new Error(`array ${name}: unknown type ${entry.type}`);
  if (entry.at + entry.bytes > all.length) throw new Error(`array ${name} is cut off`);
  let raw;
  try {
    raw = await inflate(all.subarray(entry.at, entry.at + entry.bytes));
  } catch (e) {
    throw new Error(`array ${name} is damaged`);
  }
  if (crc32(raw) !== entry.crc) throw new Error(`array ${name} is damaged: its checksum does not match`);
  const count = entry.shape.reduce((a, b) => a * b, 1);
  let values;
  if (entry.code === 'delta') values = fromDelta(raw, entry.shape[0], entry.shape[1]);
  else if (entry.code === 'zigzag') values = fromZigzag(raw);
  else if (entry.code === 'planes') values = fromPlanes(raw, Type);
  else throw new Error(`array ${name}: unknown code ${entry.code}`);
  if (values.length !== count) throw new Error(`array ${name} has ${values.length} values instead of ${count}`);
  return { type: entry.type, shape: entry.shape, step: entry.step ?? 1, values };
}

/** Decodes all arrays of a head, telling how far it is. */
export async function decodeAll(head, text, progress = () => {}) {
  const bytes = fromBase64(text), out = {};
  const names = Object.keys(head.arrays);
  let done = 0;
  for (const name of names) {
    out[name] = await decodeArray(name, head.arrays[name], bytes);
    done += head.arrays[name].bytes;
    progress(done / Math.max(1, bytes.length));
  }
  return out;
}

/** Unit vector of an octahedral map. */
export function fromOctahedral(u, v, out = [0, 0, 0]) {
  let x = u / 127, y = v / 127;
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z < 0) {
    const a = x;
    x = (1 - Math.abs(y)) * Math.sign(x || 1);
    y = (1 - Math.abs(a)) * Math.sign(y || 1);
  }
  const l = Math.hypot(x, y, z) || 1;
  out[0] = x / l; out[1] = y / l; out[2] = z / l;
  return out;
}
