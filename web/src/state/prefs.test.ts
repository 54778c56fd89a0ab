import { expect, test } from 'vitest';
import { DEFAULTS, load, save } from './prefs';

const holding = (text: string | null): Pick<Storage, 'getItem'> => ({ getItem: () => text });

test('what is kept comes back', () => {
  let kept = '';
  const prefs = { ...DEFAULTS, theme: 'dark' as const, speed: 9, movement: false, patterns: true };
  save({ setItem: (_key, text) => (kept = text) }, prefs);
  expect(load(holding(kept))).toEqual(prefs);
});

test('nothing, nonsense and strange values are the defaults', () => {
  for (const text of [null, '', '{', 'null', '7', '{"speed": 99, "theme": "pink", "charts": "yes"}']) {
    expect(load(holding(text))).toEqual(DEFAULTS);
  }
});
