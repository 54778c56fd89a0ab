/** Lines for the command line, ready to copy. */

import { arena } from './arena.svelte';

/** A bot of one's own, as the examples call it. */
const BOT = './mybot';

/** Against itself: that works in every game. */
export const playLine = (game: string): string => `palestra play ${game} ${BOT} ${BOT} --watch`;

export const newLine = (game: string): string => `palestra new ${game}`;

/** The next step of a course, or this one. */
export const learnLine = (game: string, step?: number): string =>
  `palestra learn ${game} --bot ${BOT}${step ? ` --step ${step}` : ''}`;

export const connectLine = (game: string, token = 'KEY'): string =>
  `palestra connect ${gateway()} ${arena.event?.gateway_tls ? '--tls ' : ''}--token ${token} --game ${game} -- ${BOT}`;

export const submitLine = (game: string, token = 'KEY'): string =>
  `palestra submit ${location.origin} ${game} mybot.py --token ${token}`;

/** Where programs connect to. */
export function gateway(): string {
  const port = arena.event?.gateway;
  return port ? `${location.hostname}:${port}` : location.hostname;
}
