/** A match that a page brings along: every moment of it, through one pair of eyes. */

import { CHUNK_MOMENTS } from 'palestra/constants';
import type { Moment } from 'palestra/contract';
import type { Chunk, Head, Overview } from '../api';

export interface Recording {
  head: Head;
  /** One for every turn, the beginning first. */
  moments: Moment[];
}

/** Reads what was packed with gzip and written in base64. */
export async function unpack(text: string): Promise<Recording> {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(plain).json()) as Recording;
}

/** Answers what a server would be asked (docs/viewer.md), as far as a board and its controls ask. */
export function answer({ head, moments }: Recording, path: string): unknown {
  const { pathname, searchParams } = new URL(path, 'http://replay');
  const part = pathname.split('/').at(-1);
  const number = (name: string): number => Number(searchParams.get(name) ?? 0);
  if (part === 'frames') return chunkOf(moments, number('every') || 1, number('chunk'), number('after'));
  if (part === 'overview') return NO_OVERVIEW;
  if (part === head.id) return head;
  return null;
}

/** Charts and marks are not part of such a page. */
const NO_OVERVIEW: Overview = { turns: 0, every: 1, counters: [], times: [], marks: [] };

function chunkOf(moments: Moment[], every: number, chunk: number, after: number): Chunk {
  const turns = moments.length - 1;
  const places = Array.from({ length: CHUNK_MOMENTS }, (_, place) => (chunk * CHUNK_MOMENTS + place) * every);
  const [first, ...rest] = places.filter((turn) => turn <= turns).map((turn) => moments[turn]);
  const known = Math.max(0, after - 1);
  return {
    every,
    chunk,
    after,
    turns,
    over: true,
    first: after > 0 ? null : (first ?? null),
    // Each is new as a whole.
    changes: rest.slice(known).map((moment) => [moment]),
  };
}
