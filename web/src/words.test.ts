import { expect, test } from 'vitest';
import { capital, counter, grouped } from './words';

test('numbers are grouped', () => {
  expect([0, 999, 1000, 1234567].map(grouped)).toEqual(['0', '999', '1\u202f000', '1\u202f234\u202f567']);
  expect([counter(1200), counter(undefined), counter(null)]).toEqual(['1\u202f200', '–', '–']);
});

test('capitals', () => {
  expect(capital('round')).toBe('Round');
});
