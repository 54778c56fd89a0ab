/** For the tests of games' viewers: what they are written with, and small boards. */

import { english } from '../catalog';
import type { Hands, Moment } from './contract';
import type { Deed, Grid } from './grid';
import type { Say } from './say';

export { beforeEach, describe, expect, it, test, vi } from 'vitest';

/** What the viewer of a game says, in English. */
export const sayOf =
  (game: string): Say =>
  (code, values) =>
    english.page(game, code, values);

export function moment<F extends { to_move: number | null; players: object[] }>(frame: F): Moment<F> {
  return { turn: 0, seat: null, round: 0, frame };
}

/** Words like `1:12` (seat 1, 12 units), `1C35`, `0c40`, `M`, `?`; `.` is free land. */
export function readGrid(map: string): Pick<Grid, 'rows' | 'columns' | 'kinds' | 'owners' | 'units'> {
  const rows = map.trim().split('\n');
  const cells = rows.map((row) =>
    row
      .trim()
      .split(/\s+/)
      .map((word) => {
        const [, owner, kind, units] = /^(\d)([:cCF])(\d+)$/.exec(word) ?? [];
        return {
          owner: Number(owner ?? 0),
          kind: (kind ?? word).replace(':', '.'),
          units: Number(units ?? 0),
        };
      }),
  );
  return {
    rows: rows.length,
    columns: cells[0]?.length ?? 0,
    kinds: cells.map((row) => row.map((cell) => cell.kind).join('')),
    owners: cells.flat().map((cell) => cell.owner),
    units: cells.flat().map((cell) => cell.units),
  };
}

export function gridOf(map: string, deed: Deed | null = null): Grid {
  return { ...readGrid(map), walls: new Set(), founders: new Map(), deed };
}

/** Presses the pointer in the first cell (column and row), moves it through the others and lets go. */
export function drag(hands: Pick<Hands, 'pointer'>, ...path: [number, number][]): void {
  const touches = path.map(([x, y]) => ({ x: x + 0.5, y: y + 0.5, shift: false }));
  for (const [index, touch] of touches.entries()) {
    hands.pointer({ kind: index === 0 ? 'down' : 'move', ...touch });
    if (index === touches.length - 1) hands.pointer({ kind: 'up', ...touch });
  }
}
