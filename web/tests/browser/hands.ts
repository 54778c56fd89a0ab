/** People at a game: sitting down, finding things on the board, and what was answered. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { Scratch, Serving, Visitor, launch } from './stand';

export { expect, test } from 'vitest';

/** Matches that people play in the tests of one file, one after the other. */
export class Sitting {
  readonly scratch = new Scratch();
  browser!: Browser;
  palestra: Serving | undefined;

  constructor() {
    beforeAll(async () => {
      this.browser = await launch();
    });
    afterEach(async () => {
      await this.palestra?.end();
    });
    afterAll(async () => {
      await this.browser?.close();
      this.scratch.remove();
    });
  }

  /** Starts a match and sits down at a seat. */
  async sit(seat: number, ...args: string[]): Promise<Visitor> {
    const name = `play seat ${seat}`;
    const command = ['play', ...args, '--seed', '7', '--quiet'];
    this.palestra = await Serving.start(this.scratch.path, command, name);
    const visitor = await Visitor.come(this.browser);
    await visitor.open(this.palestra.address(name));
    await visitor.page.getByTestId('hands').getByText('Your turn').waitFor();
    return visitor;
  }
}

/** Finds the place on the screen that the page describes like this. */
export async function find(page: Page, pattern: RegExp, steps = 24): Promise<{ x: number; y: number }> {
  const box = await page.locator('[data-testid=board] canvas').first().boundingBox();
  if (!box) throw new Error('there is no board');
  for (let row = 0; row < steps; row++) {
    for (let column = 0; column < steps; column++) {
      const x = box.x + (box.width * (column + 0.5)) / steps;
      const y = box.y + (box.height * (row + 0.5)) / steps;
      await page.mouse.move(x, y);
      if (pattern.test(await page.getByTestId('caption').innerText())) return { x, y };
    }
  }
  throw new Error(`nothing on the board is described by ${pattern}`);
}

/** The last answer of the visitor's seat, as the game understood it; empty before the first. */
export async function lastAnswer(visitor: Visitor): Promise<string> {
  const { origin, pathname, searchParams: query } = new URL(visitor.page.url());
  const asked = `of=${query.get('play')}&key=${query.get('key')}`;
  const response = await fetch(`${origin}/api/matches${pathname}/turns/999999?${asked}`);
  const { answer } = (await response.json()) as { answer?: string };
  return answer ?? '';
}
