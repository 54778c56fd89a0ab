// Generated from the Rust types by `make golden`; do not edit.

/** What is drawn of one moment. */
export type Frame = {
  /** Completed rounds. */
  round: number;
  /** The round after which the game ends. */
  max_rounds: number;
  /** Whose turn it is; null when the game is over. */
  to_move: number | null;
  /** Whose eyes these are; null is a spectator. */
  eye: number | null;
  /** Number of rows. */
  rows: number;
  /** Number of columns. */
  columns: number;
  /** By seat. */
  players: Array<FramePlayer>;
  /**
   * A string per row, a letter per cell: `.` land, `c` city, `C` capital, `M` mountain; out of sight `?` land or
   * another player's capital, `!` city or mountain.
   */
  kinds: Array<string>;
  /** Row by row; 0 is nobody's or out of sight. */
  owners: Array<number>;
  /** Row by row; 0 where out of sight. */
  units: Array<number>;
  /** The move just made, if both of its cells are in sight. */
  last_move: FrameMove | null;
};

/** Where a player stands. */
export type Fate = 'alive' | 'out' | 'disqualified';

/** What is drawn of a move. */
export type FrameMove = {
  /** Who moved. */
  seat: number;
  /** Row and column, counted from 1. */
  from: [number, number];
  /** Row and column, counted from 1. */
  to: [number, number];
};

/** What is drawn of a player. */
export type FramePlayer = {
  /** Its seat. */
  seat: number;
  /** All units. */
  army: number;
  /** All cells. */
  land: number;
  /** Cities and capital; only for a spectator, as players do not know it of one another. */
  cities?: number;
  /** Alive, out or disqualified. */
  fate: Fate;
  /** Why it fell out. */
  reason?: Message;
};

/** What there is to tell: a code and its values, or a sentence of a former version. */
export type Message = string | { code: string; [value: string]: string | number | number[] | Message };
