import { expect, test } from 'vitest';
import type { MatchView } from './api';
import { match as anyMatch } from './samples';
import { fillSlots, type Slot } from './slots';

const match = (id: number, part: Partial<MatchView> = {}): MatchView =>
  anyMatch(id, { replay: false, ...part });
const played = (id: number, part: Partial<MatchView> = {}): MatchView =>
  match(id, { state: 'finished', replay: true, ...part });
const ids = (slots: Slot[]): number[] => slots.map(({ match: { id } }) => id);
const none: number[] = [];

test('matches being played come before those played lately', () => {
  expect(ids(fillSlots([], 3, [match(5)], [played(4), played(3), played(2)], none))).toEqual([5, 4, 3]);
});

test('what is shown stays until its end, then what was not seen comes', () => {
  const slots = [
    { match: match(1), done: false },
    { match: match(2), done: true },
  ];
  expect(ids(fillSlots(slots, 2, [match(7)], [played(2)], [2]))).toEqual([1, 7]);
  expect(ids(fillSlots(slots, 2, [], [played(2), played(3), played(4)], [2, 3]))).toEqual([1, 4]);
  // Nothing else is there: the last picture stays.
  expect(ids(fillSlots(slots, 2, [], [], [2]))).toEqual([1, 2]);
});

test('nothing is shown twice, and nothing that may not or cannot be shown', () => {
  const hidden = match(5, { watchable: false });
  const lost = played(4, { replay: false });
  expect(ids(fillSlots([], 4, [match(6), hidden], [played(6), lost, played(3)], none))).toEqual([6, 3]);
});

test('a narrower page has fewer slots', () => {
  const slots = [1, 2, 3].map((id) => ({ match: match(id), done: false }));
  expect(ids(fillSlots(slots, 2, [match(9)], [], none))).toEqual([1, 2]);
});
