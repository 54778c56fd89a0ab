/** Who met whom in a group of a stage: what a cross table shows. */

import type { RoundMatch, StageView } from './api';

/** More players than this are a table that nobody reads. */
const MOST = 64;

/** A match from the side of the row. */
export interface Cell {
  match: RoundMatch;
  own: number | null;
  other: number | null;
}

/** By row and column; nothing where two do not meet. */
export type Cross = Map<number, Map<number, Cell[]>>;

/** Whether everybody of a group meets so many others that a cross table says something. */
export function hasCross(stage: StageView, group: number): boolean {
  const meets = stage.format === 'round-robin' || stage.format === 'gauntlet' || stage.format === 'tables';
  const players = stage.groups[group]?.standings.length ?? 0;
  // Of a very large stage only the latest rounds are here.
  return meets && stage.rounds.length === stage.drawn && players > 2 && players <= MOST;
}

export function crossOf(stage: StageView, group: number): Cross {
  const cross: Cross = new Map();
  const meetings = stage.rounds.flatMap(({ meetings }) => meetings).filter((one) => one.group === group);
  for (const match of meetings.flatMap(({ matches }) => matches)) {
    if (match.state === 'void' || match.state === 'failed') continue;
    match.players.forEach((row, i) =>
      match.players.forEach((column, j) => {
        if (i === j) return;
        const cells = cross.get(row) ?? new Map<number, Cell[]>();
        cross.set(row, cells);
        const cell = { match, own: match.points[i] ?? null, other: match.points[j] ?? null };
        cells.set(column, [...(cells.get(column) ?? []), cell]);
      }),
    );
  }
  return cross;
}
