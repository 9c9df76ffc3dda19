import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, nice, num } from '../../src/util.js';

test('nice numbers are 1, 2 or 5 times a power of ten', () => {
  for (const [x, y] of [[1, 1], [0.99, 0.5], [3, 2], [7, 5], [0.0234, 0.02], [1000, 1000]]) assert.ok(Math.abs(nice(x) - y) < 1e-12 * y, `${x} became ${nice(x)}`);
});

test('numbers are written as a person would', () => {
  for (const [x, text] of [[0, '0'], [NaN, '–'], [1e-8, '1e-8'], [0.00123456, '0.00123'], [123456, '1.23e5'], [-Infinity, '-∞'], [42, '42']]) assert.equal(num(x), text);
});

test('the median of an even count is one of the values', () => assert.equal(median([4, 1, 3, 2]), 3));
