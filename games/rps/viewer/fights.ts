/** What happened between two moments of the arena. Nothing here draws. */

import type { Moment } from 'palestra/contract';
import type { Point } from 'palestra/shapes';
import type { Frame, FrameUnit, Kind } from '../frame';

type Now = Moment<Frame>;

/** A unit that vanished, and the cell of whatever it met. */
export interface Loss {
  unit: FrameUnit;
  to: Point;
}

/** When attackers have come so far, the fight is decided. */
export const CLASH = 0.6;

const PREY: Record<Kind, Kind> = { R: 'S', S: 'P', P: 'R' };

export function beats(kind: Kind, other: Kind): boolean {
  return PREY[kind] === other;
}

/** The units that vanished on the way from one moment to the next. */
export function losses(before: Now, now: Now): Loss[] {
  const alive = new Set(now.frame.units.map((unit) => unit.id));
  const lost = before.frame.units.filter((unit) => !alive.has(unit.id));
  const mover = now.seat ?? before.frame.to_move;
  return lost.map((unit) => {
    if (unit.seat !== mover) return { unit, to: unit };
    // An attacker that lost fell to a neighbour: one of its own kind that is gone too, or one that beats it.
    const near = before.frame.units.filter((other) => other.seat !== mover && adjacent(unit, other));
    const equal = near.find((other) => other.kind === unit.kind && lost.includes(other));
    return { unit, to: equal ?? near.find((other) => beats(other.kind, unit.kind)) ?? unit };
  });
}

/** The bases that changed hands. */
export function takings(before: Now, now: Now): { at: Point; seat: number }[] {
  return now.frame.bases.flatMap(({ x, y, owner }, index) =>
    owner !== null && owner !== before.frame.bases[index]?.owner ? [{ at: { x, y }, seat: owner }] : [],
  );
}

function adjacent(a: Point, b: Point): boolean {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y) === 1;
}
