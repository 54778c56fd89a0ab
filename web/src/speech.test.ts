import { afterEach, expect, test } from 'vitest';
import { ru } from './site/words/ru';
import { speech } from './speech.svelte';
import { english } from './viewer-words';

afterEach(() => speech.change('en', english));

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
  expect(speech.count(english.pictures, 1)).toBe('1 picture');
  expect(speech.count(english.pictures, 1200)).toBe('1\u202f200 pictures');
});

test('remarks of the server stay as they are in English', () => {
  for (const text of ['anna takes a city', 'anna is out: gave up', 'anna: out of time', 'something else']) {
    expect(speech.remark('anna', text)).toBe(text);
  }
});

test('remarks are translated around the name, whatever the name is', () => {
  speech.change('ru', ru.viewer);
  expect(speech.remark('anna', 'anna takes a city')).toBe('anna захватывает город');
  expect(speech.remark('anna', 'anna: out of time')).toBe('anna: не успел ответить');
  expect(speech.remark('is out', 'is out is out: captured by seat 1 in round 155')).toBe(
    'is out выбывает: столицу захватил игрок 1 в раунде 155',
  );
  expect(speech.remark('bot 7', 'bot 7 is out')).toBe('bot 7 выбывает');
});
