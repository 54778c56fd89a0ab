/** What decided a duel of a knockout, in words; nothing where the planned matches did, or nobody had to play. */

import { fill } from '../phrases';
import type { Decision } from './api';
import type { language } from './language.svelte';

type Speaker = Pick<typeof language, 'words' | 'count' | 'points'>;

export function reasonOf(decision: Decision | null, speaker: Speaker): string | null {
  if (!decision) return null;
  const words = speaker.words.results.decision;
  const { by, deciders, numbers } = decision;
  const [a = '', b = ''] = (numbers ?? []).map((number) => speaker.points(number));
  const equal = deciders === 0 ? words.equal : speaker.count(words.equalAfter, deciders);
  switch (by) {
    case 'bye':
    case 'points':
      return null;
    case 'absence':
      return words.absence;
    case 'deciders':
      return fill(speaker.count(words.deciders, deciders), { a, b });
    case 'score':
    case 'seed':
      return fill(words[by], { equal, a, b });
  }
}
