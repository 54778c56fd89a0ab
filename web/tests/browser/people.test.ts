/** People play: moves by hand in every game, several people, giving up. */

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

/** Starts a match and sits down at a seat. */
async function sit(seat: number, ...args: string[]): Promise<Visitor> {
  const name = `play seat ${seat}`;
  palestra = await Serving.start(scratch.path, ['play', ...args, '--seed', '7', '--quiet'], name);
  const visitor = await Visitor.come(browser);
  await visitor.open(palestra.address(name));
  await visitor.page.getByTestId('hands').getByText('Your turn').waitFor();
  return visitor;
}

/** Finds the place on the screen that the page describes like this. */
async function find(page: Page, pattern: RegExp, steps = 24): Promise<{ x: number; y: number }> {
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
async function lastAnswer(visitor: Visitor): Promise<string> {
  const { origin, pathname, searchParams: query } = new URL(visitor.page.url());
  const asked = `of=${query.get('play')}&key=${query.get('key')}`;
  const response = await fetch(`${origin}/api/matches${pathname}/turns/999999?${asked}`);
  const { answer } = (await response.json()) as { answer?: string };
  return answer ?? '';
}

test('Generals: a queue of moves is played, a pass is a key', async () => {
  const visitor = await sit(1, 'generals', 'human', 'rest', '--map', 'tiny');
  const { page } = visitor;
  for (const turn of [2, 4, 6, 8, 10]) {
    await visitor.press('Space');
    await visitor.at(turn);
  }
  expect(await lastAnswer(visitor)).toBe('-1');
  const capital = await find(page, /row 1, column 1:/, 5);
  await page.mouse.click(capital.x, capital.y);
  // Two moves at once: the second waits until the first is played.
  await visitor.press('s', 'd');
  await visitor.at(14);
  expect(await lastAnswer(visitor)).toBe('1 2 1 2 2');
  expect(visitor.complained()).toEqual([]);
  await visitor.leave();
});

test('Grifaki: an army is dragged, on any seat', async () => {
  const visitor = await sit(2, 'grifaki', 'idle', 'human', '--map', 'tiny');
  const { page } = visitor;
  for (const turn of [3, 5, 7, 9]) {
    await visitor.press('Space');
    await visitor.at(turn);
  }
  const from = await find(page, /row 4, column 4:/, 5);
  const to = await find(page, /row 4, column 3:/, 5);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  await visitor.at(11);
  expect(await lastAnswer(visitor)).toMatch(/^MOVE 4 4 4 3 \d+$/);
  expect(visitor.complained()).toEqual([]);
  await visitor.leave();
});

test('Auralux: ships are dragged from planet to planet', async () => {
  const visitor = await sit(1, 'auralux', 'human', 'afk', '--map', 'duel');
  const { page } = visitor;
  await visitor.press('Enter');
  await visitor.at(2);
  const own = await find(page, /Planet \d+: .* of .*human/);
  const other = await find(page, /Planet \d+: empty/);
  await page.mouse.move(own.x, own.y);
  await page.mouse.down();
  await page.mouse.move(other.x, other.y, { steps: 5 });
  await page.mouse.up();
  await page.getByTestId('end-turn').click();
  await visitor.at(4);
  expect(await lastAnswer(visitor)).toMatch(/^1\n\d+ \d+ [1-9]\d*$/);
  expect(visitor.complained()).toEqual([]);
  await visitor.leave();
});

test('RPS: rocks are produced and sent on their way, from the far corner too', async () => {
  const visitor = await sit(2, 'rps', 'bot', 'human');
  const { page } = visitor;
  await visitor.press('r', 'Enter');
  await expect.poll(() => lastAnswer(visitor)).toMatch(/prod R/);
  // Time runs by itself until there is a unit.
  await page.getByTestId('tempo').selectOption('8');
  const units = page.getByTestId('seat-2').getByRole('cell').nth(1);
  await expect.poll(() => units.innerText(), { timeout: 30_000 }).not.toBe('0');
  await page.getByTestId('tempo').selectOption('0');
  await page.getByTestId('hands').getByText('Your turn').waitFor();
  await visitor.press('a');
  const target = await find(page, /^\(3, 3\): empty/);
  await page.mouse.click(target.x, target.y);
  await visitor.press('Enter');
  await expect.poll(() => lastAnswer(visitor)).toMatch(/^\d+ (right|down)/m);
  expect(visitor.complained()).toEqual([]);
  await visitor.leave();
});

test('two people play each other, each through the eyes of one seat', async () => {
  const first = await sit(1, 'generals', 'human', 'human', '--map', 'tiny');
  const second = await Visitor.come(browser, PHONE);
  await second.open(palestra.address('play seat 2'));
  await first.press('Space');
  await second.at(1);
  await second.page.getByTestId('end-turn').click();
  await first.at(2);
  // The other seats and the spectators' are closed until it is over.
  const spectator = await Visitor.come(browser);
  const address = new URL(palestra.address('play seat 1'));
  await spectator.page.goto(address.origin + address.pathname);
  await spectator.page.getByText(/people are playing this match/i).waitFor();
  await spectator.leave();

  await second.page.getByTestId('resign').click();
  await second.page.getByTestId('resign-yes').click();
  await first.press('Space');
  await first.page.getByTestId('result').getByText('You won').waitFor();
  await second.page.getByTestId('result').getByText('gave up').waitFor();
  await first.page.getByTestId('watch').click();
  await first.page.waitForURL((url) => !url.search.includes('key='));
  await first.drawn();
  expect(first.complained()).toEqual([]);
  expect(second.complained()).toEqual([]);
  await first.leave();
  await second.leave();
});
