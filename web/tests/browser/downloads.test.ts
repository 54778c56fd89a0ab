/** What an arena offers and refuses, in the language of whoever looks: downloads, texts of the plan, and errors. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, SHORT, inspect, pale } from './site';
import { DESKTOP, INVITE, PHONE, PROJECTOR, withArena } from './stand';

const PASSWORD = 'several plain words';
const PROGRAM = 'palestra-1.0-x86_64-linux.tar.gz';

const PLAN = `
name = { en = "Winter cup", ru = "Зимний кубок", hu = "Téli kupa" }
about = { en = "Bots in the snow.", ru = "Боты в снегу.", hu = "Botok a hóban." }
gateway = "127.0.0.1:0"
downloads = "files"

[[game]]
id = "${SHORT.game}"
${SHORT.short}

[[round]]
name = { en = "Final", ru = "Финал", hu = "Döntő" }
start = "2020-01-01 10:00"
`;

const TOLD = {
  en: {
    event: 'Winter cup',
    about: 'Bots in the snow.',
    round: 'Final',
    title: 'Downloads',
    first: 'The first match',
    taken: 'there is a player ann already; choose another name',
    busy: 'The machine is busy',
    missed: 'was to start',
    columns: 'there is more than a name and a password',
    heading: 'Names are taken from the column',
  },
  ru: {
    event: 'Зимний кубок',
    about: 'Боты в снегу.',
    round: 'Финал',
    title: 'Загрузки',
    first: 'Первая партия',
    taken: 'игрок ann уже есть; выберите другое имя',
    busy: 'Машина перегружена',
    missed: 'уже прошло',
    columns: 'здесь больше, чем имя и пароль',
    heading: 'Имена взяты из столбца',
  },
  hu: {
    event: 'Téli kupa',
    about: 'Botok a hóban.',
    round: 'Döntő',
    title: 'Letöltések',
    first: 'Az első meccs',
    taken: 'már van ann nevű játékos; válassz másik nevet',
    busy: 'A gép túlterhelt',
    missed: 'lett volna a kezdete',
    columns: 'több van benne, mint név és jelszó',
    heading: 'A nevek a(z)',
  },
} as const;

const content = Buffer.alloc(100_000, 'palestra');

const stand = withArena(PLAN, (scratch) => {
  mkdirSync(scratch.file('files'));
  writeFileSync(scratch.file(`files/${PROGRAM}`), content);
  writeFileSync(scratch.file('files/rules.pdf'), '%PDF');
  writeFileSync(scratch.file('people.csv'), `ann,${PASSWORD}\n`);
  scratch.palestra('event', 'players', 'add', 'event.toml', '--csv', 'people.csv');
});
const { address } = stand;

describe.each(Object.entries(LANGUAGES))('in %s', (language, locale) => {
  const code = language as keyof typeof LANGUAGES;
  const told = TOLD[code];

  test('the texts of the plan are those of the language, on the site and on the projector', async () => {
    const visitor = await stand.come(DESKTOP, false, locale);
    const { page } = visitor;
    await page.goto(address('/'));
    await page.getByRole('heading', { level: 1, name: told.event }).waitFor();
    await page.getByText(told.about).waitFor();
    await page.getByText(told.round).first().waitFor();
    await page.goto(address('/rounds/1'));
    await page.getByRole('heading', { level: 1, name: told.round }).waitFor();
    expect(await page.title()).toContain(told.event);
    await page.goto(address('/projector'));
    await page.getByRole('heading', { level: 1, name: told.event }).waitFor();
    // Another language, another text, without loading the page anew.
    await page.goto(address('/rounds/1'));
    const other = code === 'hu' ? 'ru' : 'hu';
    await page.getByTestId('language').selectOption(other);
    await page.getByRole('heading', { level: 1, name: TOLD[other].round }).waitFor();
    expect(visitor.complained()).toEqual([]);
  });

  test.each(Object.entries({ DESKTOP, PROJECTOR, PHONE }))(
    'the page of downloads fits %s',
    async (_, size) => {
      const visitor = await stand.come(size, size === PHONE, locale);
      const { page } = visitor;
      await page.goto(address('/downloads'));
      await page.getByRole('heading', { level: 1, name: told.title }).waitFor();
      await page.getByRole('heading', { name: told.first }).waitFor();
      await inspect(page, code);
      expect(await pale(page)).toEqual([]);
      expect(visitor.complained()).toEqual([]);
    },
  );

  test('what is refused is told in the language', async () => {
    const visitor = await stand.come(PHONE, false, locale);
    const { page } = visitor;
    await page.goto(address('/register'));
    await page.locator('input[autocomplete="username"]').fill('ann');
    await page.locator('input[type="password"]').fill(PASSWORD);
    await page.locator('form input:not([autocomplete="username"], [type="password"])').fill(INVITE);
    await page.locator('form button').last().click();
    await expect
      .poll(async () => (await page.getByTestId('trouble').innerText()).toLowerCase())
      .toBe(told.taken);
    expect(visitor.complained(/409/)).toEqual([]);
  });

  test('organisers are told of a busy machine, of a start that was missed, and of what a list says', async () => {
    for (const size of [DESKTOP, PROJECTOR, PHONE]) {
      const visitor = await stand.come(size, false, locale);
      const { page } = visitor;
      // Whether this machine is busy is not for a test to say; how that is told is.
      await page.route('**/api/admin/machine', (route) =>
        route.fulfill({
          json: { cores: 2, load: 7.5, stalled: 3, stalled_minutes: 10, waiting_versions: 1, busy: true },
        }),
      );
      await stand.signIn(page, stand.organiser);
      await page.goto(address('/admin'));
      await page.getByTestId('busy-machine').getByText(told.busy).waitFor();
      await inspect(page, code);
      await page.goto(address('/admin?tab=rounds'));
      await page.getByText(told.missed).first().waitFor();
      await inspect(page, code);
      await page.goto(address('/admin?tab=players'));
      const list = page.locator('textarea').first();
      await list.fill('ben,secret words,more\n');
      await list.locator('xpath=ancestor::form').getByRole('button').first().click();
      await page.getByTestId('trouble').getByText(told.columns).waitFor();
      await list.fill('name;password\nben;some secret\n');
      await list.locator('xpath=ancestor::form').getByRole('button').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(told.heading).waitFor();
      const box = await dialog.boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= size.width + 1).toBe(true);
      expect(visitor.complained(/400/)).toEqual([]);
      await visitor.leave();
    }
  });
});

test('the program comes as it was listed, and the lines beside it lead to the first match', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await page.goto(address('/downloads'));
  const card = page.locator('li', { hasText: PROGRAM });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(PROGRAM);
  const bytes = readFileSync(await download.path());
  expect(bytes.equals(content)).toBe(true);
  await card.getByText('SHA-256').click();
  await card.getByText(createHash('sha256').update(content).digest('hex'), { exact: true }).waitFor();
  const lines = page.getByTestId('first-match');
  await lines.getByText(`tar -xf ${PROGRAM}`).waitFor();
  await lines.getByText(`../palestra play ${SHORT.game}`).waitFor();
  await page.getByRole('link', { name: 'Windows' }).click();
  await lines.getByText('wsl', { exact: true }).waitFor();
  await page.getByText('rules.pdf').first().waitFor();
  expect(visitor.complained()).toEqual([]);
});
