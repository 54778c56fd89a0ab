// Generated from the Rust types by `make golden`; do not edit.

/** What is drawn of one moment. */
export type Frame = {
  /** Completed ticks. */
  tick: number;
  /** The tick after which the game ends. */
  max_ticks: number;
  /** Whose turn it is; null when the game is over. */
  to_move: number | null;
  /** Whose eyes these are; null is a spectator. */
  eye: number | null;
  /** Number of rows. */
  height: number;
  /** Number of columns. */
  width: number;
  /** By seat. */
  players: Array<FramePlayer>;
  /**
   * A string per row, a letter per cell: `.` plain, `c` city, `C` capital, `F` fallen capital, `M` mountain; out of
   * sight `?` a plain, `!` anything else.
   */
  kinds: Array<string>;
  /** Row by row; 0 is nobody's or out of sight. */
  owners: Array<number>;
  /** Row by row; 0 where out of sight. */
  units: Array<number>;
  /** Row and column, counted from 0, of every wall in sight. */
  walls: Array<[number, number]>;
  /** Every capital in sight, fallen or not. */
  capitals: Array<FrameCapital>;
  /** The action just taken, if both of its cells are in sight. */
  last_action: FrameAction | null;
  /** Whether a move must leave a unit behind. */
  leave_one: boolean;
  /** What the player's next buildings cost; null for a spectator. */
  prices: FramePrices | null;
};

/** What can be built. */
export type Building = 'WALL' | 'CITY';

/** Where a player stands. */
export type Fate = 'alive' | 'out' | 'disqualified';

/** What is drawn of an action. */
export type FrameAction = {
  /** Who acted. */
  seat: number;
  /** Row and column, counted from 0. */
  from: [number, number];
  /** Row and column, counted from 0. */
  to: [number, number];
  /** How many units moved; left out for a building. */
  moved?: number;
  /** What was built; left out for a move. */
  built?: Building;
};

/** What is drawn of a capital beyond its cell. */
export type FrameCapital = {
  /** Whose it was made as. */
  original: number;
  /** Row and column, counted from 0. */
  at: [number, number];
};

/** What is drawn of a player. Of the others a player knows only what it sees, so their numbers are left out. */
export type FramePlayer = {
  /** Its seat. */
  seat: number;
  /** All units. */
  army?: number;
  /** All cells. */
  land?: number;
  /** Cities and capitals. */
  cities?: number;
  /** Alive, out or disqualified. */
  fate?: Fate;
  /** Why it fell out. */
  reason?: Message;
};

/** What a player's next buildings cost; null is out of reach. */
export type FramePrices = {
  /** A wall. */
  wall: number | null;
  /** A city. */
  city: number | null;
};

/** What there is to tell: a code and its values, or a sentence of a former version. */
export type Message = string | { code: string; [value: string]: string | number | number[] | Message };
