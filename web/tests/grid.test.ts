import { describe, expect, it } from 'vitest';
import type { Frame as GeneralsFrame } from '../../games/generals/frame';
import generals from '../../games/generals/viewer';
import type { Frame as GrifakiFrame } from '../../games/grifaki/frame';
import grifaki from '../../games/grifaki/viewer';
import type { Hands, Moment } from 'palestra/contract';
import { describeCell, fights, kindAt, march, neighbours, shorten, walk } from 'palestra/grid';
import type { Deed, Grid } from 'palestra/grid';
import { amountOf } from 'palestra/grid-hands';

/** Words like `1:12` (seat 1, 12 units), `1C35`, `0c40`, `M`, `?`; `.` is free land. */
function read(map: string): Pick<Grid, 'rows' | 'columns' | 'kinds' | 'owners' | 'units'> {
  const rows = map.trim().split('\n');
  const cells = rows.map((row) =>
    row
      .trim()
      .split(/\s+/)
      .map((word) => {
        const [, owner, kind, units] = /^(\d)([:cCF])(\d+)$/.exec(word) ?? [];
        return {
          owner: Number(owner ?? 0),
          kind: (kind ?? word).replace(':', '.'),
          units: Number(units ?? 0),
        };
      }),
  );
  return {
    rows: rows.length,
    columns: cells[0]?.length ?? 0,
    kinds: cells.map((row) => row.map((cell) => cell.kind).join('')),
    owners: cells.flat().map((cell) => cell.owner),
    units: cells.flat().map((cell) => cell.units),
  };
}

function gridOf(map: string, deed: Deed | null = null): Grid {
  return { ...read(map), walls: new Set(), founders: new Map(), deed };
}

function moment<F extends { to_move: number | null; players: object[] }>(frame: F): Moment<F> {
  return { turn: 0, seat: null, round: 0, frame };
}

function generalsMoment(map: string): Moment<GeneralsFrame> {
  const players = [1, 2].map((seat) => ({ seat, army: 0, land: 0, fate: 'alive' as const }));
  return moment({ ...read(map), round: 0, max_rounds: 9, to_move: 1, eye: 1, players, last_move: null });
}

function grifakiMoment(map: string): Moment<GrifakiFrame> {
  const { rows, columns, ...cells } = read(map);
  const rest = { tick: 0, max_ticks: 9, to_move: 1, eye: 1, walls: [], capitals: [], last_action: null };
  const rules = { leave_one: false, prices: { wall: 50, city: 200 } };
  const players = [{ seat: 1 }, { seat: 2 }];
  return moment({ ...cells, ...rest, ...rules, height: rows, width: columns, players });
}

/** Presses the pointer in the first cell (column and row), moves it through the others and lets go. */
function drag(hands: Pick<Hands, 'pointer'>, ...path: [number, number][]): void {
  const touches = path.map(([x, y]) => ({ x: x + 0.5, y: y + 0.5, shift: false }));
  for (const [index, touch] of touches.entries()) {
    hands.pointer({ kind: index === 0 ? 'down' : 'move', ...touch });
    if (index === touches.length - 1) hands.pointer({ kind: 'up', ...touch });
  }
}

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
    const tell = (cell: number): string => describeCell(game, grid, cell, ['hunter']);
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

describe('hands in Generals', () => {
  const map = `
    1C5  1:1  .
    1:9  M    2:3
    .    .    .`;

  function play(text = map) {
    const hands = generals.hands(1, () => undefined);
    hands.see(generalsMoment(text));
    const click = (...cell: [number, number]): void => drag(hands, cell);
    const keys = (...all: string[]): void => all.forEach((key) => expect(hands.key(key, false)).toBe(true));
    return { hands, click, keys };
  }

  it('begin at the capital and queue what arrows say', () => {
    const { hands, keys } = play();
    keys('d', 'ArrowRight', 'd');
    expect(hands.queued()).toBe('2 moves queued');
    expect(hands.answer(false)).toBe('1 1 1 1 2\n');
    hands.see(generalsMoment(map.replace('1C5  1:1', '1C1  1:5')));
    expect(hands.answer(false)).toBe('1 1 2 1 3\n');
    expect(hands.answer(false)).toBeNull();
  });

  it('never send a move that is not allowed or moves nobody', () => {
    const { hands, keys, click } = play();
    keys('d', 'd', 'd', 's');
    click(0, 1);
    click(0, 2);
    hands.see(generalsMoment(map.replace('1C5', '1C1').replace('1:1', '2:1')));
    expect(hands.answer(false)).toBe('1 2 1 3 1\n');
    expect(hands.answer(true)).toBe('-1\n');
  });

  it('do not walk into mountains or over the edge', () => {
    const { hands, click, keys } = play();
    click(0, 1);
    keys('d', 'a');
    click(1, 1);
    expect(hands.queue).toEqual([]);
  });

  it('take half once: by key or by clicking again', () => {
    const { hands, click, keys } = play();
    click(0, 1);
    click(0, 1);
    keys('s', 'd');
    expect(hands.queue.map((step) => step.kind === 'move' && step.amount)).toEqual(['half', 'most']);
    expect(hands.answer(false)).toBe('2 2 1 3 1\n');
  });

  it('follow the pointer, also back and when it skips cells', () => {
    const { hands } = play();
    drag(hands, [0, 1], [0, 2], [2, 2], [1, 2]);
    expect(hands.queue.map((step) => step.kind === 'move' && [step.from, step.to])).toEqual([
      [3, 6],
      [6, 7],
    ]);
    expect(hands.selected).toBe(7);
  });

  it('select a neighbour instead of moving when nobody can move', () => {
    const { hands, click } = play();
    click(1, 0);
    click(0, 0);
    expect([hands.selected, hands.queue]).toEqual([0, []]);
  });

  it('take back, clear and pass', () => {
    const { hands, click, keys } = play();
    click(0, 1);
    keys('s', 'd', 'e');
    expect([hands.selected, hands.queue.length]).toEqual([6, 1]);
    keys(' ');
    expect(hands.queued()).toBe('2 turns queued');
    expect(hands.answer(false)).toBe('-1\n');
    keys('q');
    expect([hands.selected, hands.queued(), hands.answer(false)]).toEqual([3, '', null]);
  });

  it('forget the queue when an answer was refused', () => {
    const { hands, click, keys } = play();
    click(0, 1);
    keys('s', 'd');
    hands.answer(false);
    hands.refused();
    expect([hands.selected, hands.queue]).toEqual([3, []]);
  });

  it('go on from a cell that the move being played will take', () => {
    const { hands, click, keys } = play();
    click(0, 1);
    keys('s');
    expect(hands.answer(false)).not.toBeNull();
    keys('d');
    expect(hands.queued()).toBe('1 move queued');
  });

  it('leave other keys to the page', () => {
    expect(play().hands.key('t', false)).toBe(false);
  });
});

describe('hands in Grifaki', () => {
  const map = `
    1C300 1:60 .
    1:9   M    2:3`;

  function play() {
    const hands = grifaki.hands(1, () => undefined);
    hands.see(grifakiMoment(map));
    const click = (...cell: [number, number]): void => drag(hands, cell);
    return { hands, click };
  }

  it.each([
    ['', 'MOVE 1 0 0 0 8\n'],
    ['z', 'MOVE 1 0 0 0 4\n'],
    ['x', 'MOVE 1 0 0 0 9\n'],
    ['n', 'MOVE 1 0 0 0 4\n'],
  ])('after the key "%s" the answer is %s', (key, answer) => {
    const { hands, click } = play();
    click(0, 1);
    if (key) hands.key(key, false);
    hands.key('w', false);
    expect(hands.answer(false)).toBe(answer);
  });

  it('move a chosen number of units', () => {
    const { hands, click } = play();
    click(0, 1);
    hands.key('n', false);
    const range = hands.controls().find((control) => control.kind === 'range');
    expect(range).toMatchObject({ min: 1, max: 9, value: 4 });
    if (range?.kind === 'range') range.set(7);
    click(0, 0);
    expect(hands.answer(false)).toBe('MOVE 1 0 0 0 7\n');
  });

  it('build where it can be paid, from the largest army there', () => {
    const { hands, click } = play();
    hands.key('c', false);
    expect(hands.sites()).toEqual([1, 3]);
    click(0, 1);
    expect([hands.sites(), hands.queued()]).toEqual([[], '1 turn queued']);
    expect(hands.answer(false)).toBe('BUILD 0 0 1 0 CITY\n');
  });

  it('say why something cannot be built', () => {
    const { hands, click } = play();
    hands.key('c', false);
    click(0, 0);
    expect(hands.hint()).toBe('A city can only be built on a plain.');
    click(2, 1);
    expect(hands.hint()).toBe('You can only build on your own cells.');
  });

  it('do nothing when the person ends the turn', () => {
    expect(play().hands.answer(true)).toBe('EMPTY\n');
  });
});
