/** Playing by hand at an arena: against a house bot, against each other by invitation, and once more. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { FOGGED, LANGUAGES, inspect, listed, pale } from './site';
import { DESKTOP, PHONE, PROJECTOR, Visitor, withArena } from './stand';

const [setting, rounds] = FOGGED.rounds?.(6) ?? [];
const PLAN = `
name = "Test cup"
gateway = false

[[game]]
id = "${FOGGED.game}"
house = [${listed(FOGGED.house.slice(0, 2))}]
settings = { ${setting} = ${rounds} }
`;

const stand = withArena(PLAN);
const { address } = stand;

/** The letters of seats stand in their colours, which are what they are. */
const unreadable = async (page: Page): Promise<string[]> =>
  (await pale(page)).filter((text) => !text.includes('swatch'));

/** Ends turns until the match is over. */
async function playToTheEnd({ page }: Visitor): Promise<void> {
  const result = page.getByTestId('result');
  const end = page.getByTestId('end-turn');
  while (!(await result.isVisible())) {
    if (await end.isEnabled({ timeout: 1000 }).catch(() => false))
      await end.click({ timeout: 1000 }).catch(() => 0);
    await page.waitForTimeout(20);
  }
}

test('a guest plays a house bot with the colour and on the map of choice, and once more', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await page.goto(address('/'));
  await page.getByRole('navigation').getByText('Play', { exact: true }).click();
  await page.getByTestId('play-seat-2').check();
  await page.getByTestId('play-opponent-1').selectOption(FOGGED.house[1] ?? '');
  await page.getByTestId('play-map').selectOption(FOGGED.map ?? '');
  await page.getByTestId('play').click();
  await page.waitForURL(/\/matches\/\d+/);
  await visitor.drawn();
  expect(page.url(), 'the key of the seat is nobody else’s business').not.toContain('key');
  await page.getByTestId('hands').waitFor();
  // Whoever gets the address of the match does not get the seat.
  const stranger = await stand.come();
  await stranger.page.goto(page.url());
  await stranger.page.getByTestId('late').waitFor();
  expect(await stranger.page.getByTestId('hands').count()).toBe(0);
  await stranger.leave();
  // A reloaded page goes on where it was.
  await page.reload();
  await page.getByTestId('hands').waitFor();
  await playToTheEnd(visitor);
  await page
    .getByTestId('result')
    .getByText(FOGGED.house[1] ?? '')
    .waitFor();

  const first = page.url().split('?')[0];
  await page.getByTestId('again').click();
  await page.waitForURL((url) => /\/matches\/\d+$/.test(url.pathname) && url.href.split('?')[0] !== first);
  await page.getByTestId('hands').waitFor();
  await page.getByTestId('resign').click();
  await page.getByTestId('resign-yes').click();
  await page.getByTestId('result').getByText('gave up').waitFor();
  await page.getByTestId('watch').click();
  await page.getByTestId('result').waitFor({ state: 'detached' });
  await visitor.drawn();
  // It is listed apart.
  const played = first?.split('/').at(-1) ?? '';
  await page.goto(address('/matches?kind=hand'));
  await page.getByTestId(`match-${played}`).getByText('guest').waitFor();
  await page.goto(address('/matches'));
  await page.getByTestId('matches').waitFor();
  expect(await page.getByTestId(`match-${played}`).count()).toBe(0);
  expect(visitor.complained()).toEqual([]);
  await visitor.leave();
});

test('two browsers play each other by an invitation that works once', async () => {
  const [host, guest] = [await stand.come(), await stand.come(PHONE, false, 'hu-HU')];
  await host.page.goto(address('/play'));
  await host.page.getByTestId('play-opponent-2').selectOption(' ');
  await host.page.getByTestId('play').click();
  const link = (await host.page.locator('code').innerText()).trim();
  expect(link).toContain('/play?invite=');
  await guest.page.goto(link);
  await guest.page.getByText('guest meghív egy meccsre').waitFor();
  await inspect(guest.page, 'hu');
  await guest.page.getByTestId('accept').click();
  for (const { page } of [host, guest]) {
    await page.waitForURL(/\/matches\/\d+/);
    await page.getByTestId('hands').waitFor();
  }
  const late = await stand.come();
  await late.page.goto(link);
  await late.page.getByTestId('gone').waitFor();
  await late.leave();

  await Promise.all([playToTheEnd(host), playToTheEnd(guest)]);
  const first = new URL(host.page.url()).pathname;
  await host.page.getByTestId('again').click();
  await guest.page.getByText('guest szeretne még egyszer játszani').waitFor();
  await guest.page.getByTestId('again').click();
  for (const { page } of [host, guest]) {
    await page.waitForURL((url) => url.pathname.startsWith('/matches/') && url.pathname !== first);
    await page.getByTestId('hands').waitFor();
  }
  expect(host.complained()).toEqual([]);
  expect(guest.complained()).toEqual([]);
  await host.leave();
  await guest.leave();
});

test('the pages are in order in every language and at every size', async () => {
  const titles = { en: 'Play by hand', ru: 'Игра вручную', hu: 'Játék kézzel' };
  for (const [code, locale] of Object.entries(LANGUAGES)) {
    for (const size of [DESKTOP, PROJECTOR, PHONE]) {
      const visitor = await stand.come(size, size === PROJECTOR, locale);
      const { page } = visitor;
      await page.goto(address('/play'));
      await page.getByTestId('table-form').waitFor();
      await page.getByRole('heading', { level: 1, name: titles[code as keyof typeof titles] }).waitFor();
      await inspect(page, code);
      expect(await unreadable(page)).toEqual([]);
      await page.getByTestId('play-opponent-2').selectOption(' ');
      await page.getByTestId('play').click();
      await page.getByTestId('table-seats').waitFor();
      await inspect(page, code);
      expect(await unreadable(page)).toEqual([]);
      await page.getByTestId('leave-table').click();
      await page.getByTestId('table-form').waitFor();
      await page.getByTestId('play').click();
      await page.getByTestId('hands').waitFor();
      await visitor.drawn();
      await inspect(page, code);
      // Whoever plays sees the board and ends the turn without scrolling.
      const reach = await page.evaluate(() => ({
        end: document.querySelector('[data-testid=end-turn]')?.getBoundingClientRect().bottom ?? Infinity,
        board: document.querySelector('[data-testid=board]')?.getBoundingClientRect().height ?? 0,
        height: innerHeight,
      }));
      expect(reach.end).toBeLessThanOrEqual(reach.height);
      expect(reach.board).toBeGreaterThan(200);
      await page.getByTestId('resign').click();
      await page.getByTestId('resign-yes').click();
      await page.getByTestId('result').waitFor();
      expect(visitor.complained()).toEqual([]);
      await visitor.leave();
    }
  }
});
