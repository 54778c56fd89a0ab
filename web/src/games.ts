/** The games' own viewers; each is loaded when a match of that game is opened. */

import type { GameViewer } from 'palestra/contract';

const VIEWERS = new Map(
  Object.entries(
    import.meta.glob<{ default: GameViewer }>(['../../games/*/viewer.ts', 'more-games/*/viewer.ts']),
  ).map(([path, load]) => [path.split('/').at(-2), load]),
);

export async function loadViewer(game: string): Promise<GameViewer> {
  const load = VIEWERS.get(game);
  if (!load) throw new Error(`This page cannot draw the game "${game}".`);
  return (await load()).default;
}
