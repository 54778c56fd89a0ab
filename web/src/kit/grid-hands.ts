/** Playing a game of cells by hand: a selected cell, and a queue of what to do in the next turns. */

import type { BaseFrame, Control, Hands, Moment, Touch } from './contract';
import { beside, cellAt, kindAt, neighbours, unitsAt, walk } from './grid';
import type { Grid, GridGame } from './grid';
import type { Cell } from './grid-cells';
import type { Say } from './say';

/** How many units of a cell move: all but one, half, all, or this many. */
export type Amount = 'most' | 'half' | 'all' | number;

/** What one turn is used for. */
export type Step =
  | { kind: 'pass' }
  | { kind: 'move'; from: number; to: number; amount: Amount }
  /** `becomes` is what will look different. */
  | { kind: 'build'; at: number; building: string; becomes: Partial<Cell> };

export type Move = Extract<Step, { kind: 'move' }>;

const ARROWS: Record<string, readonly [rows: number, columns: number]> = {
  w: [-1, 0],
  arrowup: [-1, 0],
  a: [0, -1],
  arrowleft: [0, -1],
  s: [1, 0],
  arrowdown: [1, 0],
  d: [0, 1],
  arrowright: [0, 1],
};

export function amountOf(units: number, amount: Amount): number {
  if (amount === 'most') return Math.max(0, units - 1);
  if (amount === 'half') return Math.floor(units / 2);
  return amount === 'all' ? units : Math.min(units, amount);
}

export abstract class GridHands<F extends BaseFrame> implements Hands<F> {
  selected: number | null = null;
  /** For the next move only; then it is all but one again. */
  amount: Amount = 'most';
  queue: Step[] = [];

  /** What to tell before anything else; until the person does something. */
  protected message = '';
  protected grid: Grid | null = null;
  protected frame: F | null = null;
  /** What was answered and has not been seen to happen yet. */
  private taken: Step | null = null;
  /** Where the pointer went down; null when it is up. */
  private pressed: number | null = null;
  /** Moves queued since then by dragging; null when the pointer is still where it went down. */
  private dragged: number | null = null;

  constructor(
    protected readonly seat: number,
    private readonly changed: () => void,
    private readonly game: GridGame<F>,
    protected readonly say: Say,
  ) {}

  get keys(): [string, string][] {
    const { say } = this;
    return [
      [say('keys_arrows'), say('key_move')],
      [say('keys_shift'), say('key_select')],
      ['Z', say('key_half')],
      ['E', say('key_undo')],
      ['Q', say('key_clear')],
      [say('keys_space'), say('key_pass')],
    ];
  }

  /** The answer that takes a step; null if it is not allowed as things are. */
  protected abstract write(grid: Grid, step: Step): string | null;

  /** Cells that could be chosen for what is about to be built. */
  sites(): number[] {
    return [];
  }

  see(moment: Moment<F>): void {
    this.frame = moment.frame;
    this.grid = this.game.grid(moment.frame);
    this.taken = null;
    this.changed();
  }

  pointer({ kind, x, y, shift }: Touch): void {
    if (!this.grid) return;
    const cell = cellAt(this.grid, x, y);
    if (kind === 'down') {
      this.pressed = cell;
      this.dragged = null;
    } else if (this.pressed !== null && kind === 'move' && cell !== null) {
      this.drag(this.grid, this.pressed, cell);
    } else if (this.pressed !== null && kind === 'up') {
      if (this.dragged === null && cell === this.pressed) this.act(() => this.click(cell, shift));
      this.pressed = null;
    }
  }

  key(key: string, shift: boolean): boolean {
    const arrow = ARROWS[key.toLowerCase()];
    if (!arrow) return this.press(key.toLowerCase());
    this.act(() => this.steer(arrow, shift));
    return true;
  }

  controls(): Control[] {
    return [
      {
        kind: 'button',
        label: this.say('half'),
        key: 'Z',
        pressed: this.amount === 'half',
        title: this.say('half_about'),
        press: () => this.act(() => this.toggle('half')),
      },
      ...this.queueControls(),
    ];
  }

  protected queueControls(): Control[] {
    const none = this.queue.length === 0;
    return [
      {
        kind: 'button',
        label: this.say('take_back'),
        key: 'E',
        disabled: none,
        press: () => this.act(() => this.undo()),
      },
      {
        kind: 'button',
        label: this.say('clear'),
        key: 'Q',
        disabled: none,
        press: () => this.act(() => this.clear()),
      },
      {
        kind: 'button',
        label: this.say('pass'),
        key: this.say('keys_space'),
        press: () => this.act(() => this.pass()),
      },
    ];
  }

  hint(): string {
    if (this.message) return this.message;
    const player = this.frame?.players[this.seat - 1];
    if (player?.fate && player.fate !== 'alive') return this.say('out');
    if (this.frame?.to_move === null) return this.say('over');
    if (!this.grid || this.selected === null) return this.say('choose');
    if (this.reached(this.selected)) return this.say('go_on');
    if (!this.owns(this.selected)) return this.say('not_yours');
    const units = amountOf(unitsAt(this.grid, this.selected), this.amount);
    if (units === 0) return this.say('too_few');
    return this.say('move', { n: units });
  }

  queued(): string {
    const { length } = this.queue;
    if (length === 0) return '';
    const moves = this.queue.every((step) => step.kind === 'move');
    return this.say(moves ? 'moves_queued' : 'turns_queued', { n: length });
  }

  /** Whoever asks knows that the queue is different now: `changed` is not called. */
  answer(force: boolean): string | null {
    if (!this.grid) return null;
    for (let step = this.queue.shift(); step; step = this.queue.shift()) {
      const text = this.write(this.grid, step);
      if (text === null) continue;
      this.taken = step;
      return text;
    }
    if (!force) return null;
    this.taken = { kind: 'pass' };
    return this.write(this.grid, this.taken);
  }

  /** What was queued counted on the refused step, so nothing of it stays. */
  refused(): void {
    this.queue = [];
    if (this.taken?.kind === 'move') this.selected = this.taken.from;
    this.taken = null;
    this.changed();
  }

  /** Whatever a person does ends the last message. */
  protected act(deed: () => void): void {
    this.message = '';
    deed();
    this.changed();
  }

  protected owns(cell: number): boolean {
    return this.grid?.owners[cell] === this.seat;
  }

  /** How many units a queued move takes along; 0 if it is not allowed as things are. */
  protected units(grid: Grid, { from, to, amount }: Move): number {
    const allowed = this.owns(from) && neighbours(grid, from).includes(to) && kindAt(grid, to) !== 'M';
    return allowed ? amountOf(unitsAt(grid, from), amount) : 0;
  }

  protected click(cell: number, shift: boolean): void {
    const { grid, selected } = this;
    if (!grid) return;
    if (cell === selected) this.toggle('half');
    else if (
      !shift &&
      selected !== null &&
      neighbours(grid, selected).includes(cell) &&
      this.starts(selected)
    ) {
      this.enqueue(cell);
    } else this.select(this.owns(cell) || this.reached(cell) ? cell : null);
  }

  /** A key that is no arrow; false if it means nothing. */
  protected press(key: string): boolean {
    const deed = {
      z: () => this.toggle('half'),
      e: () => this.undo(),
      q: () => this.clear(),
      ' ': () => this.pass(),
    }[key];
    if (deed) this.act(deed);
    return deed !== undefined;
  }

  protected toggle(amount: Amount): void {
    this.amount = this.amount === amount ? 'most' : amount;
  }

  /** What is being played or queued will have taken this cell. */
  private reached(cell: number): boolean {
    const steps = this.taken ? [this.taken, ...this.queue] : this.queue;
    return steps.some((step) => step.kind === 'move' && step.to === cell);
  }

  /** Whether a move could start here, now or when the queue gets there. */
  private starts(cell: number): boolean {
    if (this.reached(cell)) return true;
    return !!this.grid && this.owns(cell) && amountOf(unitsAt(this.grid, cell), this.amount) > 0;
  }

  protected select(cell: number | null): void {
    this.selected = cell;
    this.amount = 'most';
  }

  /** Queues a move from the selected cell to the one beside it; false where that is impossible. */
  private enqueue(to: number): boolean {
    const from = this.selected;
    if (!this.grid || from === null || kindAt(this.grid, to) === 'M' || !this.starts(from)) return false;
    this.queue.push({ kind: 'move', from, to, amount: this.amount });
    this.select(to);
    return true;
  }

  private steer([rows, columns]: readonly [number, number], only: boolean): void {
    if (!this.grid) return;
    if (this.selected === null) {
      this.select(this.home(this.grid));
      return;
    }
    const next = beside(this.grid, this.selected, rows, columns);
    if (next === null) return;
    if (only || !this.starts(this.selected)) this.select(next);
    else this.enqueue(next);
  }

  /** Where to begin: the own capital, or else the largest army. */
  private home(grid: Grid): number | null {
    let best: number | null = null;
    for (const cell of grid.owners.keys()) {
      if (!this.owns(cell)) continue;
      if (kindAt(grid, cell) === 'C') return cell;
      if (best === null || unitsAt(grid, cell) > unitsAt(grid, best)) best = cell;
    }
    return best;
  }

  private drag(grid: Grid, pressed: number, cell: number): void {
    if (this.dragged === null) {
      if (cell === pressed) return;
      if (pressed !== this.selected) {
        if (!this.starts(pressed)) return;
        this.select(pressed);
      }
      this.dragged = 0;
    }
    if (cell === this.selected) return;
    this.act(() => {
      for (const next of walk(grid, this.selected ?? pressed, cell)) if (!this.pull(next)) break;
    });
  }

  /** One cell further with the pointer; back to where it came from takes the move back. */
  private pull(next: number): boolean {
    const last = this.queue.at(-1);
    const dragged = this.dragged ?? 0;
    if (dragged > 0 && last?.kind === 'move' && last.from === next) {
      this.undo();
      this.dragged = dragged - 1;
      return true;
    }
    if (!this.enqueue(next)) return false;
    this.dragged = dragged + 1;
    return true;
  }

  private undo(): void {
    const step = this.queue.pop();
    if (step?.kind === 'move') this.select(step.from);
  }

  private clear(): void {
    const first = this.queue.find((step) => step.kind === 'move');
    if (first) this.select(first.from);
    this.queue = [];
  }

  private pass(): void {
    this.queue.unshift({ kind: 'pass' });
  }
}
