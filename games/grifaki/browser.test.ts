/** A person plays this game in a browser. */

import { Sitting, expect, find, lastAnswer, test } from '../../web/tests/browser/hands';

const sitting = new Sitting();

test('an army is dragged, on any seat', async () => {
  const visitor = await sitting.sit(2, 'grifaki', 'idle', 'human', '--map', 'tiny');
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
