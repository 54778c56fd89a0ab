/** A person plays this game in a browser. */

import { Sitting, expect, find, lastAnswer, test } from '../../web/tests/browser/hands';

const sitting = new Sitting();

test('a queue of moves is played, a pass is a key', async () => {
  const visitor = await sitting.sit(1, 'generals', 'human', 'rest', '--map', 'tiny');
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
