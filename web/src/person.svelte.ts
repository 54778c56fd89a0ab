/** Somebody who plays a seat by hand. */

import type { Control, GameViewer, Hands, Touch } from 'palestra/contract';
import type { Message, Progress } from './api';
import { messageOf, Trouble } from './client';
import type { Session } from './session.svelte';
import { speech } from './speech.svelte';
import type { Chunks } from './state/chunks';

/** Turns in a second that are taken without waiting for the person; 0 waits. */
export const TEMPOS = [0, 1, 2, 4, 8] as const;

/** When so little is left of the time for an answer, a person is told. */
const HURRY_SECONDS = 60;

/** How long each answer may take, where a match says so in seconds. */
function secondsPerAnswer(time: Message | null): number | null {
  if (time === null || typeof time === 'string' || time.code !== 'time_per_answer') return null;
  const span = time.time as Message;
  return typeof span === 'object' && span.code === 'seconds' ? Number(span.number) : null;
}

export class Person {
  readonly seat: number;
  readonly key: string;
  readonly hands: Hands;
  controls = $state.raw<Control[]>([]);
  hint = $state('');
  queued = $state('');
  /** Why the last answer was refused. */
  refusal = $state('');
  myTurn = $state(false);
  tempo = $state(0);
  /** Seconds that are left for this turn, when they become few; null as long as there is time. */
  hurry = $state<number | null>(null);
  /** Whether turns are passed until something happens. */
  skipping = $state(false);

  /** The last turn that the hands have seen. */
  #seen = -1;
  #progress: Progress | null = null;
  #asking = false;
  /** The turn that an answer has been sent for. */
  #answered = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #seconds: number | null;
  #due = 0;
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly session: Session,
    viewer: GameViewer,
    who: { seat: number; key: string },
  ) {
    this.seat = who.seat;
    this.key = who.key;
    const say = speech.of(session.head.game.id);
    this.#seconds = secondsPerAnswer(session.head.time);
    this.hands = viewer.hands(who.seat, () => this.#changed(), say);
    this.refresh();
  }

  close(): void {
    clearInterval(this.#timer);
    clearInterval(this.#clock);
    this.hurry = null;
  }

  /** How far the match has come. */
  heard(progress: Progress, chunks: Chunks): void {
    this.#progress = progress;
    if (progress.over) this.close();
    this.catchUp(chunks);
  }

  /** Shows the hands every moment that has come since. */
  catchUp(chunks: Chunks): void {
    const first = this.#seen < 0 ? chunks.newest : this.#seen + 1;
    for (let turn = first; turn <= chunks.newest; turn++) {
      const moment = chunks.at(turn);
      if (!moment) continue;
      this.#seen = turn;
      this.hands.see(moment);
    }
    this.refresh();
    this.act(false);
    this.#skip();
  }

  /** Whether this game can tell that something has happened. */
  get canSkip(): boolean {
    return this.hands.stirred !== undefined;
  }

  /** Passes turns until something happens; asked again, it stops. */
  toggleSkip(): void {
    this.skipping = !this.skipping && this.canSkip;
    if (this.skipping) this.act(true);
  }

  #skip(): void {
    if (!this.skipping) return;
    if (this.#progress?.over || this.hands.stirred?.()) this.skipping = false;
    else this.act(true);
  }

  /** Takes the turn if it is this seat's and there is an answer, or one is forced. */
  act(force: boolean): void {
    // Giving an answer changes the hands, and that must not ask them for the next one.
    if (!this.myTurn || this.#asking) return;
    this.#asking = true;
    const text = this.hands.answer(force);
    this.#asking = false;
    if (text !== null) void this.#send(this.#seen + 1, text);
    this.refresh();
    this.session.redraw();
  }

  pointer(touch: Touch): void {
    if (touch.kind === 'down') this.skipping = false;
    this.hands.pointer(touch);
  }

  setTempo(turnsPerSecond: number): void {
    this.tempo = turnsPerSecond;
    clearInterval(this.#timer);
    if (turnsPerSecond) this.#timer = setInterval(() => this.act(true), 1000 / turnsPerSecond);
  }

  async giveUp(): Promise<void> {
    try {
      await this.session.client.resign(this.seat, this.key);
    } catch (error) {
      this.refusal = this.#reason(error);
    }
  }

  async #send(turn: number, text: string): Promise<void> {
    this.#answered = turn;
    try {
      await this.session.client.answer(this.seat, this.key, turn, text);
      this.refusal = '';
    } catch (error) {
      this.#answered = 0;
      // Too late is no fault of the person: the match has gone on, and its next event says where to.
      if (!(error instanceof Trouble && error.status === 409)) {
        this.refusal = this.#reason(error);
        this.hands.refused(this.refusal);
      }
    }
    this.refresh();
  }

  /** Why something was refused, in the language of the page where the server says it as data. */
  #reason(error: unknown): string {
    if (error instanceof Trouble && error.what)
      return speech.catalog.trouble(error.what, this.session.head.game.id);
    return messageOf(error);
  }

  #changed(): void {
    this.refresh();
    this.session.redraw();
    this.act(false);
  }

  /** Tells how much time is left, if answers have to come in time. */
  #runClock(mine: boolean): void {
    clearInterval(this.#clock);
    this.hurry = null;
    if (!mine || this.#seconds === null) return;
    this.#due = performance.now() + 1000 * this.#seconds;
    this.#clock = setInterval(() => {
      const left = Math.max(0, Math.ceil((this.#due - performance.now()) / 1000));
      this.hurry = left <= HURRY_SECONDS ? left : null;
    }, 250);
  }

  /** Asks the hands anew for what they say and offer. */
  refresh(): void {
    const progress = this.#progress;
    const here = progress?.to_move === this.seat && this.#seen === progress.turns && !progress.over;
    const mine = here && this.#answered !== progress.turns + 1;
    if (mine !== this.myTurn) this.#runClock(mine);
    this.myTurn = mine;
    this.controls = this.hands.controls();
    this.hint = this.hands.hint();
    this.queued = this.hands.queued();
  }
}
