/** Where things are on the board, in cells; the arena begins at (MARGIN, MARGIN). */

import type { Point } from 'palestra/shapes';

/** Room around the arena for what the factories make and for the countdown. */
export const MARGIN = 1.5;

/** The middle of a cell. */
export function middle({ x, y }: Point): Point {
  return { x: x + 0.5 + MARGIN, y: y + 0.5 + MARGIN };
}

/** The cell of a seat's factory. */
export function factoryOf(seat: number, size: number): Point {
  return seat === 1 ? { x: 0, y: 0 } : { x: size - 1, y: size - 1 };
}

/** Where the counter of a kind (0, 1 or 2) is shown: beside the factory, outside the arena. */
export function counterOf(seat: number, size: number, kind: number): Point {
  const along = 1.2 * kind;
  return seat === 1
    ? { x: MARGIN + 2.1 + along, y: MARGIN * 0.5 }
    : { x: MARGIN + size - 4.5 + along, y: MARGIN * 1.5 + size };
}

/** Where the countdown of a held factory is shown: outside its corner. */
export function countdownOf(seat: number, size: number): Point {
  const at = seat === 1 ? MARGIN * 0.5 : MARGIN * 1.5 + size;
  return { x: at, y: at };
}
