/** Challenges: asked for on the page, played in a queue, told as a report, and not lost by a power cut. */

import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { gameThat } from './games';
import { LANGUAGES, inspect, pale } from './site';
import { DESKTOP, INVITE, PASSWORD, PHONE, PROJECTOR, Visitor, withArena } from './stand';

const GAME = gameThat(({ idle, rounds }) => idle && rounds);
const [setting, rounds] = GAME.rounds?.(30) ?? [];
const PLAN = `
name = "Test cup"
gateway = false

[[game]]
id = "${GAME.game}"
house = ["${GAME.house[0]}"]
settings = { ${setting} = ${rounds} }
pause = "1h"
`;

const stand = withArena(PLAN, (scratch) => {
  // Each bot takes its time, so that there is something to cut off.
  writeFileSync(scratch.file('bot.py'), GAME.idle?.(0.03) ?? '');
});
const { address, scratch } = stand;
let visitor: Visitor;

beforeAll(async () => {
  visitor = await Visitor.come(stand.browser);
});

test('a player lets a version play a house bot, and a power cut loses nothing', async () => {
  const { page } = visitor;
  await page.goto(address('/register'));
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Invite code').fill(INVITE);
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('link', { name: 'anna' }).first().waitFor();
  await page.goto(address('/challenges'));
  await page.getByText('You have no version that can play.').waitFor();
  await page.goto(address(`/submit/${GAME.game}`));
  await page.locator('input[type=file]').setInputFiles(scratch.file('bot.py'));
  await page.getByText('Ready: version 1 plays from now on.').waitFor();

  await page.goto(address('/challenges'));
  await page.getByTestId('challenge-matches').fill('6');
  await page.getByTestId('challenge').click();
  await page.waitForURL(/\/challenges\/\d+$/);
  await page.getByTestId('duel').waitFor();
  // At least one match is stored, and others are not.
  await page.getByTestId('matches').getByRole('link').first().waitFor();
  await stand.arena.cut();
  const path = new URL(page.url()).pathname;
  await stand.reopen();
  await page.goto(address(path));
  if (await page.getByTestId('trouble').isVisible()) await page.reload();
  await page.getByTestId('challenge-state').getByText('played').waitFor({ timeout: 50_000 });
  const numbers = await Promise.all(
    ['won', 'drawn', 'lost'].map(async (how) => Number(await page.getByTestId(how).innerText())),
  );
  expect(numbers.reduce((sum, number) => sum + number, 0)).toBe(6);
  await page.getByTestId('verdict').waitFor();
  expect(await page.getByTestId('matches').getByRole('link').count()).toBe(6);
  // Every match leads to its board, and back to the report.
  await page.getByTestId('matches').getByRole('link').first().click();
  await visitor.drawn();
  await page.getByRole('link', { name: 'Report' }).click();
  await page.getByTestId('duel').waitFor();
});

test('the pages are in order in every language and at every size', async () => {
  const cookies = await visitor.page.context().cookies();
  const titles = { en: 'Challenges', ru: 'Вызовы', hu: 'Kihívások' };
  for (const [code, locale] of Object.entries(LANGUAGES)) {
    for (const size of [DESKTOP, PROJECTOR, PHONE]) {
      const other = await stand.come(size, size === PROJECTOR, locale);
      await other.page.context().addCookies(cookies);
      await other.page.goto(address('/challenges'));
      await other.page
        .getByRole('heading', { level: 1, name: titles[code as keyof typeof titles] })
        .waitFor();
      await other.page.getByTestId('challenge-form').waitFor();
      await other.page.getByTestId('challenges').waitFor();
      await inspect(other.page, code);
      expect(await pale(other.page)).toEqual([]);
      await other.page.goto(address('/challenges/1'));
      await other.page.getByTestId('duel').waitFor();
      await inspect(other.page, code);
      expect((await pale(other.page)).filter((text) => !text.includes('swatch'))).toEqual([]);
      expect(other.complained()).toEqual([]);
      await other.leave();
    }
  }
});
