import { expect, describe, it } from 'vitest';
import { describeCell, fights, kindAt, march, neighbours, shorten, walk } from './grid';
import { amountOf } from './grid-hands';
import { gridOf, sayOf } from './testing';

describe('numbers', () => {
  it.each([
    [7, 1, '7'],
    [1234, 4, '1234'],
    [1234, 3.5, '1.2k'],
    [1234, 3, '1k'],
    [1999, 3.5, '1.9k'],
    [2000, 3, '2k'],
    [12345, 4, '12k'],
    [123456, 4, '123k'],
    [123456, 3, '123k'],
    [999999, 4, '999k'],
    [4294967295, 4, '4.2G'],
  ])('%i in the room of %f digits is %s', (value, room, text) => {
    expect(shorten(value, room)).toBe(text);
  });

  it('moves as many units as the rules say', () => {
    expect([0, 1, 2, 7].map((units) => amountOf(units, 'most'))).toEqual([0, 0, 1, 6]);
    expect([0, 1, 2, 7].map((units) => amountOf(units, 'half'))).toEqual([0, 0, 1, 3]);
    expect([amountOf(7, 'all'), amountOf(7, 3), amountOf(2, 3)]).toEqual([7, 3, 2]);
  });
});

describe('cells', () => {
  const grid = gridOf(`
    1C35 .    M
    0c40 2:3  ?`);

  it('have neighbours on the board only', () => {
    expect(neighbours(grid, 0)).toEqual([1, 3]);
    expect(neighbours(grid, 4)).toEqual([1, 3, 5]);
    expect(kindAt(grid, 2)).toBe('M');
  });

  it('are walked one by one', () => {
    expect(walk(grid, 0, 5)).toEqual([1, 2, 5]);
    expect(walk(grid, 3, 3)).toEqual([]);
  });

  it('are told in words', () => {
    const game = { first: 1, words: { C: 'capital', c: 'city', '.': 'land' }, grid: () => grid } as const;
    const tell = (cell: number): string => describeCell(game, grid, cell, ['hunter'], sayOf(''));
    expect(tell(0)).toBe('row 1, column 1: capital of seat 1 (hunter), 35 units');
    expect(tell(3)).toBe('row 2, column 1: city, 40 neutral units');
    expect(tell(4)).toBe('row 2, column 2: land of seat 2, 3 units');
    expect(tell(1)).toBe('row 1, column 2: land');
  });
});

describe('marches and fights', () => {
  const deed = { seat: 1, from: 0, to: 1, built: false };

  it.each([
    ['1:9 .', '1:1 1:8', 8],
    ['1:9 .', '1:5 1:4', 4],
    ['1C2 .', '1C2 1:1', 1],
  ])('from %s to %s, %i units moved', (before, now, moved) => {
    expect(march(gridOf(before), gridOf(now, deed))?.moved).toBe(moved);
  });

  it('do not happen when nobody moved or something was built', () => {
    expect(march(gridOf('1:9 .'), gridOf('1:9 .'))).toBeNull();
    expect(march(gridOf('1:9 1:1'), gridOf('1:1 1c1', { ...deed, built: true }))).toBeNull();
  });

  it('glow where there was somebody to fight, and fade', () => {
    const grids = [
      gridOf('1:9 2:2 .'),
      gridOf('1:1 1:6 .', deed),
      gridOf('1:1 1:1 1:5', { ...deed, from: 1, to: 2 }),
    ];
    const moments = grids.map((_, turn) => ({
      turn,
      seat: 1,
      round: 0,
      frame: { players: [], to_move: turn },
    }));
    const found = fights(moments, ({ to_move }) => grids[to_move ?? 0] ?? gridOf('.'), 4);
    expect(found).toEqual([{ cell: 1, heat: 0.75 }]);
  });
});
