/**
 * A match that shows itself on a board without controls: a moment behind the players, or, where they play faster than
 * anybody can watch or are done, from its beginning at a pace to be watched.
 */

import type { Board, GameViewer, Moment, Theme } from 'palestra/contract';
import type { Head } from '../api';
import { MatchClient, Trouble } from '../client';
import type { Picture } from '../painter';
import type { Next, RenderLoop } from '../render-loop';
import { Chunks, needs, type Need } from '../state/chunks';
import { Playback } from '../state/playback';
import type { MatchView } from './api';
import { speech } from '../speech.svelte';

/** Turns in a second that can still be watched as they are played. */
const WATCHABLE = 80;
/** How far behind the players: news of a match come about this often. */
const BEHIND_SECONDS = 1.2;
/** A match shown from its beginning takes about this long, and shows at least so many turns in a second. */
const SHOW_SECONDS = 20;
const SLOWEST = 6;
/** Small boards are not worth more pictures than this in a second. */
const FRAMES_PER_SECOND = 30;
const ROUNDS_PER_SECOND = 4;

export interface Look {
  theme: Theme;
  patterns: boolean;
  projector: boolean;
  movement: boolean;
}

export class Preview {
  head = $state.raw<Head>() as Head;
  moment = $state.raw<Moment | null>(null);
  /** Whether it has been shown to its end. */
  done = $state(false);
  /** Whether it is shown as it is played. */
  readonly live: boolean;
  readonly board: Board;
  renderLoop: RenderLoop | null = null;

  /** Whose eyes: its own for whoever plays the match, else a spectator's. */
  #eye: number | null;
  #client: MatchClient;
  #chunks: Chunks;
  #playback = new Playback();
  #moving = true;
  #dirty = true;
  #drawn: Moment | null = null;
  #progress = 1;
  #spent = 0;

  constructor(
    head: Head,
    viewer: GameViewer,
    match: MatchView,
    now: number,
    private readonly look: () => Look,
  ) {
    this.head = head;
    this.board = viewer.board(speech.of(head.game.id));
    this.#eye = head.eye;
    this.#client = new MatchClient(head.id);
    this.#chunks = new Chunks(
      (every, chunk, after, signal) => this.#client.chunk({ seat: this.#eye }, every, chunk, after, signal),
      () => this.renderLoop?.wake(),
      (error) => this.#failed(error),
      8,
    );
    const seconds = Math.max(1, (now - match.started) / 1000);
    this.live = !head.over && head.turns / seconds < WATCHABLE;
    this.#playback.seats = head.names.length;
    this.#playback.grow(head.turns, head.over);
    if (this.live) this.#playback.seek(head.turns);
    this.#playback.playing = true;
    this.#pace();
  }

  close(): void {
    this.#chunks.close();
  }

  /** How far the match has come. */
  heard(turns: number): void {
    this.#grow(turns, false);
  }

  /** It is not among those being played any more: how did it end? */
  async finish(): Promise<void> {
    if (this.head.over) return;
    try {
      const head = await this.#client.head({ seat: null });
      this.head = head;
      this.#grow(head.turns, head.over);
    } catch (error) {
      this.#failed(error);
    }
  }

  move(moving: boolean): void {
    this.#moving = moving;
    this.renderLoop?.wake();
  }

  redraw(): void {
    this.#dirty = true;
    this.renderLoop?.wake();
  }

  // What the renderLoop asks for.

  frame(seconds: number): Next {
    const playback = this.#playback;
    this.#spent += seconds;
    if (this.#spent < 1 / FRAMES_PER_SECOND && this.#drawn && !this.#dirty && this.#moving) {
      return { picture: null, more: playback.running };
    }
    playback.movement = this.look().movement;
    if (this.#moving) playback.tick(this.#spent, this.#chunks);
    this.#spent = 0;
    this.#chunks.want(this.#needs());
    const now = this.#chunks.at(playback.turn, playback.every) ?? this.#chunks.nearest(playback.turn);
    const progress = now?.turn === playback.turn ? playback.progress : 1;
    const changed = now !== null && (now !== this.#drawn || progress !== this.#progress || this.#dirty);
    if (now && changed) {
      this.#drawn = this.moment = now;
      this.#progress = progress;
      this.#dirty = false;
    }
    if (this.head.over && this.#drawn?.turn === playback.end) this.done = true;
    return { picture: changed ? this.#picture(now) : null, more: this.#moving && playback.running };
  }

  #picture(now: Moment): Picture {
    const { theme, patterns, projector } = this.look();
    return {
      now,
      before: this.#chunks.at(now.turn - 1),
      progress: this.#progress,
      playing: this.#playback.running,
      history: (turns) => this.#chunks.history(now, turns),
      turnMillis: this.#playback.turnMillis,
      theme,
      patterns,
      projector,
      eye: this.#eye,
      names: this.head.names,
      clock: performance.now(),
      hands: null,
      pointer: null,
    };
  }

  #needs(): Need[] {
    const { turn, every, end } = this.#playback;
    const here = needs(turn, every, end, 1);
    const last = every > 1 && this.head.over ? needs(end, 1, end, 0) : [];
    return [...here, ...last];
  }

  #grow(turns: number, over: boolean): void {
    this.#playback.grow(turns, over);
    // At the end of what is there a match is followed; here it goes on at its own pace instead.
    this.#playback.following = false;
    this.#playback.playing = true;
    this.#pace();
    this.renderLoop?.wake();
  }

  #pace(): void {
    const playback = this.#playback;
    const left = this.moment?.frame.players.filter(
      ({ fate }) => fate === undefined || fate === 'alive',
    ).length;
    playback.turnsPerRound = Math.max(1, left ?? 2);
    const behind = (playback.end - playback.turn) / BEHIND_SECONDS;
    const rate = this.live ? behind : playback.end / SHOW_SECONDS;
    playback.speed = Math.max(SLOWEST, rate) / (ROUNDS_PER_SECOND * playback.turnsPerRound);
  }

  #failed(error: unknown): void {
    // What cannot be looked at makes room for something else; what cannot be reached may come back.
    if (error instanceof Trouble && error.status !== 0) this.done = true;
  }
}
