/** The documentation as an arena shows it, in a room without internet. */

import { describe, expect, test } from 'vitest';
import { LANGUAGES, SHORT, inspect, pale } from './site';
import { DESKTOP, PHONE, PROJECTOR, withArena } from './stand';

const stand = withArena(`
name = "A room without internet"
gateway = "127.0.0.1:0"

[[game]]
id = "${SHORT.game}"
`);
const { address } = stand;

const TOLD = {
  en: { link: 'Documentation', steps: 'First steps', asked: 'flush answer', found: 'My bot times out' },
  ru: {
    link: 'Документация',
    steps: 'Первые шаги',
    asked: 'буфер ответ',
    found: 'Бот не укладывается во время',
  },
  hu: {
    link: 'Dokumentáció',
    steps: 'Első lépések',
    asked: 'homokozó otthon',
    found: 'Otthon működik, az arénában nem',
  },
} as const;

describe.each(Object.entries(LANGUAGES))('in %s', (language, locale) => {
  const code = language as keyof typeof LANGUAGES;
  const told = TOLD[code];

  test('the site leads there, and the search finds a way out of trouble', async () => {
    const visitor = await stand.come(DESKTOP, false, locale);
    const { page } = visitor;
    await page.goto(address('/'));
    await page.getByRole('link', { name: told.link }).click();
    await page.locator('.sections a', { hasText: told.steps }).first().click();
    await page.getByRole('heading', { level: 1, name: told.steps }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(told.asked);
    await page.locator('#found a', { hasText: told.found }).first().click();
    await page.getByRole('heading', { level: 1, name: told.found }).waitFor();
    expect(visitor.complained()).toEqual([]);
  });

  test.each(Object.entries({ DESKTOP, PROJECTOR, PHONE }))('its pages fit %s', async (_, size) => {
    const visitor = await stand.come(size, size === PHONE, locale);
    const { page } = visitor;
    for (const name of ['', 'first-steps.html', 'commands.html', 'openapi.html', 'works-at-home.html']) {
      await page.goto(address(`/docs/${code === 'en' ? '' : `${code}/`}${name}`));
      await inspect(page, code);
      expect(await pale(page), name).toEqual([]);
    }
    expect(visitor.complained()).toEqual([]);
  });
});

test('an address of the API is tried out where it is described', async () => {
  const visitor = await stand.come(DESKTOP, false, LANGUAGES.en);
  const { page } = visitor;
  await page.goto(address('/api-docs'));
  await page.locator('a[href="/docs/openapi.html"]').click();
  const event = page.locator('.operation[data-method="get"][data-path="/api/event"]');
  await event.locator('summary').click();
  await event.locator('form button').click();
  await expect
    .poll(() => event.locator('form pre').innerText())
    .toContain('"name": "A room without internet"');
  // What is for some only is refused as it would be elsewhere, and a key opens it.
  const bots = page.locator('.operation[data-method="get"][data-path="/api/me/bots"]');
  await bots.locator('summary').click();
  await bots.locator('form button').click();
  await expect.poll(() => bots.locator('form pre').innerText()).toContain('401');
  expect(visitor.complained(/401/)).toEqual([]);
});

test('what is not there is said to be missing, and /docs is the folder of the documentation', async () => {
  const visitor = await stand.come(DESKTOP, false, LANGUAGES.en);
  const { page } = visitor;
  expect((await page.goto(address('/docs')))?.url()).toBe(address('/docs/'));
  expect((await page.goto(address('/docs/ru')))?.url()).toBe(address('/docs/ru/'));
  expect((await page.goto(address('/docs/no/such/page.html')))?.status()).toBe(404);
  // Its own links and styles work from there.
  await page.locator('.drawer, .contents').first().waitFor({ state: 'attached' });
  await page.locator('.home').click();
  await page.getByRole('heading', { level: 1, name: 'The place where programs meet' }).waitFor();
  expect(visitor.complained(/404/)).toEqual([]);
});
