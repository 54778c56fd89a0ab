/** From one turn of a seat to the next. */

import { CHUNK_MOMENTS } from 'palestra/constants';
import type { Moment } from 'palestra/contract';

export interface Search {
  seat: number;
  from: number;
  direction: 1 | -1;
  end: number;
  /** What is there already. */
  known(turn: number): Moment | null;
  /** A whole chunk of what is not. */
  fetch(chunk: number): Promise<Moment[]>;
}

/** The nearest turn before or after that the seat has taken, or null. */
export async function ownTurn({ seat, from, direction, end, known, fetch }: Search): Promise<number | null> {
  const fetched = new Map<number, Moment[]>();
  for (let turn = from + direction; turn > 0 && turn <= end; turn += direction) {
    let moment = known(turn);
    if (!moment) {
      const chunk = Math.floor(turn / CHUNK_MOMENTS);
      const moments = fetched.get(chunk) ?? (await fetch(chunk));
      fetched.set(chunk, moments);
      moment = moments[turn % CHUNK_MOMENTS] ?? null;
    }
    if (!moment) return null;
    if (moment.seat === seat) return turn;
    // Who is out takes no turn any more.
    if (direction > 0 && (moment.frame.players[seat - 1]?.fate ?? 'alive') !== 'alive') return null;
  }
  return null;
}
