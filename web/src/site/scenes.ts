/** What a projector shows, one after the other. */

import type { EventView, LiveView, MatchView, RoundView } from './api';
import { nextRound } from './rounds';

export type Scene =
  | { kind: 'match'; match: MatchView }
  | { kind: 'standings'; game: string }
  | { kind: 'round'; round: RoundView };

/**
 * The scene of a step: games and standings take turns, and the next round comes once in a while. What there is nothing of
 * is left out; null if there is nothing at all.
 */
export function sceneAt(
  step: number,
  event: EventView,
  live: LiveView | null,
  seen: readonly number[],
): Scene | null {
  const round = nextRound(live?.rounds ?? event.rounds);
  const turn: (() => Scene | null)[] = event.games.flatMap(({ id }) => [
    () => matchScene(live, seen, id),
    (): Scene => ({ kind: 'standings', game: id }),
  ]);
  if (round) turn.push(() => ({ kind: 'round', round }));
  for (let tries = 0; tries < turn.length; tries++) {
    const scene = turn[(step + tries) % turn.length]?.();
    if (scene) return scene;
  }
  return null;
}

/** A match of the game, else any: one being played before one that is over, one not seen before any other. */
function matchScene(live: LiveView | null, seen: readonly number[], game: string): Scene | null {
  const weight = (match: MatchView): number =>
    (match.kind === 'scored' && match.state === 'running' ? 3 : 0) +
    (seen.includes(match.id) ? 0 : 4) +
    (match.game === game ? 2 : 0) +
    (match.state === 'running' ? 1 : 0);
  const open = [...(live?.matches ?? []), ...(live?.latest ?? [])].filter(
    ({ watchable, replay, state }) => watchable && (replay || state === 'running'),
  );
  const best = open.sort((a, b) => weight(b) - weight(a))[0];
  return best ? { kind: 'match', match: best } : null;
}
