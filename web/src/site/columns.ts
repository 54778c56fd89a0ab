/** The columns of a table of standings. */

import type { RoundStanding } from './api';
import { language } from './language.svelte';

export interface Column<Line> {
  title: string;
  /** What the title means. */
  about?: string;
  text: (line: Line) => string;
  /** `minor` is left out where there is little room. */
  look?: 'strong' | 'words' | 'minor';
}

/** What every kind of standing tells. */
export type Tally = RoundStanding;

export function pointsColumn(): Column<Tally> {
  const title = language.words.standings.points;
  return { title, text: ({ points }) => language.points(points), look: 'strong' };
}

/** Won, drawn and lost, with a column each or with one for all. */
export function recordColumns(brief: boolean): Column<Tally>[] {
  const words = language.words.standings;
  if (brief) return [{ title: words.record, text: ({ won, drawn, lost }) => [won, drawn, lost].join('–') }];
  const keys = ['played', 'won', 'drawn', 'lost'] as const;
  return keys.map((key) => ({ title: words[key], text: (line) => language.number(line[key]) }));
}
