/** Makes the picture or film that the command line asked for. */

import { theme } from 'palestra/palette';
import { MatchClient } from '../client';
import { loadViewer } from '../games';
import type { MatchPlace, Capture } from '../state/address';
import { film } from './film';
import { toPng } from './png';
import { FrameRenderer, renderStride } from './frame-renderer';
import { speech } from '../speech.svelte';

export async function capturePlace(place: MatchPlace, capture: Capture): Promise<Blob> {
  const client = new MatchClient(place.id);
  const eyes = { seat: place.seat };
  const head = await client.head(eyes);
  const board = (await loadViewer(head.game.id)).board(speech.of(head.game.id));
  const look = { theme: theme(capture.dark), patterns: false, eyes, names: head.names };
  const { width, height } = capture;
  const page = look.theme.page;
  if (!capture.film) {
    const renderer = new FrameRenderer(client, board, look);
    const painter = await renderer.draw(Math.min(place.turn ?? head.turns, head.turns), width, height);
    return toPng(painter.compose(page, width, height).canvas);
  }
  const { from, every, delay } = capture.film;
  const to = Math.min(capture.film.to, head.turns);
  const renderer = new FrameRenderer(client, board, look, renderStride(from, every));
  return film(renderer, { from, to, every, delay, width, height, page }, () => undefined);
}
