/** Playing by hand: units are sent to cells and walk there by themselves, one step in each tick of theirs. */

import type { Control, Hands, Moment, Touch } from 'palestra/contract';
import { SelectionHands } from 'palestra/selection-hands';
import { clamp, distance, type Point } from 'palestra/shapes';
import type { Frame, FrameUnit, Kind } from '../frame';
import { NAMES } from './icons';
import { factoryOf, MARGIN } from './layout';
import { formation, march, type Step } from './march';

/** What the pointer that is held down would do if it were let go. */
export type Gesture = { kind: 'send'; to: Point } | { kind: 'box'; from: Point; to: Point };

const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** How far a touch may miss a unit, in cells. */
const NEAR = 1.2;

const KINDS: Kind[] = ['R', 'P', 'S'];

export class RpsHands extends SelectionHands<Frame> implements Hands<Frame> {
  /** The cells that units are on their way to, by unit. */
  readonly targets = new Map<number, Point>();
  /** Where new units go by themselves. */
  rally: Point | null = null;
  gesture: Gesture | null = null;

  /** A choice that has not been answered yet. */
  #kind: Kind | null = null;
  #press: Point | null = null;

  get keys(): [string, string][] {
    const { say } = this;
    return [
      [say('keys_click_unit'), say('key_click_unit')],
      [say('keys_drag'), say('key_drag')],
      [say('keys_send'), say('key_send')],
      [say('keys_rally'), say('key_rally')],
      [say('keys_arrows'), say('key_arrows')],
      ['R P S', say('key_produce')],
      ['A', say('key_all')],
      ['Q', say('key_stop')],
      ['O', say('key_at_once')],
    ];
  }

  see({ frame }: Moment<Frame>): void {
    const known = this.frame?.units ?? frame.units;
    this.frame = frame;
    const own = new Map(this.#own().map((unit) => [unit.id, unit]));
    const born = this.#own().filter((unit) => !known.some((other) => other.id === unit.id));
    if (this.rally) this.#sendAll(born, this.rally);
    for (const id of this.selected) if (!own.has(id)) this.selected.delete(id);
    for (const [id, target] of this.targets) {
      const unit = own.get(id);
      if (!unit || same(unit, target)) this.targets.delete(id);
    }
    this.changed();
  }

  pointer(touch: Touch): void {
    const at = { x: touch.x - MARGIN, y: touch.y - MARGIN };
    if (touch.kind === 'down') this.#press = at;
    const press = this.#press;
    if (!press || !this.frame) return;
    if (touch.kind === 'move' && (this.gesture || distance(press, at) > 0.45)) this.#drag(press, at);
    if (touch.kind === 'up') {
      if (this.gesture) this.#drop(this.gesture, touch.shift);
      else this.#tapped(at, touch.shift);
      this.gesture = this.#press = null;
    }
    this.changed();
  }

  key(key: string): boolean {
    const arrow = ARROWS[key];
    const kind = KINDS.find((one) => one === key.toUpperCase());
    if (arrow) this.#push(arrow);
    else if (kind) this.#produce(kind);
    else if (key.toLowerCase() === 'a') for (const { id } of this.#own()) this.selected.add(id);
    else if (key.toLowerCase() === 'q') this.#stop();
    else if (key.toLowerCase() === 'o') this.atOnce = !this.atOnce;
    else return false;
    this.changed();
    return true;
  }

  controls(): Control[] {
    return [
      {
        kind: 'choice',
        label: this.say('produce'),
        options: KINDS.map((kind) => ({ value: kind, label: this.say(NAMES[kind]), key: kind })),
        value: this.producing() ?? '',
        choose: (kind) => void this.key(kind),
      },
      this.button(this.say('select_all'), 'A'),
      this.button(this.say('stop'), 'Q', { disabled: this.targets.size === 0 }),
      this.atOnceButton(this.say('at_once'), this.say('at_once_about')),
    ];
  }

  hint(): string {
    if (!this.frame) return '';
    if (this.producing() === null) return this.say('choose_kind');
    if (this.gesture?.kind === 'box') return this.say('let_go');
    if (this.selected.size === 1) return this.say('one_selected');
    if (this.selected.size > 1) return this.say('some_selected', { n: this.selected.size });
    if (this.#blocked()) return this.say('blocked');
    if (this.#own().length === 0) return this.say('first_unit');
    return this.say(this.rally ? 'click_unit' : 'click_or_gather');
  }

  queued(): string {
    const walking = this.targets.size > 0 ? this.say('on_the_way', { n: this.targets.size }) : '';
    const making = this.#kind ? this.say('from_now_on', { what: this.say(NAMES[this.#kind]) }) : '';
    return [walking, making].filter(Boolean).join(', ');
  }

  answer(force: boolean): string | null {
    if (!this.frame || (!force && !this.ready)) return null;
    const moves = march(this.frame, this.targets).map((step) => `${step.unit} ${word(step, this.seat)}`);
    const production = this.#kind ? [`prod ${this.#kind}`] : [];
    this.#kind = null;
    this.ready = false;
    this.changed();
    return [...moves, ...production, '.', ''].join('\n');
  }

  refused(): void {
    this.targets.clear();
    this.#kind = null;
    this.changed();
  }

  /** What is produced, or will be. */
  producing(): Kind | null {
    return this.#kind ?? this.frame?.players[this.seat - 1]?.production?.kind ?? null;
  }

  #drag(press: Point, at: Point): void {
    const unit = this.#unitAt(cellOf(press));
    if (this.gesture?.kind === 'box' || !unit) {
      this.gesture = { kind: 'box', from: press, to: at };
      return;
    }
    if (!this.selected.has(unit.id)) {
      this.selected.clear();
      this.selected.add(unit.id);
    }
    this.gesture = { kind: 'send', to: this.#within(cellOf(at)) };
  }

  #drop(gesture: Gesture, shift: boolean): void {
    if (gesture.kind === 'send') {
      this.#send(gesture.to);
      return;
    }
    const own = this.#own().map((unit): [number, Point] => [unit.id, unit]);
    this.selectBetween(cellOf(gesture.from), cellOf(gesture.to), own, shift);
  }

  #tapped(at: Point, shift: boolean): void {
    const cell = cellOf(at);
    // Cells are small for fingers, so the first touch need only come near a unit.
    const unit = this.#unitAt(cell) ?? (this.selected.size === 0 ? this.#unitNear(at) : undefined);
    if (!unit) {
      if (same(cell, this.#within(cell))) this.#send(cell);
      else this.selected.clear();
    } else {
      this.select(unit.id, shift);
    }
  }

  #send(cell: Point): void {
    const units = this.#own().filter((unit) => this.selected.has(unit.id));
    if (units.length === 0) this.rally = this.rally && same(this.rally, cell) ? null : cell;
    this.#sendAll(units, cell);
    this.#given(units.length > 0);
  }

  #sendAll(units: FrameUnit[], cell: Point): void {
    const others = this.#own().filter((unit) => !units.includes(unit));
    const taken = others.map((unit) => this.targets.get(unit.id) ?? unit);
    const places = formation(units, cell, this.frame?.size ?? 0, taken);
    for (const [id, target] of places) this.targets.set(id, target);
  }

  #push({ x, y }: Point): void {
    const units = this.#own().filter((unit) => this.selected.has(unit.id));
    for (const unit of units) {
      const from = this.targets.get(unit.id) ?? unit;
      const target = this.#within({ x: from.x + x, y: from.y + y });
      if (same(target, unit)) this.targets.delete(unit.id);
      else this.targets.set(unit.id, target);
    }
    this.#given(units.length > 0);
  }

  #produce(kind: Kind): void {
    this.#kind = kind;
    this.#given(true);
  }

  #stop(): void {
    const units = this.selected.size > 0 ? this.selected : this.targets.keys();
    for (const id of [...units]) this.targets.delete(id);
  }

  #blocked(): boolean {
    const unit = this.#unitAt(factoryOf(this.seat, this.frame?.size ?? 1));
    return unit !== undefined && !this.targets.has(unit.id);
  }

  #given(something: boolean): void {
    this.ready ||= this.atOnce && something;
  }

  #own(): FrameUnit[] {
    return this.frame?.units.filter((unit) => unit.seat === this.seat) ?? [];
  }

  #unitAt(cell: Point): FrameUnit | undefined {
    return this.#own().find((unit) => same(unit, cell));
  }

  #unitNear(at: Point): FrameUnit | undefined {
    const away = ({ x, y }: Point): number => distance({ x: x + 0.5, y: y + 0.5 }, at);
    return this.#own()
      .filter((unit) => away(unit) < NEAR)
      .sort((a, b) => away(a) - away(b))[0];
  }

  #within({ x, y }: Point): Point {
    const last = (this.frame?.size ?? 1) - 1;
    return { x: clamp(x, 0, last), y: clamp(y, 0, last) };
  }
}

/** A step in the words of a seat's protocol. Frames show the starter's arena; the other seat's is turned half round. */
export function word({ dx, dy }: Step, seat: number): string {
  const turn = seat === 1 ? 1 : -1;
  if (dx !== 0) return dx * turn > 0 ? 'right' : 'left';
  return dy * turn > 0 ? 'down' : 'up';
}

function cellOf({ x, y }: Point): Point {
  return { x: Math.floor(x), y: Math.floor(y) };
}

function same(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}
