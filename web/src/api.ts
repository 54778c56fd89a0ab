// Generated from the Rust types by `make golden`; do not edit.

/** A person's answer. */
export type Answer = {
  /** The seat. */
  seat: number;
  /** The seat's secret. */
  key: string;
  /** The turn it is for. */
  turn: number;
  /** The answer, in the game's protocol. */
  text: string;
};

/** Some moments of a match: the first whole, the others as changes. */
export type Chunk = {
  /** Turns between two moments. */
  every: number;
  /** Which chunk of this stride it is. */
  chunk: number;
  /** How many of its moments were known already. */
  after: number;
  /** Turns of the match so far. */
  turns: number;
  /** Whether no more will come. */
  over: boolean;
  /** The first moment; null if it was known already, or the match has not come that far. */
  first: unknown;
  /** What leads from each moment to the next, beginning with the last that was known already. */
  changes: Array<unknown>;
};

/** Why one player lost. */
export type Defeat = {
  /** The seat that lost. */
  seat: number;
  /** The turn to look at first; 0 if there is none. */
  turn: number;
  /** When the balance tipped, faults and time, and how to see that turn again. */
  sentences: Array<Message>;
};

/** Why everybody lost who did. */
export type Defeats = {
  /** By seat; empty while the match goes on, and for a log. */
  defeats: Array<Defeat>;
};

/** What the page must know of a game. */
export type GameHead = {
  /** Its name in addresses and folders. */
  id: string;
  /** Its name for people. */
  title: string;
  /** 'round', 'step', 'tick'. */
  round_word: string;
  /** Whether a seat knows less than a spectator. */
  fog: boolean;
  /** What is counted of every player, as keys of `frame.players[…]`; the game's words say what people call it. */
  counters: Array<string>;
};

/** Everything about a match that does not change from turn to turn. */
export type Head = {
  /** Its name in addresses. */
  id: string;
  /** The game. */
  game: GameHead;
  /** Who plays, by seat. */
  names: Array<string>;
  /** Turns so far. */
  turns: number;
  /** Whether no more will come. */
  over: boolean;
  /**
   * Whether a spectator may look: false while people play and nobody else may watch, and while nothing of a match that
   * is shown late may be seen yet.
   */
  open: boolean;
  /** The only seat whose eyes may be used while the match goes on: that of whoever asks. */
  eye: number | null;
  /**
   * How far behind the match is shown while it goes on, because it hides things from its players; null if it is shown
   * at once.
   */
  late: Lateness | null;
  /** The seats played by people at this server. */
  people: Array<number>;
  /**
   * What decided everything left to chance; unknown in a log, and told only when the match is over. A string, as it may
   * be too long for a number of JavaScript.
   */
  seed: string | null;
  /** The time control; unknown in a log. */
  time: Message | null;
  /** Whether there is a replay file to download now. */
  replay: boolean;
  /** How it ended. */
  outcome: OutcomeHead | null;
};

/** How far behind a match is shown: both null if it is shown when it is over. */
export type Lateness = {
  /** So many seconds, */
  seconds: number | null;
  /** and at least so many rounds. */
  rounds: number | null;
};

/** All matches. */
export type List = {
  /** Those named on the command line first. */
  matches: Array<Summary>;
};

/** Something worth jumping to. */
export type Mark = {
  /** The turn in which it happened. */
  turn: number;
  /** What kind of thing. */
  kind: MarkKind;
  /** The seat that it is about. */
  seat: number;
  /** What a player has more of now; only of a capture. */
  counter: string | null;
  /** What the fault or the remark is, or why the player is out, as soon as that is known. */
  what: Message | null;
};

/** What a mark is about. */
export type MarkKind = 'capture' | 'out' | 'fault' | 'note';

/** What there is to tell: a code and its values, or a sentence of a former version. */
export type Message = string | { code: string; [value: string]: string | number | number[] | Message };

/** How a match ended. */
export type OutcomeHead = {
  /** The one winner, if there is one. */
  winner: number | null;
  /** By seat. */
  placings: Array<PlacingHead>;
};

/** The whole match at a glance. */
export type Overview = {
  /** Turns that this covers. */
  turns: number;
  /** Every so many turns there is a value. The first is that of the beginning. */
  every: number;
  /** By counter (in the order of the game's), by seat, over time; null where these eyes cannot know. */
  counters: Array<Array<Array<number | null>>>;
  /** By seat, over time: the longest turn of every stretch, in milliseconds; null where nothing was measured. */
  times: Array<Array<number | null>>;
  /** What to mark on the time line, in order. */
  marks: Array<Mark>;
};

/** How it ended for one seat. */
export type PlacingHead = {
  /** 1 is the best. */
  place: number;
  /** The points of this match. */
  score: number;
  /** alive, out or disqualified. */
  fate: string;
  /** How it came to that. */
  reason: Message;
};

/** How far a match that goes on has come. */
export type Progress = {
  /** Turns so far. */
  turns: number;
  /** Whether no more will come. */
  over: boolean;
  /** Whose turn it is. */
  to_move: number | null;
};

/** A person who gives up. */
export type Resignation = {
  /** The seat. */
  seat: number;
  /** The seat's secret. */
  key: string;
};

/** A rule book. */
export type Rules = {
  /** The game's name for people. */
  title: string;
  /** The code of the language that the book is in. */
  language: string;
  /** The book. */
  html: string;
};

/** A match in the list. */
export type Summary = {
  /** Its name in addresses: /ID, /api/matches/ID. */
  id: string;
  /** The game's id. */
  game: string;
  /** The game's name for people. */
  title: string;
  /** Who plays, by seat. */
  names: Array<string>;
  /** Turns so far. */
  turns: number;
  /** Whether no more will come. */
  over: boolean;
  /** The seat that won, if one did. */
  winner: number | null;
};

/** One turn of one seat, raw. */
export type TurnDetail = {
  /** The turn of the match, counted from 1. */
  turn: number;
  /** The seat that was asked. */
  seat: number;
  /** What it was sent. */
  ask: string;
  /** What it answered, as the game understood it. */
  answer: string | null;
  /** What went wrong instead. */
  fault: Message | null;
  /** What it wrote to standard error in this turn. */
  stderr: string;
  /** Time on the wall clock. */
  wall_ms: number | null;
  /** Processor time of the turn; null where it cannot be told. */
  cpu_ms: number | null;
  /** What the rules remarked. */
  notes: Array<Message>;
};
