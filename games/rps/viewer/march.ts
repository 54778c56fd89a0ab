/** How units on their way to a cell take their next step. Nothing here draws. */

import type { Point } from 'palestra/shapes';
import { beats } from './fights';
import type { Frame, FrameUnit } from '../frame';

export interface Step {
  unit: number;
  /** One of them is 1 or -1, the other 0; as the starter sees the arena. */
  dx: number;
  dy: number;
}

const SIDES = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/**
 * The next step of every unit that has a target, in an order in which none bumps into another. Units go round their own
 * side's standing units, and round enemies that they do not beat, unless that is where they were sent.
 */
export function march(frame: Frame, targets: ReadonlyMap<number, Point>): Step[] {
  const { size } = frame;
  const index = ({ x, y }: Point): number => y * size + x;
  const standing = new Map<number, FrameUnit>(frame.units.map((unit) => [index(unit), unit]));
  const ways = new Map<string, Int32Array>();
  const steps: Step[] = [];

  const tryStep = (unit: FrameUnit, target: Point): boolean => {
    const name = `${unit.seat} ${unit.kind} ${index(target)}`;
    const away = ways.get(name) ?? distances(frame, target, (other) => inTheWay(unit, other, targets));
    ways.set(name, away);
    for (const [dx, dy] of byNeed(unit, target)) {
      const next = { x: unit.x + dx, y: unit.y + dy };
      if (!inside(next, size) || (away[index(next)] ?? 0) >= (away[index(unit)] ?? 0)) continue;
      const other = standing.get(index(next));
      if (other?.seat === unit.seat) continue;
      standing.delete(index(unit));
      if (!other || beats(unit.kind, other.kind)) standing.set(index(next), unit);
      else if (unit.kind === other.kind) standing.delete(index(next));
      steps.push({ unit: unit.id, dx, dy });
      return true;
    }
    return false;
  };

  // A unit behind another can step only after it, so whoever was blocked tries again when somebody has moved.
  let waiting = frame.units.filter((unit) => targets.has(unit.id));
  for (;;) {
    const blocked = waiting.filter((unit) => {
      const target = targets.get(unit.id);
      return target && !tryStep(unit, target);
    });
    if (blocked.length === waiting.length) return steps;
    waiting = blocked;
  }
}

/** A cell of its own for each of these units, as near to the target as there are, apart from those that are taken. */
export function formation(
  units: FrameUnit[],
  target: Point,
  size: number,
  taken: Point[],
): Map<number, Point> {
  const full = new Set(taken.map(({ x, y }) => y * size + x));
  const cells = Array.from({ length: size * size }, (_, index) => index)
    .filter((index) => !full.has(index))
    .map((index) => ({ x: index % size, y: Math.floor(index / size) }))
    .sort((a, b) => paces(a, target) - paces(b, target));
  const first = [...units].sort((a, b) => paces(a, target) - paces(b, target));
  return new Map(first.flatMap((unit, rank) => (cells[rank] ? [[unit.id, cells[rank]] as const] : [])));
}

function paces(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function inside({ x, y }: Point, size: number): boolean {
  return x >= 0 && y >= 0 && x < size && y < size;
}

function inTheWay(unit: FrameUnit, other: FrameUnit, targets: ReadonlyMap<number, Point>): boolean {
  return other.seat === unit.seat ? !targets.has(other.id) : !beats(unit.kind, other.kind);
}

/** The four directions, those first that lead along the longer part of the way. */
function byNeed(from: Point, to: Point): (typeof SIDES)[number][] {
  const need = ([dx, dy]: (typeof SIDES)[number]): number => dx * (to.x - from.x) + dy * (to.y - from.y);
  return [...SIDES].sort((a, b) => need(b) - need(a));
}

/** How many steps each cell is away from the target; a great many where no way leads to it. */
function distances(frame: Frame, target: Point, blocks: (unit: FrameUnit) => boolean): Int32Array {
  const { size, units } = frame;
  const far = size * size;
  const away = new Int32Array(far).fill(far);
  const closed = new Set(units.filter(blocks).map(({ x, y }) => y * size + x));
  const edge: Point[] = [target];
  away[target.y * size + target.x] = 0;
  for (const cell of edge) {
    const steps = away[cell.y * size + cell.x] ?? 0;
    for (const [dx, dy] of SIDES) {
      const next = { x: cell.x + dx, y: cell.y + dy };
      const index = next.y * size + next.x;
      if (!inside(next, size) || away[index] !== far || closed.has(index)) continue;
      away[index] = steps + 1;
      edge.push(next);
    }
  }
  return away;
}
