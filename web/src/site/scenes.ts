/** What a projector shows, one after the other. */

import type { EventView, LiveView, MatchView, RoundView } from './api';
import { lastDecided } from './podium';
import { nextRound } from './rounds';

export type Scene =
  | { kind: 'match'; match: MatchView }
  | { kind: 'standings'; game: string }
  /** What comes next, or how far the round is that goes on. */
  | { kind: 'round'; round: RoundView }
  /** The bracket of a round, or its table. */
  | { kind: 'stage'; round: RoundView }
  /** The winners of a round. */
  | { kind: 'podium'; round: RoundView }
  /** The winners of the event in a game. */
  | { kind: 'final'; game: string };

/**
 * The scene of a step: games and standings take turns, and then come the round that goes on or comes next, with its bracket or
 * table, and the winners of the one before. What there is nothing of is left out; null if there is nothing at all. Once the
 * event is over its winners stay.
 */
export function sceneAt(
  step: number,
  event: EventView,
  live: LiveView | null,
  seen: readonly number[],
): Scene | null {
  const turn = scenes(event, live, seen);
  for (let tries = 0; tries < turn.length; tries++) {
    const scene = turn[(step + tries) % turn.length]?.();
    if (scene) return scene;
  }
  return null;
}

function scenes(event: EventView, live: LiveView | null, seen: readonly number[]): (() => Scene | null)[] {
  const rounds = live?.rounds ?? event.rounds;
  if ((live?.state ?? event.state) === 'closed') {
    return event.games.map(({ id }) => (): Scene => ({ kind: 'final', game: id }));
  }
  const turn: (() => Scene | null)[] = event.games.flatMap(({ id }) => [
    () => matchScene(live, seen, id),
    (): Scene => ({ kind: 'standings', game: id }),
  ]);
  const [next, decided] = [nextRound(rounds), lastDecided(rounds)];
  const goesOn = next !== null && next.state !== 'waiting';
  if (next && goesOn) turn.push(() => ({ kind: 'stage', round: next }));
  if (decided && !goesOn) {
    turn.push(() => ({ kind: 'podium', round: decided }));
    turn.push(() => ({ kind: 'stage', round: decided }));
  }
  if (next) turn.push(() => ({ kind: 'round', round: next }));
  return turn;
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
