import { expect, test } from 'vitest';
import { ALL_OWN, EVERYTHING, format, matchPlace, parse, type Place } from './address';

const at = (path: string): Place => parse(new URL(path, 'http://arena.example'));

test.each<[string, Place]>([
  ['/', { page: 'home' }],
  ['/games/chess', { page: 'game', game: 'chess', tab: 'leaderboard' }],
  ['/games/chess?tab=kits', { page: 'game', game: 'chess', tab: 'kits' }],
  ['/learn/chess', { page: 'learn', game: 'chess' }],
  ['/matches', { page: 'matches', filter: EVERYTHING }],
  [
    '/matches?game=chess&kind=scored&player=3',
    { page: 'matches', filter: { ...EVERYTHING, game: 'chess', kind: 'scored', player: 3 } },
  ],
  ['/matches?followed=1', { page: 'matches', filter: { ...EVERYTHING, followed: true } }],
  ['/me/matches', { page: 'own', filter: ALL_OWN }],
  [
    '/me/matches?game=chess&result=lost&version=3&opponent=7&unseen=1',
    { page: 'own', filter: { game: 'chess', result: 'lost', version: 3, opponent: 7, unseen: true } },
  ],
  ['/edit/chess', { page: 'edit', game: 'chess', version: null }],
  ['/edit/chess?version=12', { page: 'edit', game: 'chess', version: 12 }],
  ['/matches/17', matchPlace(17)],
  ['/matches/17?turn=120&seat=2', { ...matchPlace(17), turn: 120, seat: 2 }],
  ['/matches/17?embed=1', { ...matchPlace(17), embed: true }],
  ['/players/3', { page: 'player', id: 3 }],
  ['/bots/5', { page: 'bot', id: 5 }],
  ['/rounds', { page: 'rounds' }],
  ['/rounds/1', { page: 'round', id: 1, stage: null }],
  ['/rounds/1?stage=2', { page: 'round', id: 1, stage: 2 }],
  ['/submit', { page: 'submit', game: null }],
  ['/report', { page: 'report' }],
  ['/certificates', { page: 'certificates', player: null }],
  ['/certificates?player=7', { page: 'certificates', player: 7 }],
  ['/submit/draughts', { page: 'submit', game: 'draughts' }],
  ['/me', { page: 'me' }],
  ['/login', { page: 'login', next: null }],
  ['/login?next=%2Fsubmit%2Fchess', { page: 'login', next: '/submit/chess' }],
  ['/register', { page: 'register', next: null }],
  ['/register?next=%2Fsubmit%2Fchess', { page: 'register', next: '/submit/chess' }],
  ['/admin', { page: 'admin', tab: 'event' }],
  ['/admin?tab=players', { page: 'admin', tab: 'players' }],
  ['/projector', { page: 'projector' }],
  ['/api-docs', { page: 'api' }],
])('%s is read and written', (path, place) => {
  expect(at(path)).toEqual(place);
  expect(format(place)).toBe(path);
});

test.each([
  '/nothing',
  '/me/x',
  '/matches/x',
  '/players/-1',
  '/rounds/1/2',
  '/games/chess/x',
  '/bots/%E0%A4%A',
])('%s is no page', (path) => {
  expect(at(path)).toEqual({ page: 'missing' });
});

test('what an address asks for is only taken if it makes sense', () => {
  expect(at('/games/chess?tab=evil')).toEqual({ page: 'game', game: 'chess', tab: 'leaderboard' });
  expect(at('/matches?kind=evil&player=x')).toEqual({ page: 'matches', filter: EVERYTHING });
  expect(at('/matches/17?turn=-1&seat=0')).toEqual(matchPlace(17));
});

test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'me'])(
  'signing in never leads to %s',
  (next) => {
    expect(at(`/login?next=${encodeURIComponent(next)}`)).toEqual({ page: 'login', next: null });
  },
);
