/** Draws any moment of a match off the page, for pictures and films. */

import { CHUNK_MOMENTS } from 'palestra/constants';
import type { Board, Moment, Theme } from 'palestra/contract';
import type { Eyes, MatchClient } from '../client';
import { Painter } from '../painter';
import { unfold } from '../state/chunks';

/** How the pictures look. */
export interface Look {
  theme: Theme;
  patterns: boolean;
  eyes: Eyes;
  names: string[];
}

/** Moments before the one that is drawn which a board may want to see, for what fades slowly. */
const PAST = 32;
/** From here on so much is left out between two pictures that nothing fades from one into the next. */
const LARGE_STRIDE = 16;

/** The largest stride of chunks that has every turn of a film from `from` on, `every` so many turns. */
export function renderStride(from: number, every: number): number {
  let stride = 1;
  while (from % (stride * 2) === 0 && every % (stride * 2) === 0 && stride < 4096) stride *= 2;
  return stride >= LARGE_STRIDE ? stride : 1;
}

export class FrameRenderer {
  #painter: Painter;
  /** By stride and number; only the last few are kept. */
  #chunks = new Map<string, Moment[]>();

  constructor(
    private readonly client: MatchClient,
    board: Board,
    private readonly look: Look,
    private readonly stride = 1,
  ) {
    const layer = (): HTMLCanvasElement => document.createElement('canvas');
    this.#painter = new Painter(board, layer(), layer());
  }

  /** Draws a turn as large as fits; a height of Infinity leaves it to the width. */
  async draw(turn: number, width: number, height: number): Promise<Painter> {
    const now = await this.moment(turn);
    const { theme, patterns, eyes, names } = this.look;
    this.#painter.fit(now, width, height);
    this.#painter.paint({
      now,
      before: this.#at(turn - 1),
      progress: 1,
      playing: false,
      history: (turns) => this.#history(now, turns),
      turnMillis: 1000,
      theme,
      patterns,
      projector: false,
      eye: eyes.seat,
      names,
      clock: 0,
      hands: null,
      pointer: null,
    });
    return this.#painter;
  }

  async moment(turn: number): Promise<Moment> {
    // The last turn of a film need not be one of its stride.
    const stride = turn % this.stride === 0 ? this.stride : 1;
    if (stride === 1) await this.#load(1, Math.max(0, turn - PAST));
    await this.#load(stride, turn);
    const moment = this.#at(turn, stride);
    if (!moment) throw new Error(`The match has no turn ${turn}.`);
    return moment;
  }

  #at(turn: number, stride = 1): Moment | null {
    return this.#chunks.get(place(stride, turn))?.[(turn / stride) % CHUNK_MOMENTS] ?? null;
  }

  #history(now: Moment, turns: number): Moment[] {
    const list = [now];
    for (let back = 1; back < turns; back++) {
      const moment = this.#at(now.turn - back);
      if (!moment) break;
      list.unshift(moment);
    }
    return list;
  }

  async #load(stride: number, turn: number): Promise<void> {
    const key = place(stride, turn);
    if (this.#chunks.has(key)) return;
    const chunk = Math.floor(turn / stride / CHUNK_MOMENTS);
    this.#chunks.set(key, unfold(await this.client.chunk(this.look.eyes, stride, chunk, 0)));
    for (const old of this.#chunks.keys()) {
      if (this.#chunks.size <= 3) break;
      this.#chunks.delete(old);
    }
  }
}

const place = (stride: number, turn: number): string =>
  `${stride}:${Math.floor(turn / stride / CHUNK_MOMENTS)}`;
