import { expect, test } from 'vitest';
import { turnsOf } from './film';
import { renderStride } from './frame-renderer';

test('a film ends with its last turn, whatever is left out before', () => {
  expect(turnsOf({ from: 3, to: 6, every: 1 })).toEqual([3, 4, 5, 6]);
  expect(turnsOf({ from: 0, to: 7, every: 3 })).toEqual([0, 3, 6, 7]);
  expect(turnsOf({ from: 5, to: 5, every: 4 })).toEqual([5]);
});

test('long films use coarse chunks if these have all their turns', () => {
  expect([renderStride(0, 1), renderStride(0, 8), renderStride(0, 64), renderStride(32, 96)]).toEqual([
    1, 1, 64, 32,
  ]);
  expect([renderStride(1, 64), renderStride(0, 50)]).toEqual([1, 1]);
});
