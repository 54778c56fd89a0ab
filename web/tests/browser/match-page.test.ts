/** The page of a match: what fits on every screen, what went in and out of a bot, and a match inside another page. */

import type { Page } from 'playwright-core';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GAMES, gameThat } from './games';
import { LANGUAGES } from './site';
import { DESKTOP, PHONE, PROJECTOR, SMALL_PHONE, Serving, withArena } from './stand';

const SIZES = { DESKTOP, PROJECTOR, PHONE, SMALL_PHONE };
const FOGGED = gameThat(({ fog, idle }) => fog && idle);
/** One in which a bot goes on after its faults. */
const FORGIVING = gameThat(({ noisy }) => noisy);
const ANN = { name: 'ann', password: 'several plain words' };
/** Less is no use to anybody. */
const SMALLEST_BOARD = 300;

const PLAN = `
name = "Screens"
gateway = "127.0.0.1:0"

[[game]]
id = "${FOGGED.game}"
house = ["${FOGGED.house.join('", "')}"]
seats = [3]
settings = { ${FOGGED.rounds?.(60).join(' = ')} }

[[game]]
id = "${FORGIVING.game}"
submissions = false
time = "30ms/answer"
${FORGIVING.short ?? ''}
`;

let palestra: Serving;
/** The match in which the player's own bot has had its trial. */
let own: number;
/** A match with very many faults. */
let faulty: number;
const replay = (path: string): string => new URL(path, palestra.address('view')).href;

const stand = withArena(PLAN, (scratch) => {
  writeFileSync(scratch.file('mine.py'), FOGGED.idle?.(0) ?? '');
  writeFileSync(scratch.file('noise.py'), FORGIVING.noisy ?? '');
  writeFileSync(scratch.file('people.csv'), `${ANN.name},${ANN.password}\n`);
  scratch.palestra('event', 'players', 'add', 'event.toml', '--csv', 'people.csv');
});
const { address, scratch } = stand;

beforeAll(async () => {
  const key = stand.event('players key', 'ann').trim();
  const host = new URL(stand.arena.site).host;
  scratch.palestra('submit', host, FOGGED.game, 'mine.py', '--token', key);
  while (!own) {
    const answer = await fetch(address(`/api/matches?game=${FOGGED.game}`));
    const { matches } = (await answer.json()) as {
      matches: { id: number; state: string; seats: { name: string }[] }[];
    };
    own = matches.find(({ seats }) => seats.some(({ name }) => name === 'ann'))?.id ?? 0;
    if (!own) await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { gateway } = (await (await fetch(address('/api/event'))).json()) as { gateway: number };
  const lines = scratch.palestra(
    ...['connect', `127.0.0.1:${gateway}`, '--token', key, '--game', FORGIVING.game, '--opponents', 'bot'],
    ...['--matches', '1', '--json', '--', './noise.py'],
  );
  faulty = Number(/"match":(\d+)/.exec(lines)?.[1]);
  const many = [...FOGGED.house, ...FOGGED.house, ...FOGGED.house, ...FOGGED.house];
  const files = GAMES.map(({ game, replay }) => scratch.replay(game, game, replay.bots));
  palestra = await Serving.start(
    scratch.path,
    ['view', ...files, scratch.replay('many', FOGGED.game, many)],
    'view',
  );
}, 120_000);

afterAll(async () => {
  await palestra?.end();
});

/** Waits until an element is wholly on the screen without any scrolling, and says how large it is. */
async function seen(page: Page, testid: string): Promise<{ width: number; height: number }> {
  const element = page.getByTestId(testid);
  await element.waitFor();
  const { width, height } = page.viewportSize() ?? DESKTOP;
  const inside = async (): Promise<boolean> => {
    const box = await element.boundingBox();
    return (
      box !== null &&
      box.x >= 0 &&
      box.y >= 0 &&
      box.x + box.width <= width + 1 &&
      box.y + box.height <= height + 1
    );
  };
  await expect.poll(inside, { message: `${testid} is on the screen` }).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  return (await element.boundingBox()) ?? { width: 0, height: 0 };
}

/** The canvas itself: its box may be larger. */
async function boardSide(page: Page): Promise<number> {
  const box = await page.getByTestId('board').locator('canvas').first().boundingBox();
  return Math.min(box?.width ?? 0, box?.height ?? 0);
}

describe.each(Object.entries(SIZES))('on a screen like %s', (_, size) => {
  test('board and controls of a match of an arena need no scrolling, whoever looks', async () => {
    const visitor = await stand.come(size);
    const { page } = visitor;
    for (const look of ['as a stranger', 'as its author']) {
      if (look === 'as its author') await stand.signIn(page, ANN);
      await visitor.open(address(`/matches/${own}`));
      for (const part of ['board', 'scrubber', 'play', 'speed']) await seen(page, part);
      expect(await boardSide(page), look).toBeGreaterThanOrEqual(SMALLEST_BOARD);
      // The players stand there once.
      expect(
        await page.getByText('ann', { exact: true }).locator('visible=true').count(),
      ).toBeLessThanOrEqual(2);
      expect(await page.getByTestId('seats').count()).toBe(0);
    }
    expect(visitor.complained()).toEqual([]);
  });

  test('board and controls of a match with very many faults need no scrolling', async () => {
    const visitor = await stand.come(size);
    const { page } = visitor;
    await visitor.open(address(`/matches/${faulty}`));
    const overview = await (await fetch(address(`/api/matches/${faulty}/overview`))).json();
    const { marks } = overview as { marks: { kind: string }[] };
    expect(marks.filter(({ kind }) => kind === 'fault').length).toBeGreaterThan(10);
    for (const part of ['board', 'scrubber', 'play', 'speed']) await seen(page, part);
    expect(await boardSide(page)).toBeGreaterThanOrEqual(SMALLEST_BOARD);
    expect(visitor.complained()).toEqual([]);
  });

  test('the whole screen has a board, names and controls, with many players too', async () => {
    const visitor = await stand.come(size);
    const { page } = visitor;
    for (const match of [address(`/matches/${own}`), replay('/many')]) {
      await visitor.open(match);
      await page.getByTestId('projector').click();
      for (const part of ['board', 'play', 'leave-large', 'seat-1', 'seat-2']) await seen(page, part);
      await visitor.drawn();
      expect(await boardSide(page)).toBeGreaterThanOrEqual(SMALLEST_BOARD);
      const cut = await page
        .getByTestId('players')
        .locator('.name')
        .evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth + 1).length);
      expect(cut).toBe(0);
      await page.getByTestId('leave-large').click();
      await page.getByTestId('projector').waitFor();
    }
    expect(visitor.complained()).toEqual([]);
  });

  test('what went in and out opens where it can be seen, with many players and charts too', async () => {
    const visitor = await stand.come(size);
    const { page } = visitor;
    await visitor.open(replay('/many?turn=200'));
    await page.getByTestId('panel').locator('summary').click();
    const answer = page.getByTestId('panel').getByText('Answer', { exact: true });
    await answer.waitFor();
    await expect
      .poll(() =>
        answer.evaluate((element) => {
          const { left, top, bottom } = element.getBoundingClientRect();
          return (
            bottom <= innerHeight && element.contains(document.elementFromPoint(left + 2, (top + bottom) / 2))
          );
        }),
      )
      .toBe(true);
    expect(visitor.complained()).toEqual([]);
  });
});

test('an author sees their own seat first, opens and closes it by a key, and steps from turn to turn of it', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await stand.signIn(page, ANN);
  await visitor.open(address(`/matches/${own}?turn=20`));
  await page.getByTestId('panel').getByText('ann: input and output').waitFor();
  await page
    .getByTestId('panel')
    .getByText(/^thought number \d+/)
    .waitFor();
  await visitor.press('i');
  await page.getByTestId('own-turns').waitFor({ state: 'hidden' });
  await visitor.press('i');
  await page.getByTestId('own-turns').check();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) {
    const before = await visitor.turn();
    await visitor.press(key);
    await expect.poll(() => visitor.turn()).not.toBe(before);
    await expect.poll(() => page.getByTestId('caption').innerText()).toMatch(/^ann:/);
  }
  expect(visitor.complained()).toEqual([]);
});

test.each(GAMES)('a line of what was sent in $game is linked with the board, and back', async ({ game }) => {
  const visitor = await stand.come();
  const { page } = visitor;
  await visitor.open(replay(`/${game}?turn=60`));
  await visitor.press('i');
  const sent = page.getByRole('region', { name: 'Was sent' });
  await sent.waitFor();
  await sent.scrollIntoViewIfNeeded();
  await sent.focus();
  await visitor.press('ArrowDown');
  const line = Number(await page.getByTestId('marked-line').getAttribute('data-line'));
  const spot = await page.getByTestId('spot').boundingBox();
  const board = await page.getByTestId('board').locator('canvas').first().boundingBox();
  if (!spot || !board) throw new Error('nothing is marked on the board');
  const [x, y] = [spot.x + spot.width / 2, spot.y + spot.height / 2];
  expect(x > board.x && y > board.y && x < board.x + board.width && y < board.y + board.height).toBe(true);

  // Elsewhere nothing is marked; where the mark was, the same line is.
  await sent.evaluate((element) => (element as HTMLElement).blur());
  await page.mouse.move(board.x + board.width / 2, board.y - 4);
  await page.getByTestId('spot').waitFor({ state: 'detached' });
  await page.mouse.move(x, y);
  await expect
    .poll(async () => Number(await page.getByTestId('marked-line').getAttribute('data-line')))
    .toBe(line);
  expect(visitor.complained()).toEqual([]);
});

test('a match can stand inside the page of another site, and no other page of the arena can', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<iframe src="${address(`/matches/${own}?embed=1`)}" width="800" height="600"></iframe>
      <iframe src="${address('/')}"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const visitor = await stand.come();
  const { page } = visitor;
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const frame = page.frameLocator('iframe').first();
  await frame.getByTestId('board').waitFor();
  await frame.getByTestId('play').waitFor();
  expect(await frame.locator('header, footer, nav').count()).toBe(0);
  expect(await page.frameLocator('iframe').nth(1).locator('#app').count()).toBe(0);
  server.close();
  expect(visitor.complained(/frame-ancestors|ERR_BLOCKED/)).toEqual([]);
});

test.each(Object.values(LANGUAGES))(
  'names of ten letters are not cut, whatever is counted, in %s',
  async (locale) => {
    for (const size of [DESKTOP, PHONE]) {
      const visitor = await stand.come(size, false, locale);
      const matches = [own, faulty].map((id) => address(`/matches/${id}`));
      for (const match of [...matches, ...GAMES.map(({ game }) => replay(`/${game}`))]) {
        await visitor.open(match);
        const names = visitor.page.getByTestId('players').locator('.name');
        const cut = await names.evaluateAll((names) => {
          for (const name of names) name.textContent = 'Wilhelmina';
          return names.filter((name) => name.scrollWidth > name.clientWidth).length;
        });
        expect(cut, match).toBe(0);
      }
      expect(visitor.complained()).toEqual([]);
    }
  },
);

test('a built-in player is not told to be connected', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await visitor.open(address(`/matches/${own}`));
  const players = page.getByTestId('players');
  await players.getByText('version 1').waitFor();
  await players.getByText('the arena’s bot').first().waitFor();
  expect(await players.getByText('connected').count()).toBe(0);
});

test.each([
  ['ru-RU', 'Игрок', 'Правила', /ряд|столбец/],
  ['hu-HU', 'Játékos', 'Szabályok', /sor, .*oszlop/],
])(
  'at home the viewer speaks the language of the browser, %s, or the one that is chosen',
  async (locale, ...words) => {
    const [player, rules, cell] = words;
    const visitor = await stand.come(DESKTOP, false, locale);
    const { page } = visitor;
    await visitor.open(replay(`/${FOGGED.game}?turn=60`));
    await page.getByTestId('players').getByText(player, { exact: true }).waitFor();
    await page.getByRole('button', { name: rules }).waitFor();
    const board = await page.getByTestId('board').locator('canvas').first().boundingBox();
    await page.mouse.move((board?.x ?? 0) + 20, (board?.y ?? 0) + 20);
    await page.getByTestId('caption').getByText(cell).waitFor();
    await page.getByTestId('language').selectOption('en');
    await page.getByRole('button', { name: 'Rules' }).waitFor();
    await page.goto(replay('/'));
    await page.getByText('Open a file').waitFor();
    expect(visitor.complained()).toEqual([]);
  },
);

test('a picture has the width that is asked for, and room for every name', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await visitor.open(replay('/many?turn=40'));
  await page.getByTestId('export-button').click();
  const height: number[] = [];
  for (const names of [true, false]) {
    await page.getByLabel('With names and turn').setChecked(names);
    await page.getByTestId('png-width').fill('640');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByTestId('save-png').click(),
    ]);
    const png = readFileSync(await download.path());
    expect(png.readUInt32BE(16)).toBe(640);
    height.push(png.readUInt32BE(20));
  }
  // Twelve names and a line about when it was do not fit into one line of this width.
  expect((height[0] ?? 0) - (height[1] ?? 0)).toBeGreaterThan(3 * 13);
  expect(visitor.complained()).toEqual([]);
});

test('on a phone the rules have a name, and what scrolls can be reached by keyboard', async () => {
  const visitor = await stand.come(PHONE);
  const { page } = visitor;
  await visitor.open(address(`/matches/${own}`));
  await page.getByRole('button', { name: 'Rules' }).click();
  await page.getByTestId('rules').waitFor();
  await page.goto(address(`/games/${FOGGED.game}`));
  await page.getByRole('region', { name: 'Standings' }).first().waitFor();
  const stuck = await page.evaluate(
    () =>
      [...document.querySelectorAll('.scroll')].filter(
        (box) => box.scrollWidth > box.clientWidth + 1 && (box as HTMLElement).tabIndex < 0,
      ).length,
  );
  expect(stuck).toBe(0);
  expect(visitor.complained()).toEqual([]);
});
