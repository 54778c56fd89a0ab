/** Marks on the time line: some long matches have more of them than the line has pixels. */

import type { Mark } from '../api';

/** What matters most is kept where there is room for one only. */
const WEIGHT: Record<Mark['kind'], number> = { out: 3, fault: 2, capture: 1, note: 0 };

/** At most one mark in each of so many equal parts of the line: the weightiest, and of those the first. */
export function thin(marks: Mark[], turns: number, parts: number): Mark[] {
  const best = new Map<number, Mark>();
  for (const mark of marks) {
    const part = Math.floor((mark.turn / Math.max(1, turns)) * parts);
    const known = best.get(part);
    if (!known || WEIGHT[mark.kind] > WEIGHT[known.kind]) best.set(part, mark);
  }
  return [...best.values()];
}

/** The marks close to a turn, nearest first. */
export function near(marks: Mark[], turn: number, reach: number, most: number): Mark[] {
  return marks
    .filter((mark) => Math.abs(mark.turn - turn) <= reach)
    .sort((a, b) => Math.abs(a.turn - turn) - Math.abs(b.turn - turn))
    .slice(0, most);
}

/** The next turn with a mark after this one, or before it. */
export function nextMark(marks: Mark[], turn: number, direction: 1 | -1): number | null {
  const ahead = marks.map((mark) => mark.turn).filter((at) => (at - turn) * direction > 0);
  if (!ahead.length) return null;
  return direction > 0 ? Math.min(...ahead) : Math.max(...ahead);
}
