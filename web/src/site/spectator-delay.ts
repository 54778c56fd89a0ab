/** Why a match that goes on is not shown as it is played. */

import { fill } from '../phrases';
import type { LateView } from './api';
import type { Words } from './language.svelte';

export function delayText({ seconds }: LateView, words: Words['match']): string {
  return seconds === null ? words.lateEnd : fill(words.late, { n: seconds });
}
