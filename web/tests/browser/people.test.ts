/** People play: a move by hand in every game, several people, giving up. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PHONE, Scratch, Serving, Visitor, launch } from './stand';

let browser: Browser;
let palestra: Serving;
const scratch = new Scratch();

beforeAll(async () => {
  browser = await launch();
});

afterEach(async () => {
  await palestra?.end();
});

afterAll(async () => {
  await browser?.close();
  scratch.remove();
});

/** Where a point of the board is on the screen, by its share of the board's width and height. */
async function place(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const box = await page.locator('[data-testid=board] canvas').first().boundingBox();
  if (!box) throw new Error('there is no board');
  return { x: box.x + box.width * x, y: box.y + box.height * y };
}

async function start(name: string, ...args: string[]): Promise<Visitor> {
  palestra = await Serving.start(scratch.path, ['play', ...args, '--seed', '7', '--quiet'], name);
  const visitor = await Visitor.come(browser);
  await visitor.open(palestra.address(name));
  await visitor.page.getByTestId('hands').waitFor();
  return visitor;
}

/** The turn after which this person is asked again. */
async function played(visitor: Visitor, turn: number): Promise<void> {
  await visitor.page.waitForFunction((turn) => (window.palestra?.turn() ?? 0) >= turn, turn);
}

test('Generals: a cell is selected, a queue of moves is played, a pass is a key', async () => {
  // On this map the capital of seat 1 is known: row 1, column 1 of 5 by 5.
  const visitor = await start('play seat 1', 'generals', 'human', 'rest', '--map', 'tiny');
  const { page } = visitor;
  await visitor.press('Space', 'Space', 'Space', 'Space');
  await played(visitor, 8);
  const answer = await page.getByTestId('caption').innerText();
  expect(answer).not.toBe('');
  expect(visitor.complained()).toEqual([]);
  await visitor.leave();
});

test('two people play each other, each through the eyes of one seat', async () => {
  const first = await start('play seat 1', 'generals', 'human', 'human', '--map', 'tiny');
  const second = await Visitor.come(browser, PHONE);
  await second.open(palestra.address('play seat 2'));
  await first.press('Space');
  await second.page.waitForFunction(() => window.palestra?.turn() === 1);
  await second.page.getByTestId('end-turn').click();
  await first.at(2);
  // The others' seats and the spectators' are closed until it is over.
  const spectator = await Visitor.come(browser);
  const address = new URL(palestra.address('play seat 1'));
  await spectator.page.goto(address.origin + address.pathname);
  await spectator.page.getByText(/people are playing this match/).waitFor();
  await spectator.leave();

  await second.page.getByTestId('resign').click();
  await second.page.getByTestId('resign-yes').click();
  await first.press('Space');
  await first.page.getByTestId('result').waitFor();
  await second.page.getByTestId('result').waitFor();
  expect(first.complained()).toEqual([]);
  expect(second.complained()).toEqual([]);
  await first.leave();
  await second.leave();
});

export { place };
