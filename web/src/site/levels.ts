import { fill } from '../phrases';
import type { Words } from './language.svelte';

/** What a built-in player is called, with its level on the sparring ladder if it has one. */
export function withLevel(words: Words, name: string, level: number | null): string {
  return level === null ? name : `${name} (${fill(words.common.level, { n: level })})`;
}
