/** Fleets as darts, with their tails, their routes and their numbers. */

import type { Layer, Scene } from 'palestra/contract';
import { mix } from 'palestra/palette';
import { between, clamp, distance, short, stamp, type Bitmaps, type Point } from 'palestra/shapes';
import type { Fleet } from './flights';
import type { Frame } from '../frame';
import type { Layout } from './layout';

/** More would be a thicket. */
const MOST_NUMBERS = 40;

/** A fleet on the board. */
export interface Dart {
  fleet: Fleet;
  at: Point;
  /** The direction it flies in, one unit long. */
  ahead: Point;
  /** Half its length. */
  size: number;
  /** How long the way behind it is. */
  behind: number;
}

/** Fleets keep to the right of their lane, so that those of both directions can be told apart. */
export function dart(layout: Layout, fleet: Fleet): Dart {
  const { radius, places } = layout;
  const from = places[fleet.from - 1] ?? { x: 0, y: 0 };
  const to = places[fleet.to - 1] ?? { x: 1, y: 0 };
  const whole = Math.max(distance(from, to), 0.001);
  const ahead = { x: (to.x - from.x) / whole, y: (to.y - from.y) / whole };
  const gap = Math.min(radius * 1.25, whole * 0.4);
  const share = (gap + (whole - 2 * gap) * (1 - fleet.left / fleet.distance)) / whole;
  const middle = between(from, to, share);
  const aside = radius * 0.3;
  const at = { x: middle.x - ahead.y * aside, y: middle.y + ahead.x * aside };
  const size = radius * clamp(0.27 + 0.05 * Math.sqrt(fleet.ships), 0.32, 1.1);
  return { fleet, at, ahead, size, behind: share * whole - gap };
}

export function flying(air: Layer, layout: Layout, { theme }: Scene<Frame>, darts: Dart[]): void {
  for (const [owner, own] of byOwner(darts)) {
    const look = theme.seat(owner);
    air.fillStyle = look.fill;
    air.globalAlpha = theme.dark ? 0.4 : 0.3;
    for (const one of own) {
      tail(air, one);
      air.fill();
    }
    air.globalAlpha = 1;
    air.strokeStyle = theme.dark ? look.edge : mix(look.fill, '#000000', 0.3);
    air.lineWidth = layout.radius * 0.07;
    air.lineJoin = 'round';
    for (const one of own) {
      head(air, one);
      air.fill();
      air.stroke();
    }
  }
}

function head(air: Layer, { at, ahead, size }: Dart): void {
  const point = (forward: number, side: number): [number, number] => [
    at.x + size * (ahead.x * forward - ahead.y * side),
    at.y + size * (ahead.y * forward + ahead.x * side),
  ];
  air.beginPath();
  air.moveTo(...point(1, 0));
  air.lineTo(...point(-0.8, 0.7));
  air.lineTo(...point(-0.4, 0));
  air.lineTo(...point(-0.8, -0.7));
  air.closePath();
}

/** Where it has just come from. */
function tail(air: Layer, { at, ahead, size, behind }: Dart): void {
  const length = Math.min(3.2 * size, behind);
  air.beginPath();
  air.moveTo(at.x - ahead.y * size * 0.45, at.y + ahead.x * size * 0.45);
  air.lineTo(at.x - ahead.x * (length + size * 0.4), at.y - ahead.y * (length + size * 0.4));
  air.lineTo(at.x + ahead.y * size * 0.45, at.y - ahead.x * size * 0.45);
  air.closePath();
}

/** Where fleets are bound for; a fresh order shows from end to end. One line serves all fleets of a route. */
export function routes(air: Layer, layout: Layout, scene: Scene<Frame>, darts: Dart[]): void {
  const { theme, playing, progress, now } = scene;
  const resting = !playing && progress === 1;
  air.lineWidth = layout.radius * 0.08;
  for (const [owner, own] of byOwner(darts)) {
    const last = new Map<number, Dart>();
    for (const one of own) last.set(one.fleet.from * 256 + one.fleet.to, one);
    air.strokeStyle = theme.seat(owner).fill;
    for (const fresh of [false, true]) {
      air.globalAlpha = fresh ? 0.6 : 0.16;
      air.setLineDash(fresh ? [layout.radius * 0.3, layout.radius * 0.22] : []);
      air.beginPath();
      for (const { fleet, at } of last.values()) {
        const launched = fleet.distance - fleet.left < 1 && (!resting || owner === now.seat);
        const to = layout.places[fleet.to - 1];
        const from = launched ? layout.places[fleet.from - 1] : at;
        if (launched !== fresh || !from || !to) continue;
        air.moveTo(from.x, from.y);
        air.lineTo(to.x, to.y);
      }
      air.stroke();
    }
  }
  air.setLineDash([]);
  air.globalAlpha = 1;
}

/** Numbers beside the largest fleets; one that finds no room is left out. */
export function counts(
  air: Layer,
  bitmaps: Bitmaps,
  layout: Layout,
  scene: Scene<Frame>,
  darts: Dart[],
): void {
  const { theme, scale, projector, patterns } = scene;
  const taken: Room[] = layout.places.map((place) => ({
    ...place,
    width: 2 * layout.radius,
    height: 2 * layout.radius,
  }));
  const size = Math.max(layout.radius * (projector ? 0.78 : 0.6) * scale, 10);
  const largest = [...darts].sort((a, b) => b.fleet.ships - a.fleet.ships).slice(0, MOST_NUMBERS);
  for (const { fleet, at, ahead, size: half } of largest) {
    const letter = patterns ? theme.seat(fleet.owner).letter : '';
    const bitmap = bitmaps.text(letter + short(fleet.ships), size, theme.text, theme.ground);
    const [width, height] = [(bitmap.width / scale) * 0.8, (bitmap.height / scale) * 0.7];
    for (const side of [1, -1]) {
      const away = side * (half * 0.55 + (Math.abs(ahead.y) * width + Math.abs(ahead.x) * height) / 2);
      const room = { x: at.x - ahead.y * away, y: at.y + ahead.x * away, width, height };
      if (taken.some((other) => overlap(room, other))) continue;
      taken.push(room);
      stamp(air, bitmap, room, scale);
      break;
    }
  }
}

function byOwner(darts: Dart[]): Map<number, Dart[]> {
  const found = new Map<number, Dart[]>();
  for (const one of darts) {
    const own = found.get(one.fleet.owner);
    if (own) own.push(one);
    else found.set(one.fleet.owner, [one]);
  }
  return found;
}

/** A rectangle by its middle. */
interface Room extends Point {
  width: number;
  height: number;
}

function overlap(a: Room, b: Room): boolean {
  return Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;
}
