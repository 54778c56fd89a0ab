import { expect, test } from 'vitest';
import { bytes, change, clock, countdown, exact, moment, number, relative, span } from './format';

const NOON = Date.UTC(2025, 10, 15, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Languages part groups and units with several kinds of blanks. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

test('numbers are written as each language does', () => {
  expect(['en', 'ru', 'hu'].map((code) => plain(number(code, 12345)))).toEqual([
    '12,345',
    '12 345',
    '12 345',
  ]);
  expect(['en', 'ru', 'hu'].map((code) => number(code, 4.5, 2))).toEqual(['4.5', '4,5', '4,5']);
  expect([12.44, -3, 0].map((value) => change('en', value))).toEqual(['+12.4', '-3.0', '0.0']);
});

test('times of today are short, others have their day', () => {
  expect(clock('en', NOON, 'UTC')).toBe('12:00');
  expect(clock('en', NOON - 12 * 60 * MINUTE, 'UTC')).toBe('00:00');
  for (const code of ['en', 'ru', 'hu']) {
    expect(moment(code, NOON, NOON + MINUTE, 'UTC')).toBe('12:00');
    expect(moment(code, NOON, NOON + DAY, 'UTC')).toMatch(/15.*12:00/);
    expect(exact(code, NOON, 'UTC')).toMatch(/12:00:00/);
  }
});

test('times are told from now', () => {
  expect(relative('en', NOON - 3 * MINUTE, NOON)).toBe('3 minutes ago');
  expect(relative('en', NOON + 2 * DAY, NOON)).toBe('in 2 days');
  expect(relative('en', NOON - 2000, NOON)).toBe('now');
  expect(relative('ru', NOON - 2 * MINUTE, NOON)).toBe('2 минуты назад');
  expect(relative('hu', NOON - 2 * MINUTE, NOON)).toBe('2 perccel ezelőtt');
});

test('spans', () => {
  expect([400, 12_500, 200_000].map((millis) => span('en', millis))).toEqual([
    '0.4 sec',
    '12.5 sec',
    '3 min 20 sec',
  ]);
});

test('a countdown never goes below nothing, and shows a second until it is over', () => {
  expect(countdown(-5)).toEqual({ days: 0, clock: '00:00' });
  expect(countdown(1)).toEqual({ days: 0, clock: '00:01' });
  expect(countdown(61_000)).toEqual({ days: 0, clock: '01:01' });
  expect(countdown(3_661_000)).toEqual({ days: 0, clock: '1:01:01' });
  expect(countdown(DAY + 1000)).toEqual({ days: 1, clock: '0:00:01' });
});

test('another year is told', () => {
  expect(moment('en', Date.UTC(2020, 0, 1, 10), NOON, 'UTC')).toBe('1 Jan 2020, 10:00');
  expect(moment('ru', Date.UTC(2020, 0, 1, 10), NOON, 'UTC')).toContain('2020');
});

test('sizes are written for people', () => {
  const sizes = (code: string): string[] =>
    [812, 14_200, 23_456_789].map((value) => plain(bytes(code, value)));
  expect(sizes('en')).toEqual(['812 byte', '14.2 kB', '23.5 MB']);
  expect(sizes('ru')[2]).toBe('23,5 МБ');
});
