import { expect, test } from 'vitest';
import type { Mark } from '../api';
import { near, nextMark, thin } from './marks';

const mark = (turn: number, kind: Mark['kind'] = 'note'): Mark => ({
  turn,
  kind,
  seat: 1,
  counter: null,
  what: null,
});
const turns = (marks: Mark[]): number[] => marks.map(({ turn }) => turn);

test('thousands of marks become as many as there is room for, and the weighty ones stay', () => {
  const many = Array.from({ length: 5000 }, (_, turn) => mark(turn, turn === 4321 ? 'out' : 'note'));
  const few = thin(many, 5000, 100);
  expect(few.length).toBe(100);
  expect(turns(few)).toContain(4321);
});

test('few marks stay as they are', () => {
  expect(turns(thin([mark(3), mark(500), mark(1000)], 1000, 100))).toEqual([3, 500, 1000]);
  expect(thin([mark(0)], 0, 100).length).toBe(1);
});

test('marks near a turn, and the next one on either side', () => {
  const marks = [mark(10), mark(20), mark(22), mark(90)];
  expect(turns(near(marks, 21, 5, 2))).toEqual([20, 22]);
  expect(nextMark(marks, 20, 1)).toBe(22);
  expect(nextMark(marks, 20, -1)).toBe(10);
  expect(nextMark(marks, 90, 1)).toBe(null);
});
