import { expect, test } from 'vitest';
import { lines } from './png';

test('every piece has a place, on further lines where one is full', () => {
  const places = lines([30, 30, 30, 200, 30], 100, 10);
  expect(places).toEqual([
    { x: 10, line: 0 },
    { x: 50, line: 0 },
    { x: 10, line: 1 },
    { x: 10, line: 2 },
    { x: 10, line: 3 },
  ]);
});
