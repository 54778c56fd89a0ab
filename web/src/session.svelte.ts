/** One match on the page: what is shown of it, and how that came about. */

import type { Board, GameViewer, Moment, Spot } from 'palestra/contract';
import type { Head, Overview, Progress } from './api';
import { type Eyes, MatchClient, messageOf } from './client';
import { Live } from './live';
import type { Picture } from './painter';
import { fill } from './phrases';
import { Person } from './person.svelte';
import { settings } from './settings.svelte';
import { speech } from './speech.svelte';
import type { Next, RenderLoop } from './render-loop';
import type { MatchPlace } from './state/address';
import { Chunks, coarseStride, needs, type Need, unfold } from './state/chunks';
import { ownTurn } from './state/own-turns';
import { Playback } from './state/playback';
import { Shelves } from './state/shelves';

/** Lists and numbers beside the board are brought up to date this often while time runs. */
const LIST_MILLIS = 50;
const OVERVIEW_MILLIS = 1000;

export class Session {
  head = $state.raw<Head>() as Head;
  /** What lists and captions are about; the board itself may be a few frames ahead. */
  moment = $state.raw<Moment | null>(null);
  overview = $state.raw<Overview | null>(null);
  turn = $state(0);
  end = $state(0);
  playing = $state(false);
  following = $state(false);
  waiting = $state(false);
  /** Whose eyes; null is a spectator. */
  eye = $state<number | null>(null);
  /** The seat whose details are shown. */
  selected = $state(1);
  /** Whether what went in and out of its bot is shown. */
  inspecting = $state(false);
  /** Whether steps lead from one turn of the selected seat to the next. */
  ownTurns = $state(false);
  /** Lines of what the selected seat was sent, with the places on the board that they are about. */
  spots = $state.raw<Spot[]>([]);
  /** The one that is pointed at, in the text or on the board. */
  spot = $state.raw<Spot | null>(null);
  /** What is wrong at the moment, in one sentence. */
  trouble = $state('');
  /** Whether the connection to a match that goes on is lost. */
  lost = $state(false);
  /** One line about what is under the pointer. */
  described = $state('');
  /** What happened in this turn, in one line. */
  readonly caption = $derived(this.#say(this.moment));
  readonly person: Person | null;
  readonly client: MatchClient;
  readonly board: Board;
  renderLoop: RenderLoop | null = null;

  /** What opens the seat of somebody who plays, and the match when it is over. */
  readonly #key: string | undefined;
  #playback = new Playback();
  #shelves = new Shelves<Chunks>(2);
  #lastSeat = 1;
  #shown: Moment | null = null;
  #shownEye: number | null = null;
  #shownProgress = 1;
  #painted: Moment | null = null;
  #dirty = true;
  #pointer: Picture['pointer'] = null;
  #listed = 0;
  #live: Live<Progress> | null = null;
  #overviewTimer: ReturnType<typeof setTimeout> | undefined;
  #overviewAt = 0;
  #sought: number | null = null;
  #stats = { firstFrameMs: 0, lastSeekMs: 0 };

  constructor(head: Head, viewer: GameViewer, place: MatchPlace) {
    this.head = head;
    this.client = new MatchClient(head.id);
    this.#key = place.play?.key;
    this.board = viewer.board(speech.of(head.game.id));
    this.person = place.play && !head.over ? new Person(this, viewer, place.play) : null;
    this.eye = place.play && !head.over ? place.play.seat : (head.eye ?? place.seat);
    this.selected = Math.min(this.eye ?? 1, head.names.length);
    this.#lastSeat = this.selected;
    this.#playback.seats = head.names.length;
    this.#playback.grow(head.turns, head.over);
    this.end = head.turns;
    if (place.turn !== null) this.#playback.seek(place.turn);
    else if (!head.over) this.#playback.follow();
    this.#mirror();
    if (!head.over) this.#listen();
    this.#fetchOverview(true);
  }

  get eyes(): Eyes {
    return { seat: this.eye, key: this.#key };
  }

  /** Whether whoever looks plays, and sees through the eyes of its own seat only. */
  get ownEyes(): boolean {
    return this.person !== null || this.head.eye !== null;
  }

  get over(): boolean {
    return this.head.over;
  }

  close(): void {
    this.#live?.close();
    this.person?.close();
    clearTimeout(this.#overviewTimer);
    this.#shelves.close();
  }

  // What people do.

  toggle(): void {
    this.#playback.toggle();
    this.#moved();
  }

  step(turns: number): void {
    if (this.ownTurns) return void this.#stepOwn(turns < 0 ? -1 : 1);
    this.#sought = performance.now();
    this.#playback.step(turns);
    this.#moved();
  }

  seek(turn: number): void {
    this.#sought = performance.now();
    // Somebody who plays and looks back wants to look, not to see it all again.
    if (this.person) this.#playback.pause();
    this.#playback.seek(turn);
    this.#moved();
  }

  /** Back to where the match is now. */
  follow(): void {
    this.#playback.follow();
    this.#moved();
  }

  /** Looks through the eyes of a seat, or as a spectator. */
  look(seat: number | null): void {
    if (this.ownEyes || (seat !== null && seat > this.head.names.length)) return;
    if (seat !== null) this.#lastSeat = this.selected = seat;
    if (!this.head.game.fog || seat === this.eye) return;
    this.eye = seat;
    this.#fetchOverview(true);
    this.#moved();
  }

  toggleFog(): void {
    this.look(this.eye === null ? this.#lastSeat : null);
  }

  select(seat: number): void {
    this.selected = this.#lastSeat = seat;
  }

  /** Whether a seat has had a turn up to the one that is shown, as far as is known yet. */
  hasMoved(seat: number): boolean {
    const all = 2 * this.head.names.length;
    if (this.turn > all) return true;
    for (let turn = 1; turn <= this.turn; turn++) if (this.#chunks().at(turn)?.seat === seat) return true;
    return false;
  }

  point(pointer: Picture['pointer']): void {
    this.#pointer = pointer;
    this.spot = pointer && (this.spots.find((spot) => covers(spot, pointer)) ?? null);
    this.redraw();
  }

  /** Shows which parts of the board the lines of this text are about, as it was sent to the selected seat. */
  link(sent: string): void {
    const { moment } = this;
    this.spots = (moment && this.board.spots?.(sent.split('\n'), moment.frame, this.selected)) ?? [];
    this.spot = this.#pointer ? this.spot : null;
  }

  /** Something that the board shows has changed. */
  redraw(): void {
    this.#dirty = true;
    this.renderLoop?.wake();
  }

  // What the renderLoop asks for.

  frame(seconds: number): Next {
    const playback = this.#playback;
    const chunks = this.#chunks();
    playback.speed = settings.speed;
    playback.movement = settings.movement;
    playback.turnsPerRound = playersLeft(this.#shown);
    playback.tick(seconds, chunks);
    chunks.want(this.#needs());
    const now = chunks.at(playback.turn, playback.every) ?? chunks.nearest(playback.turn);
    const progress = now?.turn === playback.turn ? playback.progress : 1;
    const changed = now !== null && (now !== this.#shown || progress !== this.#shownProgress || this.#dirty);
    if (now && changed) {
      this.#shown = now;
      this.#shownEye = this.eye;
      this.#shownProgress = progress;
      this.#dirty = false;
    }
    this.#mirror();
    return { picture: changed ? this.picture() : null, more: playback.running };
  }

  /** What is shown, ready to be drawn. */
  picture(): Picture | null {
    const now = this.#shown;
    if (!now) return null;
    const chunks = this.#chunks();
    const playback = this.#playback;
    return {
      now,
      before: chunks.at(now.turn - 1),
      progress: this.#shownProgress,
      playing: playback.running,
      history: (turns) => chunks.history(now, turns),
      turnMillis: playback.turnMillis,
      theme: settings.theme,
      patterns: settings.patterns,
      projector: settings.projector,
      eye: this.eye,
      names: this.head.names,
      clock: performance.now(),
      hands: this.person?.hands ?? null,
      pointer: this.#pointer,
    };
  }

  painted(now: Moment): void {
    this.#painted = now;
    this.#stats.firstFrameMs ||= performance.now();
    if (this.#sought !== null && this.drawn()) {
      this.#stats.lastSeekMs = performance.now() - this.#sought;
      this.#sought = null;
    }
    this.#describe();
  }

  // What tests and measurements ask for.

  /** The turn that is drawn. */
  drawnTurn(): number {
    return this.#painted?.turn ?? 0;
  }

  /** Whether what is drawn is what is wanted. */
  drawn(): boolean {
    return this.#painted?.turn === this.#playback.turn && this.#shownEye === this.eye && !this.#dirty;
  }

  stats(): { frames: number; fps: number; firstFrameMs: number; lastSeekMs: number } {
    return { frames: this.renderLoop?.frames ?? 0, fps: this.renderLoop?.fps ?? 0, ...this.#stats };
  }

  // Loading.

  #chunks(): Chunks {
    return this.#shelves.of(this.eye, () => {
      const eyes = this.eyes;
      return new Chunks(
        async (every, chunk, after, signal) => {
          const answer = await this.client.chunk(eyes, every, chunk, after, signal);
          this.trouble = '';
          return answer;
        },
        () => this.#arrived(),
        (error) => this.#failed(error),
      );
    });
  }

  #needs(): Need[] {
    const { turn, every, end, playing, following, over } = this.#playback;
    // At rest a chunk that grows is not fetched again and again for what nobody looks at.
    const until = playing ? end : Math.min(end, turn + 1);
    const here = needs(following ? Math.max(turn, end) : turn, every, until, playing ? 2 : 0);
    const past = needs(Math.max(0, turn - 32), 1, turn, 0);
    const coarse = over ? needs(0, coarseStride(end), end, 0) : [];
    const last = playing && every > 1 ? needs(end, 1, end, 0) : [];
    return [...here, ...past, ...coarse, ...last];
  }

  #arrived(): void {
    this.person?.catchUp(this.#chunks());
    this.renderLoop?.wake();
  }

  #failed(error: unknown): void {
    this.trouble = messageOf(error);
  }

  /** Fetches charts and marks, but not more often than people can look. */
  #fetchOverview(atOnce = false): void {
    clearTimeout(this.#overviewTimer);
    const wait = atOnce ? 0 : this.#overviewAt + OVERVIEW_MILLIS - performance.now();
    this.#overviewTimer = setTimeout(() => void this.#loadOverview(), Math.max(0, wait));
  }

  async #loadOverview(): Promise<void> {
    this.#overviewAt = performance.now();
    const eye = this.eye;
    try {
      const overview = await this.client.overview(this.eyes);
      if (eye === this.eye) this.overview = overview;
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Goes to the turn that the selected seat has taken before or after this one. */
  async #stepOwn(direction: 1 | -1): Promise<void> {
    const { selected: seat, end, eyes } = this;
    const from = this.#playback.turn;
    const known = (turn: number): Moment | null => this.#chunks().at(turn);
    const fetch = async (chunk: number): Promise<Moment[]> =>
      unfold(await this.client.chunk(eyes, 1, chunk, 0));
    try {
      const turn = await ownTurn({ seat, from, direction, end, known, fetch });
      // Whoever has gone elsewhere meanwhile stays there.
      if (turn === null || seat !== this.selected || from !== this.#playback.turn) return;
      this.#sought = performance.now();
      this.#playback.step(turn - from);
      this.#moved();
    } catch (error) {
      this.#failed(error);
    }
  }

  // A match that goes on.

  #listen(): void {
    this.#live = new Live<Progress>(this.client.path(['events'], { ...this.eyes }), {
      heard: (progress) => void this.#heard(progress),
      lost: (lost) => void this.#setLost(lost),
      // Somebody who plays is awaited, whether looking or not.
      rests: () => this.person === null,
    });
  }

  async #setLost(lost: boolean): Promise<void> {
    if (!lost) {
      this.lost = false;
      return;
    }
    try {
      const { turns, over } = await this.client.head(this.eyes);
      // There is nothing more to hear from a match that is over.
      if (over) await this.#heard({ turns, over, to_move: null });
    } catch {
      this.lost = true;
    }
  }

  async #heard(progress: Progress): Promise<void> {
    const grown = progress.turns > this.end;
    this.#playback.grow(progress.turns, progress.over);
    this.end = this.#playback.end;
    if (grown) this.#fetchOverview();
    this.person?.heard(progress, this.#chunks());
    this.renderLoop?.wake();
    if (progress.over) await this.#finish();
  }

  async #finish(): Promise<void> {
    this.#live?.close();
    this.lost = false;
    try {
      this.head = await this.client.head(this.eyes);
    } catch (error) {
      this.#failed(error);
    }
    this.#fetchOverview();
    this.renderLoop?.wake();
  }

  #moved(): void {
    this.#listed = 0;
    this.#dirty = true;
    this.#mirror();
    this.renderLoop?.wake();
  }

  /** Tells the page where things stand. */
  #mirror(): void {
    const { playing, following, waiting, turn, running } = this.#playback;
    this.playing = playing;
    this.following = following;
    this.waiting = waiting;
    const now = performance.now();
    if (running && now - this.#listed < LIST_MILLIS) return;
    this.#listed = now;
    this.turn = turn;
    this.moment = this.#shown;
  }

  #say(moment: Moment | null): string {
    if (!moment || moment.seat === null) return '';
    const name = this.head.names[moment.seat - 1] ?? String(moment.seat);
    const answer = moment.answer?.trim().replace(/\s*\n\s*/g, ' · ') ?? '';
    const what = moment.fault ? speech.say(this.head.game.id, moment.fault) : answer;
    return what ? `${name}: ${what}` : fill(speech.words.tookTurn, { name });
  }

  #describe(): void {
    const picture = this.#pointer && this.picture();
    const scale = this.renderLoop?.painter.scale ?? 1;
    this.described =
      (picture &&
        this.#pointer &&
        this.board.describe({ ...picture, scale }, this.#pointer.x, this.#pointer.y)) ??
      '';
  }
}

const covers = ({ x, y, width, height }: Spot, at: { x: number; y: number }): boolean =>
  at.x >= x && at.y >= y && at.x < x + width && at.y < y + height;

/** How many turns a round has. */
function playersLeft(moment: Moment | null): number {
  const left = moment?.frame.players.filter(({ fate }) => fate === undefined || fate === 'alive').length ?? 2;
  return Math.max(1, left);
}
