/**
 * Pictures of boards, compared with recorded ones.
 *
 * A picture is reduced to a few thousand points of averaged colour, so that another version of the browser or of a font
 * changes nothing that matters, while a missing arrow, number or colour does. `UPDATE_PICTURES=1` records anew.
 */

import type { Page } from 'playwright-core';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const GAMES = fileURLToPath(new URL('../../../games', import.meta.url));
const WIDTH = 96;
const HEIGHT = 72;
/** The mean difference of a point's colour, of 255, that is still the same picture. */
const TOLERANCE = 3;
/** A point that differs by this much is seen. */
const SEEN = 40;
/** So many points may be seen to differ: a digit that moved by a pixel. */
const SEEN_POINTS = WIDTH * HEIGHT * 0.01;

/** Compares the board on the page with the picture of this turn that is recorded in the game's folder. */
export async function compareBoard(page: Page, game: string, turn: number): Promise<void> {
  const shot = await page.getByTestId('board').screenshot();
  const now = await page.evaluate(reduce, [shot.toString('base64'), WIDTH, HEIGHT] as const);
  const folder = join(GAMES, game, 'pictures');
  const file = join(folder, `${turn}.png`);
  if (process.env.UPDATE_PICTURES || !existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, Buffer.from(now.png, 'base64'));
    if (!process.env.UPDATE_PICTURES)
      throw new Error(`${file} was not there and has been recorded; look at it`);
  }
  const before = await page.evaluate(reduce, [readFileSync(file).toString('base64'), WIDTH, HEIGHT] as const);
  const differences = now.points.map((value, index) => Math.abs(value - (before.points[index] ?? 0)));
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  const seen = differences.filter((difference) => difference > SEEN).length / 3;
  expect(
    { mean: mean <= TOLERANCE, seen: seen <= SEEN_POINTS },
    `${game}, turn ${turn}: mean ${mean.toFixed(2)}, seen ${seen}`,
  ).toEqual({
    mean: true,
    seen: true,
  });
}

/** In the page: a picture as few points, red, green and blue after each other. */
async function reduce([base64, width, height]: readonly [string, number, number]): Promise<{
  points: number[];
  png: string;
}> {
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('there is no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const points = Array.from(data).filter((_, index) => index % 4 !== 3);
  return { points, png: canvas.toDataURL('image/png').split(',')[1] ?? '' };
}
