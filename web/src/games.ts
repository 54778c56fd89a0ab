/** The games' own viewers; each is loaded when a match of that game is opened. */

import type { GameViewer } from 'palestra/contract';

const VIEWERS = import.meta.glob<{ default: GameViewer }>('../../games/*/viewer.ts');

export async function loadViewer(game: string): Promise<GameViewer> {
  const load = VIEWERS[`../../games/${game}/viewer.ts`];
  if (!load) throw new Error(`This page cannot draw the game "${game}".`);
  return (await load()).default;
}
