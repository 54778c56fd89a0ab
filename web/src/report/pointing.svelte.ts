/** The bot that somebody points at: it is pointed out everywhere on the page. */

import { strokeOf } from 'palestra/palette';
import { settings } from '../settings.svelte';
import { COLOURED } from './field';

class Pointing {
  bot = $state<number | null>(null);
}

export const pointing = new Pointing();

/** The colour of a bot, by its place in the order; grey for all but the first few. */
export function colourOf(rank: number): string {
  return rank < COLOURED ? strokeOf(settings.theme, rank + 1, 3) : settings.theme.neutral;
}
