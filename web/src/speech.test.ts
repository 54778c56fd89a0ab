import { afterEach, expect, test } from 'vitest';
import type { Mark } from './api';
import { english as catalog, loadCatalog } from './catalog';
import { ru } from './viewer-words/ru';
import { speech } from './speech.svelte';
import { en } from './viewer-words/en';

afterEach(() => speech.change('en', en, catalog));

test('times are as short as they are telling', () => {
  expect([0.04, 9.94, 17.4, 1250].map((millis) => speech.duration(millis))).toEqual([
    '0.0 ms',
    '9.9 ms',
    '17 ms',
    '1.25 s',
  ]);
});

test('places and counted things', () => {
  expect([1, 2, 3, 4, 11, 21].map((place) => speech.place(place))).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '21st',
  ]);
  expect(speech.count(en.pictures, 1)).toBe('1 picture');
  expect(speech.count(en.pictures, 1200)).toBe('1\u202f200 pictures');
});

test('marks are told around the name, whatever the name is', async () => {
  const game = Object.keys(catalog.library).find((id) => catalog.library[id]?.gains) ?? '';
  const [counter = ''] = Object.keys(catalog.library[game]?.gains ?? {});
  const mark = (kind: Mark['kind'], what: Mark['what']): Mark => ({ turn: 1, seat: 1, kind, counter, what });
  const told = (name: string): string[] => [
    speech.mark(game, name, mark('capture', null)),
    speech.mark(game, name, mark('out', null)),
    speech.mark(game, name, mark('out', { code: 'gave_up' })),
    speech.mark(game, name, mark('fault', { code: 'out_of_time' })),
    speech.mark(game, name, mark('note', 'a sentence of before')),
  ];
  const gain = catalog.gain(game, counter);
  expect(told('anna')).toEqual([
    `anna ${gain}`,
    'anna is out',
    'anna is out: gave up',
    'anna: out of time',
    'anna: a sentence of before',
  ]);
  speech.change('ru', ru, await loadCatalog('ru'));
  expect(told('is out').slice(1)).toEqual([
    'is out выбывает',
    'is out выбывает: сдался',
    'is out: не успел ответить',
    'is out: a sentence of before',
  ]);
  expect(told('is out')[0]).not.toContain(gain);
});
