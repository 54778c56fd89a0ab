/** The board of Auralux: planets on the ground, fleets and orders in the air. */

import type { Board, Layer, Scene, Spot } from 'palestra/contract';
import type { Say } from 'palestra/say';
import { Bitmaps, burst, circle, distance, seatName } from 'palestra/shapes';
import { counts, dart, flying, routes } from './darts';
import { events, fleets, previous } from './flights';
import type { Frame, PlanetFrame } from '../frame';
import type { AuraluxHands } from './hands';
import { layoutOf, planetAt, type Layout } from './layout';
import { Planets } from './planets';
import { plans } from './plans';
import { spots } from './spots';

type View = Scene<Frame, AuraluxHands>;

export class AuraluxBoard implements Board<Frame, AuraluxHands> {
  readonly #bitmaps = new Bitmaps();
  #layout: Layout | null = null;
  #planets: Planets | null = null;

  constructor(private readonly say: Say) {}

  extent(frame: Frame): { width: number; height: number } {
    return this.#laidOut(frame);
  }

  draw(ground: Layer, air: Layer, scene: View, fresh: boolean): void {
    const layout = this.#laidOut(scene.now.frame);
    if (fresh) this.#bitmaps.clear();
    this.#planets ??= new Planets(layout, this.#bitmaps);
    const planets = shownPlanets(scene);
    this.#planets.draw(ground, scene, planets, fresh);

    const darts = fleets(scene).map((fleet) => dart(layout, fleet));
    routes(air, layout, scene, darts);
    flying(air, layout, scene, darts);
    // A fleet that passes over a planet must not hide what is on it.
    layout.places.forEach((place, index) => {
      const planet = planets[index];
      const hidden = darts.some(({ at, size }) => distance(at, place) < layout.radius * 0.8 + size);
      if (planet && hidden) this.#planets?.count(air, scene, planet, place);
    });
    counts(air, this.#bitmaps, layout, scene, darts);
    if (scene.turnMillis >= 30) bursts(air, layout, scene);
    if (scene.hands) plans(air, this.#bitmaps, layout, scene, scene.hands);
  }

  describe(scene: View, x: number, y: number): string | null {
    const layout = this.#laidOut(scene.now.frame);
    const { planets } = scene.now.frame;
    const number = planetAt(layout, planets, { x, y });
    const planet = planets[number - 1];
    if (planet) return describePlanet(this.say, seatName(scene, planet.owner), planet, number);
    const near = fleets(scene).map((fleet) => dart(layout, fleet));
    const found = near.find(({ at, size }) => distance(at, { x, y }) < Math.max(size, layout.radius * 0.5));
    if (!found) return null;
    const { owner, ships, from, to, turns } = found.fleet;
    return this.say('fleet', { n: ships, who: seatName(scene, owner), from, to, turns });
  }

  spots(sent: string[], frame: Frame): Spot[] {
    return spots(this.#laidOut(frame), sent, frame);
  }

  #laidOut(frame: Frame): Layout {
    return (this.#layout ??= layoutOf(frame));
  }
}

/** A planet that a fleet is just about to reach keeps its looks until the fleet is there. */
function shownPlanets(scene: View): PlanetFrame[] {
  const { now, progress } = scene;
  const before = previous(scene);
  if (!before || progress === 1) return now.frame.planets;
  const reached = new Set<number>();
  for (const { kind, planet } of events(before, now)) if (kind !== 'raised') reached.add(planet);
  return now.frame.planets.map((planet, index) =>
    reached.has(index + 1) ? (before.frame.planets[index] ?? planet) : planet,
  );
}

/** Landings, fights and raised planets of the last round; at rest, those of this turn. */
function bursts(air: Layer, layout: Layout, scene: View): void {
  const { now, playing, progress, theme } = scene;
  const resting = !playing && progress === 1;
  const span = resting ? 1 : Math.max(2, now.frame.players.length);
  const moments = scene.history(span + 2);
  const time = now.turn - 1 + progress;
  moments.slice(1).forEach((moment, index) => {
    const before = moments[index];
    const age = resting ? 0.45 : (time - moment.turn) / span;
    if (!before || before.turn !== moment.turn - 1 || age < 0 || age >= 1) return;
    if (resting && moment !== now) return;
    for (const { planet, kind, owner } of events(before, moment)) {
      const at = layout.places[planet - 1];
      if (!at) continue;
      const look = theme.seat(owner);
      if (kind === 'fought' || kind === 'fell') {
        const ink = kind === 'fell' ? theme.accent : theme.dark ? look.edge : look.fill;
        burst(air, at, layout.radius * (kind === 'fell' ? 2.8 : 2.2), age, ink, planet);
      } else {
        air.globalAlpha = 1 - age;
        air.strokeStyle = kind === 'raised' ? theme.accent : look.fill;
        air.lineWidth = layout.radius * (kind === 'raised' ? 0.2 : 0.1) * (1 - age * 0.5);
        circle(air, at, layout.radius * (1.3 + age * (kind === 'raised' ? 1.2 : 0.7)));
        air.stroke();
        air.globalAlpha = 1;
      }
    }
  });
}

function describePlanet(say: Say, who: string, planet: PlanetFrame, number: number): string {
  const { owner, ships, level, armor, full_armor: full } = planet;
  if (owner === 0) return say('planet_empty', { planet: number });
  const known = { planet: number, n: ships, who };
  return level === 0 ? say('planet_loose', known) : say('planet_held', { ...known, level, armor, full });
}
