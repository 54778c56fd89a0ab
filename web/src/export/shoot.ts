/** Makes the picture or film that the command line asked for. */

import { theme } from 'palestra/palette';
import { MatchClient } from '../client';
import { loadViewer } from '../games';
import type { MatchPlace, Shoot } from '../state/address';
import { film } from './film';
import { toPng } from './png';
import { Reel, reelStride } from './reel';

export async function shootPlace(place: MatchPlace, shoot: Shoot): Promise<Blob> {
  const client = new MatchClient(place.id);
  const eyes = { seat: place.seat };
  const head = await client.head(eyes);
  const board = (await loadViewer(head.game.id)).board();
  const look = { theme: theme(shoot.dark), patterns: false, eyes, names: head.names };
  const { width, height } = shoot;
  const page = look.theme.page;
  if (!shoot.film) {
    const reel = new Reel(client, board, look);
    const painter = await reel.draw(Math.min(place.turn ?? head.turns, head.turns), width, height);
    return toPng(painter.compose(page, width, height).canvas);
  }
  const { from, every, delay } = shoot.film;
  const to = Math.min(shoot.film.to, head.turns);
  const reel = new Reel(client, board, look, reelStride(from, every));
  return film(reel, { from, to, every, delay, width, height, page }, () => undefined);
}
