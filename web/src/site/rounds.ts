/** What one wants to know of the scored rounds. */

import type { RoundView } from './api';

/** The round that goes on, else the one that begins next: those without a time come after all others. */
export function nextRound(rounds: readonly RoundView[]): RoundView | null {
  const now = rounds.find(({ state }) => state === 'running' || state === 'paused');
  if (now) return now;
  const waiting = rounds.filter(({ state }) => state === 'waiting');
  return waiting.sort((a, b) => (a.starts ?? Infinity) - (b.starts ?? Infinity))[0] ?? null;
}
