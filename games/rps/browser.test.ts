/** A person plays this game in a browser. */

import { Sitting, expect, find, lastAnswer, test } from '../../web/tests/browser/hands';

const sitting = new Sitting();

test('rocks are produced and sent on their way, from the far corner too', async () => {
  const visitor = await sitting.sit(2, 'rps', 'bot', 'human');
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
