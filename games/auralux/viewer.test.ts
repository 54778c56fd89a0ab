import type { Moment, Scene, Touch } from 'palestra/contract';
import { theme } from 'palestra/palette';
import { beforeEach, describe, expect, it, vi, sayOf } from 'palestra/testing';
import { events, fleets, flown } from './viewer/flights';
import type { Frame, GroupFrame, PlanetFrame } from './frame';
import { affordable, answerLines, AuraluxHands } from './viewer/hands';
import { layoutOf, planetAt } from './viewer/layout';
import { spots } from './viewer/spots';

const planet = (x: number, y: number, owner: number, ships: number, level = owner ? 1 : 0): PlanetFrame => ({
  x,
  y,
  owner,
  ships,
  level,
  armor: level * 100,
  full_armor: level * 100,
});

const PLANETS = [planet(0, 0, 1, 100), planet(30, 0, 2, 50), planet(0, 40, 1, 60), planet(30, 40, 0, 0)];

const group = (owner: number, from: number, to: number, turns_left: number, distance = 30): GroupFrame => ({
  owner,
  from,
  to,
  turns_left,
  distance,
  ships: 10,
});

function moment(turn: number, groups: GroupFrame[], seats = 2, planets = PLANETS): Moment<Frame> {
  const players = Array.from({ length: seats }, () => ({
    ships: 0,
    planets: 0,
    production: 0,
    fate: 'alive' as const,
  }));
  const frame: Frame = {
    step: Math.floor(turn / seats),
    max_steps: 100,
    to_move: (turn % seats) + 1,
    placed: true,
    costs: [100, 100, 200],
    players,
    planets,
    groups,
  };
  return { turn, seat: turn === 0 ? null : ((turn - 1) % seats) + 1, round: 0, frame };
}

function scene(moments: Moment<Frame>[], progress: number, playing: boolean): Scene<Frame> {
  const now = moments.at(-1);
  if (!now) throw new Error('no moment');
  return {
    ...{ now, before: moments.at(-2) ?? null, progress, playing, turnMillis: 100, theme: theme(true) },
    ...{
      patterns: false,
      projector: false,
      scale: 1,
      eye: null,
      names: [],
      clock: 0,
      hands: null,
      pointer: null,
    },
    history: (turns) => moments.slice(-turns),
  };
}

describe('fleets', () => {
  /** Seat 1 sends a group in its turn 5; it flies whenever seat 1 is to move again: after turns 8, 12, … */
  const flight = (turn: number): Moment<Frame> =>
    moment(turn, turn < 5 ? [] : [group(1, 1, 2, 30 - Math.floor((turn - 4) / 4))], 4);
  const upTo = (turn: number): Moment<Frame>[] =>
    Array.from({ length: turn + 1 }, (_, index) => flight(index));
  const left = (turn: number, progress: number, playing: boolean): number | undefined =>
    fleets(scene(upTo(turn), progress, playing))[0]?.left;

  it('are exactly where the rules have them at rest', () => {
    expect(left(5, 1, false)).toBe(30);
    expect(left(8, 1, false)).toBe(29);
    expect(left(11, 1, false)).toBe(29);
  });

  it('move in their own turn when a single turn is shown', () => {
    expect(left(7, 0.5, false)).toBe(30);
    expect(left(8, 0.5, false)).toBe(29.5);
  });

  it('move evenly over the whole round while time runs', () => {
    const shown = [5, 6, 7, 8, 9, 10].map((turn) => left(turn, 0.5, true));
    expect(shown).toEqual([29.875, 29.625, 29.375, 29.125, 28.875, 28.625]);
  });

  it('of one route and turn are merged', () => {
    const groups = [group(1, 1, 2, 7), group(1, 1, 2, 7), group(1, 1, 2, 8), group(2, 1, 2, 7)];
    const shown = fleets(scene([moment(3, groups)], 1, false));
    expect(shown.map((fleet) => fleet.ships)).toEqual([20, 10, 10]);
  });
});

describe('events', () => {
  it('know who flew, those included that are passed over', () => {
    const [before, now] = [moment(4, [], 4), moment(5, [], 4)];
    expect(flown(before, now)).toEqual([2]);
    expect(flown(before, { ...now, frame: { ...now.frame, to_move: 4 } })).toEqual([2, 3, 4]);
  });

  it('tell a fight from ships that join, and see levels change', () => {
    const groups = [group(2, 2, 1, 1), group(2, 1, 2, 1), group(1, 1, 2, 1)];
    const raised = PLANETS.map((one, index) => (index === 2 ? { ...one, level: 2 } : one));
    const found = events(moment(2, groups), moment(3, [], 2, raised));
    expect(found).toEqual([
      { planet: 1, kind: 'fought', owner: 2 },
      { planet: 2, kind: 'joined', owner: 2 },
      { planet: 3, kind: 'raised', owner: 1 },
    ]);
  });
});

describe('layout', () => {
  it('keeps planets on the board, apart from each other', () => {
    const layout = layoutOf({ planets: PLANETS });
    expect(Math.max(layout.width, layout.height)).toBeCloseTo(1000);
    for (const [index, place] of layout.places.entries())
      expect(planetAt(layout, PLANETS, place)).toBe(index + 1);
    expect(planetAt(layout, PLANETS, { x: layout.width / 2, y: layout.height / 2 })).toBe(0);
  });

  it('is not too flat for planets in a row', () => {
    const { width, height } = layoutOf({ planets: [planet(0, 5, 1, 1), planet(90, 5, 2, 1)] });
    expect(height / width).toBeGreaterThan(0.4);
  });
});

describe('hands', () => {
  const frame = moment(0, []).frame;
  const layout = layoutOf(frame);
  const at = (number: number) => layout.places[number - 1] ?? { x: 0, y: 0 };
  let hands: AuraluxHands;
  const touch = (kind: Touch['kind'], number: number, shift = false): void =>
    hands.pointer({ kind, shift, ...at(number) });
  const drag = (from: number, to: number, shift = false): void => {
    touch('down', from, shift);
    touch('move', to, shift);
    touch('up', to, shift);
  };
  const tap = (number: number, shift = false): void => {
    touch('down', number, shift);
    touch('up', number, shift);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    hands = new AuraluxHands(1, () => undefined, sayOf('auralux'));
    hands.see(moment(0, []));
  });

  it('send a share of what is left', () => {
    hands.key('2', false);
    drag(1, 2);
    drag(1, 4);
    expect(hands.queued()).toBe('2 orders');
    expect(hands.answer(false)).toBeNull();
    expect(hands.answer(true)).toBe('2\n1 2 50\n1 4 25\n');
    expect(hands.answer(true)).toBe('0\n');
  });

  it('send from all selected planets', () => {
    tap(1);
    tap(3, true);
    drag(3, 4);
    expect(hands.answer(true)).toBe('2\n1 4 100\n3 4 60\n');
  });

  it('select in a box, and send by a tap on somebody else', () => {
    hands.pointer({ kind: 'down', x: 0, y: 0, shift: false });
    hands.pointer({ kind: 'move', x: at(4).x, y: at(4).y, shift: false });
    hands.pointer({ kind: 'up', x: at(4).x, y: at(4).y, shift: false });
    expect([...hands.selected]).toEqual([1, 3]);
    tap(2);
    expect(hands.answer(true)).toBe('2\n1 2 100\n3 2 60\n');
  });

  it('spend ships on the spot by a double tap, and never twice', () => {
    tap(1);
    tap(1);
    hands.key('u', false);
    expect(hands.answer(true)).toBe('1\n1 1 100\n');
  });

  it('say what is missing for a raise', () => {
    tap(3);
    tap(3);
    expect(hands.hint()).toBe('Planet 3 has 60 of the 100 ships it takes to raise it.');
  });

  it('take back one order or all', () => {
    hands.key('1', false);
    drag(1, 2);
    drag(1, 2);
    hands.key('e', false);
    expect(hands.orders).toEqual([{ from: 1, to: 2, ships: 25 }]);
    hands.key('q', false);
    expect(hands.queued()).toBe('');
  });

  it('answer at once if asked to, unless Shift is held', () => {
    hands.key('o', false);
    drag(1, 2, true);
    expect(hands.answer(false)).toBeNull();
    drag(3, 2);
    expect(hands.answer(false)).toBe('2\n1 2 100\n3 2 60\n');
  });

  it('drop what can no longer be done', () => {
    drag(1, 2);
    drag(3, 2);
    const planets = [planet(0, 0, 2, 40), planet(30, 0, 2, 50), planet(0, 40, 1, 20), planet(30, 40, 0, 0)];
    hands.see(moment(2, [], 2, planets));
    expect(hands.answer(true)).toBe('1\n3 2 20\n');
  });

  it('put orders on the spot last, with all that is left', () => {
    const orders = [
      { from: 1, to: 1, ships: 30 },
      { from: 1, to: 2, ships: 40 },
      { from: 1, to: 2, ships: 99 },
    ];
    const kept = affordable(orders, frame, 1);
    expect(answerLines(kept, frame)).toEqual(['1 2 70', '1 1 30']);
  });
});

describe('lines that a bot was sent', () => {
  const planetLines = PLANETS.map(({ owner, ships, level, armor }) => `${owner} ${ships} ${level} ${armor}`);
  const spotsOf = (launches: string[], groups: GroupFrame[], before: string[] = []): [number, number][] => {
    const sent = [...before, String(launches.length), ...launches, ...planetLines, ''];
    const { frame } = moment(4, groups);
    return spots(layoutOf(frame), sent, frame).map(({ line, x, width }) => [line, Math.round(x + width / 2)]);
  };

  it('lead to their planets, and launches to the fleets in the air', () => {
    const places = layoutOf({ planets: PLANETS }).places.map(({ x }) => Math.round(x));
    const flying = [group(2, 2, 1, 15), group(2, 2, 1, 29)];
    const [first, , , , early, late] = spotsOf(['2 2 1 10', '2 2 1 10'], flying);
    expect(first).toEqual([3, places[0]]);
    expect([early?.[0], late?.[0]]).toEqual([1, 2]);
    // The first of two that are alike is the one that has just left.
    expect(early?.[1]).toBeGreaterThan(late?.[1] ?? Infinity);
    for (const [, x] of [early, late].filter((spot) => spot !== undefined))
      expect(x > (places[0] ?? 0) && x < (places[1] ?? 0)).toBe(true);
  });

  it('are found below what is sent at the start, and a fleet that has landed has no place', () => {
    expect(spotsOf(['2 2 1 10'], [group(2, 2, 1, 15)], ['1 2 4', '0 30 40 50']).length).toBe(5);
    expect(spotsOf(['2 2 1 10'], []).length).toBe(4);
    expect(spotsOf([], []).length).toBe(4);
  });
});
