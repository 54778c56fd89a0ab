/** Everything that the report of an event and its certificates show. */

import type { EventView, RoundStanding, RoundView, StandingLine } from './api';
import { getRound, getRounds, getStandings } from './client';
import { lastDecided, people, type LastPlaces } from './podium';

/** Rounds in a report, the newest; more than that is no event that somebody prints. */
const ROUNDS = 200;

/** The final table of a game. */
export interface GameResult {
  game: string;
  title: string;
  lines: StandingLine[];
}

/** The table of a round that is over. */
export interface RoundResult {
  round: RoundView;
  lines: (RoundStanding & { id: number; name: string })[];
}

export interface EventResults {
  games: GameResult[];
  /** In the order in which they were over. */
  rounds: RoundResult[];
}

/** What one player has to show: the places in games and in rounds. */
export interface Achievement {
  player: number;
  name: string;
  games: { title: string; place: number; all: number }[];
  rounds: { name: string; title: string; place: number; all: number }[];
}

/** The final table of a game: its people, with their places among themselves. */
export async function loadFinal(game: string, rounds: readonly RoundView[]): Promise<StandingLine[]> {
  const last = lastDecided(rounds.filter((round) => round.game === game));
  const [lines, detail] = await Promise.all([getStandings(game), last ? getRound(last.id) : null]);
  const places = detail?.standings.map(({ bot, place }) => [detail.players[bot]?.bot ?? 0, place] as const);
  return people(lines, new Map(places));
}

export async function loadResults({ games }: EventView): Promise<EventResults> {
  const tables = await Promise.all(games.map(({ id }) => getStandings(id)));
  const over = (await allRounds()).filter(({ state }) => state === 'over');
  const rounds: RoundResult[] = [];
  // One after the other: long ones take the server a moment each.
  for (const round of over.sort((a, b) => (a.ended ?? 0) - (b.ended ?? 0) || a.id - b.id)) {
    const { players, standings } = await getRound(round.id);
    const lines = standings.map((line) => ({
      ...line,
      id: players[line.bot]?.bot ?? 0,
      name: players[line.bot]?.name ?? '',
    }));
    rounds.push({ round, lines });
  }
  const last = (game: string): LastPlaces => {
    const of = rounds.findLast(({ round, lines }) => round.game === game && lines.length > 0);
    return new Map(of?.lines.map(({ id, place }) => [id, place]));
  };
  return {
    games: games.map(({ id, title }, i) => ({ game: id, title, lines: people(tables[i] ?? [], last(id)) })),
    rounds,
  };
}

async function allRounds(): Promise<RoundView[]> {
  const rounds: RoundView[] = [];
  let before: number | null = null;
  do {
    const page = await getRounds(before);
    rounds.push(...page.rounds);
    before = page.older;
  } while (before !== null && rounds.length < ROUNDS);
  return rounds.slice(0, ROUNDS);
}

/** When it was over: with its last round, or now. */
export function endOf({ rounds }: EventResults, now: number): number {
  return Math.max(0, ...rounds.map(({ round }) => round.ended ?? 0)) || now;
}

/** Everybody who has a place, the best first: of a game only those who have played. */
export function achievementsOf({ games, rounds }: EventResults): Achievement[] {
  const all = new Map<number, Achievement & { best: number }>();
  const owners = new Map<number, number>();
  for (const { title, lines } of games) {
    const played = lines.filter((line) => line.points > 0 || line.played > 0);
    for (const { player, bot, name, place } of lines) {
      owners.set(bot, player);
      const one = all.get(player) ?? { player, name, games: [], rounds: [], best: Infinity };
      all.set(player, one);
      if (!played.some((line) => line.bot === bot)) continue;
      one.games.push({ title, place, all: played.length });
      one.best = Math.min(one.best, place);
    }
  }
  for (const { round, lines } of rounds) {
    const title = games.find(({ game }) => game === round.game)?.title ?? round.game;
    for (const { id, place } of lines) {
      const player = owners.get(id);
      const one = player === undefined ? undefined : all.get(player);
      one?.rounds.push({ name: round.name, title, place, all: lines.length });
    }
  }
  const placed = [...all.values()].filter((one) => one.games.length + one.rounds.length > 0);
  return placed.sort((a, b) => a.best - b.best || a.name.localeCompare(b.name));
}
