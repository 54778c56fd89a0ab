/** What the page shows, as an address, and back. */

/** One moment of a match, through some eyes. */
export interface MatchPlace {
  page: 'match';
  id: string;
  turn: number | null;
  /** Whose eyes; null is a spectator. */
  seat: number | null;
  /** Board and a few controls only, to stand inside another page. */
  embed: boolean;
  /** A person plays this seat; the key proves it. */
  play: { seat: number; key: string } | null;
  /** A picture or film to be made for the command line. */
  capture: Capture | null;
}

export interface Capture {
  token: string;
  width: number;
  height: number;
  dark: boolean;
  film: { from: number; to: number; every: number; delay: number } | null;
}

export type Place = { page: 'list' } | { page: 'rules'; game: string } | MatchPlace;

export function matchPlace(id: string): MatchPlace {
  return { page: 'match', id, turn: null, seat: null, embed: false, play: null, capture: null };
}

export function parse(address: URL): Place {
  const [first = '', second = ''] = address.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  if (!first) return { page: 'list' };
  if (first === 'rules' && second) return { page: 'rules', game: second };
  const query = address.searchParams;
  const seat = whole(query.get('play'));
  return {
    page: 'match',
    id: first,
    turn: whole(query.get('turn')),
    seat: whole(query.get('seat')) || null,
    embed: query.has('embed') && query.get('embed') !== '0',
    play: seat ? { seat, key: query.get('key') ?? '' } : null,
    capture: parseCapture(query),
  };
}

export function format(place: Place): string {
  if (place.page === 'list') return '/';
  if (place.page === 'rules') return `/rules/${encodeURIComponent(place.game)}`;
  const query = new URLSearchParams();
  if (place.turn !== null) query.set('turn', String(place.turn));
  if (place.seat !== null) query.set('seat', String(place.seat));
  if (place.embed) query.set('embed', '1');
  if (place.play) {
    query.set('play', String(place.play.seat));
    query.set('key', place.play.key);
  }
  const text = query.toString();
  return `/${encodeURIComponent(place.id)}${text && `?${text}`}`;
}

function parseCapture(query: URLSearchParams): Capture | null {
  const token = query.get('capture');
  if (!token) return null;
  const [from, to] = (query.get('film') ?? '').split('-').map(whole);
  const film =
    from === undefined || from === null || to === undefined || to === null
      ? null
      : { from, to, every: whole(query.get('every')) || 1, delay: whole(query.get('delay')) || 100 };
  return {
    token,
    width: whole(query.get('width')) || 800,
    height: whole(query.get('height')) || 800,
    dark: query.get('theme') === 'dark',
    film,
  };
}

/** A whole number that is not negative, or null. */
function whole(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
