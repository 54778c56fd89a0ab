import { expect, test } from 'vitest';
import { turnsOf } from './film';
import { reelStride } from './reel';

test('a film ends with its last turn, whatever is left out before', () => {
  expect(turnsOf({ from: 3, to: 6, every: 1 })).toEqual([3, 4, 5, 6]);
  expect(turnsOf({ from: 0, to: 7, every: 3 })).toEqual([0, 3, 6, 7]);
  expect(turnsOf({ from: 5, to: 5, every: 4 })).toEqual([5]);
});

test('long films use coarse chunks if these have all their turns', () => {
  expect([reelStride(0, 1), reelStride(0, 8), reelStride(0, 64), reelStride(32, 96)]).toEqual([1, 1, 64, 32]);
  expect([reelStride(1, 64), reelStride(0, 50)]).toEqual([1, 1]);
});
