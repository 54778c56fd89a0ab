import { expect, test } from 'vitest';
import type { Decision, DuelView, MeetingView, RoundMatch, StageView } from './api';
import { reasonOf } from './decision';
import { language } from './language.svelte';
import { meetingOf } from './rounds';

const said = (by: Decision['by'], deciders: number, numbers: [number, number] | null): string | null =>
  reasonOf({ by, deciders, numbers }, language);

test('what decided is said where the planned matches did not', () => {
  expect(language.code).toBe('en');
  expect([said('points', 0, [2, 0]), said('bye', 0, null), reasonOf(null, language)]).toEqual([
    null,
    null,
    null,
  ]);
  expect(said('deciders', 2, [1.5, 0.5])).toBe('2 further matches decided, 1.5 : 0.5');
  expect(said('score', 4, [7, 4])).toBe('Equal after 4 further matches: better score, 7 : 4');
  expect(said('seed', 0, [1, 8])).toBe('Equal: better seed, 1 before 8');
  expect(said('absence', 0, null)).toBe('The other one was not there');
});

test('the meeting of a duel has the matches of its deciders, and its own points', () => {
  const match = (id: number): RoundMatch => ({ id, state: 'finished', players: [0, 1], points: [1, 0] });
  const meeting = (decider: number, players: number[], id: number): MeetingView => ({
    group: 0,
    decider,
    players,
    points: [decider, 0],
    matches: [match(id)],
  });
  const meetings = [
    meeting(0, [2, 3], 1),
    meeting(0, [0, 1], 2),
    meeting(1, [2, 3], 3),
    meeting(1, [0, 1], 4),
  ];
  const stage = { rounds: [{ number: 1, meetings, byes: [] }] } as unknown as StageView;
  const found = meetingOf(stage, { meeting: [1, 1] } as unknown as DuelView);
  expect([found?.points, found?.matches.map(({ id }) => id)]).toEqual([
    [0, 0],
    [2, 4],
  ]);
});
