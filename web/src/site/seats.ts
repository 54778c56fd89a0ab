/** The seats that this browser plays by hand, by match: not in the address, which people show to each other. */

import { storage } from '../storage';
import type { TableView } from './api';

export interface OwnSeat {
  seat: number;
  /** Opens the seat in this match. */
  key: string;
  /** The place at the table, for another match. */
  token: string;
}

const SEATS = 'palestra.seats';
const TABLE = 'palestra.table';
/** As many matches as are remembered. */
const KEPT = 20;

function seats(): [number, OwnSeat][] {
  try {
    return JSON.parse(storage.getItem(SEATS) ?? '[]') as [number, OwnSeat][];
  } catch {
    return [];
  }
}

export const seatAt = (match: number): OwnSeat | null => seats().find(([id]) => id === match)?.[1] ?? null;

/** Remembers the seat of a match that has begun at a table; says the number of the match. */
export function takeSeat({ latest, key, seat }: TableView, token: string): number | null {
  if (latest === null || key === null) return null;
  const others = seats().filter(([id]) => id !== latest);
  const own: [number, OwnSeat] = [latest, { seat, key, token }];
  storage.setItem(SEATS, JSON.stringify([own, ...others].slice(0, KEPT)));
  return latest;
}

/** The table at which this browser waits; an empty text is none. */
export const waitsAt = (): string => storage.getItem(TABLE) ?? '';
export const waitAt = (token: string): void => storage.setItem(TABLE, token);
