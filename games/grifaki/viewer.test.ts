import type { Moment } from 'palestra/contract';
import { describe, drag, expect, it, moment, readGrid, sayOf } from 'palestra/testing';
import type { Frame } from './frame';
import viewer from './viewer';

function momentOf(map: string): Moment<Frame> {
  const { rows, columns, ...cells } = readGrid(map);
  const rest = { tick: 0, max_ticks: 9, to_move: 1, eye: 1, walls: [], capitals: [], last_action: null };
  const rules = { leave_one: false, prices: { wall: 50, city: 200 } };
  const players = [{ seat: 1 }, { seat: 2 }];
  return moment({ ...cells, ...rest, ...rules, height: rows, width: columns, players });
}

describe('hands', () => {
  const map = `
    1C300 1:60 .
    1:9   M    2:3`;

  function play() {
    const hands = viewer.hands(1, () => undefined, sayOf('grifaki'));
    hands.see(momentOf(map));
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
