import { expect, test } from 'vitest';
import type { MeetingView, RoundMatch, StageView } from './api';
import { crossOf, hasCross } from './cross';

const match = (players: number[], points: number[], over: Partial<RoundMatch> = {}): RoundMatch => ({
  id: 1,
  state: points.length ? 'finished' : 'planned',
  players,
  points,
  ...over,
});
const meeting = (group: number, ...matches: RoundMatch[]): MeetingView => ({
  group,
  players: matches[0]?.players ?? [],
  decider: 0,
  points: [],
  matches,
});
const stage = (meetings: MeetingView[], over: Partial<StageView> = {}): StageView => ({
  name: '',
  format: 'round-robin',
  state: 'running',
  drawn: 1,
  all: 3,
  take: null,
  groups: [],
  rounds: [{ number: 1, meetings, byes: [] }],
  ...over,
});

test('a match stands on both sides, with the points of its row', () => {
  const cross = crossOf(stage([meeting(0, match([4, 2], [2, 0]), match([2, 4], []))]), 0);
  const points = (row: number, column: number): unknown =>
    cross
      .get(row)
      ?.get(column)
      ?.map(({ own, other }) => [own, other]);
  expect(points(4, 2)).toEqual([
    [2, 0],
    [null, null],
  ]);
  expect(points(2, 4)).toEqual([
    [0, 2],
    [null, null],
  ]);
});

test('only what counts, and only of this group', () => {
  const all = stage([
    meeting(0, match([0, 1], [1, 0], { state: 'void' })),
    meeting(1, match([2, 3], [1, 0])),
  ]);
  expect(crossOf(all, 0).size).toBe(0);
  expect([...crossOf(all, 1).keys()]).toEqual([2, 3]);
});

test('there is one where everybody meets everybody, and all rounds are known', () => {
  const standings = [0, 1, 2].map((bot) => ({
    bot,
    place: 1,
    points: 0,
    played: 0,
    won: 0,
    drawn: 0,
    lost: 0,
  }));
  const groups = [{ standings, bracket: [] }];
  expect(hasCross(stage([], { groups }), 0)).toBe(true);
  expect(hasCross(stage([], { groups, format: 'swiss' }), 0)).toBe(false);
  expect(hasCross(stage([], { groups, drawn: 2 }), 0)).toBe(false);
});
