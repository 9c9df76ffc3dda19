import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { test } from 'node:test';
import { crc32, decodeArray, fromDelta, fromOctahedral, fromPlanes, fromZigzag } from '../../src/decode.js';

const planes = (values, Type) => {
  const bytes = new Uint8Array(Type.from(values).buffer), size = Type.BYTES_PER_ELEMENT, n = values.length, out = new Uint8Array(bytes.length);
  for (let i = 0; i < n; ++i) for (let k = 0; k < size; ++k) out[k * n + i] = bytes[i * size + k];
  return out;
};
const zigzag = (values) => planes(values.map((v) => ((v << 1) ^ (v >> 31)) >>> 0), Uint32Array);

test('planes give back values of every type', () => {
  for (const [Type, values] of [[Uint8Array, [0, 255, 3]], [Uint16Array, [65535, 1]], [Float32Array, [1.5, -0, NaN, Infinity]], [Float64Array, [Math.PI, 1e-300]]])
    assert.deepEqual(Array.from(fromPlanes(planes(values, Type), Type)), Array.from(Type.from(values)));
});

test('zigzag gives back the least and the largest integer', () => {
  const values = [0, -1, 1, 2147483647, -2147483648, -12345];
  assert.deepEqual(Array.from(fromZigzag(zigzag(values))), values);
});

test('delta adds modulo 2^32, channel after channel', () => {
  const rows = [[5, -2147483648], [7, 2147483647], [-1, 0]], changes = [];
  for (let c = 0; c < 2; ++c) for (let r = 0; r < 3; ++r) changes.push((rows[r][c] - (r ? rows[r - 1][c] : 0)) | 0);
  assert.deepEqual(Array.from(fromDelta(zigzag(changes), 3, 2)), rows.flat());
});

test('the checksum is that of zlib', () => assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926));

test('a damaged array is named', async () => {
  const raw = planes([1, 2, 3], Float32Array), bytes = new Uint8Array(deflateSync(raw));
  const entry = { type: 'f32', shape: [3], code: 'planes', at: 0, bytes: bytes.length, crc: crc32(raw) };
  assert.deepEqual(Array.from((await decodeArray('x', entry, bytes)).values), [1, 2, 3]);
  await assert.rejects(decodeArray('x', { ...entry, crc: 1 }, bytes), /array x is damaged/);
  await assert.rejects(decodeArray('x', entry, bytes.subarray(0, 5)), /array x is cut off/);
  await assert.rejects(decodeArray('x', { ...entry, shape: [4] }, bytes), /array x has 3 values instead of 4/);
});

test('octahedral normals are within a degree', () => {
  for (const n of [[0, 0, 1], [0, 0, -1], [0.6, 0, -0.8], [-0.48, 0.6, 0.64], [-0.36, -0.48, -0.8]]) {
    const s = Math.abs(n[0]) + Math.abs(n[1]) + Math.abs(n[2]);
    let [x, y] = [n[0] / s, n[1] / s];
    if (n[2] < 0) [x, y] = [(1 - Math.abs(y)) * (x >= 0 ? 1 : -1), (1 - Math.abs(x)) * (y >= 0 ? 1 : -1)];
    const back = fromOctahedral(Math.round(127 * x), Math.round(127 * y));
    assert.ok(back[0] * n[0] + back[1] * n[1] + back[2] * n[2] > Math.cos(Math.PI / 180), `${n} became ${back}`);
  }
});
