/** The site of a real arena: every page in every language, people who take part, organisers, and a power cut. */

import { beforeAll, describe, expect, test } from 'vitest';
import { FOGGED, LANGUAGES, OPEN, inspect, listed } from './site';
import { DESKTOP, INVITE, PASSWORD, PHONE, PROJECTOR, SMALL_PHONE, withArena } from './stand';

/** A name and a message that would run if anything on the page were taken for markup. */
const HOSTILE = 'a<img/src=x/onerror=alert()>';
const MARKUP = '<b>Lunch</b> is at one & <script>alert(1)</script>';

const PLAN = `
name = "Test cup with quite a long name"
about = "An event for tests."
gateway = "127.0.0.1:0"

[[game]]
id = "${OPEN.game}"
house = [${listed(OPEN.house)}]
house_in_rounds = true
pace = "20ms"

[[game]]
id = "${FOGGED.game}"
house = [${listed(FOGGED.house.slice(0, 2))}]
house_in_rounds = true
pace = "20ms"

[[round]]
name = "Afternoon round"
game = "${OPEN.game}"
points = { win = 2, draw = 1 }
`;

/** Pages for everybody, and the beginnings of their headings where those are words of the site's own. */
const PUBLIC: { path: string; heading: Record<keyof typeof LANGUAGES, string> | string }[] = [
  { path: '/', heading: 'Test cup' },
  { path: `/games/${OPEN.game}`, heading: OPEN.title },
  { path: `/games/${OPEN.game}?tab=matches`, heading: OPEN.title },
  { path: `/games/${OPEN.game}?tab=rules`, heading: OPEN.title },
  { path: `/games/${OPEN.game}?tab=kits`, heading: OPEN.title },
  { path: '/matches', heading: { en: 'Matches', ru: 'Партии', hu: 'Meccsek' } },
  { path: '/rounds', heading: { en: 'Scored rounds', ru: 'Зачётные раунды', hu: 'Pontozott fordulók' } },
  { path: '/rounds/1', heading: 'Afternoon round' },
  { path: '/submit', heading: { en: 'Hand in a bot', ru: 'Сдать бота', hu: 'Bot beadása' } },
  { path: `/submit/${OPEN.game}`, heading: { en: 'Hand in a bot', ru: 'Сдать бота', hu: 'Bot beadása' } },
  { path: '/me', heading: { en: 'My page', ru: 'Моя страница', hu: 'Saját oldalam' } },
  { path: '/login', heading: { en: 'Sign in', ru: 'Вход', hu: 'Bejelentkezés' } },
  { path: '/register', heading: { en: 'Make an account', ru: 'Регистрация', hu: 'Regisztráció' } },
  { path: '/admin', heading: { en: 'Organise', ru: 'Управление', hu: 'Szervezés' } },
  { path: '/projector', heading: 'Test cup' },
  { path: '/report', heading: 'Test cup' },
  { path: '/certificates', heading: { en: 'Certificates', ru: 'Грамоты', hu: 'Oklevelek' } },
  { path: '/downloads', heading: { en: 'Downloads', ru: 'Загрузки', hu: 'Letöltések' } },
  { path: '/api-docs', heading: { en: 'The API', ru: 'API', hu: 'API' } },
  {
    path: '/nothing/here',
    heading: { en: 'There is no such page', ru: 'Такой страницы нет', hu: 'Nincs ilyen oldal' },
  },
];
const ADMIN = ['event', 'rounds', 'players', 'matches', 'log'];

/** The number of a match that is over. */
let played: number;

const stand = withArena(PLAN);
const { address } = stand;

beforeAll(async () => {
  // The house bots play by themselves; the first result is what the other tests look at.
  while (!played) {
    const { matches } = (await (await fetch(address('/api/matches?limit=1'))).json()) as {
      matches: { id: number }[];
    };
    played = matches[0]?.id ?? 0;
    if (!played) await new Promise((resolve) => setTimeout(resolve, 200));
  }
});

describe.each(Object.entries(LANGUAGES))('in %s', (language, locale) => {
  const code = language as keyof typeof LANGUAGES;

  test('every page has its heading, and fits a small phone', async () => {
    const visitor = await stand.come(SMALL_PHONE, false, locale);
    const { page } = visitor;
    for (const { path, heading } of PUBLIC) {
      await page.goto(address(path));
      const text = typeof heading === 'string' ? heading : heading[code];
      await page.getByRole('heading', { level: 1 }).filter({ hasText: text }).waitFor();
      await page.waitForLoadState('load');
      await inspect(page, code);
    }
    expect(visitor.complained()).toEqual([]);
  });

  test('a match, its players and its bots', async () => {
    const visitor = await stand.come(SMALL_PHONE, true, locale);
    const { page } = visitor;
    await page.goto(address(`/matches/${played}`));
    await visitor.drawn();
    await inspect(page, code);
    await page.getByTestId('players').getByRole('link').first().click();
    await page.getByTestId('opponents').waitFor();
    await inspect(page, code);
    await page.getByRole('heading', { level: 1 }).getByRole('link').click();
    await page.waitForURL(/\/players\/\d+$/);
    await page.getByTestId('matches').waitFor();
    await inspect(page, code);
    expect(visitor.complained()).toEqual([]);
  });

  test("the organisers' pages", async () => {
    const visitor = await stand.come(SMALL_PHONE, false, locale);
    const { page } = visitor;
    await stand.signIn(page, stand.organiser);
    await inspect(page, code);
    for (const tab of ADMIN) {
      await page.goto(address(`/admin?tab=${tab}`));
      await page.locator('[aria-current="true"]').waitFor();
      await inspect(page, code);
    }
    expect(visitor.complained()).toEqual([]);
  });
});

test('the start page shows games that move, and every language at once', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await page.goto(address('/'));
  const canvas = page.getByTestId('live-boards').locator('canvas').first();
  await canvas.waitFor();
  const picture = (): Promise<string> => canvas.evaluate((board) => (board as HTMLCanvasElement).toDataURL());
  const first = await picture();
  await expect.poll(picture, { timeout: 20_000 }).not.toBe(first);
  await page.getByTestId('language').selectOption('hu');
  await page.getByRole('heading', { name: 'Állás' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Állás' }).waitFor();
  expect(visitor.complained()).toEqual([]);
});

test('a newcomer registers, makes a key, and hands in a bot', async () => {
  const visitor = await stand.come(PHONE);
  const { page } = visitor;
  // The rule for passwords is there before it is broken, and who registers comes back to where they were.
  await page.goto(address(`/submit/${OPEN.game}`));
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByRole('link', { name: 'Make one with an invite code' }).click();
  await page.getByTestId('password-rule').getByText('At least 6 characters').waitFor();
  await page.getByLabel('Invite code').fill(INVITE);
  await page.getByLabel('Name').fill(HOSTILE);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.waitForURL(address(`/submit/${OPEN.game}`));
  await page.goto(address('/me'));
  await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();

  await page.getByLabel('What is it for?').fill('laptop');
  await page.getByRole('button', { name: 'Make a key' }).click();
  const key = await page.getByTestId('new-key').locator('code').innerText();
  const lines = page.locator('code', { hasText: 'palestra' });
  for (const line of await lines.allInnerTexts()) expect(line).toContain(key);

  await page.goto(address(`/submit/${OPEN.game}`));
  await page.getByTestId('bot-file').setInputFiles({
    name: 'mybot.py',
    mimeType: 'text/x-python',
    buffer: Buffer.from(OPEN.idle?.(0) ?? ''),
  });
  await page.getByTestId('upload').getByText('Ready: version 1 plays from now on.').waitFor();
  expect(await page.getByTestId('log').innerText()).not.toBe('');
  await page.getByTestId('versions').getByText('plays now').waitFor();
  await page.getByTestId('upload').getByRole('link', { name: 'Trial match' }).click();
  await visitor.drawn();

  // What does not compile is told, and leaves the other one at work.
  await page.goto(address(`/submit/${OPEN.game}`));
  await page
    .getByTestId('bot-file')
    .setInputFiles({ name: 'broken.cpp', mimeType: 'text/plain', buffer: Buffer.from('int main( {') });
  await page.getByTestId('upload').getByText('Version 2 was rejected.', { exact: false }).waitFor();
  expect(await page.getByTestId('log').innerText()).toContain('error');
  await page.goto(address(`/games/${OPEN.game}`));
  await page.getByRole('link', { name: HOSTILE }).waitFor();
  expect(visitor.complained()).toEqual([]);
});

test('organisers announce, add players, start a round, and take a match out of the count', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await stand.signIn(page, stand.organiser);
  await page.goto(address('/admin'));
  await page.getByLabel('Announcement').fill(MARKUP);
  await page.getByRole('button', { name: 'Announce' }).click();
  await page.getByText(MARKUP).waitFor();

  await page.getByRole('link', { name: 'Players' }).click();
  await page.getByLabel('One player per line').fill('anna\nbela,papir-ko-ollo\n');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByTestId('confirm').getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByTestId('passwords').getByText('papir-ko-ollo').waitFor();
  await page.getByTestId('accounts').getByText('anna').waitFor();
  await page.getByRole('button', { name: 'I have them' }).click();

  await page.getByRole('link', { name: 'Rounds' }).click();
  await page.getByRole('button', { name: 'Start now' }).click();
  await page.getByTestId('confirm').getByRole('button', { name: 'Start now' }).click();
  await page.getByTestId('admin-rounds').getByText('going on').waitFor();
  await page.goto(address('/rounds/1'));
  const cell = page.getByTestId('cross').locator('td a').first();
  await cell.waitFor();
  await cell.click();
  await visitor.drawn();
  await page.getByText('Afternoon round').first().waitFor();

  await page.goto(address('/admin?tab=matches'));
  await page.getByLabel('Number of the match').fill(String(played));
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByTestId('found').getByRole('button', { name: 'Take out of the count' }).click();
  await page.getByLabel('Why?').fill('the lights went out');
  await page.getByTestId('confirm').getByRole('button', { name: 'Take out of the count' }).click();
  await page.getByTestId('confirm').waitFor({ state: 'detached' });
  await page.goto(address(`/matches/${played}`));
  await page.getByText('This match does not count: the lights went out').waitFor();
  await page.goto(address('/admin?tab=log'));
  await page.getByTestId('log-lines').getByText('the lights went out', { exact: false }).waitFor();

  await page.goto(address('/'));
  await page.getByTestId('announcements').getByText(MARKUP).waitFor();
  expect(visitor.complained()).toEqual([]);
});

test('somebody who is no organiser sees that, and nothing else', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await page.goto(address('/login'));
  await page.getByLabel('Name').fill('nobody');
  await page.getByLabel('Password').fill('wrong-password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This name and password do not belong together.').waitFor();
  await page.goto(address('/admin?tab=players'));
  await page.getByText('This page is for the organisers.').waitFor();
  expect(await page.getByTestId('accounts').count()).toBe(0);
  expect(visitor.complained(/401/)).toEqual([]);
});

test('matches are filtered, and older ones come on request', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await page.goto(address('/matches'));
  await page.getByTestId(`match-${played}`).or(page.getByTestId('older')).first().waitFor();
  await page.getByLabel('Game').selectOption(FOGGED.game);
  expect(new URL(page.url()).search).toBe(`?game=${FOGGED.game}`);
  await expect
    .poll(async () => (await page.getByTestId('matches').innerText()).includes(OPEN.title))
    .toBe(false);
  expect(visitor.complained()).toEqual([]);
});

test('the projector goes from scene to scene by itself', async () => {
  const visitor = await stand.come(PROJECTOR);
  const { page } = visitor;
  await page.goto(address('/projector'));
  const scene = page.getByTestId('scene');
  const kind = (): Promise<string | null> => scene.getAttribute('data-kind');
  await expect.poll(kind).toBe('match');
  await visitor.press('ArrowRight');
  await expect.poll(kind).toBe('standings');
  await expect.poll(kind, { timeout: 30_000 }).not.toBe('standings');
  expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true);
  expect(visitor.complained()).toEqual([]);
});

test('when the arena is cut off, pages say so, and go on when it is back', async () => {
  const visitor = await stand.come(DESKTOP);
  const { page } = visitor;
  await page.goto(address('/'));
  await page.getByTestId('standings').first().waitFor();
  await stand.arena.cut();
  await page.getByTestId('lost').waitFor();
  await page.getByRole('link', { name: 'Matches', exact: true }).click();
  await page.getByTestId('trouble').waitFor();
  await stand.reopen('--site', new URL(stand.arena.site).host);
  await page.getByTestId('lost').waitFor({ state: 'detached' });
  await page.getByTestId('matches').getByRole('link').first().waitFor();
  expect(visitor.complained(/ERR_/)).toEqual([]);
});
