/** What the site shows, as an address, and back. */

import type { MatchKind, MatchResult, MatchView } from './api';

export const GAME_TABS = ['leaderboard', 'matches', 'rules', 'kits'] as const;
export const ADMIN_TABS = ['event', 'rounds', 'players', 'matches', 'log'] as const;
export const KINDS = [
  'scored',
  'ladder',
  'free',
  'practice',
  'hand',
  'challenge',
  'smoke',
] as const satisfies readonly MatchKind[];

export const RESULTS = ['lost', 'drawn', 'won'] as const satisfies readonly MatchResult[];

export type GameTab = (typeof GAME_TABS)[number];
export type AdminTab = (typeof ADMIN_TABS)[number];

/** Which matches are listed; null is all of them. */
export interface Filter {
  game: string | null;
  kind: MatchKind | null;
  player: number | null;
  bot: number | null;
  round: number | null;
  /** Only with players whom the visitor follows. */
  followed: boolean;
}

/** Which of the visitor's own matches are listed; null is all of them. */
export interface OwnFilter {
  game: string | null;
  result: MatchResult | null;
  version: number | null;
  opponent: number | null;
  unseen: boolean;
}

/** One moment of a match, through some eyes; null is where it stands, and a spectator. */
export interface MatchPlace {
  page: 'match';
  id: number;
  turn: number | null;
  seat: number | null;
  /** Board and a few controls only, to stand inside another page. */
  embed: boolean;
}

export type Place =
  | { page: 'home' | 'me' | 'projector' | 'api' | 'rounds' | 'downloads' | 'report' | 'missing' }
  | { page: 'certificates'; player: number | null }
  | { page: 'login' | 'register'; next: string | null }
  | { page: 'game'; game: string; tab: GameTab }
  | { page: 'learn'; game: string }
  | { page: 'matches'; filter: Filter }
  | MatchPlace
  | { page: 'player' | 'bot' | 'challenge'; id: number }
  /** With a game, and the number of a bot, that are chosen already. */
  | { page: 'challenges'; game: string | null; against: number | null }
  | { page: 'round'; id: number; stage: number | null }
  | { page: 'submit'; game: string | null }
  /** With a game that is chosen already, or with the secret of an invitation. */
  | { page: 'play'; game: string | null; invite: string | null }
  | { page: 'own'; filter: OwnFilter }
  | { page: 'edit'; game: string; version: number | null }
  | { page: 'admin'; tab: AdminTab };

export const EVERYTHING: Filter = {
  game: null,
  kind: null,
  player: null,
  bot: null,
  round: null,
  followed: false,
};
export const ALL_OWN: OwnFilter = { game: null, result: null, version: null, opponent: null, unseen: false };

export const matchPlace = (id: number): MatchPlace => ({
  page: 'match',
  id,
  turn: null,
  seat: null,
  embed: false,
});

export function parse(address: URL): Place {
  const [first = '', second, ...rest] = address.pathname.split('/').filter(Boolean).map(decoded);
  if (rest.length) return { page: 'missing' };
  const query = address.searchParams;
  if (second === undefined) return parseAlone(first, query);
  const id = whole(second);
  switch (first) {
    case 'games':
      return { page: 'game', game: second, tab: oneOf(GAME_TABS, query.get('tab')) ?? 'leaderboard' };
    case 'learn':
      return { page: 'learn', game: second };
    case 'submit':
      return { page: 'submit', game: second };
    case 'edit':
      return { page: 'edit', game: second, version: whole(query.get('version')) };
    case 'me':
      return second === 'matches' ? { page: 'own', filter: parseOwn(query) } : { page: 'missing' };
    case 'matches':
      if (id === null) return { page: 'missing' };
      return {
        page: 'match',
        id,
        turn: whole(query.get('turn')),
        seat: whole(query.get('seat')) || null,
        embed: query.has('embed') && query.get('embed') !== '0',
      };
    case 'players':
      return id === null ? { page: 'missing' } : { page: 'player', id };
    case 'challenges':
      return id === null ? { page: 'missing' } : { page: 'challenge', id };
    case 'bots':
      return id === null ? { page: 'missing' } : { page: 'bot', id };
    case 'rounds':
      if (id === null) return { page: 'missing' };
      return { page: 'round', id, stage: whole(query.get('stage')) || null };
    default:
      return { page: 'missing' };
  }
}

function parseAlone(name: string, query: URLSearchParams): Place {
  switch (name) {
    case '':
      return { page: 'home' };
    case 'matches':
      return { page: 'matches', filter: parseFilter(query) };
    case 'login':
    case 'register':
      return { page: name, next: ownPath(query.get('next')) };
    case 'submit':
      return { page: 'submit', game: null };
    case 'challenges':
      return { page: 'challenges', game: query.get('game') || null, against: whole(query.get('against')) };
    case 'play':
      return { page: 'play', game: query.get('game') || null, invite: query.get('invite') || null };
    case 'admin':
      return { page: 'admin', tab: oneOf(ADMIN_TABS, query.get('tab')) ?? 'event' };
    case 'api-docs':
      return { page: 'api' };
    case 'certificates':
      return { page: 'certificates', player: whole(query.get('player')) };
    case 'me':
    case 'projector':
    case 'report':
    case 'rounds':
    case 'downloads':
      return { page: name };
    default:
      return { page: 'missing' };
  }
}

export function parseFilter(query: URLSearchParams): Filter {
  return {
    game: query.get('game') || null,
    kind: oneOf(KINDS, query.get('kind')),
    player: whole(query.get('player')),
    bot: whole(query.get('bot')),
    round: whole(query.get('round')),
    followed: query.get('followed') === '1',
  };
}

function parseOwn(query: URLSearchParams): OwnFilter {
  return {
    game: query.get('game') || null,
    result: oneOf(RESULTS, query.get('result')),
    version: whole(query.get('version')),
    opponent: whole(query.get('opponent')),
    unseen: query.get('unseen') === '1',
  };
}

/** Whether a match belongs into the list. */
export function fits(
  { game, kind, round, seats }: MatchView,
  filter: Filter,
  followed: ReadonlySet<number> = new Set(),
): boolean {
  return (
    (!filter.followed || seats.some(({ player }) => player !== null && followed.has(player))) &&
    [null, game].includes(filter.game) &&
    [null, kind].includes(filter.kind) &&
    [null, round].includes(filter.round) &&
    (filter.player === null || seats.some(({ player }) => player === filter.player)) &&
    (filter.bot === null || seats.some(({ bot }) => bot === filter.bot))
  );
}

export function format(place: Place): string {
  switch (place.page) {
    case 'home':
      return '/';
    case 'game':
      return path(['games', place.game], { tab: place.tab === 'leaderboard' ? null : place.tab });
    case 'matches':
      return path(['matches'], { ...place.filter, followed: place.filter.followed ? 1 : null });
    case 'own':
      return path(['me', 'matches'], { ...place.filter, unseen: place.filter.unseen ? 1 : null });
    case 'learn':
      return path(['learn', place.game]);
    case 'edit':
      return path(['edit', place.game], { version: place.version });
    case 'match':
      return path(['matches', place.id], {
        turn: place.turn,
        seat: place.seat,
        embed: place.embed ? 1 : null,
      });
    case 'player':
      return path(['players', place.id]);
    case 'bot':
      return path(['bots', place.id]);
    case 'challenge':
      return path(['challenges', place.id]);
    case 'challenges':
      return path(['challenges'], { game: place.game, against: place.against });
    case 'round':
      return path(['rounds', place.id], { stage: place.stage });
    case 'submit':
      return path(place.game ? ['submit', place.game] : ['submit']);
    case 'play':
      return path(['play'], { game: place.game, invite: place.invite });
    case 'login':
    case 'register':
      return path([place.page], { next: place.next });
    case 'admin':
      return path(['admin'], { tab: place.tab === 'event' ? null : place.tab });
    case 'certificates':
      return path(['certificates'], { player: place.player });
    case 'api':
      return '/api-docs';
    default:
      return `/${place.page}`;
  }
}

function path(parts: (string | number)[], query: Record<string, string | number | null> = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== null) search.set(key, String(value));
  const text = search.toString();
  return `/${parts.map(encodeURIComponent).join('/')}${text && `?${text}`}`;
}

/** Part of an address as people wrote it, even where that is not how addresses are written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Where to go after signing in: a page of this site, never another one. */
function ownPath(text: string | null): string | null {
  return text !== null && /^\/(?![/\\])/.test(text) ? text : null;
}

function oneOf<T extends string>(list: readonly T[], text: string | null): T | null {
  return list.find((item) => item === text) ?? null;
}

/** A whole number that is not negative, or null. */
function whole(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
