import { expect, test } from 'vitest';
import { format, matchPlace, parse, type Place } from './address';

const read = (path: string): Place => parse(new URL(path, 'http://localhost'));

test('the list, the rules and a match', () => {
  expect(read('/')).toEqual({ page: 'list' });
  expect(read('/rules/draughts')).toEqual({ page: 'rules', game: 'draughts' });
  expect(read('/some%20match')).toEqual(matchPlace('some match'));
});

test('a moment through some eyes', () => {
  expect(read('/a?turn=12&seat=2')).toEqual({ ...matchPlace('a'), turn: 12, seat: 2 });
  expect(read('/a?turn=-3&seat=x')).toEqual(matchPlace('a'));
  expect(read('/a?turn=0&seat=0')).toEqual({ ...matchPlace('a'), turn: 0 });
  expect(read('/a?embed=1')).toEqual({ ...matchPlace('a'), embed: true });
  expect(read('/a?embed=0')).toEqual(matchPlace('a'));
});

test('a person who plays', () => {
  expect(read('/a?play=2&key=s3cret')).toEqual({ ...matchPlace('a'), play: { seat: 2, key: 's3cret' } });
});

test('a picture and a film for the command line', () => {
  expect(read('/a?capture=t&width=640&height=480&theme=dark')).toMatchObject({
    capture: { token: 't', width: 640, height: 480, dark: true, film: null },
  });
  expect(read('/a?capture=t&film=3-90&every=2&delay=50')).toMatchObject({
    capture: { width: 800, height: 800, film: { from: 3, to: 90, every: 2, delay: 50 } },
  });
});

test('an address leads back to what it was made of', () => {
  const places: Place[] = [
    { page: 'list' },
    { page: 'rules', game: 'chess' },
    { ...matchPlace('a/b c'), turn: 7, seat: 3, embed: true },
    { ...matchPlace('x'), turn: 0, play: { seat: 1, key: 'k&=' } },
  ];
  for (const place of places) expect(read(format(place))).toEqual(place);
});
