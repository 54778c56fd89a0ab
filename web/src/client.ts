/** The server's API (docs/viewer.md), one function for each request. */

import { speech } from './speech.svelte';
import type { Chunk, Defeat, Head, Message, Overview, Rules, Summary, TurnDetail } from './api';

/** Something that was refused or did not work, with one sentence for people. */
export class Trouble extends Error {
  constructor(
    message: string,
    /** The status of the answer; 0 if none came. */
    readonly status: number,
    /** The same as data, where the server has it: for whoever reads another language. */
    readonly what?: Message,
  ) {
    super(message);
  }
}

/** Why something did not work, for people. */
export function messageOf(error: unknown): string {
  if (error instanceof Unreachable) return speech.words.unreachable;
  if (error instanceof Trouble && error.what) return speech.catalog.trouble(error.what);
  return error instanceof Error ? error.message : String(error);
}

/** Until what cannot be reached is tried again. */
export const RETRY_MILLIS = 2000;

/** Nothing has answered, or something between us and palestra has. */
export class Unreachable extends Trouble {
  constructor() {
    super('palestra cannot be reached', 0);
  }
}

/** Whose eyes look; a person who plays proves it with a key. */
export interface Eyes {
  seat: number | null;
  key?: string | undefined;
}

export type Part = string | number;
export type Query = Record<string, string | number | null | undefined>;

export function apiPath(parts: Part[], query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.set(key, String(value));
  }
  const text = search.toString();
  return `/api/${parts.map(encodeURIComponent).join('/')}${text && `?${text}`}`;
}

let answer = (path: string, init: RequestInit): Promise<Response> => fetch(path, init);

/** Lets somebody else answer than a server: a page that brings its match along. */
export function answerBy(other: typeof answer): void {
  answer = other;
}

export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await answer(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Unreachable();
  }
  if (response.ok) {
    // Some requests are answered by doing what they ask for, without a word.
    const text = await response.text();
    return (text ? JSON.parse(text) : null) as T;
  }
  const { error, message } = (await response.json().catch(() => ({}))) as {
    error?: string;
    message?: Message;
  };
  // Without a reason of its own the answer came from something between us and palestra.
  if (!error && response.status >= 500) throw new Unreachable();
  throw new Trouble(error ?? `The server answered with status ${response.status}.`, response.status, message);
}

/** Pages of other sites cannot send this header, so what carries it was meant. */
const OWN = { 'x-palestra': '1' };

export const get = <T>(parts: Part[], query: Query = {}): Promise<T> => ask(apiPath(parts, query));

/** Asks for a change; what is sent along is JSON unless a type is given. */
export function send<T>(
  method: 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  type = 'application/json',
): Promise<T> {
  if (body === undefined) return ask(path, { method, headers: OWN });
  const text = type === 'application/json' ? JSON.stringify(body) : (body as BodyInit);
  return ask(path, { method, headers: { ...OWN, 'content-type': type }, body: text });
}

export async function listMatches(): Promise<Summary[]> {
  return (await ask<{ matches: Summary[] }>('/api/matches')).matches;
}

export function openFile(file: File): Promise<Summary> {
  return send('POST', apiPath(['matches'], { name: file.name }), file, 'application/octet-stream');
}

/** In English, if there is no rule book in the language. */
export function getRules(game: string, language: string): Promise<Rules> {
  return ask(apiPath(['games', game, 'rules'], { language }));
}

/** The requests about one match. */
export class MatchClient {
  constructor(readonly id: string) {}

  head(eyes: Eyes): Promise<Head> {
    return ask(this.path([], { ...eyes }));
  }

  chunk(eyes: Eyes, every: number, chunk: number, after: number, signal?: AbortSignal): Promise<Chunk> {
    const query = after > 0 ? { every, chunk, after } : { every, chunk };
    return ask(this.path(['frames'], { ...query, ...eyes }), signal ? { signal } : {});
  }

  overview(eyes: Eyes): Promise<Overview> {
    return ask(this.path(['overview'], { ...eyes }));
  }

  async defeats(): Promise<Defeat[]> {
    return (await ask<{ defeats: Defeat[] }>(this.path(['defeats']))).defeats;
  }

  turn(eyes: Eyes, turn: number, of: number, signal: AbortSignal): Promise<TurnDetail> {
    return ask(this.path(['turns', turn], { of, ...eyes }), { signal });
  }

  answer(seat: number, key: string, turn: number, text: string): Promise<unknown> {
    return send('POST', this.path(['answer']), { seat, key, turn, text });
  }

  resign(seat: number, key: string): Promise<unknown> {
    return send('POST', this.path(['resign']), { seat, key });
  }

  path(parts: Part[], query: Query = {}): string {
    return apiPath(['matches', this.id, ...parts], query);
  }
}

/** Hands a picture, or the reason why there is none, to the command line that asked for it. */
export async function deliver(token: string, body: Blob | string): Promise<void> {
  const failed = typeof body === 'string';
  await fetch(apiPath(['shots', token], failed ? { error: 1 } : {}), { method: 'POST', body });
}
