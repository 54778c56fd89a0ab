import type { Moment } from 'palestra/contract';
import { describe, drag, expect, it, moment, readGrid, sayOf } from 'palestra/testing';
import type { Frame } from './frame';
import viewer from './viewer';

function momentOf(map: string): Moment<Frame> {
  const players = [1, 2].map((seat) => ({ seat, army: 0, land: 0, fate: 'alive' as const }));
  return moment({ ...readGrid(map), round: 0, max_rounds: 9, to_move: 1, eye: 1, players, last_move: null });
}

describe('hands', () => {
  const map = `
    1C5  1:1  .
    1:9  M    2:3
    .    .    .`;

  function play(text = map) {
    const hands = viewer.hands(1, () => undefined, sayOf('generals'));
    hands.see(momentOf(text));
    const click = (...cell: [number, number]): void => drag(hands, cell);
    const keys = (...all: string[]): void => all.forEach((key) => expect(hands.key(key, false)).toBe(true));
    return { hands, click, keys };
  }

  it('begin at the capital and queue what arrows say', () => {
    const { hands, keys } = play();
    keys('d', 'ArrowRight', 'd');
    expect(hands.queued()).toBe('2 moves queued');
    expect(hands.answer(false)).toBe('1 1 1 1 2\n');
    hands.see(momentOf(map.replace('1C5  1:1', '1C1  1:5')));
    expect(hands.answer(false)).toBe('1 1 2 1 3\n');
    expect(hands.answer(false)).toBeNull();
  });

  it('never send a move that is not allowed or moves nobody', () => {
    const { hands, keys, click } = play();
    keys('d', 'd', 'd', 's');
    click(0, 1);
    click(0, 2);
    hands.see(momentOf(map.replace('1C5', '1C1').replace('1:1', '2:1')));
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
