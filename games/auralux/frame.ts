// Generated from the Rust types by `make golden`; do not edit.

/** What is drawn of one moment. */
export type Frame = {
  /** Completed steps. */
  step: number;
  /** The last step. */
  max_steps: number;
  /** Who is to move; nobody when the game is over. */
  to_move: number | null;
  /** Whether the map says where its planets are; otherwise they stand on a grid. */
  placed: boolean;
  /** What it costs to capture a neutral planet, and to raise one of level 1 and of level 2. */
  costs: [number, number, number];
  /** By seat. */
  players: Array<PlayerFrame>;
  /** By number. */
  planets: Array<PlanetFrame>;
  /** By seat, those that land first in front. */
  groups: Array<GroupFrame>;
};

/** Where a player stands. */
export type Fate = 'alive' | 'out' | 'disqualified';

/** One group in flight. */
export type GroupFrame = {
  /** Whose it is. */
  owner: number;
  /** From this planet, counted from 1. */
  from: number;
  /** To this planet, counted from 1. */
  to: number;
  /** How many ships. */
  ships: number;
  /** How many turns the whole way takes. */
  distance: number;
  /** How many of them are left. */
  turns_left: number;
};

/** What there is to tell: a code and its values, or a sentence of a former version. */
export type Message = string | { code: string; [value: string]: string | number | number[] | Message };

/** One planet. */
export type PlanetFrame = {
  /** Where it is drawn. */
  x: number;
  /** Where it is drawn. */
  y: number;
  /** A seat, or 0 for nobody. */
  owner: number;
  /** Ships on it. */
  ships: number;
  /** 0 is neutral. */
  level: number;
  /** Armor left. */
  armor: number;
  /** Armor when whole. */
  full_armor: number;
};

/** One player. */
export type PlayerFrame = {
  /** All ships, those in flight included. */
  ships: number;
  /** Planets of level 1 and more. */
  planets: number;
  /** Ships produced in a turn. */
  production: number;
  /** Alive, out or disqualified; not there if these eyes cannot know. */
  fate?: Fate;
  /** Why it fell out; not there if these eyes cannot know. */
  reason?: Message;
};
