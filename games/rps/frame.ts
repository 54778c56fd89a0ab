// Generated from the Rust types by `make golden`; do not edit.

/** What is drawn of one moment. Positions are the starter's, whoever looks. */
export type Frame = {
  /** The tick to be played; after the end, the one after the last. */
  tick: number;
  /** The tick after which the match is a draw. */
  max_ticks: number;
  /** For how many ticks the enemy factory must be held. */
  hold_ticks: number;
  /** Whose tick it is; null when the match is over. */
  to_move: number | null;
  /** Whose eyes these are; null is a spectator. */
  eye: number | null;
  /** Rows, and columns. The factory of seat 1 is at (0, 0), that of seat 2 in the opposite corner. */
  size: number;
  /** By seat. */
  players: Array<FramePlayer>;
  /** The base at the top right, and the one at the bottom left. */
  bases: [FrameBase, FrameBase];
  /** By number. */
  units: Array<FrameUnit>;
};

/** Where a player stands. */
export type Fate = 'alive' | 'out' | 'disqualified';

/** What is drawn of a base. */
export type FrameBase = {
  /** Column, counted from 0. */
  x: number;
  /** Row, counted from 0. */
  y: number;
  /** Who took it; null is nobody. */
  owner: number | null;
};

/** What is drawn of a player. */
export type FramePlayer = {
  /** Its seat. */
  seat: number;
  /** Units in the arena. */
  units: number;
  /** Units finished so far. */
  finished: number;
  /** Bases held. */
  bases: number;
  /** For how many ticks it has held the enemy factory. */
  hold: number;
  /** Lines of its answers that were ignored; not there for the eyes of the other player. */
  ignored?: number;
  /** Answers in a row that did not come in time; not there for the eyes of the other player. */
  missed?: number;
  /** What it produces; not there for the eyes of the other player. */
  production?: FrameProduction;
  /** Alive, out or disqualified. */
  fate: Fate;
  /** How the match ended for it. */
  reason?: Message;
};

/** What is drawn of a player's production. */
export type FrameProduction = {
  /** What is being produced; null before the first order. */
  kind: Kind | null;
  /** The ticks spent on rock, paper and scissors. */
  spent: [number, number, number];
  /** The ticks that the next unit needs, with the bases held now. */
  needed: number;
};

/** What is drawn of a unit. */
export type FrameUnit = {
  /** Its number. */
  id: number;
  /** Whose it is. */
  seat: number;
  /** What it is: `R`, `P` or `S`. */
  kind: Kind;
  /** Column, counted from 0. */
  x: number;
  /** Row, counted from 0. */
  y: number;
};

/** What a unit is. */
export type Kind = 'R' | 'P' | 'S';

/** What there is to tell: a code and its values, or a sentence of a former version. */
export type Message = string | { code: string; [value: string]: string | number | number[] | Message };
