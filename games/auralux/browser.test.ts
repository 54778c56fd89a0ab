/** A person plays this game in a browser. */

import { Sitting, expect, find, lastAnswer, test } from '../../web/tests/browser/hands';

const sitting = new Sitting();

test('ships are dragged from planet to planet', async () => {
  const visitor = await sitting.sit(1, 'auralux', 'human', 'afk', '--map', 'duel');
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

test('capturing is explained when it matters, and steps in which nothing happens are skipped', async () => {
  const visitor = await sitting.sit(1, 'auralux', 'human', 'afk', '--map', 'duel');
  const { page } = visitor;
  const own = await find(page, /Planet \d+: .* of .*human/);
  const other = await find(page, /Planet \d+: empty/);
  await page.mouse.move(own.x, own.y);
  await page.mouse.down();
  await page.mouse.move(other.x, other.y, { steps: 5 });
  await page.mouse.up();
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
