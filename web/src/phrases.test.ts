import { expect, test } from 'vitest';
import { fill, form } from './phrases';

test('gaps are filled, and those without a value stay', () => {
  expect(fill('{a} beats {b}', { a: 'rock', b: 'scissors' })).toBe('rock beats scissors');
  expect(fill('{a} and {c}', { a: '{c}' })).toBe('{c} and {c}');
});

test('every language counts in its own way', () => {
  const forms = { one: 'ход', few: 'хода', many: 'ходов', other: 'хода' };
  expect([1, 3, 5, 11, 21, 22].map((number) => form('ru', forms, number))).toEqual([
    'ход',
    'хода',
    'ходов',
    'ходов',
    'ход',
    'хода',
  ]);
  const places = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
  expect([1, 2, 3, 4, 11, 12, 13, 21].map((place) => form('en', places, place, 'ordinal'))).toEqual([
    'st',
    'nd',
    'rd',
    'th',
    'th',
    'th',
    'th',
    'st',
  ]);
  expect(form('hu', { other: 'lépés' }, 1)).toBe('lépés');
});
