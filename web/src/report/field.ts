/** A tournament as the parts of its report look at it. Bots are named by their places in the list of all. */

import type { Duel, Meeting } from '../site/bracket';
import type { BracketMeeting, Pair, Report, ReportStage, Row } from './api';

/** Bots with a colour of their own; the others are grey. */
export const COLOURED = 10;

/** What happened between two, from the side of the first. */
export interface Score {
  won: number;
  drawn: number;
  lost: number;
  /** The share of the score, from 0 to 1, and its interval. */
  share: number;
  low: number;
  high: number;
}

export interface Seat {
  bot: number;
  place: number;
  score: number;
  points: number;
  fault: string | null;
}

export interface Match {
  number: number;
  stage: number;
  round: number;
  map: string;
  turns: number;
  millis: number;
  replay: string | null;
  void: boolean;
  tainted: boolean;
  seats: Seat[];
}

/** Who takes part. */
export interface Field {
  /** From the first place down; those without a place come last. */
  order: readonly number[];
  /** The place in that order, counted from 0. */
  rank: (bot: number) => number;
  name: (bot: number) => string;
}

export function fieldOf({ bots, standings }: Report): Field {
  const order = [...new Set([...standings.map(({ bot }) => bot), ...bots.keys()])];
  const ranks = new Map(order.map((bot, rank) => [bot, rank]));
  return {
    order,
    rank: (bot) => ranks.get(bot) ?? order.length,
    name: (bot) => bots[bot]?.name ?? '?',
  };
}

/** By the smaller number and the greater. */
export function scoresOf(pairs: readonly Pair[]): (row: number, column: number) => Score | null {
  const key = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;
  const known = new Map(pairs.map((pair) => [key(pair[0], pair[1]), pair]));
  return (row, column) => {
    const pair = known.get(key(row, column));
    if (!pair) return null;
    const [first, , won, drawn, lost, share, low, high] = pair;
    return row === first
      ? { won, drawn, lost, share, low, high }
      : { won: lost, drawn, lost: won, share: 1 - share, low: 1 - high, high: 1 - low };
  };
}

export function matchOf(row: Row, maps: readonly string[]): Match {
  const [number, stage, round, map, turns, millis, replay, marks, seats] = row;
  return {
    number,
    stage,
    round,
    map: maps[map] ?? '',
    turns,
    millis,
    replay,
    void: (marks & 1) !== 0,
    tainted: (marks & 2) !== 0,
    seats: seats.map(([bot, place, score, points, fault]) => ({ bot, place, score, points, fault })),
  };
}

/** What somebody wants to see of the matches. */
export interface Filter {
  /** These alone, by number. */
  only: ReadonlySet<number> | null;
  /** Matches in which all of these play. */
  bots: readonly (number | null)[];
  stage: number | null;
  faults: boolean;
}

export const EVERYTHING: Filter = { only: null, bots: [null, null], stage: null, faults: false };

export function isWanted({ number, stage, seats }: Match, filter: Filter): boolean {
  if (filter.only) return filter.only.has(number);
  return (
    filter.bots.every((bot) => bot === null || seats.some((seat) => seat.bot === bot)) &&
    (filter.stage === null || filter.stage === stage) &&
    (!filter.faults || seats.some(({ fault }) => fault !== null))
  );
}

/** What an address asks for: `#pair-3-5` for two who met, `#only-12-13` for some matches. */
export function filterOf(hash: string): Filter | null {
  const [, kind, rest = ''] = /^#(pair|only)-(\d+(?:-\d+)*)$/.exec(hash) ?? [];
  if (!kind) return null;
  const numbers = rest.split('-').map(Number);
  return kind === 'pair' ? { ...EVERYTHING, bots: numbers } : { ...EVERYTHING, only: new Set(numbers) };
}

/** The meetings of duels, as far as they were played: those of both sides. */
export function meetingsOf({ bracket }: ReportStage, duels: readonly (Duel & { drawn: number | null })[]) {
  return duels.map(({ sides, drawn }): Meeting | null => {
    const meets = ({ players }: BracketMeeting): boolean =>
      sides.every(({ player }) => player !== null && players.includes(player));
    const found = drawn === null ? undefined : bracket[drawn]?.find(meets);
    if (!found) return null;
    const { players, points, matches } = found;
    const played = matches.map((id) => ({ id, state: 'finished' as const, players, points }));
    return { players, points, matches: played };
  });
}

/** The next of 1, 2, 5, 10, 20, 50… that is no smaller. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

/** From left to right, in percent; what is beyond stands at the end. */
export interface Scale {
  ticks: number[];
  at: (value: number | null, none: number) => number;
}

export function scaleOf(values: readonly (number | null)[]): Scale {
  const ends = values.filter((value) => value !== null);
  const [least, most] = ends.length ? [Math.min(...ends), Math.max(...ends)] : [-100, 100];
  const width = Math.max(20, most - least);
  const [low, high] = [least - 0.04 * width, most + 0.04 * width];
  const step = roundStep(width / 3);
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step); tick <= Math.floor(high / step); tick++)
    ticks.push(tick * step || 0);
  const at = (value: number): number => Math.max(0, Math.min(100, ((value - low) / (high - low)) * 100));
  return { ticks, at: (value, none) => (value === null ? none : at(value)) };
}

/** Where labels stand: as near to where they belong as they can without covering each other. */
export function spread(wanted: readonly number[], every: number, bottom: number): number[] {
  const places = [...wanted];
  for (let i = 1; i < places.length; i++) places[i] = Math.max(places[i] ?? 0, (places[i - 1] ?? 0) + every);
  let end = bottom;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i] ?? 0, end);
    end = (places[i] ?? 0) - every;
  }
  return places;
}
