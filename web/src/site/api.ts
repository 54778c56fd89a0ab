// Generated from the Rust types by `make golden`; do not edit.

import type { Message } from '../api';
export type { Message };

import type { BracketPart, DecidedBy, StageFormat, StageState } from '../report/api';
export type { BracketPart, DecidedBy, StageFormat, StageState };

/** An account, for organisers. */
export type AccountView = {
  /** The number. */
  id: number;
  /** The name. */
  name: string;
  /** Whether the admin pages are open. */
  organiser: boolean;
  /** A built-in player. */
  house: boolean;
  /** Shut out by the organisers. */
  banned: boolean;
  /** Whether a client is connected. */
  online: boolean;
};

/** A new account. */
export type AddPlayer = {
  /** The name. */
  name: string;
  /** The password; one is made up if there is none. */
  password: string | null;
  /** Whether the admin pages are to be open. */
  organiser: boolean;
};

/** Something to announce. */
export type Announce = {
  /** What. */
  text: string;
};

/** What the organisers have to say. */
export type Announcement = {
  /** Its number. */
  id: number;
  /** When. */
  at: number;
  /** What. */
  text: string;
};

/** What a worker is set aside for. */
export type AsideCode = 'refused' | 'useless' | 'outvoted';

/** A new key for programs. */
export type AskToken = {
  /** What it is for. */
  label: string;
};

/** Whether somebody is shut out. */
export type Ban = {
  /** Shut out, or let in again. */
  banned: boolean;
};

/** A bot's page. */
export type BotView = {
  /** The number. */
  id: number;
  /** The game. */
  game: string;
  /** How it stands. */
  standing: StandingLine;
  /** What was handed in, newest first; what others may not know is left out. */
  versions: Array<VersionView>;
  /** Its rating over time, thinned out to what a chart can show. */
  ratings: Array<RatingPoint>;
  /** Its results against everybody it has met. */
  opponents: Array<OpponentLine>;
};

/** Who is to sit somewhere. */
export type Chair = 'me' | 'invited' | { house: string };

/** A challenge with its matches. */
export type ChallengeDetail = {
  /** The challenge. */
  challenge: ChallengeView;
  /** What was played, in order. */
  matches: Array<MatchView>;
};

/** Against whom. */
export type ChallengeOpponent = { bot: number } | { version: number };

/** Whether players let their versions play whom they like. */
export type ChallengeRule = 'unrated' | 'rated' | 'nobody';

/** Who plays in a challenge. */
export type ChallengeSide = {
  /** The bot. */
  bot: number;
  /** Its player. */
  player: number;
  /** That player's name. */
  name: string;
  /** The number of the version; nothing for a built-in player. */
  version: number | null;
};

/** Where a challenge stands. */
export type ChallengeState = 'open' | 'over' | 'cancelled';

/** How the next match of an open challenge stands. */
export type ChallengeTurn = {
  /** Matches of other challenges that begin before it; nothing while one of its own is being played. */
  ahead: number | null;
  /** The match that is being played. */
  running: number | null;
};

/** A challenge and how it stands. */
export type ChallengeView = {
  /** Its number. */
  id: number;
  /** The game. */
  game: string;
  /** The player's own version, and its opponent. */
  sides: [ChallengeSide, ChallengeSide];
  /** How many matches were asked for. */
  matches: number;
  /** When. */
  at: number;
  /** Where it stands. */
  state: ChallengeState;
  /** When it was over. */
  ended: number | null;
  /** Why it was cancelled; nothing if its player has. */
  why: Message | null;
  /** How its next match stands, if it is open. */
  turn: ChallengeTurn | null;
  /** The result so far. */
  result: DuelResult;
};

/** A new password for oneself. */
export type ChangePassword = {
  /** The one so far. */
  old: string;
  /** The new one. */
  new: string;
};

/** What the organisers can do to the whole event or to a round. */
export type Control = 'start' | 'pause' | 'resume' | 'close';

/** What came of one match of a step. */
export type CourseMatch = {
  /** The built-in players in it. */
  opponents: Array<string>;
  /** What did not come off: codes and their values; nothing if all did. */
  missed: Array<Message>;
  /** Why it was lost, if it was and should not have been. */
  why: Array<Message>;
};

/** The latest check of a step. */
export type CourseResult = {
  /** Where it stands. */
  state: CourseState;
  /** Whether the step was ever passed. */
  passed: boolean;
  /** The number of the version that was checked; nothing if it is forgotten. */
  version: number | null;
  /** When it was asked for. */
  at: number;
  /** What came of its matches, in order. */
  matches: Array<CourseMatch>;
};

/** Where the check of a step of a course stands. */
export type CourseState = 'queued' | 'passed' | 'missed' | 'failed';

/** A step of a course. */
export type CourseStep = {
  /** Its name in the game's words and in addresses. */
  name: string;
  /** How many matches it has, */
  matches: number;
  /** and in how many of them it has to come off. */
  need: number;
  /** How whoever asks does in it; nothing before the first check. */
  result: CourseResult | null;
};

/** The course of a game. */
export type CourseView = {
  /** Its steps, in order. */
  steps: Array<CourseStep>;
  /** The number of the version with which steps of whoever asks are checked; nothing without one. */
  version: number | null;
};

/** How a duel of a knockout was decided. */
export type Decision = {
  /** What told the two apart. */
  by: DecidedBy;
  /** How many further matches there were because the planned ones left it equal. */
  deciders: number;
  /** What each has of that, the winner first; nothing if there was nothing to compare. */
  numbers: [number, number] | null;
};

/** A file. */
export type Download = {
  /** Its name. */
  file: string;
  /** Where to get it. */
  href: string;
  /** How large it is. */
  bytes: number;
  /** Its SHA-256, in hexadecimal digits. */
  sha256: string;
  /** What it is. */
  kind: DownloadKind;
};

/** What a file is. */
export type DownloadKind =
  | {
      kind: 'program';
      /** For which system, if its name says so. */
      system: System | null;
      /** For which processors: 'x86-64', 'arm64'; if its name says so. */
      processor: string | null;
      /** Whether it has to be unpacked. */
      archive: boolean;
    }
  | {
      kind: 'kit';
      /** The game's id. */
      game: string;
      /** The language: 'Python', 'C++'. */
      language: string;
      /** The file to start. */
      main: string;
      /** How its first match is played, behind `palestra `. */
      play: string;
    }
  | {
      kind: 'other';
      /** For which system, if its name says so. */
      system: System | null;
    };

/** Everything that can be downloaded. */
export type DownloadList = {
  /** The files, programs first. */
  files: Array<Download>;
};

/** What a challenge brought the player's own version. */
export type DuelResult = {
  /** Matches that count. */
  played: number;
  /** Won alone. */
  won: number;
  /** Best place shared. */
  drawn: number;
  /** Neither. */
  lost: number;
  /** The share of points from 0 to 1, and the limits of its 95 % interval; nothing without a match. */
  share: [number, number, number] | null;
  /** By the seat of one's own version. */
  seats: Array<SeatResult>;
  /** Matches in which one's own version made a mistake. */
  faults: number;
};

/** A side of a duel: from the field, from a duel before, or nobody (then the other side goes on). */
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

/** A duel of a knockout. Duels are named by their places in their bracket. */
export type DuelView = {
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
  /**
   * Its meeting: the number of the league round, and its place among the meetings there; nothing before it is drawn,
   * and if one side has nobody.
   */
  meeting: [number, number] | null;
};

/** A language that sources can be in. */
export type EditorLanguage = {
  /** What it is called. */
  name: string;
  /** The endings of its files, the usual one first. */
  endings: Array<string>;
};

/** What the editor needs to know about a game. */
export type EditorView = {
  /** The languages that the arena knows. */
  languages: Array<EditorLanguage>;
  /** Built-in players to try a bot against, the weakest first. */
  opponents: Array<string>;
  /** Their levels on the sparring ladder, in the same order; null stands beside it. */
  levels: Array<number | null>;
  /** Bots to begin with. */
  starters: Array<Starter>;
};

/** Where an event stands. */
export type EventState = 'open' | 'paused' | 'closed';

/** The event at a glance: what the site shows around every page. */
export type EventView = {
  /** What it is called. */
  name: string;
  /** The same by language, where the plan has several. */
  name_in: { [key in string]: string };
  /** What it is about, in a few sentences; may be empty. */
  about: string;
  /** The same by language, where the plan has several. */
  about_in: { [key in string]: string };
  /** The server's time. */
  now: number;
  /** Where the event stands. */
  state: EventState;
  /** Its games. */
  games: Array<GameView>;
  /** Its scored rounds: those that go on or are to come, and the latest of the others. */
  rounds: Array<RoundView>;
  /** What the organisers have to say, newest first. */
  announcements: Array<Announcement>;
  /** Whether players challenge each other, and whether that moves ratings. */
  challenges: ChallengeRule;
  /** How newcomers get an account. */
  registration: Registration;
  /** The port of the TCP gateway, if there is one. */
  gateway: number | null;
  /** Whether the gateway takes TLS. */
  gateway_tls: boolean;
  /** Clients connected to the gateway now. */
  online: number;
  /** Who asks, if signed in. */
  me: Me | null;
};

/** A game of the event. */
export type GameView = {
  /** Its name in addresses: 'generals'. */
  id: string;
  /** Its name for people. */
  title: string;
  /** One line about it. */
  summary: string;
  /** The fewest and the most players of a match. */
  seats: [number, number];
  /** The time control, as a plan writes it. */
  time: string;
  /** The same for people: a code and its values. */
  time_message: Message;
  /** Whether bots can be handed in. */
  submissions: boolean;
  /** Whether clients at home can play free matches. */
  free_play: boolean;
  /** Bots on its ladder. */
  bots: number;
  /** Matches being played now. */
  live: number;
  /** Starter kits to download. */
  kits: Array<Kit>;
};

/** What a table of players says. */
export type ImportPreview = {
  /** The heading of the column that names were taken from, if the table has headings. */
  name_heading: string | null;
  /** That of the passwords. */
  password_heading: string | null;
  /** The players, in the order of the table. */
  players: Array<ImportedPlayer>;
};

/** A player in a table. */
export type ImportedPlayer = {
  /** The name. */
  name: string;
  /** Whether the table has a password for it. */
  has_password: boolean;
  /** Whether it has an account already, which stays as it is. */
  is_known: boolean;
};

/** A place at a table that is free. */
export type Invitation = {
  /** Which seat, counted from 1. */
  seat: number;
  /** The secret that opens it: `/play?invite=…`. */
  token: string;
};

/** A starter kit. */
export type Kit = {
  /** The language: 'Python', 'C++'. */
  language: string;
  /** Its file's name. */
  file: string;
  /** Where to get it. */
  href: string;
};

/** How far behind a match is shown: both null if it is shown when it is over. */
export type LateView = {
  /** So many seconds, */
  seconds: number | null;
  /** and at least so many rounds. */
  rounds: number | null;
};

/** Meetings that can be played side by side. */
export type LeagueRound = {
  /** Counted from 1 within the stage. */
  number: number;
  /** Who meets whom, group by group. */
  meetings: Array<MeetingView>;
  /** Who has nobody to meet. */
  byes: Array<number>;
};

/** What changes all the time: sent as a stream, and once on request. */
export type LiveView = {
  /** The server's time. */
  now: number;
  /** Where the event stands. */
  state: EventState;
  /** Matches being played: scored ones first, then the best rated; only so many. */
  matches: Array<MatchView>;
  /** How many are being played altogether. */
  running: number;
  /** The latest results, newest first. */
  latest: Array<MatchView>;
  /** Rounds that go on or are to come, and the latest of the others, by number. */
  rounds: Array<RoundView>;
  /** The newest announcement's number, to notice a new one. */
  announcement: number | null;
  /** Clients connected to the gateway. */
  online: number;
  /** What became lately of versions of who asks, newest first. */
  settled: Array<SettledVersion>;
};

/** A line of the event's log, for organisers. */
export type LogLine = {
  /** Its number. */
  id: number;
  /** When. */
  at: number;
  /** Who did it; nobody for what happened by itself. */
  who: string | null;
  /** What happened. */
  text: string;
};

/** How busy the machine is, and whether that hurts. */
export type MachineView = {
  /** Its processor cores. */
  cores: number;
  /** How many programs want a core, on average over the last minute; nothing where the system does not tell. */
  load: number | null;
  /** Matches of the last minutes in which a bot ran out of time because it was kept from the processor. */
  stalled: number;
  /** How many minutes these are. */
  stalled_minutes: number;
  /** Versions that wait to be compiled and tried. */
  waiting_versions: number;
  /** Whether organisers should do something. */
  busy: boolean;
};

/** Why a match was played. */
export type MatchKind = 'free' | 'practice' | 'ladder' | 'scored' | 'smoke' | 'hand' | 'challenge';

/** Some matches, newest first. */
export type MatchList = {
  /** The matches. */
  matches: Array<MatchView>;
  /** Give this as `before` to get older ones; nothing if there are none. */
  older: number | null;
};

/** How a match ended for one of its players. */
export type MatchResult = 'won' | 'drawn' | 'lost';

/** Where a match stands. */
export type MatchState = 'running' | 'finished' | 'void';

/** A match in a list, and on its own page. */
export type MatchView = {
  /** Its number. */
  id: number;
  /** The game. */
  game: string;
  /** Why it was played. */
  kind: MatchKind;
  /** The scored round it belongs to. */
  round: number | null;
  /** The challenge it belongs to. */
  challenge: number | null;
  /** Where it stands. */
  state: MatchState;
  /** When it began. */
  started: number;
  /** When it was over. */
  ended: number | null;
  /** Its place in the order in which matches were counted, which ratings depend on. */
  counted: number | null;
  /** Turns played so far, as far as everybody may see them. */
  turns: number;
  /** By seat. */
  seats: Array<SeatView>;
  /** Whether who asks may look at it now. */
  watchable: boolean;
  /** How far behind who asks sees it while it goes on, because it hides things from its players; nothing if at once. */
  late: LateView | null;
  /** Whether it can be shown again: replays of very old matches are not kept. */
  replay: boolean;
  /** Why it does not count, if so. */
  why: string | null;
  /** The worker that played it; nothing if that was the arena's own machine. */
  worker: string | null;
};

/** Somebody who is signed in. */
export type Me = {
  /** The player's number. */
  id: number;
  /** The player's name. */
  name: string;
  /** Whether the admin pages are open. */
  organiser: boolean;
};

/** Some who meet, once or several times. */
export type MeetingView = {
  /** The group, counted from 0. */
  group: number;
  /** Who. */
  players: Array<number>;
  /**
   * Further matches of a knockout's meeting that was equal: which of its deciders, counted from 1; 0 for the meeting
   * itself.
   */
  decider: number;
  /** The points of each so far. */
  points: Array<number>;
  /** Its matches, in order. */
  matches: Array<RoundMatch>;
};

/** A new account's password: told once, never kept. */
export type NewPassword = {
  /** The player's number. */
  id: number;
  /** The name. */
  name: string;
  /** The password. */
  password: string;
};

/** A new key: its secret is told once, never kept. */
export type NewToken = {
  /** Its number. */
  id: number;
  /** The secret. */
  token: string;
};

/** What a player wants to know. */
export type OpenChallenge = {
  /** The game. */
  game: string;
  /** One of the player's own versions; the one that plays unless given. */
  version: number | null;
  /** Against whom. */
  opponent: ChallengeOpponent;
  /** How many matches, from 1 to 20. */
  matches: number;
};

/** What somebody wants to play. */
export type OpenTable = {
  /** The game. */
  game: string;
  /** The name of a map; any that fits unless given. */
  map: string | null;
  /** By seat. */
  seats: Array<Chair>;
};

/** Results against one opponent. */
export type OpponentLine = {
  /** The opponent's bot. */
  bot: number;
  /** Whose it is. */
  player: number;
  /** Its player's name. */
  name: string;
  /** Matches in which this bot came out ahead. */
  won: number;
  /** Equal. */
  drawn: number;
  /** Behind. */
  lost: number;
};

/** A match of somebody's own. */
export type OwnMatch = {
  /** The match. */
  game: MatchView;
  /** The own seat, counted from 0. */
  seat: number;
  /** How it ended for it. */
  result: MatchResult;
  /** Whether it was not looked at. */
  unseen: boolean;
};

/** Somebody's own matches that are over, newest first. */
export type OwnMatchList = {
  /** The matches. */
  matches: Array<OwnMatch>;
  /** Give this as `before` to get older ones; nothing if there are none. There may be some though this page is short. */
  older: number | null;
  /** Matches lost lately which were not looked at. */
  unseen_losses: number;
};

/** A game that can be played by hand. */
export type PlayGame = {
  /** Its name in addresses. */
  id: string;
  /** The fewest and the most players of a match. */
  seats: [number, number];
  /** Built-in players who play along. */
  opponents: Array<string>;
  /** Their levels on the sparring ladder, in the same order; null stands beside it. */
  levels: Array<number | null>;
  /** What it can be played on. */
  maps: Array<PlayMap>;
};

/** Something to play on. */
export type PlayMap = {
  /** Its name. */
  name: string;
  /** For how many players it is. */
  seats: Array<number>;
};

/** What can be played by hand. */
export type PlayOffer = {
  /** Whether who asks may play. */
  allowed: boolean;
  /** How long an answer may take, in seconds. */
  seconds: number;
  /** The games. */
  games: Array<PlayGame>;
};

/** A player in the list of all. */
export type PlayerLine = {
  /** The number. */
  id: number;
  /** The name. */
  name: string;
  /** A built-in player of the organisers'. */
  house: boolean;
  /** Whether a client is connected. */
  online: boolean;
};

/** A player's page. */
export type PlayerView = {
  /** The number. */
  id: number;
  /** The name. */
  name: string;
  /** A built-in player of the organisers'. */
  house: boolean;
  /** Since when. */
  joined: number;
  /** The player's place in every game with a bot. */
  bots: Array<[string, StandingLine]>;
};

/** One of the best of a round that is over. */
export type PodiumLine = {
  /** 1 is the best; those equal in everything share it. */
  place: number;
  /** The bot. */
  bot: number;
  /** The player's name. */
  name: string;
};

/** What plays for a bot. */
export type Presence = 'nothing' | 'client' | 'version' | 'built-in';

/** A rating at a time. */
export type RatingPoint = {
  /** When. */
  at: number;
  /** The match after which it was so. */
  game: number;
  /** The rating. */
  elo: number;
  /** The version that played; nothing for a client and for a built-in player. */
  version: number | null;
};

/** Why something is done. */
export type Reason = {
  /** In a few words. */
  why: string;
};

/** How newcomers get an account. */
export type Registration = 'closed' | 'invite';

/** Why a version was rejected, for its author. */
export type Rejection = {
  /** How far it came. */
  step: RejectionStep;
  /**
   * The one line that says most: the compiler's first error, the last line of a traceback, or what is wrong with the
   * archive. Nothing if nobody wrote anything.
   */
  line: string | null;
  /** How its first match ended for it, if it came so far: a code and its values. */
  reason: Message | null;
  /** Where in its source file something is wrong, in the order in which that was told. */
  places: Array<SourcePlace>;
};

/** How far something came that was rejected. */
export type RejectionStep = 'unpacking' | 'compiling' | 'starting' | 'first-match' | 'set-aside';

/** A round's page. */
export type RoundDetail = {
  /** The round. */
  round: RoundView;
  /** Who takes part. Everywhere else on this page somebody is named by the place in this list. */
  players: Array<RoundPlayer>;
  /** The table, best first: that of the last stage, and behind it those who did not reach it. */
  standings: Array<RoundStanding>;
  /** Its stages, in order; empty before it has begun. */
  stages: Array<StageView>;
};

/** Some rounds, newest first. */
export type RoundList = {
  /** The rounds. */
  rounds: Array<RoundView>;
  /** Give this as `before` to get older ones; nothing if there are none. */
  older: number | null;
};

/** A match of a round. */
export type RoundMatch = {
  /** Its number in addresses; nothing before it begins, and if it was not played. */
  id: number | null;
  /** Where it stands. */
  state: RoundMatchState;
  /** Who plays; by seat, once it was played. */
  players: Array<number>;
  /** Their points, in the same order; empty before it was played. Those of a void match do not count. */
  points: Array<number>;
};

/** Where a match of a round stands. */
export type RoundMatchState = 'planned' | 'running' | 'finished' | 'forfeit' | 'void' | 'failed';

/** Somebody in a round. */
export type RoundPlayer = {
  /** The bot. */
  bot: number;
  /** The player's name. */
  name: string;
  /** The rating at the beginning of the round. */
  elo: number;
};

/** One line of a round's table. */
export type RoundStanding = {
  /** 1 is the best. */
  place: number;
  /** The place in `players`. */
  bot: number;
  /** Points of this stage. */
  points: number;
  /** Matches played. */
  played: number;
  /** Won alone. */
  won: number;
  /** Best place shared. */
  drawn: number;
  /** Neither. */
  lost: number;
};

/** Where a round stands. */
export type RoundState = 'waiting' | 'running' | 'paused' | 'over' | 'cancelled';

/** A scored round. */
export type RoundView = {
  /** Its number. */
  id: number;
  /** What it is called. */
  name: string;
  /** The same by language, where the plan has several. */
  name_in: { [key in string]: string };
  /** What its stages are called, in order, by language, where the plan has several. */
  stages_in: Array<{ [key in string]: string }>;
  /** The game. */
  game: string;
  /** The formats of its stages, in order. */
  formats: Array<StageFormat>;
  /** Where it stands. */
  state: RoundState;
  /** When it begins, if that is settled. */
  starts: number | null;
  /** When it was to begin by the plan, if that was over before it could: it waits for an organiser. */
  missed: number | null;
  /** When it was over. */
  ended: number | null;
  /** How many take part at most; everybody unless given. */
  best: number | null;
  /** Points for a win and for a draw, where that is how points are given, in all stages alike. */
  points: [number, number] | null;
  /** Matches played, and altogether as far as one can tell. */
  progress: [number, number];
  /** The best three places, once it is over. */
  podium: Array<PodiumLine>;
};

/** A share of points (a win 1, a draw one half) with its 95 % interval. */
export type ScoreView = {
  /** The share. */
  value: number;
  /** The lower limit. */
  low: number;
  /** The upper limit. */
  high: number;
};

/** What a version brought from one seat. */
export type SeatResult = {
  /** Won alone. */
  won: number;
  /** Best place shared. */
  drawn: number;
  /** Neither. */
  lost: number;
};

/** One seat of a match. */
export type SeatView = {
  /** The player; nobody for the server's own bot. */
  player: number | null;
  /** The bot. */
  bot: number | null;
  /** The version that played, counted from 1, or 0 if it was only tried; nothing for a client and for a built-in player. */
  version: number | null;
  /** A built-in player of the organisers, or the server's own bot. */
  built_in: boolean;
  /** Somebody who plays by hand. */
  person: boolean;
  /** The name. */
  name: string;
  /** 1 is the best; nothing while the match goes on. */
  place: number | null;
  /** Points of the scored round; nothing if the match does not count. */
  points: number | null;
  /** The rating after the match, and how far the match moved it; nothing if it did not count. */
  elo: [number, number] | null;
  /** The kind of its first fault: 'out_of_time'. */
  fault: string | null;
  /**
   * What there is to tell of that fault, for its author only: a code and its values, or of matches that were played
   * before there were codes a sentence.
   */
  fault_message: Message | null;
  /** How it came to its place, for its author only: a code and its values. */
  reason: Message | null;
};

/** Matches that were looked at. */
export type Seen = {
  /** These. */
  matches: Array<number>;
  /** And everything up to this one. */
  until: number | null;
};

/** Why a worker is set aside. */
export type SetAside = {
  /** What it has done. */
  code: AsideCode;
  /** In which match. */
  match: number | null;
  /** What was found, in the words of the program. */
  detail: string | null;
};

/** A version that has become ready, or was rejected. */
export type SettledVersion = {
  /** Its number in addresses. */
  id: number;
  /** Its number among the bot's versions. */
  number: number;
  /** The game. */
  game: string;
  /** What became of it. */
  state: VersionState;
};

/** Two versions against the same opponents, each of whom weighs the same for both. */
export type SharedScores = {
  /** How many opponents both have met. */
  opponents: number;
  /** The version. */
  own: ScoreView;
  /** The base. */
  base: ScoreView;
};

/** Signing in. */
export type SignIn = {
  /** The player's name. */
  name: string;
  /** The password. */
  password: string;
};

/** A newcomer with an invite code. */
export type SignUp = {
  /** The name to be. */
  name: string;
  /** The password. */
  password: string;
  /** The code that the organisers hand out. */
  invite: string;
};

/** A file of what was handed in. */
export type SourceFile = {
  /** Its name, with the folders of the archive. */
  path: string;
  /** Its size. */
  bytes: number;
  /** What is in it; nothing if that is no text, or too much to show. */
  text: string | null;
};

/** A place in a source file that a compiler or an interpreter complains about. */
export type SourcePlace = {
  /** Counted from 1. */
  line: number;
  /** Counted from 1; nothing if the whole line is meant. */
  column: number | null;
  /** Whether it is a warning only. */
  warning: boolean;
  /** What is wrong. */
  text: string;
};

/** What was handed in, to read. */
export type SourceView = {
  /** Its files: one, or those of an archive. */
  files: Array<SourceFile>;
};

/** Some who play among themselves in a stage. */
export type StageGroup = {
  /** The table, best first; points carried over from the stage before are included. */
  standings: Array<RoundStanding>;
  /** The duels of a knockout, those to come included; empty otherwise. */
  bracket: Array<DuelView>;
};

/** A stage of a round. */
export type StageView = {
  /** What it is called. */
  name: string;
  /** Who meets whom. */
  format: StageFormat;
  /** Where it stands. */
  state: StageState;
  /** League rounds drawn so far. */
  drawn: number;
  /** League rounds altogether, if one can tell. */
  all: number | null;
  /** How many of the stage before take part; everybody unless given. */
  take: number | null;
  /** Its groups; one if it is not split. */
  groups: Array<StageGroup>;
  /** The league rounds that were drawn, in order; of a very large stage only the latest. */
  rounds: Array<LeagueRound>;
};

/** Somebody's place in a game. */
export type StandingLine = {
  /** 1 is the best; those equal in everything share it. */
  place: number;
  /** The bot. */
  bot: number;
  /** Whose it is. */
  player: number;
  /** The player's name. */
  name: string;
  /** A built-in player of the organisers'. */
  house: boolean;
  /** Whether a client of it is connected now. */
  online: boolean;
  /** Points of scored rounds. */
  points: number;
  /** The Elo rating, rounded. */
  elo: number;
  /** Matches that count for the rating. */
  played: number;
  /** Won alone. */
  won: number;
  /** Best place shared. */
  drawn: number;
  /** Neither. */
  lost: number;
  /** What plays: 'version 3', 'connected', 'built in', or nothing yet. */
  plays: Presence;
};

/** A bot of one file to begin with. */
export type Starter = {
  /** The file's name. */
  file: string;
  /** What is in it. */
  text: string;
};

/** A system. */
export type System = 'linux' | 'macos' | 'windows';

/** One seat at a table. */
export type TableSeat = {
  /** Who sits there, if somebody does. */
  name: string | null;
  /** A built-in player. */
  house: boolean;
  /** Whether a match may begin. */
  ready: boolean;
};

/** How a table stands for somebody. */
export type TableStatus = 'invited' | 'waiting' | 'playing' | 'over';

/** The secret of somebody's place at a table. */
export type TableToken = {
  /** The secret. */
  token: string;
};

/** A table as somebody sees it who sits there or is invited. */
export type TableView = {
  /** The game. */
  game: string;
  /** The name of the map, if one was chosen. */
  map: string | null;
  /** The seat of who asks, counted from 1. */
  seat: number;
  /** How it stands for who asks. */
  status: TableStatus;
  /** By seat. */
  seats: Array<TableSeat>;
  /** The places that are still free, for whoever sits there. */
  invitations: Array<Invitation>;
  /** When it is forgotten, if nothing happens before. */
  expires: number;
  /** The match that is played, or was played last. */
  latest: number | null;
  /** What opens the seat in that match, as soon as it can be looked at. */
  key: string | null;
  /** Why a match could not be played. */
  trouble: string | null;
  /** The secret of the place that was just taken. */
  token: string | null;
};

/** A key for programs, without its secret. */
export type TokenView = {
  /** Its number. */
  id: number;
  /** What it is for. */
  label: string;
  /** Since when. */
  at: number;
};

/** How the versions of a bot did. */
export type VersionComparison = {
  /** The version that the others are compared with, if it has met anybody. */
  base: number | null;
  /** The latest versions that have met somebody in matches that count, newest first. */
  versions: Array<VersionScore>;
};

/** What an author notes about a version. */
export type VersionNote = {
  /** In a few words; empty for nothing. */
  text: string;
};

/** How a version did. */
export type VersionScore = {
  /** Its number among the bot's versions. */
  version: number;
  /** How often it met somebody. */
  played: number;
  /** Against everybody it has met. */
  all: ScoreView;
  /** Against those whom the base has met too; nothing if there are none. */
  shared: SharedScores | null;
};

/** What became of something handed in. */
export type VersionState = 'queued' | 'compiling' | 'trying' | 'ready' | 'rejected';

/** Something that was handed in. */
export type VersionView = {
  /** Its number in addresses. */
  id: number;
  /** Its number among the bot's versions, counted from 1. */
  number: number;
  /** The file that was handed in. */
  file: string;
  /** When. */
  at: number;
  /** What became of it. */
  state: VersionState;
  /** Whether it is the one that plays. */
  active: boolean;
  /** What the compiler and the smoke match said; for its author only. */
  log: string | null;
  /** The smoke match, for its author only. */
  smoke: number | null;
  /** Why it was rejected, for its author only; nothing if it was not, or by an earlier palestra. */
  rejection: Rejection | null;
  /** What its author notes about it, for its author only. */
  note: string | null;
  /**
   * The built-in player that it was tried against, if it was not handed in but only tried: it has no number then, never
   * plays again, and is for its author only.
   */
  trial: string | null;
};

/** One worker. */
export type WorkerView = {
  /** What it is called. */
  name: string;
  /** Matches that it plays at a time. */
  places: number;
  /** Matches that it plays now. */
  playing: number;
  /** Matches that it has played since it was started. */
  played: number;
  /** Its version of the program. */
  version: string;
  /** Languages of sources that it can play. */
  toolchains: Array<string>;
  /** Why nothing of it counts any more; nothing for one that is counted on. */
  aside: SetAside | null;
};

/** The workers at an event's queue. */
export type WorkersView = {
  /** Where the queue is. */
  queue: string;
  /** Workers that are there and counted on. */
  count: number;
  /** Matches that they play at a time. */
  places: number;
  /** Matches that they play now. */
  playing: number;
  /** The first of them, and those that are set aside. */
  workers: Array<WorkerView>;
};

/** Something went wrong: one sentence. */
export type Wrong = {
  /** What, where, and what to do. */
  error: string;
  /** The same for people of every language: a code and its values. */
  message: Message | null;
};
