/** A real tournament, its report, and the way from a cell of the cross table to the match in the viewer. */

import type { Browser } from 'playwright-core';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PHONE, Scratch, Serving, Visitor, launch } from './stand';

/** A name that would run if anything on the page were taken for markup. */
const HOSTILE = '<img src=x onerror=alert(1)>';

let browser: Browser;
const scratch = new Scratch();

beforeAll(async () => {
  browser = await launch();
  const bots = ['hunter = "hunter"', 'greedy = "greedy"', 'random = "random"', `'${HOSTILE}' = "random"`];
  writeFileSync(scratch.file('cup.toml'), `game = "generals"\nseed = 7\n[bots]\n${bots.join('\n')}\n`);
  scratch.palestra('tournament', 'cup.toml', '--quiet');
});

afterAll(async () => {
  await browser?.close();
  scratch.remove();
});

test.each([
  ['on a desktop', undefined],
  ['on a phone', PHONE],
])('the report leads to its matches %s', async (_, size) => {
  const palestra = await Serving.start(scratch.path, ['view', 'cup', '--no-open'], 'view');
  const visitor = await Visitor.come(browser, size);
  const { page } = visitor;
  await page.goto(palestra.address('view'));
  await page.getByText(HOSTILE).first().waitFor();
  expect(await page.locator('#list tbody tr').count()).toBe(12);
  // hunter against greedy: two matches, seats exchanged.
  const cell = page.locator('a[href="#pair-0-1"]');
  await (size ? cell.tap() : cell.click());
  if (size) await cell.tap();
  await page.waitForFunction(() => document.querySelectorAll('#list tbody tr').length === 2);
  const [match] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByText('watch', { exact: false }).first().click(),
  ]);
  await match.waitForFunction(() => window.palestra?.drawn());
  expect(await match.locator('body').innerText()).toContain('hunter');
  // The page is wider than the screen nowhere.
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(tooWide).toBeLessThanOrEqual(0);
  expect(visitor.complained()).toEqual([]);
  await visitor.leave();
  await palestra.end();
});

test('from disk, the report says how to watch', async () => {
  const visitor = await Visitor.come(browser);
  await visitor.page.goto(pathToFileURL(scratch.file('cup/report.html')).href);
  await visitor.page.getByText('palestra view --port 7700', { exact: false }).waitFor();
  await visitor.leave();
});
