/** Real tournaments, their reports, and the way from a cell of the cross table to the match in the viewer. */

import type { Browser } from 'playwright-core';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gameThat } from './games';
import { inspect, pale } from './site';
import { DESKTOP, PHONE, Scratch, Serving, Visitor, launch } from './stand';

/** Names that would run if anything on the page were taken for markup, or ended the script that the data are in. */
const HOSTILE = ['<img src=x onerror=alert(1)>', '</script><script>alert(1)</script>', '<!--<script>'];

const {
  game,
  house: [strong = '', weak = '', random = ''],
} = gameThat(({ fog }) => fog);

let browser: Browser;
const scratch = new Scratch();

beforeAll(async () => {
  browser = await launch();
  const hostile = HOSTILE.map((name) => `'${name}' = "${random}"`);
  const bots = [`${strong} = "${strong}"`, `${weak} = "${weak}"`, ...hostile].join('\n');
  writeFileSync(scratch.file('cup.toml'), `game = "${game}"\nseed = 7\n[bots]\n${bots}\n`);
  scratch.palestra('tournament', 'cup.toml', '--quiet');
  const stage = 'name = "KO"\nformat = "double-knockout"';
  writeFileSync(
    scratch.file('knockout.toml'),
    `game = "${game}"\nseed = 7\n[bots]\n${bots}\n[[stage]]\n${stage}\n`,
  );
  scratch.palestra('tournament', 'knockout.toml', '--quiet');
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
  for (const name of HOSTILE) await page.getByText(name).first().waitFor();
  const rows = page.locator('[data-testid=matches] tbody tr');
  expect(await rows.count()).toBe(20);
  // The first against the second: two matches, seats exchanged.
  const cell = page.locator('a[href="#pair-0-1"]');
  await (size ? cell.tap() : cell.click());
  if (size) await cell.tap();
  await expect.poll(() => rows.count()).toBe(2);
  const [match] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'watch' }).first().click(),
  ]);
  await match.waitForFunction(() => window.palestra?.drawn());
  expect(await match.locator('body').innerText()).toContain(strong);
  // The page is wider than the screen nowhere.
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(tooWide).toBeLessThanOrEqual(0);
  expect(visitor.complained()).toEqual([]);
  await visitor.leave();
  await palestra.end();
});

test('from disk, the report says how to watch, asks for nothing else, and speaks three languages', async () => {
  const visitor = await Visitor.come(browser);
  const { page } = visitor;
  const address = pathToFileURL(scratch.file('cup/report.html')).href;
  await page.goto(address);
  await page.getByText('palestra view --port 7700', { exact: false }).waitFor();
  for (const [code, word] of [
    ['ru', 'Таблица встреч'],
    ['hu', 'Kereszttábla'],
    ['en', 'Cross table'],
  ] as const) {
    await page.getByTestId('language').selectOption(code);
    await page.getByRole('heading', { name: word }).waitFor();
    await inspect(page, code);
  }
  expect(visitor.complained()).toEqual([`a request to ${address}`]);
  await visitor.leave();
});

test.each([false, true])(
  'every text of a report stands out from what is behind it, dark: %s',
  async (dark) => {
    for (const name of ['cup', 'knockout']) {
      const visitor = await Visitor.come(browser, DESKTOP, dark);
      await visitor.page.goto(pathToFileURL(scratch.file(`${name}/report.html`)).href);
      await visitor.page.getByTestId('matches').waitFor();
      expect(await pale(visitor.page), name).toEqual([]);
      await visitor.leave();
    }
  },
);

test('a knockout has its bracket, whose boxes lead to their matches', async () => {
  const visitor = await Visitor.come(browser);
  const { page } = visitor;
  const address = pathToFileURL(scratch.file('knockout/report.html')).href;
  await page.goto(address);
  await page.getByTestId('bracket').waitFor();
  expect(await page.locator('[data-part=final]').count()).toBe(1);
  await page.locator('[data-part=final] a').click();
  await expect.poll(() => page.locator('[data-testid=matches] tbody tr').count()).toBe(2);
  // On paper the page is white, and nothing is cut off that the screen shows.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(false);
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(visitor.complained()).toEqual([`a request to ${address}`]);
  await visitor.leave();
});
