/** Which matches the small boards show: each stays until it has been shown to its end, then another one has its place. */

import type { MatchView } from './api';

export interface Slot {
  match: MatchView;
  /** Whether it has been shown to its end. */
  done: boolean;
}

/** Matches that are remembered as seen: a page may stay open for days. */
const MEMORY = 500;

export const remember = (seen: readonly number[], id: number): number[] => [...seen, id].slice(-MEMORY);

/**
 * So many slots, with what goes on in them kept. Free ones get matches being played, then those played lately; what has
 * been `seen` comes last.
 */
export function fillSlots(
  slots: readonly Slot[],
  count: number,
  running: readonly MatchView[],
  latest: readonly MatchView[],
  seen: readonly number[],
): Slot[] {
  const shown = new Set(slots.map(({ match }) => match.id));
  const open = [...running, ...latest].filter(({ id, watchable, replay, state }, i, all) => {
    const first = all.findIndex((match) => match.id === id) === i;
    return first && watchable && !shown.has(id) && (replay || state === 'running');
  });
  const waiting = [
    ...open.filter(({ id }) => !seen.includes(id)),
    ...open.filter(({ id }) => seen.includes(id)),
  ];
  const kept = slots.slice(0, count).map((slot) => {
    const next = slot.done ? waiting.shift() : undefined;
    return next ? { match: next, done: false } : slot;
  });
  const more = waiting.slice(0, Math.max(0, count - kept.length));
  return [...kept, ...more.map((match) => ({ match, done: false }))];
}
