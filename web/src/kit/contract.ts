/**
 * What a game's `viewer.ts` and the player shell owe each other.
 *
 * A game draws one moment and, for people who play by hand, turns clicks and keys into an answer. Everything else
 * (playing, seeking, charts, players, fog, themes, live games) is the shell's, and knows no game by name.
 */

import type { Message } from '../api';
import type { Say } from './say';

/** The part of a frame that the shell itself reads; every game's frame has it. */
export interface BaseFrame {
  players: { fate?: string | undefined; reason?: Message | undefined }[];
  /** Whose turn it is; null when the game is over. */
  to_move: number | null;
}

/** What there is to show after one turn (turn 0 is the beginning). Never changed once it is there. */
export interface Moment<F extends BaseFrame = BaseFrame> {
  turn: number;
  /** Who took this turn; null at the beginning, and in logs that do not say. */
  seat: number | null;
  round: number;
  /** The answer as the game understood it, where these eyes may know it. */
  answer?: string;
  /** What went wrong instead of an answer. */
  fault?: Message;
  frame: F;
}

/** How one seat looks, everywhere: a colour and, for those who cannot tell colours apart, a letter and a pattern. */
export interface SeatLook {
  /** For areas; `#rrggbb`. */
  fill: string;
  /** For text on that area. */
  ink: string;
  /** A darker or lighter shade of `fill` for outlines on the background of the theme. */
  edge: string;
  /** `A` for seat 1, and so on. */
  letter: string;
  /** A transparent hatching to lay over `fill`; each seat's is different. Tiles in device pixels. */
  pattern: CanvasPattern | null;
}

/** Colours of the page, light or dark. */
export interface Theme {
  dark: boolean;
  /** The page behind the board. */
  page: string;
  /** The empty board. */
  ground: string;
  /** Lines between cells. */
  line: string;
  /** Nobody's things that can be taken. */
  neutral: string;
  /** Mountains, obstacles. */
  solid: string;
  /** Over what cannot be seen. */
  fog: string;
  /** Text on the ground. */
  text: string;
  /** Less important text. */
  faint: string;
  /** What is selected, or asks for attention. */
  accent: string;
  /** How seat 1, 2, … looks. Seat 0 is nobody. */
  seat(seat: number): SeatLook;
}

/** A line of what a seat was sent, counted from 0, and the part of the board that it is about. */
export interface Spot {
  line: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One drawing layer, already scaled: one unit is one unit of {@link Board.extent}. */
export type Layer = CanvasRenderingContext2D;

/** Everything that a drawing depends on. */
export interface Scene<F extends BaseFrame = BaseFrame, H = unknown> {
  /** The moment to show. */
  now: Moment<F>;
  /** The moment one turn before, if it is there; movement starts from it. */
  before: Moment<F> | null;
  /** How far the movement from `before` to `now` has come: 0 to 1. Always 1 with movement turned off, or at rest. */
  progress: number;
  /** Whether time is running; at rest everything is drawn exactly where it is. */
  playing: boolean;
  /** Up to `turns` moments that end with `now`, oldest first; fewer where they have not been loaded. */
  history(turns: number): Moment<F>[];
  /** How long a turn is shown, in milliseconds; fine detail is not worth drawing below some 30. */
  turnMillis: number;
  theme: Theme;
  /** Whether to lay the seats' patterns over their areas and show letters. */
  patterns: boolean;
  /** Whether it must be readable from the back of a lecture hall. */
  projector: boolean;
  /** Pixels of the device per unit of the board, to decide what is too small to draw. */
  scale: number;
  /** Whose eyes: null is a spectator. */
  eye: number | null;
  /** The bots' names by seat, the first at index 0. */
  names: string[];
  /** Milliseconds since the page was opened, for pulsing things. Only moves while something is animated. */
  clock: number;
  /** The hands of the person playing, if somebody is. */
  hands: H | null;
  /** Where the pointer is, in units of the board; null when it is elsewhere. */
  pointer: { x: number; y: number } | null;
}

/**
 * Draws moments. Made once per match; may remember what it has drawn.
 *
 * There are two layers. `ground` keeps what was drawn until it is drawn over, so that only what changed need be drawn;
 * `air` above it is empty at every call, for what moves.
 */
export interface Board<F extends BaseFrame = BaseFrame, H = unknown> {
  /** The size of the board in its own units (cells, map units). Constant for a match. */
  extent(frame: F): { width: number; height: number };
  /** `fresh` is true when the ground layer is blank: at the first call, after a resize, a new theme. */
  draw(ground: Layer, air: Layer, scene: Scene<F, H>, fresh: boolean): void;
  /** One line about what is under the pointer, in plain text; null for nothing. For people and for screen readers. */
  describe(scene: Scene<F, H>, x: number, y: number): string | null;
  /** Where the board shows what the lines tell that this seat was sent. */
  spots?(sent: string[], frame: F, seat: number): Spot[];
}

/** A pointer on the board, in units of the board. */
export interface Touch {
  kind: 'down' | 'move' | 'up';
  x: number;
  y: number;
  shift: boolean;
}

/** A control that a game asks the shell to show while a person plays. */
export type Control =
  | {
      kind: 'button';
      label: string;
      key?: string;
      pressed?: boolean;
      disabled?: boolean;
      title?: string;
      press(): void;
    }
  | {
      kind: 'choice';
      label: string;
      options: { value: string; label: string; key?: string }[];
      value: string;
      choose(value: string): void;
    }
  | {
      kind: 'range';
      label: string;
      min: number;
      max: number;
      step: number;
      value: number;
      unit?: string;
      set(value: number): void;
    };

/** What a person's clicks and keys have come to so far. */
export interface Hands<F extends BaseFrame = BaseFrame> {
  /** A new moment is there, as this seat sees it. */
  see(moment: Moment<F>): void;
  pointer(touch: Touch): void;
  /** A key (as in KeyboardEvent.key); true if it meant something. The shell keeps Enter, Escape, `?` and Tab. */
  key(key: string, shift: boolean): boolean;
  /** Buttons and sliders of this game, as they stand. */
  controls(): Control[];
  /** One line that says what is selected or what to do next. */
  hint(): string;
  /** What waits to be played, for people: "3 moves queued". Empty if nothing. */
  queued(): string;
  /**
   * The text of an answer in the game's protocol if one is ready, else null; asked when it is this seat's turn.
   * Taking it removes it from the queue. `force` is the person ending the turn (Enter, the button, or the tempo):
   * then the answer is what there is, or the one that does nothing.
   */
  answer(force: boolean): string | null;
  /** The answer was refused; put things right. */
  refused(why: string): void;
  /** Keys for the help page: [key, what it does]. */
  readonly keys: [string, string][];
  /**
   * Whether something has happened since the last answer that the person may want to act on. Where a game has this,
   * turns without it can be skipped.
   */
  stirred?(): boolean;
}

/** What `games/<id>/viewer.ts` exports by default. */
export interface GameViewer<F extends BaseFrame = BaseFrame, H extends Hands<F> = Hands<F>> {
  board(say: Say): Board<F, H>;
  /** `changed` must be called whenever something that is drawn, listed or answered has changed. */
  hands(seat: number, changed: () => void, say: Say): H;
}
