/** What one wants to know of the scored rounds. */

import type { DuelView, MeetingView, RoundDetail, RoundState, RoundView, StageView } from './api';
import type { Words } from './language.svelte';

/** The round that goes on, else the one that begins next: those without a time come after all others. */
export function nextRound(rounds: readonly RoundView[]): RoundView | null {
  const now = rounds.find(({ state }) => state === 'running' || state === 'paused');
  if (now) return now;
  const waiting = rounds.filter(({ state }) => state === 'waiting');
  return waiting.sort((a, b) => (a.starts ?? Infinity) - (b.starts ?? Infinity))[0] ?? null;
}

const ORDER: Record<RoundState, number> = { running: 0, paused: 0, waiting: 1, over: 2, cancelled: 2 };

/** What goes on, what comes next, and what was last. */
export function inOrder(rounds: readonly RoundView[]): RoundView[] {
  const starts = (round: RoundView): number => round.starts ?? Infinity;
  return rounds.toSorted((a, b) => {
    const order = ORDER[a.state] - ORDER[b.state];
    if (order !== 0) return order;
    if (a.state === 'waiting' && starts(a) !== starts(b)) return starts(a) - starts(b);
    return ORDER[a.state] < 2 ? a.id - b.id : b.id - a.id;
  });
}

/** The formats of a round's stages, in order. */
export function formatsOf({ formats }: RoundView, { rounds }: Words): string {
  return formats.map((format) => rounds.formats[format]).join(' → ');
}

/** The stage that somebody wants to see, counted from 1; else the latest that has begun. */
export function stageOf({ stages }: RoundDetail, wanted: number | null): [number, StageView] | null {
  const latest = stages.findLastIndex(({ state }) => state !== 'waiting');
  const index = wanted !== null && stages[wanted - 1] ? wanted - 1 : Math.max(0, latest);
  const stage = stages[index];
  return stage ? [index + 1, stage] : null;
}

/** The meeting of a duel, once it is drawn, with the matches of its deciders behind its own. */
export function meetingOf({ rounds }: StageView, { meeting }: DuelView): MeetingView | null {
  if (!meeting) return null;
  const [number, place] = meeting;
  const meetings = rounds.find((round) => round.number === number)?.meetings ?? [];
  const planned = meetings[place];
  if (!planned) return null;
  const decides = ({ decider, group, players }: MeetingView): boolean =>
    decider > 0 && group === planned.group && players.join() === planned.players.join();
  return { ...planned, matches: [planned, ...meetings.filter(decides)].flatMap(({ matches }) => matches) };
}
