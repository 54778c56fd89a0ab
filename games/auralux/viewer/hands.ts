/** Playing Auralux by hand: orders are gathered until the person ends the turn. */

import type { Control, Hands, Moment, Touch } from 'palestra/contract';
import { clamp, distance, plural, type Point } from 'palestra/shapes';
import type { Frame, PlanetFrame } from '../frame';
import { layoutOf, planetAt, type Layout } from './layout';

/** Planets count from 1; an order from a planet to itself spends ships on it. */
export interface Order {
  from: number;
  to: number;
  ships: number;
}

/** What the pointer that is held down would do if it were let go. */
export type Gesture =
  { kind: 'send'; from: number[]; to: number; at: Point } | { kind: 'box'; from: Point; to: Point };

const SHARES = ['25', '50', '75', '100', 'exact'] as const;
type Share = (typeof SHARES)[number];

const DOUBLE_TAP = 400;

export class AuraluxHands implements Hands<Frame> {
  readonly keys: [string, string][] = [
    ['Drag from a planet to another', 'send ships'],
    ['Double click on a planet', 'capture, raise or repair it (also U)'],
    ['Drag on empty space', 'select planets; a drag from one then sends from all'],
    ['1 2 3 4', 'send 25, 50, 75 or 100 percent'],
    ['5', 'send an exact number'],
    ['A', 'select all your planets'],
    ['E', 'take back the last order'],
    ['Q', 'take back all orders'],
    ['O', 'orders at once: an order ends the turn, unless Shift is held'],
  ];
  readonly selected = new Set<number>();
  orders: Order[] = [];
  gesture: Gesture | null = null;

  readonly #seat: number;
  readonly #changed: () => void;
  #frame: Frame | null = null;
  #layout: Layout | null = null;
  #share: Share = '100';
  #exact = 50;
  #atOnce = false;
  /** Whether there is an order that is to end the turn. */
  #ready = false;
  /** Where the pointer went down, and on what. */
  #press: (Point & { planet: number }) | null = null;
  #tap = { planet: 0, time: 0 };
  /** Why the last order may not do what was meant by it. */
  #notice = '';

  constructor(seat: number, changed: () => void) {
    this.#seat = seat;
    this.#changed = changed;
  }

  see({ frame }: Moment<Frame>): void {
    this.#frame = frame;
    this.#layout ??= layoutOf(frame);
    for (const planet of this.selected) if (!this.#own(planet)) this.selected.delete(planet);
    this.orders = affordable(this.orders, frame, this.#seat);
    this.#changed();
  }

  pointer(touch: Touch): void {
    const { x, y, shift } = touch;
    if (!this.#layout || !this.#frame) return;
    const planet = planetAt(this.#layout, this.#frame.planets, touch);
    if (touch.kind === 'down') {
      this.#press = { x, y, planet };
      this.#notice = '';
    }
    const press = this.#press;
    if (!press) return;
    if (touch.kind === 'move') {
      const still = !this.gesture && distance(press, touch) < this.#layout.radius * 0.5;
      if (!still) this.gesture = this.#drag(press, touch, planet);
    }
    if (touch.kind === 'up') {
      if (this.gesture) this.#drop(this.gesture, shift);
      else this.#tapped(planet, shift);
      this.gesture = this.#press = null;
    }
    this.#changed();
  }

  key(key: string, shift: boolean): boolean {
    this.#notice = '';
    const share = SHARES[Number(key) - 1];
    if (share) this.#share = share;
    else if (key.toLowerCase() === 'e') this.#takeBack();
    else if (key.toLowerCase() === 'q') this.#clear();
    else if (key.toLowerCase() === 'u') this.#improve([...this.selected], shift);
    else if (key.toLowerCase() === 'a') this.#selectAll();
    else if (key.toLowerCase() === 'o') this.#atOnce = !this.#atOnce;
    else return false;
    this.#changed();
    return true;
  }

  controls(): Control[] {
    const press = (key: string) => () => void this.key(key, false);
    const choice: Control = {
      kind: 'choice',
      label: 'Send',
      options: SHARES.map((value, index) => ({
        value,
        label: value === 'exact' ? 'Exactly' : `${value} %`,
        key: String(index + 1),
      })),
      value: this.#share,
      choose: (value) => press(String(SHARES.indexOf(value as Share) + 1))(),
    };
    const range: Control = {
      kind: 'range',
      label: 'Ships',
      min: 1,
      max: Math.max(1, this.#exact, ...this.#mine().map((planet) => this.#planet(planet)?.ships ?? 0)),
      step: 1,
      value: this.#exact,
      set: (value) => {
        this.#exact = value;
        this.#changed();
      },
    };
    const none = this.orders.length === 0;
    return [
      choice,
      ...(this.#share === 'exact' ? [range] : []),
      {
        kind: 'button',
        label: 'Raise or repair',
        key: 'U',
        disabled: this.selected.size === 0,
        title: 'Spend ships on the selected planets: capture, raise or repair them',
        press: press('u'),
      },
      { kind: 'button', label: 'Select all', key: 'A', press: press('a') },
      {
        kind: 'button',
        label: 'Take back',
        key: 'E',
        disabled: none,
        press: press('e'),
      },
      { kind: 'button', label: 'Clear', key: 'Q', disabled: none, press: press('q') },
      {
        kind: 'button',
        label: 'At once',
        key: 'O',
        pressed: this.#atOnce,
        title: 'An order ends the turn, unless Shift is held',
        press: press('o'),
      },
    ];
  }

  hint(): string {
    if (!this.#frame) return '';
    if (this.#notice) return this.#notice;
    if (this.gesture?.kind === 'send') return this.#aimed(this.gesture.from, this.gesture.to);
    if (this.gesture) return 'Let go to select your planets in the box.';
    const [first] = this.selected;
    if (first !== undefined && this.selected.size === 1) {
      const free = plural(this.#free(first), 'free ship');
      const ahead = this.#improving(first) ? null : this.#improvement(first);
      const more = ahead ? ` Double-click to ${ahead.verb} it: ${plural(ahead.ships, 'ship')}.` : '';
      return `Planet ${first}, ${free}: drag to a planet to send some.${more}`;
    }
    if (first !== undefined) {
      const ships = [...this.selected].reduce((sum, planet) => sum + this.#free(planet), 0);
      return `${plural(this.selected.size, 'planet')}, ${plural(ships, 'free ship')}: drag from one of them to a target.`;
    }
    if (this.orders.length > 0) return 'End the turn to give your orders, or add more.';
    return 'Drag from one of your planets to another to send ships; double-click one to raise or repair it.';
  }

  queued(): string {
    return this.orders.length > 0 ? plural(this.orders.length, 'order') : '';
  }

  answer(force: boolean): string | null {
    if (!this.#frame || (!force && !this.#ready)) return null;
    const lines = answerLines(affordable(this.orders, this.#frame, this.#seat), this.#frame);
    this.#clear();
    this.#changed();
    return [lines.length, ...lines, ''].join('\n');
  }

  refused(): void {
    this.#clear();
    this.#changed();
  }

  /** How many ships an order from there would send now. */
  amount(from: number): number {
    const free = this.#free(from);
    const wanted = this.#share === 'exact' ? this.#exact : Math.floor((free * Number(this.#share)) / 100);
    return clamp(wanted, Math.min(1, free), free);
  }

  #drag(press: Point & { planet: number }, at: Point, planet: number): Gesture {
    if (!this.#own(press.planet)) return { kind: 'box', from: press, to: { x: at.x, y: at.y } };
    const from = this.selected.has(press.planet) ? [...this.selected] : [press.planet];
    return {
      kind: 'send',
      from,
      to: planet === press.planet ? 0 : planet,
      at: { x: at.x, y: at.y },
    };
  }

  #drop(gesture: Gesture, shift: boolean): void {
    if (gesture.kind === 'send') {
      if (gesture.to) this.#send(gesture.from, gesture.to, shift);
      return;
    }
    if (!shift) this.selected.clear();
    const within = (value: number, a: number, b: number): boolean =>
      value >= Math.min(a, b) && value <= Math.max(a, b);
    for (const planet of this.#mine()) {
      const place = this.#layout?.places[planet - 1];
      const { from, to } = gesture;
      if (place && within(place.x, from.x, to.x) && within(place.y, from.y, to.y)) this.selected.add(planet);
    }
  }

  #tapped(planet: number, shift: boolean): void {
    const time = performance.now();
    const twice = planet > 0 && planet === this.#tap.planet && time - this.#tap.time < DOUBLE_TAP;
    this.#tap = { planet: twice ? 0 : planet, time };
    if (!this.#own(planet)) {
      if (planet) this.#send([...this.selected], planet, shift);
      else this.selected.clear();
    } else if (twice) {
      this.#improve([planet], shift);
    } else if (shift && this.selected.has(planet)) {
      this.selected.delete(planet);
    } else {
      if (!shift) this.selected.clear();
      this.selected.add(planet);
    }
  }

  #send(from: number[], to: number, shift: boolean): void {
    for (const planet of from) {
      if (planet !== to && this.#own(planet))
        this.#give({ from: planet, to, ships: this.amount(planet) }, shift);
    }
  }

  #improve(planets: number[], shift: boolean): void {
    for (const planet of planets) {
      const ahead = this.#improvement(planet);
      const free = this.#free(planet);
      if (this.#improving(planet)) continue;
      if (!ahead) this.#notice = `Planet ${planet} is whole and cannot be raised further.`;
      else this.#give({ from: planet, to: planet, ships: Math.min(free, ahead.ships) }, shift);
      if (ahead && ahead.verb !== 'repair' && free < ahead.ships) {
        this.#notice = `Planet ${planet} has ${free} of the ${ahead.ships} ships it takes to ${ahead.verb} it.`;
      }
    }
  }

  #improving(planet: number): boolean {
    return this.orders.some((order) => order.from === planet && order.to === planet);
  }

  #give(order: Order, shift: boolean): void {
    if (order.ships < 1) return;
    this.orders.push(order);
    this.#ready = this.#atOnce && !shift;
  }

  #takeBack(): void {
    this.orders.pop();
  }

  #clear(): void {
    this.orders = [];
    this.#ready = false;
  }

  #selectAll(): void {
    for (const planet of this.#mine()) this.selected.add(planet);
  }

  #planet(planet: number): PlanetFrame | undefined {
    return this.#frame?.planets[planet - 1];
  }

  #own(planet: number): boolean {
    return this.#planet(planet)?.owner === this.#seat;
  }

  #mine(): number[] {
    const numbers = this.#frame?.planets.map((_, index) => index + 1) ?? [];
    return numbers.filter((planet) => this.#own(planet));
  }

  /** Ships on a planet that no order has been given for. */
  #free(planet: number): number {
    const given = this.orders.filter((order) => order.from === planet);
    return (this.#planet(planet)?.ships ?? 0) - given.reduce((sum, order) => sum + order.ships, 0);
  }

  /** What an order on the spot would do, and the ships that it takes, as far as one can tell. */
  #improvement(planet: number): { verb: 'capture' | 'raise' | 'repair'; ships: number } | null {
    const { level, armor, full_armor } = this.#planet(planet) ?? { level: 3, armor: 0, full_armor: 0 };
    const [missing, cost] = [full_armor - armor, this.#frame?.costs[level]];
    if (cost !== undefined && (missing === 0 || this.#free(planet) >= cost + missing)) {
      return { verb: level === 0 ? 'capture' : 'raise', ships: cost + missing };
    }
    return missing > 0 ? { verb: 'repair', ships: missing } : null;
  }

  #aimed(from: number[], to: number): string {
    const sources = from.filter((planet) => planet !== to);
    const ships = sources.reduce((sum, planet) => sum + this.amount(planet), 0);
    if (!to) return `${plural(ships, 'ship')}: let go over a planet to send them there.`;
    const [source] = sources;
    const [a, b] = [this.#planet(source ?? 0), this.#planet(to)];
    const known = a && b && sources.length === 1 && this.#frame?.placed;
    const turns = known ? `, ${plural(Math.round(distance(a, b)), 'turn')}` : '';
    return `${plural(ships, 'ship')} to planet ${to}${turns}.`;
  }
}

/** The orders that can still be carried out, each with the ships that are there for it. */
export function affordable(orders: Order[], { planets }: Frame, seat: number): Order[] {
  const left = planets.map((planet) => (planet.owner === seat ? planet.ships : 0));
  const kept: Order[] = [];
  for (const { from, to, ships } of orders) {
    const possible = Math.min(ships, left[from - 1] ?? 0);
    if (possible < 1) continue;
    left[from - 1] = (left[from - 1] ?? 0) - possible;
    kept.push({ from, to, ships: possible });
  }
  return kept;
}

/**
 * Orders on the spot come last and offer all that is left on the planet: the rules take only what they need of it, so
 * whatever a match is set to charge, no other order comes to lack ships.
 */
export function answerLines(orders: Order[], { planets }: Frame): string[] {
  const left = planets.map((planet) => planet.ships);
  const routes = new Map<string, number>();
  for (const { from, to, ships } of orders) {
    if (from === to) continue;
    const route = `${from} ${to}`;
    routes.set(route, (routes.get(route) ?? 0) + ships);
    left[from - 1] = (left[from - 1] ?? 0) - ships;
  }
  const spots = orders.filter((order) => order.from === order.to);
  return [
    ...[...routes].map(([route, ships]) => `${route} ${ships}`),
    ...spots.map(({ from }) => `${from} ${from} ${left[from - 1] ?? 0}`),
  ];
}
