/** Where planets stand on the board and how large they are. */

import { clamp, distance, type Point } from 'palestra/shapes';
import type { Frame, PlanetFrame } from '../frame';

export interface Layout {
  width: number;
  height: number;
  /** The radius that everything on the board is measured by. */
  radius: number;
  /** The middle of each planet, by number. */
  places: Point[];
}

/** How far a planet with all its rings and its glow reaches, in radii. */
export const REACH = 2.3;

/** From one ring to the next, in radii. */
export const RING = 0.18;

/** The longer side of every board; maps have units of any size. */
const LONG = 1000;

/** Even planets in one row get a board that is not too flat. */
const FLATTEST = 0.42;

export function layoutOf({ planets }: Pick<Frame, 'planets'>): Layout {
  const [left, right] = range(planets.map((planet) => planet.x));
  const [top, bottom] = range(planets.map((planet) => planet.y));
  const span = Math.max(right - left, bottom - top, 1);
  // Two planets with all their rings have room side by side, unless they would be specks.
  const size = clamp(nearest(planets) / 3.7, span * 0.018, span * 0.065);
  const margin = size * (REACH + 0.3);
  const unit = LONG / (span + 2 * margin);
  const width = Math.max((right - left + 2 * margin) * unit, LONG * FLATTEST);
  const height = Math.max((bottom - top + 2 * margin) * unit, LONG * FLATTEST);
  const places = planets.map(({ x, y }) => ({
    x: (x - (left + right) / 2) * unit + width / 2,
    y: (y - (top + bottom) / 2) * unit + height / 2,
  }));
  return { width, height, radius: size * unit, places };
}

/** The radius of the disc of a planet, without its rings. */
export function disc(layout: Layout, level: number): number {
  return layout.radius * (0.8 + 0.06 * Math.min(level, 3));
}

/** The radius of its outermost ring, the armour. */
export function rim(layout: Layout, level: number): number {
  return disc(layout, level) + layout.radius * (level === 0 ? 0 : RING * Math.min(level, 3) + 0.2);
}

/** The planet under a point, counted from 1; 0 if there is none. */
export function planetAt(layout: Layout, planets: PlanetFrame[], at: Point): number {
  let found = 0;
  let closest = Infinity;
  layout.places.forEach((place, index) => {
    const away = distance(place, at);
    const reach = rim(layout, planets[index]?.level ?? 0) + layout.radius * 0.35;
    if (away <= reach && away < closest) [found, closest] = [index + 1, away];
  });
  return found;
}

function range(values: number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function nearest(planets: PlanetFrame[]): number {
  let closest = Infinity;
  planets.forEach((a, index) => {
    for (const b of planets.slice(index + 1)) closest = Math.min(closest, distance(a, b));
  });
  return closest;
}
