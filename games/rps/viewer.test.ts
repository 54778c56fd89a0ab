import type { Moment } from 'palestra/contract';
import { describe, expect, it, sayOf } from 'palestra/testing';
import { losses, takings } from './viewer/fights';
import type { Frame, FramePlayer, FrameUnit, Kind } from './frame';
import { RpsHands, word } from './viewer/hands';
import { middle } from './viewer/layout';
import { formation, march } from './viewer/march';

const unit = (id: number, seat: number, kind: Kind, x: number, y: number): FrameUnit => ({
  id,
  seat,
  kind,
  x,
  y,
});

function moment(turn: number, units: FrameUnit[], owner: number | null = null): Moment<Frame> {
  const player = (seat: number): FramePlayer => ({
    seat,
    units: 0,
    finished: 0,
    bases: 0,
    hold: 0,
    fate: 'alive',
    production: { kind: 'R', spent: [0, 0, 0], needed: 10 },
  });
  const frame: Frame = {
    tick: turn + 1,
    max_ticks: 4000,
    hold_ticks: 20,
    to_move: (turn % 2) + 1,
    eye: null,
    size: 8,
    players: [player(1), player(2)],
    bases: [
      { x: 7, y: 0, owner },
      { x: 0, y: 7, owner: null },
    ],
    units,
  };
  return { turn, seat: turn === 0 ? null : ((turn - 1) % 2) + 1, round: turn, frame };
}

describe('fights', () => {
  it('of two equals take both, where they met', () => {
    const before = moment(0, [unit(1, 1, 'R', 3, 3), unit(2, 2, 'R', 4, 3)]);
    const found = losses(before, moment(1, []));
    expect(found.map(({ unit: { id }, to }) => [id, to.x, to.y])).toEqual([
      [1, 4, 3],
      [2, 4, 3],
    ]);
  });

  it('take an attacker that runs into what beats it', () => {
    const paper = unit(2, 2, 'P', 3, 4);
    const before = moment(0, [unit(1, 1, 'R', 3, 3), unit(3, 2, 'S', 2, 3), paper]);
    const found = losses(before, moment(1, [unit(3, 2, 'S', 2, 3), paper]));
    expect(found).toEqual([{ unit: unit(1, 1, 'R', 3, 3), to: paper }]);
  });

  it('are not the only thing that is seen', () => {
    expect(takings(moment(0, []), moment(1, [], 2))).toEqual([{ at: { x: 7, y: 0 }, seat: 2 }]);
  });
});

describe('march', () => {
  const steps = (units: FrameUnit[], targets: [number, { x: number; y: number }][]) =>
    march(moment(0, units).frame, new Map(targets)).map(({ unit: id, dx, dy }) => [id, dx, dy]);

  it('lets the one in front go first', () => {
    const units = [unit(1, 1, 'R', 0, 0), unit(2, 1, 'R', 1, 0)];
    const targets: [number, { x: number; y: number }][] = [
      [1, { x: 5, y: 0 }],
      [2, { x: 6, y: 0 }],
    ];
    expect(steps(units, targets)).toEqual([
      [2, 1, 0],
      [1, 1, 0],
    ]);
  });

  it('goes round its own and round what it does not beat', () => {
    for (const other of [unit(2, 1, 'R', 1, 0), unit(2, 2, 'P', 1, 0), unit(2, 2, 'R', 1, 0)]) {
      expect(steps([unit(1, 1, 'R', 0, 0), other], [[1, { x: 5, y: 0 }]])).toEqual([[1, 0, 1]]);
    }
  });

  it('attacks what it beats, and whatever it is sent to', () => {
    expect(steps([unit(1, 1, 'R', 0, 0), unit(2, 2, 'S', 1, 0)], [[1, { x: 5, y: 0 }]])).toEqual([[1, 1, 0]]);
    expect(steps([unit(1, 1, 'R', 0, 0), unit(2, 2, 'P', 1, 0)], [[1, { x: 1, y: 0 }]])).toEqual([[1, 1, 0]]);
  });

  it('gives everybody a cell of its own', () => {
    const units = [1, 2, 3, 4, 5].map((id) => unit(id, 1, 'R', id, 0));
    const cells = [...formation(units, { x: 7, y: 7 }, 8, [{ x: 7, y: 7 }]).values()];
    expect(new Set(cells.map(({ x, y }) => `${x} ${y}`)).size).toBe(5);
    expect(cells).not.toContainEqual({ x: 7, y: 7 });
  });
});

describe('hands', () => {
  const tap = (hands: RpsHands, x: number, y: number, shift = false): void => {
    for (const kind of ['down', 'up'] as const) hands.pointer({ kind, shift, ...middle({ x, y }) });
  };

  it('turn directions for the far seat', () => {
    const step = { unit: 1, dx: 1, dy: 0 };
    expect([word(step, 1), word(step, 2)]).toEqual(['right', 'left']);
    expect(word({ unit: 1, dx: 0, dy: -1 }, 2)).toBe('down');
  });

  it('walk until the target is reached', () => {
    const hands = new RpsHands(2, () => undefined, sayOf('rps'));
    hands.see(moment(1, [unit(2, 2, 'R', 7, 7)]));
    tap(hands, 7, 7);
    tap(hands, 5, 7);
    hands.key('p');
    expect(hands.queued()).toBe('1 unit on the way, paper from now on');
    expect(hands.answer(false)).toBeNull();
    expect(hands.answer(true)).toBe('2 right\nprod P\n.\n');
    hands.see(moment(3, [unit(2, 2, 'R', 6, 7)]));
    expect(hands.answer(true)).toBe('2 right\n.\n');
    hands.see(moment(5, [unit(2, 2, 'R', 5, 7)]));
    expect(hands.queued()).toBe('');
    expect(hands.answer(true)).toBe('.\n');
  });

  it('push units by the arrows, and stop them', () => {
    const hands = new RpsHands(1, () => undefined, sayOf('rps'));
    hands.see(moment(0, [unit(1, 1, 'R', 3, 3), unit(3, 1, 'S', 4, 3)]));
    hands.key('a');
    hands.key('ArrowDown');
    hands.key('ArrowDown');
    expect(hands.answer(true)).toBe('1 down\n3 down\n.\n');
    hands.key('q');
    expect(hands.answer(true)).toBe('.\n');
  });

  it('play a tick at once if asked to', () => {
    const hands = new RpsHands(1, () => undefined, sayOf('rps'));
    hands.see(moment(0, []));
    hands.key('o');
    expect(hands.answer(false)).toBeNull();
    hands.key('s');
    expect(hands.answer(false)).toBe('prod S\n.\n');
  });

  it('gather new units where they were told to', () => {
    const hands = new RpsHands(1, () => undefined, sayOf('rps'));
    hands.see(moment(0, []));
    tap(hands, 3, 0);
    hands.see(moment(2, [unit(1, 1, 'R', 0, 0)]));
    expect(hands.answer(true)).toBe('1 right\n.\n');
  });
});
