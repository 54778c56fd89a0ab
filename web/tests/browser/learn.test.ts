/** Courses on the site, and why a match was lost, at home and at an arena, in every language. */

import type { Page } from 'playwright-core';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES, OPEN, inspect, listed, pale, read } from './site';
import { DESKTOP, PALESTRA, PHONE, PROJECTOR, Serving, withArena } from './stand';

const SIZES = { DESKTOP, PROJECTOR, PHONE };
/** Where to leave pictures for whoever wants to look at the pages. */
const SHOTS = process.env.SHOTS;

const PLAN = `
name = "School"

[[game]]
id = "${OPEN.game}"
house = [${listed(OPEN.house)}]
`;

/** The bot that hardly does anything, and loses. */
const IDLE = OPEN.idle?.(0) ?? '';

const TOLD = {
  en: {
    hint: 'What to try:',
    progress: '0 of 6 steps passed',
    missed: 'Not yet.',
    why: 'Why did',
    show: 'Show turn',
  },
  ru: {
    hint: 'Что попробовать:',
    progress: 'Пройдено 0 из 6',
    missed: 'Пока нет.',
    why: 'Почему',
    show: 'Показать ход',
  },
  hu: {
    hint: 'Ezt próbáld:',
    progress: '6 leckéből 0 kész',
    missed: 'Még nem.',
    why: 'Miért kapott ki',
    show: 'lépés',
  },
};

let palestra: Serving;
const stand = withArena(PLAN, (scratch) => writeFileSync(scratch.file('idle.py'), IDLE));
const { address, scratch } = stand;

beforeAll(async () => {
  const lost = scratch.replay('lost', OPEN.game, [OPEN.house[0] ?? '', 'idle.py'], '--time', '60s');
  palestra = await Serving.start(scratch.path, ['view', lost], 'view');
});

async function shoot(page: Page, name: string, whole = true): Promise<void> {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: whole });
}

/** Makes an account in this browser, and hands in the bot that does nothing. */
async function enter(page: Page, name: string): Promise<void> {
  await stand.register(page, name);
  await stand.handIn(page, OPEN.game, 'idle.py', IDLE);
}

describe.each(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[])('%s', (language) => {
  const told = TOLD[language];
  const locale = LANGUAGES[language];

  test.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('everybody reads a course (%s)', async (size) => {
    const visitor = await stand.come(SIZES[size], size === 'PROJECTOR', locale);
    const { page } = visitor;
    await page.goto(address(`/games/${OPEN.game}`));
    await page.locator(`a[href="/learn/${OPEN.game}"]`).click();
    await page.getByText(told.hint).first().waitFor();
    await inspect(page, language);
    expect(await pale(page)).toEqual([]);
    expect(await page.locator('ol > li h2').count()).toBeGreaterThanOrEqual(5);
    expect(await page.getByTestId('course-progress').count()).toBe(0);
    await shoot(page, `learn-${language}-${size}`);
  });

  test('a step is checked, and what was wrong is told', async () => {
    const visitor = await stand.come(DESKTOP, false, locale);
    const { page } = visitor;
    await enter(page, `learner-${language}`);
    await page.goto(address(`/learn/${OPEN.game}`));
    await page.getByTestId('course-progress').getByText(told.progress).waitFor();
    // Some do what the first step asks for.
    const second = page.locator('ol > li').nth(1);
    await second.getByRole('button').click();
    await second.getByText(told.missed).waitFor();
    expect(await second.locator('ul li').count()).toBeGreaterThan(0);
    await inspect(page, language);
    expect(await pale(page)).toEqual([]);
    await shoot(page, `learn-checked-${language}`);
    await page.setViewportSize(PHONE);
    await inspect(page, language);
    await shoot(page, `learn-checked-${language}-phone`);
  });

  test.each(Object.keys(SIZES) as (keyof typeof SIZES)[])(
    'a lost match says why at home (%s)',
    async (size) => {
      const visitor = await stand.come(SIZES[size], false, locale);
      const { page } = visitor;
      await visitor.open(new URL('/lost?seat=2', palestra.address('view')).href);
      const card = page.getByTestId('defeat');
      await card.waitFor();
      expect(await card.locator('h2').textContent()).toContain(told.why);
      expect(await card.locator('p').count()).toBe(3);
      const command = (await card.locator('code').textContent()) ?? '';
      const [, turn = ''] =
        /^palestra drive lost\.replay --seat 2 --bot \.\/mybot --turn (\d+)$/.exec(command) ?? [];
      await card.getByRole('button', { name: told.show }).click();
      await visitor.at(Number(turn));
      await shoot(page, `lost-home-${language}-${size}`, false);
      // Whoever has won has nothing to explain.
      await page.goto(new URL('/lost?seat=1', palestra.address('view')).href);
      await visitor.drawn();
      await expect.poll(() => card.count()).toBe(0);
    },
  );
});

test.each(Object.keys(SIZES) as (keyof typeof SIZES)[])(
  'a match of an arena says why, and what is downloaded shows it again (%s)',
  async (size) => {
    const visitor = await stand.come(SIZES[size]);
    const { page } = visitor;
    await enter(page, `loser-${size.toLowerCase()}`);
    interface Own {
      matches: { game: { id: number; replay: boolean }; seat: number }[];
    }
    let found: Own['matches'][number] | undefined;
    while (!found) {
      await page.waitForTimeout(200);
      const { matches } = await read<Own>(page, '/api/me/matches?result=lost');
      found = matches.find(({ game }) => game.replay);
    }
    const { game, seat } = found;
    await visitor.open(address(`/matches/${game.id}`));
    const card = page.getByTestId('defeat');
    await card.waitFor();
    const command = (await card.locator('code').textContent()) ?? '';
    expect(command).toMatch(
      new RegExp(`^palestra drive ${game.id}\\.replay --seat ${seat + 1} --bot \\./mybot --turn \\d+$`),
    );
    await shoot(page, `lost-arena-${size}`, false);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator(`a[href="/api/matches/${game.id}/replay"]`).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${game.id}.replay`);
    await download.saveAs(scratch.file(download.suggestedFilename()));
    const words = command.replace('./mybot', 'idle.py').split(' ').slice(1);
    const said = execFileSync(PALESTRA, words, { cwd: scratch.path, encoding: 'utf8', stdio: 'pipe' });
    expect(said).toMatch(/^[1-9]\d* turns? compared, 0 answers differ/);
  },
);
