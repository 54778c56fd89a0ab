/** A person plays this game in a browser. */

import { Sitting, expect, find, lastAnswer, test } from '../../web/tests/browser/hands';
import type { Visitor } from '../../web/tests/browser/stand';

const sitting = new Sitting();

/** Drags from a planet of one's own to an empty one. */
async function sendShips(page: Visitor['page']): Promise<void> {
  const own = await find(page, /Planet \d+: .* of .*human/);
  const other = await find(page, /Planet \d+: empty/);
  await page.mouse.move(own.x, own.y);
  await page.mouse.down();
  await page.mouse.move(other.x, other.y, { steps: 5 });
  await page.mouse.up();
}

test('ships are dragged from planet to planet', async () => {
  const visitor = await sitting.sit(1, 'auralux', 'human', 'afk', '--map', 'duel');
  const { page } = visitor;
  await visitor.press('Enter');
  await visitor.at(2);
  await sendShips(page);
  await page.getByTestId('end-turn').click();
  await visitor.at(4);
  expect(await lastAnswer(visitor)).toMatch(/^1\n\d+ \d+ [1-9]\d*$/);
  expect(visitor.complained()).toEqual([]);
  await visitor.leave();
});

test('capturing is explained when it matters, and steps in which nothing happens are skipped', async () => {
  const visitor = await sitting.sit(1, 'auralux', 'human', 'afk', '--map', 'duel');
  const { page } = visitor;
  await sendShips(page);
  // The ships take some steps, in which nothing is to be done.
  await page.getByTestId('skip').click();
  await page
    .getByTestId('hands')
    .getByText(/planet \d+.*captur/i)
    .waitFor();
  expect(await visitor.turn()).toBeGreaterThan(6);
  await page.getByTestId('language').selectOption('hu');
  await page
    .getByTestId('hands')
    .getByText(/bolygó.*foglal/)
    .waitFor();
  await page.getByTestId('language').selectOption('ru');
  await page.getByTestId('hands').getByText(/захва/).waitFor();
  expect(visitor.complained()).toEqual([]);
  await visitor.leave();
});
