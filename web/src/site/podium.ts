/** Who stands on the podium of a round or of a whole event. */

import type { PodiumLine, RoundView, StandingLine } from './api';

/** Places on a podium. */
const PLACES = 3;
/** Names there, if many share a place. */
const NAMES = 12;

/** One step of a podium, and everybody on it. */
export interface Step {
  place: number;
  lines: PodiumLine[];
}

/** Places in the last round, by bot. */
export type LastPlaces = ReadonlyMap<number, number>;

/**
 * The people of a game's table with their places among themselves: built-in players of the organisers are not counted. Those who
 * are equal in points and Elo are told apart by their places in the last round.
 */
export function people(lines: readonly StandingLine[], last: LastPlaces = new Map()): StandingLine[] {
  const rank = ({ place, bot }: StandingLine): [number, number] => [place, last.get(bot) ?? Infinity];
  const all = lines
    .filter(({ house }) => !house)
    .sort((a, b) => rank(a)[0] - rank(b)[0] || compare(rank(a)[1], rank(b)[1]));
  const place = (line: StandingLine): number =>
    1 + all.findIndex((other) => rank(other).join() === rank(line).join());
  return all.map((line) => ({ ...line, place: place(line) }));
}

/** As for sorting; two that are infinite are equal. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** The best people of a game; nobody before somebody has points, or has played. */
export function bestOf(lines: readonly StandingLine[]): PodiumLine[] {
  const played = lines.filter((line) => line.points > 0 || line.played > 0);
  return played.filter(({ place }) => place <= PLACES).slice(0, NAMES);
}

/** The steps in the order in which a podium shows them: the second on the left, the first in the middle. */
export function stepsOf(lines: readonly PodiumLine[]): Step[] {
  const steps = new Map<number, Step>();
  for (const line of lines) {
    const step = steps.get(line.place) ?? { place: line.place, lines: [] };
    step.lines.push(line);
    steps.set(line.place, step);
  }
  const [first, second, third] = [...steps.values()].sort((a, b) => a.place - b.place);
  return [second, first, third].filter((step) => step !== undefined);
}

/** The round that was over last and has winners. */
export function lastDecided(rounds: readonly RoundView[]): RoundView | null {
  const over = rounds.filter(({ state, podium }) => state === 'over' && podium.length > 0);
  return over.sort((a, b) => (b.ended ?? 0) - (a.ended ?? 0) || b.id - a.id)[0] ?? null;
}
