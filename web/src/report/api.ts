// Generated from the Rust types by `make golden`; do not edit.

import type { Message } from '../api';
export type { Message };

/** Somebody who takes part. */
export type BotLine = {
  /** Its number in the tournament. */
  number: number;
  /** What it is called. */
  name: string;
  /** Where it comes from: a built-in player, a file, a command line. */
  source: string;
  /** 1, and one more for every replacement. */
  version: number;
  /** Taken out of the tournament. */
  dropped: boolean;
};

/** A meeting in a knockout. */
export type BracketMeeting = {
  /** Who meets. */
  players: Array<number>;
  /** The points of each in the planned matches. */
  points: Array<number>;
  /** Who goes on, once that is settled. */
  winner: number | null;
  /** What settled it. */
  decision: Decision | null;
  /** Its matches, by number; those that were played because it was equal come last. */
  matches: Array<number>;
};

/** A part of a bracket. */
export type BracketPart = 'upper' | 'lower' | 'final' | 'second-final' | 'third-place';

/** What tells the two of a duel apart. Each is asked if all before it are equal. */
export type DecidedBy = 'bye' | 'absence' | 'points' | 'deciders' | 'score' | 'seed';

/** How a duel was decided. */
export type Decision = {
  /** What told the two apart. */
  by: DecidedBy;
  /** How many further matches there were because the planned ones left it equal. */
  deciders: number;
  /** What each has of that, the winner first; nothing if there was nothing to compare. */
  numbers: [number, number] | null;
};

/** A duel of a knockout. Duels are named by their places in their bracket. */
export type Duel = {
  /** Which part of the bracket it belongs to. */
  part: BracketPart;
  /** The round of the bracket, counted from 1. */
  round: number;
  /** The two sides. */
  sides: [DuelSide, DuelSide];
  /** Who goes on, once that is settled. */
  winner: number | null;
  /** What settled it. */
  decision: Decision | null;
  /** The place in the lists of meetings of the round that it was drawn in, counted from 0. */
  drawn: number | null;
};

/** A side of a duel. */
export type DuelSide = {
  /** Who is on it, once that is settled. */
  player: number | null;
  /** The duel whose winner it is. */
  winner_of: number | null;
  /** The duel whose loser it is. */
  loser_of: number | null;
  /** There is nobody, and there will be nobody. */
  nobody: boolean;
};

/** A number and the limits of its 95 % interval. */
export type Estimate = {
  /** The most likely value. */
  value: number;
  /** The lower limit; in JSON null if there is none. */
  low: number | null;
  /** The upper limit; in JSON null if there is none. */
  high: number | null;
};

/** A match that could not be played. */
export type FailureLine = {
  /** Its number. */
  number: number;
  /** Who should have played, by seat. */
  bots: Array<number>;
  /** What went wrong. */
  why: string;
};

/** Faults of one kind. */
export type FaultLine = {
  /** Whose. */
  bot: number;
  /** The kind, as in every other table. */
  kind: string;
  /** How often. */
  count: number;
  /** A match that shows it. */
  example: number;
  /** What there is to tell of it, */
  what: Message;
  /** and the same in English. */
  text: string;
};

/**
 * Two who met: the first and the second; wins, draws and losses of the first; its share of the score, and the limits
 * of that share's interval.
 */
export type Pair = [number, number, number, number, number, number, number, number];

/** How far a tournament has come, in matches. */
export type Progress = {
  /** Played and counted. */
  finished: number;
  /** Planned altogether, as far as one can tell now. */
  planned: number;
  /** Played again because a fault was the host's. */
  tainted: number;
  /** Could not be played. */
  failed: number;
  /** Taken out of the count. */
  voided: number;
};

/** How strong a bot is. */
export type RatingLine = {
  /** Who. */
  bot: number;
  /** Matches that count. */
  games: number;
  /** The public number, match by match. */
  elo: number;
  /** Weng-Lin: the mean and how unsure it is. */
  openskill: [number, number];
  /**
   * Bradley-Terry, by maximum likelihood, on the Elo scale, with its 95 % interval; without end for a bot that has not
   * played.
   */
  strength: Estimate;
};

/** Everything that the page of a report shows. Bots are named by their places in `bots`. */
export type Report = {
  /** What the tournament is called. */
  name: string;
  /** The game's id, by which its words are found. */
  game: string;
  /** The game's name for people. */
  game_title: string;
  /** Decides everything left to chance; a string, as it may be too long for a number of JavaScript. */
  seed: string;
  /** Whether the last match has been played. */
  over: boolean;
  /** How far it has come. */
  progress: Progress;
  /** Everybody who takes or took part. */
  bots: Array<BotLine>;
  /** Its stages, in order. */
  stages: Array<ReportStage>;
  /** How it stands. */
  standings: Array<Standing>;
  /** How strong everybody is, best first. */
  ratings: Array<RatingLine>;
  /** What the first seat is worth, in Elo points. */
  first_mover: Estimate | null;
  /** Everybody who met. */
  pairs: Array<Pair>;
  /** Faults by bot and kind, most frequent first. */
  faults: Array<FaultLine>;
  /** Matches that could not be played. */
  failures: Array<FailureLine>;
  /** The names of the maps of the listed matches. */
  maps: Array<string>;
  /** The newest matches, newest first. */
  matches: Array<Row>;
  /** How many matches there are altogether. */
  total: number;
  /** The port at which a page from disk looks for replays. */
  port: number;
};

/** A stage of a tournament. */
export type ReportStage = {
  /** What it is called. */
  name: string;
  /** Who meets whom. */
  format: StageFormat;
  /** How many times everybody meets, or how many rounds the plan says. */
  times: number | null;
  /** Those who play against everybody else in a gauntlet. */
  heroes: Array<string>;
  /** Where it stands. */
  state: StageState;
  /** Rounds drawn so far. */
  round: number;
  /** Rounds altogether, if one can tell. */
  rounds: number | null;
  /** Its tables: one, or one per group. */
  groups: Array<Array<Standing>>;
  /** Points of each bot, beginning with those carried over, after every so many rounds. */
  course: Array<[number, Array<number>]>;
  /** Rounds from one value of `course` to the next. */
  every: number;
  /** The meetings of a knockout, by round. */
  bracket: Array<Array<BracketMeeting>>;
  /** The duels of a knockout, by group. */
  duels: Array<Array<Duel>>;
};

/** A match: number, stage, round, map, turns, milliseconds, what its replay is called, marks (1: void, 2: tainted), seats. */
export type Row = [number, number, number, number, number, number, string | null, number, Array<Seat>];

/** A seat of a match: bot, place, score, points, and the kind of its fault. */
export type Seat = [number, number, number, number, string | null];

/** Who meets whom in a stage. */
export type StageFormat = 'round-robin' | 'tables' | 'swiss' | 'knockout' | 'double-knockout' | 'gauntlet';

/** Where a stage stands. */
export type StageState = 'waiting' | 'running' | 'over';

/** One line of a table. */
export type Standing = {
  /** 1 is the best; those equal in everything share it. */
  place: number;
  /** Who. */
  bot: number;
  /** The points that count. */
  points: number;
  /** The tie-breaks of the stage, by name, in order. */
  tie_breaks: Array<[string, number]>;
  /** Matches played in this stage. */
  played: number;
  /** Won alone. */
  won: number;
  /** Best place shared. */
  drawn: number;
  /** Neither. */
  lost: number;
  /** Matches with a fault of this bot. */
  faults: number;
};
