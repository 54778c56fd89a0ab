import { expect, test } from 'vitest';
import { capital, count, counter, duration, grouped, ordinal } from './words';

test('numbers are grouped and counted', () => {
  expect([0, 999, 1000, 1234567].map(grouped)).toEqual(['0', '999', '1\u202f000', '1\u202f234\u202f567']);
  expect([count(1, 'turn'), count(2, 'turn')]).toEqual(['1 turn', '2 turns']);
  expect([counter(1200), counter(undefined), counter(null)]).toEqual(['1\u202f200', '–', '–']);
});

test('times are as short as they are telling', () => {
  expect([0.04, 9.94, 17.4, 1250].map(duration)).toEqual(['0.0 ms', '9.9 ms', '17 ms', '1.25 s']);
});

test('places and capitals', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
  ]);
  expect(capital('round')).toBe('Round');
});
