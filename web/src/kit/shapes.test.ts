import { describe, expect, it } from 'vitest';
import { between, scatter, short } from './shapes';

describe('numbers', () => {
  it('fit into four characters', () => {
    const cases: [number, string][] = [
      [0, '0'],
      [9999, '9999'],
      [10_000, '10k'],
      [999_999, '999k'],
      [1_250_000, '1.2M'],
      [12_345_678, '12M'],
    ];
    for (const [count, text] of cases) expect(short(count)).toBe(text);
  });

  it('look like chance and are always the same', () => {
    const many = Array.from({ length: 1000 }, (_, seed) => scatter(seed));
    expect(many.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(many.filter((value) => value < 0.5).length).toBeGreaterThan(400);
    expect(scatter(7)).toBe(scatter(7));
  });
});

it('finds the point between two others', () => {
  expect(between({ x: 0, y: 10 }, { x: 10, y: 0 }, 0.25)).toEqual({ x: 2.5, y: 7.5 });
});
