import { expect, test } from 'vitest';
import type { EventView, GameView, LiveView, MatchView, RoundView } from './api';
import { inOrder, nextRound } from './rounds';
import { match } from './samples';
import { sceneAt } from './scenes';

const game = (id: string): GameView => ({
  id,
  title: id,
  summary: '',
  seats: [2, 2],
  time: 'none',
  time_message: { code: 'time_unlimited' },
  submissions: true,
  free_play: true,
  bots: 0,
  live: 0,
  kits: [],
});
const round = (id: number, part: Partial<RoundView> = {}): RoundView => ({
  id,
  name: String(id),
  name_in: {},
  stages_in: [],
  game: 'chess',
  formats: ['round-robin'],
  state: 'waiting',
  starts: null,
  missed: null,
  ended: null,
  best: null,
  points: null,
  progress: [0, 0],
  podium: [],
  ...part,
});
const event = (rounds: RoundView[]): EventView => ({
  name: '',
  name_in: {},
  about: '',
  about_in: {},
  now: 0,
  state: 'open',
  games: [game('chess'), game('draughts')],
  rounds,
  announcements: [],
  challenges: 'unrated',
  registration: 'closed',
  gateway: null,
  gateway_tls: false,
  online: 0,
  me: null,
});
const live = (matches: MatchView[], rounds: RoundView[] = []): LiveView => ({
  now: 0,
  state: 'open',
  matches,
  running: matches.length,
  latest: [],
  rounds,
  announcement: null,
  online: 0,
  settled: [],
});
const kinds = (news: LiveView | null, rounds: RoundView[]): (string | undefined)[] =>
  [0, 1, 2, 3, 4].map((step) => sceneAt(step, event(rounds), news, [])?.kind);

test('games, standings and the next round take turns', () => {
  const rounds = [round(1, { starts: 5 })];
  expect(kinds(live([match(1)], rounds), rounds)).toEqual([
    'match',
    'standings',
    'match',
    'standings',
    'round',
  ]);
});

test('what there is nothing of is left out', () => {
  expect(kinds(live([]), [])).toEqual(['standings', 'standings', 'standings', 'standings', 'standings']);
  expect(sceneAt(0, { ...event([]), games: [] }, null, [])).toBeNull();
});

test('the bracket of the round that goes on is shown, and the winners of the last one while none does', () => {
  const podium = [{ place: 1, bot: 7, name: 'Ada' }];
  const over = round(1, { state: 'over', ended: 5, podium });
  const shown = (rounds: RoundView[]): (string | undefined)[] =>
    [4, 5, 6, 7].map((step) => sceneAt(step, event(rounds), live([match(1)], rounds), [])?.kind);
  expect(shown([over, round(2, { state: 'running' })])).toEqual(['stage', 'round', 'match', 'standings']);
  expect(shown([over, round(2)])).toEqual(['podium', 'stage', 'round', 'match']);
  expect(shown([over])).toEqual(['podium', 'stage', 'match', 'standings']);
});

test('once the event is over its winners stay', () => {
  const over = { ...live([match(1)], [round(1, { starts: 5 })]), state: 'closed' as const };
  const shown = [0, 1, 2].map((step) => sceneAt(step, event([]), over, []));
  expect(shown).toEqual(['chess', 'draughts', 'chess'].map((game) => ({ kind: 'final', game })));
});

test('a scored match goes before all others, one not seen before one seen', () => {
  const scored = match(3, { kind: 'scored', game: 'draughts' });
  const chosen = (news: MatchView[], seen: number[]): unknown => {
    const scene = sceneAt(0, event([]), live(news), seen);
    return scene?.kind === 'match' && scene.match.id;
  };
  expect(chosen([match(1), match(2), scored], [])).toBe(3);
  expect(chosen([match(1), match(2), scored], [1, 3])).toBe(2);
  expect(chosen([match(1), scored], [1, 3])).toBe(3);
  expect(chosen([match(1), match(2)], [1])).toBe(2);
  expect(chosen([match(1, { watchable: false }), match(2)], [2])).toBe(2);
});

test('the next round is the one that goes on, else the earliest to come', () => {
  const over = round(1, { state: 'over', starts: 1 });
  expect(nextRound([over, round(2, { starts: 9 }), round(3, { starts: 5 }), round(4)])?.id).toBe(3);
  expect(nextRound([round(2, { starts: 5 }), round(3, { state: 'paused' })])?.id).toBe(3);
  expect(nextRound([over, round(4)])?.id).toBe(4);
  expect(nextRound([over, round(5, { state: 'cancelled' })])).toBeNull();
});

test('a list of rounds begins with what goes on, then what comes next, then what was last', () => {
  const rounds = [
    round(1, { state: 'over' }),
    round(2, { state: 'cancelled' }),
    round(3, { state: 'running' }),
    round(4),
    round(5, { starts: 9 }),
    round(6, { starts: 5 }),
  ];
  expect(inOrder(rounds).map(({ id }) => id)).toEqual([3, 6, 5, 4, 2, 1]);
});
