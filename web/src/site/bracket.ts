/** Where the duels of a knockout stand in the picture of its bracket: winners above, losers below, finals behind. */

import type { BracketPart, DuelView, MeetingView } from './api';

export type Duel = Omit<DuelView, 'meeting'>;
export type Meeting = Omit<MeetingView, 'group' | 'decider'>;

/** Sizes in pixels. A box is as wide as there is room for, within these bounds. */
const NARROWEST = 196;
const WIDEST = 288;
/** Above a box: its number, and what is special about it. */
export const LABEL = 20;
export const LINE = 32;
const COLUMN_GAP = 36;
const GAP = 12;
/** Above a side: the names of its rounds. */
const HEAD = 36;
const ABOVE_THIRD = 16;

/** A duel in its place. */
export interface Box {
  /** Its place in the bracket. */
  duel: number;
  /** What it is called where others speak of it. */
  number: number;
  x: number;
  y: number;
  height: number;
}

/** The name of a round above its column. */
export interface Head {
  part: BracketPart;
  /** Counted from 1 within its part. */
  step: number;
  /** Rounds of the part that follow. */
  left: number;
  x: number;
  y: number;
}

export interface Drawing {
  boxes: Box[];
  /** Of every box. */
  boxWidth: number;
  heads: Head[];
  /** Lines along which winners go on, as paths. */
  ways: string[];
  width: number;
  height: number;
}

const isBelow = ({ part }: Duel): boolean => part === 'lower';
/** Nobody ever comes to such a duel. */
const isEmpty = ({ sides }: Duel): boolean => sides.every(({ nobody }) => nobody);
const middle = ({ y, height }: Box): number => y + (height + LABEL) / 2;

/** The duels of the last rounds, with their places in the whole bracket; who comes from before has no way to there. */
export function lastRounds<T extends Duel>(duels: readonly T[], most: number): { duel: T; from: number }[] {
  const last = Math.max(0, ...duels.map(({ round }) => round));
  const kept = duels.flatMap(({ round }, from) => (round > last - most ? [from] : []));
  const now = (before: number | null): number | null => {
    const at = before === null ? -1 : kept.indexOf(before);
    return at < 0 ? null : at;
  };
  return kept.flatMap((from) => {
    const duel = duels[from];
    if (!duel) return [];
    const sides = duel.sides.map((side) => ({
      ...side,
      winner_of: now(side.winner_of),
      loser_of: now(side.loser_of),
    }));
    return [{ duel: { ...duel, sides }, from }];
  });
}

/** Within this width, if that can be; `more` is the height of what stands below the two names of a box. */
export function draw(duels: readonly Duel[], room = 0, more = 0, widest = WIDEST): Drawing {
  const shown = duels.map((duel, index) => ({ duel, index })).filter(({ duel }) => !isEmpty(duel));
  const steps = (part: BracketPart): number[] => [
    ...new Set(shown.filter(({ duel }) => duel.part === part).map(({ duel }) => duel.round)),
  ];
  const [upper, lower] = [steps('upper'), steps('lower')];
  const last = Math.max(upper.length, lower.length);
  const column = ({ part, round }: Duel): number => {
    if (part === 'upper') return upper.indexOf(round);
    if (part === 'lower') return lower.indexOf(round);
    return part === 'second-final' ? last + 1 : last;
  };
  const columns = Math.max(1, ...shown.map(({ duel }) => column(duel) + 1));
  const fitting = Math.floor((room + COLUMN_GAP) / columns) - COLUMN_GAP;
  const boxWidth = Math.min(widest, Math.max(NARROWEST, fitting));
  const height = LABEL + 2 * LINE + more;
  const boxes = new Map<number, Box>(
    shown.map(({ duel, index }, i) => {
      const x = column(duel) * (boxWidth + COLUMN_GAP);
      return [index, { duel: index, number: i + 1, x, y: 0, height: height - LABEL }];
    }),
  );

  /** The boxes above or below from which a duel's players come as winners. */
  const feeders = (index: number): Box[] => {
    const duel = duels[index];
    const same = (from: number): boolean =>
      duel !== undefined && isBelow(duels[from] ?? duel) === isBelow(duel);
    const from = (duel?.sides ?? []).flatMap(({ winner_of }) => (winner_of === null ? [] : [winner_of]));
    return from.filter(same).flatMap((one) => boxes.get(one) ?? []);
  };
  const heads: Head[] = [];
  let top = 0;
  for (const below of [false, true]) {
    const mine = shown.filter(({ duel }) => isBelow(duel) === below && duel.part !== 'third-place');
    if (mine.length === 0) continue;
    const names = below ? lower : upper;
    names.forEach((_, i) =>
      heads.push({
        part: below ? 'lower' : 'upper',
        step: i + 1,
        left: names.length - i - 1,
        x: i * (boxWidth + COLUMN_GAP),
        y: top,
      }),
    );
    let bottom = top + HEAD;
    const placed = new Set<number>();
    // From the last duel back to where its players come from, so that no two lines cross.
    const place = (index: number): void => {
      const box = boxes.get(index);
      if (!box || placed.has(index)) return;
      placed.add(index);
      const before = feeders(index);
      for (const { duel } of before) place(duel);
      const [first, end] = [before[0], before.at(-1)];
      if (first && end) {
        box.y = (first.y + end.y) / 2;
      } else {
        box.y = bottom;
        bottom += height + GAP;
      }
    };
    for (const { index } of mine.toReversed()) place(index);
    top = bottom + GAP;
  }
  for (const { duel, index } of shown) {
    const box = boxes.get(index);
    if (!box || isBelow(duel) || duel.part === 'upper') continue;
    if (duel.part === 'third-place') {
      const above = shown.find((one) => one.duel.part === 'final');
      const over = above && boxes.get(above.index);
      box.y = over ? over.y + height + ABOVE_THIRD + HEAD : HEAD;
      top = Math.max(top, box.y + height + GAP);
    }
    heads.push({ part: duel.part, step: 1, left: 0, x: box.x, y: box.y - HEAD });
  }

  const ways: string[] = [];
  for (const { duel, index } of shown) {
    const to = boxes.get(index);
    for (const { winner_of } of duel.sides) {
      const from = winner_of === null ? undefined : boxes.get(winner_of);
      if (!from || !to) continue;
      const bend = to.x - COLUMN_GAP / 2;
      ways.push(`M${from.x + boxWidth} ${middle(from)}H${bend}V${middle(to)}H${to.x}`);
    }
  }
  const all = [...boxes.values()];
  const right = Math.max(0, ...all.map(({ x }) => x));
  return { boxes: all, boxWidth, heads, ways, width: right + boxWidth, height: Math.max(0, top - GAP) };
}
