/** Playing Auralux by hand: orders are gathered until the person ends the turn. */

import type { Control, Hands, Moment, Touch } from 'palestra/contract';
import { SelectionHands } from 'palestra/selection-hands';
import { clamp, distance, type Point } from 'palestra/shapes';
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

export class AuraluxHands extends SelectionHands<Frame> implements Hands<Frame> {
  orders: Order[] = [];
  gesture: Gesture | null = null;

  #layout: Layout | null = null;
  #share: Share = '100';
  #exact = 50;
  /** Whether something has happened since the last answer. */
  #stirred = false;
  /** Where the pointer went down, and on what. */
  #press: (Point & { planet: number }) | null = null;
  #tap = { planet: 0, time: 0 };
  /** Why the last order may not do what was meant by it. */
  #notice = '';

  get keys(): [string, string][] {
    const { say } = this;
    return [
      [say('keys_drag'), say('key_drag')],
      [say('keys_double'), say('key_double')],
      [say('keys_box'), say('key_box')],
      ['1 2 3 4', say('key_share')],
      ['5', say('key_exact')],
      ['A', say('key_all')],
      ['E', say('key_undo')],
      ['Q', say('key_clear')],
      ['O', say('key_at_once')],
    ];
  }

  see({ frame }: Moment<Frame>): void {
    this.#stirred ||= this.frame !== null && happened(this.frame, frame, this.seat);
    this.frame = frame;
    this.#layout ??= layoutOf(frame);
    for (const planet of this.selected) if (!this.#own(planet)) this.selected.delete(planet);
    this.orders = affordable(this.orders, frame, this.seat);
    this.changed();
  }

  pointer(touch: Touch): void {
    const { x, y, shift } = touch;
    if (!this.#layout || !this.frame) return;
    const planet = planetAt(this.#layout, this.frame.planets, touch);
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
    this.changed();
  }

  key(key: string, shift: boolean): boolean {
    this.#notice = '';
    const share = SHARES[Number(key) - 1];
    if (share) this.#share = share;
    else if (key.toLowerCase() === 'e') this.#takeBack();
    else if (key.toLowerCase() === 'q') this.#clear();
    else if (key.toLowerCase() === 'u') this.#improve([...this.selected], shift);
    else if (key.toLowerCase() === 'a') this.#selectAll();
    else if (key.toLowerCase() === 'o') this.atOnce = !this.atOnce;
    else return false;
    this.changed();
    return true;
  }

  controls(): Control[] {
    const press = (key: string) => () => void this.key(key, false);
    const choice: Control = {
      kind: 'choice',
      label: this.say('send'),
      options: SHARES.map((value, index) => ({
        value,
        label: value === 'exact' ? this.say('exactly') : `${value} %`,
        key: String(index + 1),
      })),
      value: this.#share,
      choose: (value) => press(String(SHARES.indexOf(value as Share) + 1))(),
    };
    const range: Control = {
      kind: 'range',
      label: this.say('ships_label'),
      min: 1,
      max: Math.max(1, this.#exact, ...this.#mine().map((planet) => this.#planet(planet)?.ships ?? 0)),
      step: 1,
      value: this.#exact,
      set: (value) => {
        this.#exact = value;
        this.changed();
      },
    };
    const none = this.orders.length === 0;
    return [
      choice,
      ...(this.#share === 'exact' ? [range] : []),
      this.button(this.say(this.#improveLabel()), 'U', {
        disabled: this.selected.size === 0,
        title: this.say('improve_about'),
      }),
      this.button(this.say('select_all'), 'A'),
      this.button(this.say('take_back'), 'E', { disabled: none }),
      this.button(this.say('clear'), 'Q', { disabled: none }),
      this.atOnceButton(this.say('at_once'), this.say('at_once_about')),
    ];
  }

  hint(): string {
    if (!this.frame) return '';
    if (this.#notice) return this.#notice;
    if (this.gesture?.kind === 'send') return this.#aimed(this.gesture.from, this.gesture.to);
    if (this.gesture) return this.say('let_go');
    const [first] = this.selected;
    if (first !== undefined && this.selected.size === 1) {
      const ahead = this.#improving(first) ? null : this.#improvement(first);
      const one = this.say('one_planet', { planet: first, n: this.#free(first) });
      return ahead ? `${one} ${this.say(`and_${ahead.verb}`, { n: ahead.ships })}` : one;
    }
    if (first !== undefined) {
      const ships = [...this.selected].reduce((sum, planet) => sum + this.#free(planet), 0);
      return this.say('some_planets', { planets: this.selected.size, n: ships });
    }
    return this.#captureHint() || this.say(this.orders.length > 0 ? 'end_or_add' : 'start');
  }

  queued(): string {
    return this.orders.length > 0 ? this.say('orders', { n: this.orders.length }) : '';
  }

  answer(force: boolean): string | null {
    if (!this.frame || (!force && !this.ready)) return null;
    this.#stirred = false;
    const lines = answerLines(affordable(this.orders, this.frame, this.seat), this.frame);
    this.#clear();
    this.changed();
    return [lines.length, ...lines, ''].join('\n');
  }

  stirred(): boolean {
    return this.#stirred;
  }

  refused(): void {
    this.#clear();
    this.changed();
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
    const places = this.#mine().flatMap((planet): [number, Point][] => {
      const place = this.#layout?.places[planet - 1];
      return place ? [[planet, place]] : [];
    });
    this.selectBetween(gesture.from, gesture.to, places, shift);
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
    } else {
      this.select(planet, shift);
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
      if (!ahead) this.#notice = this.say('whole', { planet });
      else this.#give({ from: planet, to: planet, ships: Math.min(free, ahead.ships) }, shift);
      if (ahead && ahead.verb !== 'repair' && free < ahead.ships) {
        this.#notice = this.say(`short_${ahead.verb}`, { planet, free, n: ahead.ships });
      }
    }
  }

  #improving(planet: number): boolean {
    return this.orders.some((order) => order.from === planet && order.to === planet);
  }

  #give(order: Order, shift: boolean): void {
    if (order.ships < 1) return;
    this.orders.push(order);
    this.ready = this.atOnce && !shift;
  }

  #takeBack(): void {
    this.orders.pop();
  }

  #clear(): void {
    this.orders = [];
    this.ready = false;
  }

  #selectAll(): void {
    for (const planet of this.#mine()) this.selected.add(planet);
  }

  #planet(planet: number): PlanetFrame | undefined {
    return this.frame?.planets[planet - 1];
  }

  #own(planet: number): boolean {
    return this.#planet(planet)?.owner === this.seat;
  }

  #mine(): number[] {
    const numbers = this.frame?.planets.map((_, index) => index + 1) ?? [];
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
    const [missing, cost] = [full_armor - armor, this.frame?.costs[level]];
    if (cost !== undefined && (missing === 0 || this.#free(planet) >= cost + missing)) {
      return { verb: level === 0 ? 'capture' : 'raise', ships: cost + missing };
    }
    return missing > 0 ? { verb: 'repair', ships: missing } : null;
  }

  /** A planet under one's ships makes none before it is captured: newcomers cannot guess that. */
  #captureHint(): string {
    for (const planet of this.#mine()) {
      const ships = this.frame?.costs[0];
      if (this.#planet(planet)?.level !== 0 || this.#improving(planet) || ships === undefined) continue;
      const free = this.#free(planet);
      return this.say(free >= ships ? 'capture_now' : 'capture_later', { planet, n: ships, free });
    }
    return '';
  }

  /** What the selected planets can be spent ships on, if it is the same for all. */
  #improveLabel(): string {
    const verbs = new Set([...this.selected].map((planet) => this.#improvement(planet)?.verb));
    const [verb] = verbs;
    return verbs.size === 1 && verb ? `improve_${verb}` : 'improve';
  }

  #aimed(from: number[], to: number): string {
    const sources = from.filter((planet) => planet !== to);
    const ships = sources.reduce((sum, planet) => sum + this.amount(planet), 0);
    if (!to) return this.say('aim', { n: ships });
    const [source] = sources;
    const [a, b] = [this.#planet(source ?? 0), this.#planet(to)];
    const known = a && b && sources.length === 1 && this.frame?.placed;
    if (!known) return this.say('aimed', { n: ships, planet: to });
    return this.say('aimed_far', { n: ships, planet: to, turns: Math.round(distance(a, b)) });
  }
}

/** Whether there is something new for a seat to act on: who holds what, fleets that have come or will, what it can afford. */
export function happened(before: Frame, now: Frame, seat: number): boolean {
  const own = (frame: Frame): number => frame.groups.filter(({ owner }) => owner === seat).length;
  const threats = (frame: Frame): number =>
    frame.groups.filter(({ owner, to }) => owner !== seat && frame.planets[to - 1]?.owner === seat).length;
  const affords = ({ ships, level }: PlanetFrame): boolean => ships >= (now.costs[level] ?? Infinity);
  const changed = now.planets.some((planet, index) => {
    const old = before.planets[index] ?? planet;
    if (old.owner !== planet.owner || old.level !== planet.level) return true;
    return planet.owner === seat && (planet.armor < old.armor || (affords(planet) && !affords(old)));
  });
  return changed || own(now) < own(before) || threats(now) > threats(before);
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
