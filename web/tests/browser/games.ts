/** The games, as the tests in a browser use them: what each says of itself in its folder. */

export interface GameFixture {
  /** Its name for people. */
  title: string;
  /** Whether a seat knows less than a spectator. */
  fog: boolean;
  /** Built-in players, the strongest first. */
  house: string[];
  /** Built-in players of a replay of more than a hundred turns, and the turns of it that are compared with pictures. */
  replay: { bots: string[]; turns: number[] };
  /** A log of the contest's own, by its name in `replay export`, and what its file is called. */
  log?: { format: string; file: string };
  /** What makes a match of built-in players very short, as lines of an event's plan. */
  short?: string;
  /**
   * A bot in Python that never does anything; it counts its turns on standard error after waiting so many seconds, and,
   * where a turn has a gate, until that file is there.
   */
  idle?: (seconds: number, gates?: Record<number, string>) => string;
  /** A bot in Python whose answers never end, where a match goes on after that: a fault in every turn. */
  noisy?: string;
  /** How a client passes; packets before the first ask; the one that says that it is over. */
  client?: { pass: string; before: number; over: string };
  /** A small map, and a setting that ends a match after so many rounds. */
  map?: string;
  rounds?: (rounds: number) => [key: string, value: number];
}

const FIXTURES = import.meta.glob<{ default: GameFixture }>('../../../games/*/browser.ts', { eager: true });

export const GAMES = Object.entries(FIXTURES).map(([path, { default: fixture }]) => ({
  game: path.split('/').at(-2) ?? '',
  ...fixture,
}));

export type Game = (typeof GAMES)[number];

/** The first game of which this is true. */
export function gameThat(is: (game: Game) => unknown): Game {
  const found = GAMES.find(is);
  if (!found) throw new Error('no game is like that');
  return found;
}
