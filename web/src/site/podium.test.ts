import { expect, test } from 'vitest';
import type { DuelSide, PodiumLine, RoundView, StandingLine } from './api';
import { lastRounds, type Duel } from './bracket';
import { bestOf, lastDecided, people, stepsOf } from './podium';
import { achievementsOf, endOf, type EventResults } from './results';

const line = (place: number, name: string, over: Partial<StandingLine> = {}): StandingLine => ({
  place,
  bot: name.charCodeAt(0),
  player: name.charCodeAt(0),
  name,
  house: false,
  online: false,
  points: 1,
  elo: 1500,
  played: 1,
  won: 0,
  drawn: 0,
  lost: 0,
  plays: 'version',
  ...over,
});
const placed = (lines: readonly PodiumLine[]): string[] => lines.map(({ place, name }) => `${place} ${name}`);

test('people have places among themselves, and those who share one still do', () => {
  const table = [line(1, 'house', { house: true }), line(2, 'a'), line(2, 'b'), line(4, 'c'), line(5, 'd')];
  expect(placed(people(table))).toEqual(['1 a', '1 b', '3 c', '4 d']);
  expect(placed(bestOf(people(table)))).toEqual(['1 a', '1 b', '3 c']);
  const last = new Map([
    ['b'.charCodeAt(0), 1],
    ['a'.charCodeAt(0), 2],
  ]);
  expect(placed(people(table, last))).toEqual(['1 b', '2 a', '3 c', '4 d']);
  expect(bestOf([line(1, 'a', { points: 0, played: 0 })])).toEqual([]);
});

test('the first stands in the middle, the second on the left', () => {
  const steps = stepsOf([line(1, 'a'), line(2, 'b'), line(2, 'c'), line(4, 'd')]);
  expect(steps.map(({ place, lines }) => [place, lines.length])).toEqual([
    [2, 2],
    [1, 1],
    [4, 1],
  ]);
  expect(stepsOf([line(1, 'a')]).map(({ place }) => place)).toEqual([1]);
});

test('the last round with winners is the one that ended last', () => {
  const round = (id: number, over: Partial<RoundView>): RoundView =>
    ({ id, state: 'over', ended: id, podium: [line(1, 'a')], ...over }) as RoundView;
  expect(lastDecided([round(1, { ended: 9 }), round(2, {}), round(3, { podium: [] })])?.id).toBe(1);
  expect(lastDecided([round(1, { state: 'running' })])).toBeNull();
});

test('a certificate has the places of a player in games and rounds, and nobody gets one without', () => {
  const results = {
    games: [
      {
        game: 'go',
        title: 'Go',
        lines: [line(1, 'a'), line(2, 'b'), line(3, 'c', { points: 0, played: 0 })],
      },
    ],
    rounds: [
      {
        round: { name: 'Cup', game: 'go', ended: 5 },
        lines: [
          { id: 'b'.charCodeAt(0), name: 'b', place: 1 },
          { id: 'a'.charCodeAt(0), name: 'a', place: 2 },
        ],
      },
    ],
  } as unknown as EventResults;
  const all = achievementsOf(results);
  expect(all.map(({ name, games, rounds }) => [name, games[0]?.place, rounds[0]?.place])).toEqual([
    ['a', 1, 2],
    ['b', 2, 1],
  ]);
  expect([endOf(results, 9), endOf({ games: [], rounds: [] }, 9)]).toEqual([5, 9]);
});

test('the last rounds of a bracket keep their ways among each other', () => {
  const side = (winner_of: number | null): DuelSide => ({
    player: 1,
    winner_of,
    loser_of: null,
    nobody: false,
  });
  const duel = (round: number, a: number | null, b: number | null): Duel => ({
    part: 'upper',
    round,
    sides: [side(a), side(b)],
    winner: null,
    decision: null,
  });
  const shown = lastRounds([duel(1, null, null), duel(1, null, null), duel(2, 0, 1), duel(3, 2, null)], 2);
  expect(shown.map(({ from }) => from)).toEqual([2, 3]);
  expect(shown.map(({ duel }) => duel.sides.map(({ winner_of }) => winner_of))).toEqual([
    [null, null],
    [0, null],
  ]);
});
