/** A stretch of a match as a GIF. */

import { FILM_PICTURES } from 'palestra/constants';
import { GifWriter, Palette } from './gif';
import type { FrameRenderer } from './frame-renderer';

export interface FilmPlan {
  from: number;
  to: number;
  every: number;
  /** How long each picture is shown, in milliseconds. */
  delay: number;
  width: number;
  /** Infinity leaves the height to the board. */
  height: number;
  page: string;
}

/** The colours of so many pictures, spread over the film, are those of all. */
const SAMPLES = 8;
/** The last picture stays for a while before the film starts anew. */
const LAST_MILLIS = 1500;

/** The turns that are shown. The last one always is. */
export function turnsOf({ from, to, every }: Pick<FilmPlan, 'from' | 'to' | 'every'>): number[] {
  const turns: number[] = [];
  for (let turn = from; turn < to; turn += every) turns.push(turn);
  return [...turns, to];
}

export async function film(
  renderer: FrameRenderer,
  plan: FilmPlan,
  progress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Blob> {
  const turns = turnsOf(plan);
  if (turns.length > FILM_PICTURES)
    throw new Error(`That would be ${turns.length} pictures; ${FILM_PICTURES} at most.`);

  const capture = async (turn: number): Promise<ImageData> => {
    signal?.throwIfAborted();
    const painter = await renderer.draw(turn, plan.width, plan.height);
    const { ground } = painter;
    const height = plan.height === Infinity ? ground.height : plan.height;
    const { pixels } = painter.compose(plan.page, plan.width, height);
    return pixels.getImageData(0, 0, plan.width, height);
  };

  const apart = Math.max(1, Math.floor((turns.length - 1) / SAMPLES));
  const samples: ImageData[] = [];
  for (const turn of turns.filter((_, i) => i % apart === 0)) samples.push(await capture(turn));
  const [first] = samples;
  if (!first) throw new Error('There is nothing to film.');

  const writer = new GifWriter(first.width, first.height, new Palette(samples.map(({ data }) => data)));
  for (const [i, turn] of turns.entries()) {
    const last = i === turns.length - 1;
    writer.add((await capture(turn)).data, last ? Math.max(plan.delay, LAST_MILLIS) : plan.delay);
    progress((i + 1) / turns.length);
    await rest();
  }
  return writer.finish();
}

/** Lets the page live between two pictures. */
const rest = (): Promise<void> => new Promise((done) => setTimeout(done));
