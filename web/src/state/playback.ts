/** Where in a match we are and how time runs: playing, stepping, seeking, following. Knows nothing of the page. */

import { strideFor } from './chunks';

/** How many times faster than normal; the last one is as fast as possible. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, Infinity] as const;

const ROUNDS_PER_SECOND = 4;
const FRAMES_PER_SECOND = 60;
/** As fast as possible means the whole match in this time, but never slower than the fastest number. */
const WHOLE_MATCH_SECONDS = 4;
/** A single step moves in this time. */
const STEP_SECONDS = 0.16;
/** Following is at least this much faster than normal, so that it does not fall behind. */
const FOLLOW_SPEED = 2;
/** Somebody who follows a match and has fallen further behind than this many rounds jumps to its end. */
const FOLLOW_ROUNDS = 3;

/** What has been loaded. */
export interface Shelf {
  at(turn: number, every?: number): unknown;
  readonly newest: number;
}

export class Playback {
  playing = false;
  /** Whether to stay with the end of a match that goes on. */
  following = false;
  /** Whether time would run but what comes next is not there yet. */
  waiting = false;
  speed = 1;
  /** The last turn so far. */
  end = 0;
  /** Whether no more will come. */
  over = true;
  turnsPerRound = 2;
  /** How many players began. */
  seats = 2;
  /** Whether things move from turn to turn, or jump. */
  movement = true;

  /** A whole number is a turn at rest; in between the movement into the next whole turn is under way. */
  #position = 0;
  /** Where a single step leads. */
  #goal: number | null = null;

  /** The turn to show. */
  get turn(): number {
    const every = this.every;
    if (every === 1 || this.#position >= this.end) return Math.ceil(this.#position);
    return Math.floor(this.#position / every) * every;
  }

  /** How far the movement into that turn has come: 0 to 1. */
  get progress(): number {
    if (!this.movement || this.every > 1) return 1;
    return this.#position - Math.ceil(this.#position) + 1;
  }

  /** Every how many turns one is shown. */
  get every(): number {
    return this.playing && !this.following ? strideFor(this.rate / FRAMES_PER_SECOND) : 1;
  }

  /** Turns in a second. */
  get rate(): number {
    const normal = ROUNDS_PER_SECOND * this.turnsPerRound;
    if (this.speed !== Infinity) return normal * this.speed;
    // The same from the beginning to the end, so that one stride is enough.
    return Math.max(ROUNDS_PER_SECOND * this.seats * 64, this.end / WHOLE_MATCH_SECONDS);
  }

  /** How long a turn is shown, in milliseconds. */
  get turnMillis(): number {
    if (this.#goal !== null) return STEP_SECONDS * 1000;
    return 1000 / (this.following ? FOLLOW_SPEED * ROUNDS_PER_SECOND * this.turnsPerRound : this.rate);
  }

  /** Whether something moves. */
  get running(): boolean {
    return this.#goal !== null || (this.playing && this.#position < this.end);
  }

  play(): void {
    if (this.#position >= this.end && this.over) this.#position = 0;
    this.#goal = null;
    this.playing = true;
    if (this.#position >= this.end) this.following = true;
  }

  pause(): void {
    this.#position = this.turn;
    this.#goal = null;
    this.playing = this.following = this.waiting = false;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Jumps to a turn, and goes on playing from there if it was playing. */
  seek(turn: number): void {
    this.#position = Math.max(0, Math.min(this.end, Math.round(turn)));
    this.#goal = null;
    this.following = this.playing && !this.over && this.#position >= this.end;
  }

  /** Stops and goes some turns on or back; a single step on is seen as movement. */
  step(turns: number): void {
    this.pause();
    const from = this.#position;
    this.seek(from + turns);
    if (turns !== 1 || !this.movement || this.#position === from) return;
    this.#goal = this.#position;
    this.#position = from + 1e-6;
  }

  /** Goes to the end of a match that goes on, and stays there. */
  follow(): void {
    this.#goal = null;
    this.playing = true;
    this.following = !this.over;
    if (this.over) this.seek(this.end);
  }

  /** The match has come this far. */
  grow(end: number, over: boolean): void {
    this.end = Math.max(this.end, end);
    this.over = over;
  }

  /** Lets some seconds pass. */
  tick(seconds: number, shelf: Shelf): void {
    this.waiting = false;
    if (this.#goal !== null) this.#glide(seconds, this.#goal);
    else if (this.following) this.#chase(seconds, shelf);
    else if (this.playing) this.#advance(seconds, shelf);
  }

  #glide(seconds: number, goal: number): void {
    this.#position = Math.min(goal, this.#position + seconds / STEP_SECONDS);
    if (this.#position === goal) this.#goal = null;
  }

  #advance(seconds: number, shelf: Shelf): void {
    const from = this.#position;
    this.#position = Math.min(this.end, from + seconds * this.rate);
    if (!shelf.at(this.turn, this.#position >= this.end ? 1 : this.every)) {
      this.#position = from;
      this.waiting = true;
    } else if (this.#position >= this.end) {
      this.#arrive();
    }
  }

  #chase(seconds: number, shelf: Shelf): void {
    const tip = Math.min(this.end, shelf.newest);
    const gap = tip - this.#position;
    if (gap > 0 && shelf.at(tip)) {
      const rate = Math.max(FOLLOW_SPEED * ROUNDS_PER_SECOND * this.turnsPerRound, gap * 4);
      const far = gap > FOLLOW_ROUNDS * this.turnsPerRound;
      this.#position = far ? tip : Math.min(tip, this.#position + seconds * rate);
    }
    this.waiting = this.#position < this.end && gap <= 0;
    if (this.over && this.#position >= this.end) this.#arrive();
  }

  #arrive(): void {
    if (this.over) this.pause();
    else this.following = true;
  }
}
