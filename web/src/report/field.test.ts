import { expect, test } from 'vitest';
import type { ReportStage, Standing } from './api';
import {
  EVERYTHING,
  fieldOf,
  filterOf,
  isWanted,
  matchOf,
  meetingsOf,
  scaleOf,
  scoresOf,
  spread,
} from './field';

const standing = (bot: number): Standing => ({
  place: 1,
  bot,
  points: 0,
  tie_breaks: [],
  played: 0,
  won: 0,
  drawn: 0,
  lost: 0,
  faults: 0,
});

test('everybody has a place in the order, those without a standing behind the others', () => {
  const bots = ['a', 'b', 'c'].map((name, i) => ({
    number: i + 1,
    name,
    source: name,
    version: 1,
    dropped: false,
  }));
  const field = fieldOf({ bots, standings: [standing(2), standing(0)] } as never);
  expect(field.order).toEqual([2, 0, 1]);
  expect([field.rank(1), field.name(2), field.name(7)]).toEqual([2, 'c', '?']);
});

test('a pair is told from both sides', () => {
  const scores = scoresOf([[0, 3, 5, 2, 1, 0.75, 0.5, 0.875]]);
  expect(scores(0, 3)).toEqual({ won: 5, drawn: 2, lost: 1, share: 0.75, low: 0.5, high: 0.875 });
  expect(scores(3, 0)).toEqual({ won: 1, drawn: 2, lost: 5, share: 0.25, low: 0.125, high: 0.5 });
  expect(scores(0, 1)).toBeNull();
});

test('matches are found by who plays, by stage, by fault and by number', () => {
  const match = matchOf(
    [
      7,
      1,
      2,
      0,
      90,
      12,
      'match-7',
      2,
      [
        [4, 1, 3, 1, null],
        [5, 2, 0, 0, 'crash'],
      ],
    ],
    ['duel'],
  );
  expect([match.map, match.void, match.tainted, match.seats[1]?.fault]).toEqual([
    'duel',
    false,
    true,
    'crash',
  ]);
  const wanted = (part: object): boolean => isWanted(match, { ...EVERYTHING, ...part });
  expect([{}, { bots: [5, 4] }, { stage: 1 }, { faults: true }, { only: new Set([7]) }].map(wanted)).toEqual(
    Array(5).fill(true),
  );
  expect([{ bots: [5, 6] }, { stage: 0 }, { only: new Set([8]) }].map(wanted)).toEqual(Array(3).fill(false));
});

test('an address asks for a pair or for some matches, and for nothing else', () => {
  expect(filterOf('#pair-3-5')?.bots).toEqual([3, 5]);
  expect(filterOf('#only-12-13')?.only).toEqual(new Set([12, 13]));
  expect(['', '#matches', '#pair-', '#only-x', '#pair-1-2-'].map(filterOf)).toEqual(Array(5).fill(null));
});

test('a duel has the meeting of both its sides, once it was played', () => {
  const side = (player: number | null) => ({ player, winner_of: null, loser_of: null, nobody: false });
  const meeting = { players: [3, 1], points: [0, 2], winner: 1, decision: null, matches: [4, 5] };
  const other = { players: [2, 1], points: [2, 0], winner: 2, decision: null, matches: [9] };
  const stage = { bracket: [[other, meeting]] } as unknown as ReportStage;
  const duel = {
    part: 'upper' as const,
    round: 1,
    winner: 1,
    decision: null,
    drawn: 0,
    sides: [side(1), side(3)] as never,
  };
  const [found, open] = meetingsOf(stage, [duel, { ...duel, sides: [side(1), side(null)] as never }]);
  expect(found?.matches.map(({ id }) => id)).toEqual([4, 5]);
  expect([found?.points, open]).toEqual([[0, 2], null]);
});

test('a scale holds all its values between round ticks', () => {
  const { at, ticks } = scaleOf([1200, null, 1800, 1500]);
  expect(ticks).toEqual([1200, 1400, 1600, 1800]);
  expect([at(null, 100), at(1500, 0)]).toEqual([100, 50]);
  expect(at(1200, 0)).toBeGreaterThan(0);
  expect(scaleOf([]).ticks).toContain(0);
  expect(scaleOf([-10, 300]).ticks).toEqual([0, 200]);
});

test('labels do not cover each other and stay within the picture', () => {
  expect(spread([10, 12, 90, 95], 20, 100)).toEqual([10, 30, 80, 100]);
});
