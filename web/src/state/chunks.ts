/** The moments of a match through one pair of eyes, fetched in chunks as they are wanted. */

import { CHUNK_MOMENTS, LONGEST_STRIDE } from 'palestra/constants';
import type { Moment } from 'palestra/contract';
import type { Chunk } from '../api';
import { patch } from './patch';

const IN_FLIGHT = 2;

/** Fetches a chunk, or what comes in it after so many moments. */
export type Source = (every: number, chunk: number, after: number, signal: AbortSignal) => Promise<Chunk>;

/** A chunk that should be there, up to and including this turn. */
export interface Need {
  every: number;
  chunk: number;
  turn: number;
}

const name = ({ every, chunk }: Pick<Need, 'every' | 'chunk'>): string => `${every}:${chunk}`;

/** The largest power of two that still shows about every frame of the screen something new. */
export function strideFor(turnsPerFrame: number): number {
  let every = 1;
  while (every * 2 <= turnsPerFrame && every < LONGEST_STRIDE) every *= 2;
  return every;
}

/** The stride at which a whole match fits into one chunk: enough to show something at once wherever one jumps. */
export function coarseStride(turns: number): number {
  let every = 1;
  while (turns / every >= CHUNK_MOMENTS && every < LONGEST_STRIDE) every *= 2;
  return every;
}

/** The chunk that holds a turn and the `ahead` chunks after it, as far as the match has come. */
export function needs(turn: number, every: number, end: number, ahead: number): Need[] {
  const span = CHUNK_MOMENTS * every;
  const first = Math.floor(turn / span);
  const list: Need[] = [];
  for (let chunk = first; chunk <= first + ahead && chunk * span <= end; chunk++) {
    list.push({ every, chunk, turn: Math.min(end, (chunk + 1) * span - every) });
  }
  return list;
}

export class Chunks {
  /** By stride and number; the one used longest ago comes first. */
  #parts = new Map<string, Moment[]>();
  #pending = new Map<string, AbortController>();
  #resting: ReturnType<typeof setTimeout> | null = null;
  #newest = 0;

  constructor(
    private readonly source: Source,
    /** Something that was wanted is there, or may be asked for again. */
    private readonly arrived: () => void,
    private readonly failed: (error: unknown) => void,
    private readonly limit = 24,
  ) {}

  /** The moment of exactly this turn. */
  at(turn: number, every = 1): Moment | null {
    return (
      this.#part(every, Math.floor(turn / every / CHUNK_MOMENTS))?.[(turn / every) % CHUNK_MOMENTS] ?? null
    );
  }

  /** The moment of this turn, or of the nearest one before it that is there. */
  nearest(turn: number): Moment | null {
    for (let every = 1; every <= LONGEST_STRIDE; every *= 2) {
      const moment = this.at(Math.floor(turn / every) * every, every);
      if (moment) return moment;
    }
    return null;
  }

  /** The latest turn that ever came, for following a match that goes on. */
  get newest(): number {
    return this.#newest;
  }

  /** Up to `turns` moments of successive turns that end with this one, oldest first. */
  history(now: Moment, turns: number): Moment[] {
    const list = [now];
    while (list.length < turns) {
      const moment = this.at(now.turn - list.length);
      if (!moment) break;
      list.push(moment);
    }
    return list.reverse();
  }

  /** Says what is wanted now, the most urgent first: that is fetched if need be, and nothing else any more. */
  want(list: Need[]): void {
    const keys = new Set(list.map(name));
    for (const [key, controller] of this.#pending) if (!keys.has(key)) controller.abort();
    if (this.#resting) return;
    for (const need of list) {
      if (this.#holds(need)) this.#touch(need);
      else if (this.#pending.size < IN_FLIGHT) void this.#fetch(need);
    }
  }

  close(): void {
    for (const controller of this.#pending.values()) controller.abort();
    if (this.#resting) clearTimeout(this.#resting);
  }

  #holds({ every, chunk, turn }: Need): boolean {
    const last = Math.floor(turn / every) - chunk * CHUNK_MOMENTS;
    return (this.#part(every, chunk)?.length ?? 0) > last;
  }

  #part(every: number, chunk: number): Moment[] | undefined {
    return this.#parts.get(name({ every, chunk }));
  }

  /** Marks a chunk as used, so that others make room first. */
  #touch(need: Need): void {
    const part = this.#part(need.every, need.chunk);
    if (!part) return;
    this.#parts.delete(name(need));
    this.#parts.set(name(need), part);
  }

  async #fetch(need: Need): Promise<void> {
    const key = name(need);
    if (this.#pending.has(key)) return;
    const controller = new AbortController();
    this.#pending.set(key, controller);
    try {
      const known = this.#part(need.every, need.chunk) ?? [];
      const chunk = await this.source(need.every, need.chunk, known.length, controller.signal);
      const moments = unfold(chunk, known);
      this.#keep(key, moments);
      if (need.every === 1) this.#newest = Math.max(this.#newest, moments.at(-1)?.turn ?? 0);
      // The server may be a little behind what its events promised; asking at once again would be a busy loop.
      if (chunk.turns < need.turn) this.#rest(100);
    } catch (error) {
      if (!controller.signal.aborted) {
        this.failed(error);
        this.#rest(1500);
      }
    }
    this.#pending.delete(key);
    if (!this.#resting) this.arrived();
  }

  #keep(key: string, moments: Moment[]): void {
    this.#parts.delete(key);
    this.#parts.set(key, moments);
    for (const old of this.#parts.keys()) {
      if (this.#parts.size <= this.limit) break;
      this.#parts.delete(old);
    }
  }

  #rest(millis: number): void {
    if (this.#resting) clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.#resting = null;
      this.arrived();
    }, millis);
  }
}

/** The moments of a chunk, each from the one before it; `known` are those that were there already. */
export function unfold(chunk: Chunk, known: Moment[] = []): Moment[] {
  const moments = known.slice(0, chunk.after);
  if (chunk.first) moments.push({ seat: null, round: 0, ...(chunk.first as object) } as Moment);
  for (const change of chunk.changes) moments.push(patch(moments.at(-1), change) as Moment);
  return moments;
}
