import { expect, test } from 'vitest';
import { patch } from './patch';

test('plain values replace', () => {
  expect(patch({ a: 1 }, 5)).toBe(5);
  expect(patch(3, null)).toBe(null);
  expect(patch({ a: 1, b: 'x' }, { a: 2 })).toEqual({ a: 2, b: 'x' });
});

test('a value in brackets is the new value, empty brackets take the key away', () => {
  expect(patch({ a: { b: 1 } }, { a: [{ c: 2 }] })).toEqual({ a: { c: 2 } });
  expect(patch({ a: [1, 2] }, { a: [[]] })).toEqual({ a: [] });
  expect(patch({ a: 1, b: 2 }, { a: [] })).toEqual({ b: 2 });
});

test('arrays change at places, also inside of one another', () => {
  expect(patch([1, 2, 3], { '@': [0, 9, 2, 7] })).toEqual([9, 2, 7]);
  expect(patch({ players: [{ n: 1 }, { n: 2 }] }, { players: { '@': [1, { n: 5 }] } })).toEqual({
    players: [{ n: 1 }, { n: 5 }],
  });
});

test('what stays the same is shared and the old value is left alone', () => {
  const old = { same: [1, 2], players: [{ n: 1 }, { n: 2 }] };
  const copy = structuredClone(old);
  const next = patch(old, { players: { '@': [0, { n: 3 }] } }) as typeof old;
  expect(next.same).toBe(old.same);
  expect(next.players[1]).toBe(old.players[1]);
  expect(old).toEqual(copy);
});
