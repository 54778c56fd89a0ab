/**
 * Boards of square cells, as plain data: what the viewers of such games have in common. Nothing here draws.
 *
 * A cell is a number, row by row from 0.
 */

import type { BaseFrame, Moment } from './contract';
import type { Say } from './say';

/** One moment of a board of cells, whatever the game calls its parts. */
export interface Grid {
  rows: number;
  columns: number;
  /**
   * A string per row, a letter per cell: `.` land, `c` city, `C` capital, `F` fallen capital, `M` mountain; out of
   * sight `?` where one could walk, `!` where there may be an obstacle.
   */
  kinds: string[];
  /** By cell; 0 is nobody's. */
  owners: number[];
  /** By cell. */
  units: number[];
  /** Cells with a wall. */
  walls: ReadonlySet<number>;
  /** Whose capital a cell was made as, where the game tells. */
  founders: ReadonlyMap<number, number>;
  /** What was done to get here, if these eyes saw it. */
  deed: Deed | null;
}

/** A move, or something built on `to` and paid by `from`. */
export interface Deed {
  seat: number;
  from: number;
  to: number;
  built: boolean;
  /** How many units moved, where the game tells. */
  moved?: number | undefined;
}

/** What a game adds to make its frames a grid. */
export interface GridGame<F extends BaseFrame> {
  grid(frame: F): Grid;
  /** What the game's rule book calls the first row and column. */
  first: 0 | 1;
  /** The codes of words for the letters of {@link Grid.kinds}. */
  words: Record<string, string>;
}

/** Keeps what was made of each frame for as long as the frame itself is kept. */
export function remembered<F extends object>(make: (frame: F) => Grid): (frame: F) => Grid {
  const made = new WeakMap<F, Grid>();
  return (frame) => {
    const known = made.get(frame);
    if (known) return known;
    const grid = make(frame);
    made.set(frame, grid);
    return grid;
  };
}

export function kindAt(grid: Grid, cell: number): string {
  return grid.kinds[Math.floor(cell / grid.columns)]?.[cell % grid.columns] ?? 'M';
}

export function unitsAt(grid: Grid, cell: number): number {
  return grid.units[cell] ?? 0;
}

export function isCity(kind: string): boolean {
  return kind === 'c' || kind === 'C' || kind === 'F';
}

/** The cell under a point of the board, or null beside it. */
export function cellAt(grid: Grid, x: number, y: number): number | null {
  const [row, column] = [Math.floor(y), Math.floor(x)];
  const inside = row >= 0 && row < grid.rows && column >= 0 && column < grid.columns;
  return inside ? row * grid.columns + column : null;
}

/** The cell so many rows and columns away, or null beyond the edge. */
export function beside(grid: Grid, cell: number, rows: number, columns: number): number | null {
  return cellAt(grid, (cell % grid.columns) + columns, Math.floor(cell / grid.columns) + rows);
}

const SIDES = [
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, 0],
] as const;

/** The cells that share a side with this one. */
export function neighbours(grid: Grid, cell: number): number[] {
  return SIDES.flatMap(([rows, columns]) => beside(grid, cell, rows, columns) ?? []);
}

/** The cells on the way to another, without the first: a pointer that is dragged fast skips some. */
export function walk(grid: Grid, from: number, to: number): number[] {
  const way: number[] = [];
  for (let at = from; at !== to; way.push(at)) {
    const rows = Math.floor(to / grid.columns) - Math.floor(at / grid.columns);
    const columns = (to % grid.columns) - (at % grid.columns);
    at += Math.abs(rows) > Math.abs(columns) ? Math.sign(rows) * grid.columns : Math.sign(columns);
  }
  return way;
}

/** An army on its way from one cell to the next. */
export interface March {
  seat: number;
  from: number;
  to: number;
  moved: number;
  /** What stays behind. */
  left: number;
}

/** The march that led from one grid to the next; null if nobody was seen to move. */
export function march(before: Grid, now: Grid): March | null {
  const deed = now.deed;
  if (!deed || deed.built) return null;
  const there = unitsAt(before, deed.from);
  const moved = deed.moved ?? there - stayed(there, unitsAt(now, deed.from));
  return moved > 0 ? { ...deed, moved, left: there - moved } : null;
}

/** What a move left behind, half or a single one, where growth may since have added to it. */
function stayed(before: number, now: number): number {
  const half = before - Math.floor(before / 2);
  return now >= half ? half : 1;
}

/** How fiercely a cell was fought for: 1 is just now. */
export interface Fight {
  cell: number;
  heat: number;
}

/** Where armies, neutral ones too, were attacked in the last turns. The moments are in order, the last is now. */
export function fights<F extends BaseFrame>(
  moments: Moment<F>[],
  gridOf: (frame: F) => Grid,
  turns: number,
): Fight[] {
  const now = moments.at(-1)?.turn ?? 0;
  const heats = new Map<number, number>();
  for (const [index, { turn, frame }] of moments.entries()) {
    const before = moments[index - 1];
    const { deed } = gridOf(frame);
    if (!before || !deed || deed.built) continue;
    const stood = gridOf(before.frame);
    if (stood.owners[deed.to] === deed.seat || unitsAt(stood, deed.to) === 0) continue;
    heats.set(deed.to, 1 - (now - turn) / turns);
  }
  return [...heats].filter(([, heat]) => heat > 0).map(([cell, heat]) => ({ cell, heat }));
}

/** How wide a number is, in digits. */
export function widthOf(text: string): number {
  return text.includes('.') ? text.length - 0.5 : text.length;
}

/** A number in at most so many digits of room, if that is possible at all: 1234, 1.2k, 1k. */
export function shorten(value: number, room: number): string {
  const ways = [String(value)];
  for (const [unit, size] of [
    ['k', 1e3],
    ['M', 1e6],
    ['G', 1e9],
  ] as const) {
    if (value < size) break;
    // Rounded down, so that nobody counts on units that are not there.
    if (value < 10 * size) ways.push(`${Math.floor(value / (size / 10)) / 10}${unit}`);
    ways.push(`${Math.floor(value / size)}${unit}`);
  }
  return ways.find((way) => widthOf(way) <= room) ?? ways.at(-1) ?? '';
}

/** A cell in words: "row 3, column 7: city of seat 2, 41 units". */
export function describeCell<F extends BaseFrame>(
  game: GridGame<F>,
  grid: Grid,
  cell: number,
  names: string[],
  say: Say,
): string {
  const row = Math.floor(cell / grid.columns) + game.first;
  const column = (cell % grid.columns) + game.first;
  const kind = kindAt(grid, cell);
  const owner = grid.owners[cell] ?? 0;
  const units = unitsAt(grid, cell);
  const founder = grid.founders.get(cell);
  const name = names[owner - 1];
  const parts = [say(game.words[kind] ?? kind)];
  if (kind === 'F' && founder) parts.push(say('founded', { seat: founder }));
  if (owner) parts.push(name ? say('owned_by', { seat: owner, name }) : say('owned', { seat: owner }));
  if (grid.walls.has(cell)) parts.push(say('walled'));
  if (units > 0) parts.push(say(owner ? 'units' : 'neutral_units', { n: units }));
  return say('cell', { row, column, what: parts.join('') });
}
