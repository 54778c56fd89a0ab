/** Every game's replay: looking, playing, seeking, fog, links, files, and what goes wrong. */

import type { Browser } from 'playwright-core';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, PROJECTOR, Scratch, Serving, Visitor, launch } from './stand';
import { GAMES, gameThat } from './games';
import { compareBoard } from './pictures';

/** Any two of them. */
const [ONE, OTHER] = [gameThat(({ fog }) => fog), gameThat(({ fog }) => !fog)];

let browser: Browser;
let palestra: Serving;
let visitor: Visitor;
const scratch = new Scratch();
const address = (path: string): string => new URL(path, palestra.address('view')).href;

beforeAll(async () => {
  const files = GAMES.map(({ game, replay }) => scratch.replay(game, game, replay.bots));
  palestra = await Serving.start(scratch.path, ['view', ...files], 'view');
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  expect(await palestra?.end()).toBe(0);
  scratch.remove();
});

afterEach(async () => {
  await visitor?.leave();
});

test('the list shows every match and leads to it', async () => {
  visitor = await Visitor.come(browser);
  const { page } = visitor;
  await page.goto(address('/'));
  for (const { game } of GAMES) await page.getByTestId(`match-${game}`).waitFor();
  await page.getByTestId(`match-${OTHER.game}`).click();
  await visitor.drawn();
  expect(new URL(page.url()).pathname).toBe(`/${OTHER.game}`);
  await visitor.press('Escape');
  await page.getByTestId('matches').waitFor();
  expect(visitor.complained()).toEqual([]);
});

describe.each(GAMES)('$game', ({ game, replay: { turns } }) => {
  test('plays, steps, jumps and seeks', async () => {
    visitor = await Visitor.come(browser);
    const { page } = visitor;
    await visitor.open(address(`/${game}?turn=0`));
    await visitor.at(0);
    await visitor.press('d', 'ArrowRight');
    await visitor.at(2);
    await visitor.press('a');
    await visitor.at(1);
    await visitor.press('Shift+ArrowRight');
    await visitor.at(11);
    await visitor.press('Shift+A');
    await visitor.at(1);
    await visitor.press('End');
    const end = Number(await page.getByTestId('turn').getAttribute('data-turn'));
    await visitor.at(end);
    expect(end).toBeGreaterThan(100);
    await visitor.press('Home');
    await visitor.at(0);

    await visitor.press('Space');
    await page.waitForFunction(() => (window.palestra?.turn() ?? 0) > 3);
    await visitor.press('p');
    const paused = await visitor.turn();
    await page.waitForTimeout(400);
    expect(Math.abs((await visitor.turn()) - paused)).toBeLessThan(2);

    const scrubber = page.getByTestId('scrubber');
    const box = await scrubber.boundingBox();
    if (!box) throw new Error('there is no scrubber');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction((end) => Math.abs((window.palestra?.turn() ?? 0) - end / 2) < end / 20, end);

    await page
      .getByTestId('charts')
      .locator('.u-over')
      .first()
      .click({ position: { x: 40, y: 30 } });
    await page.waitForFunction((end) => (window.palestra?.turn() ?? end) < end / 3, end);
    expect(visitor.complained()).toEqual([]);
  });

  test('a link shows the same moment through the same eyes', async () => {
    visitor = await Visitor.come(browser);
    const turn = turns[1] ?? 0;
    await visitor.open(address(`/${game}?turn=${turn}&seat=2`));
    await visitor.at(turn);
    const second = await Visitor.come(browser);
    await visitor.page.waitForFunction(() => location.search.includes('turn='));
    await second.open(visitor.page.url());
    await second.at(turn);
    expect(new URL(second.page.url()).search).toBe(`?turn=${turn}&seat=2`);
    expect(await second.page.getByTestId('players').innerText()).toBe(
      await visitor.page.getByTestId('players').innerText(),
    );
    expect(second.complained()).toEqual([]);
    await second.leave();
  });

  test('the panel shows what the bot was sent and what it answered', async () => {
    visitor = await Visitor.come(browser);
    const { page } = visitor;
    await visitor.open(address(`/${game}?turn=${turns[1]}`));
    await page.getByTestId('seat-1').getByRole('cell').first().click();
    const panel = page.getByTestId('panel');
    await panel.locator('summary').click();
    await panel.getByText('Was sent').waitFor();
    // The ask of every game has numbers in it.
    await expect.poll(() => panel.locator('pre').allInnerTexts()).toContainEqual(expect.stringMatching(/\d/));
    expect(visitor.complained()).toEqual([]);
  });

  test.each(turns)('looks as it should at turn %i', async (turn) => {
    visitor = await Visitor.come(browser, DESKTOP);
    await visitor.open(address(`/${game}?turn=${turn}&embed=1`));
    await visitor.at(turn);
    await compareBoard(visitor.page, game, turn);
    expect(visitor.complained()).toEqual([]);
  });

  test.each([
    ['phone', PHONE],
    ['projector', PROJECTOR],
  ] as const)('fits a %s', async (name, size) => {
    visitor = await Visitor.come(browser, size, true);
    const { page } = visitor;
    await visitor.open(address(`/${game}?turn=${turns[1]}`));
    if (name === 'projector') await visitor.press('l');
    await visitor.drawn();
    const [width, board] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.querySelector('canvas')?.getBoundingClientRect().width ?? 0,
    ]);
    expect(width).toBeLessThanOrEqual(size.width);
    expect(board).toBeGreaterThan(name === 'phone' ? size.width * 0.8 : size.height * 0.6);
    expect(visitor.complained()).toEqual([]);
  });
});

test.each(GAMES.filter(({ fog }) => fog).map(({ game }) => game))(
  'fog hides what a seat of %s did not see',
  async (game) => {
    visitor = await Visitor.come(browser);
    const { page } = visitor;
    await visitor.open(address(`/${game}?turn=100`));
    const enemy = page.getByTestId('seat-2');
    const all = await enemy.innerText();
    await visitor.press('1');
    await page.waitForURL(/seat=1/);
    await visitor.drawn();
    expect(await enemy.innerText()).not.toBe(all);
    expect(await enemy.innerText()).toContain('–');
    await visitor.press('f');
    await page.waitForFunction(() => !location.search.includes('seat='));
    await visitor.drawn();
    expect(await enemy.innerText()).toBe(all);
    expect(visitor.complained()).toEqual([]);
  },
);

test('help, rules and themes are a key away', async () => {
  visitor = await Visitor.come(browser);
  const { page } = visitor;
  await visitor.open(address(`/${ONE.game}`));
  await visitor.press('?');
  await page.getByTestId('help').waitFor();
  await visitor.press('Escape');
  await page.getByTestId('help').waitFor({ state: 'detached' });
  await page.getByTestId('rules-button').click();
  await page.getByTestId('rules').getByRole('heading', { name: ONE.title }).first().waitFor();
  await visitor.press('Escape');
  await page.getByTestId('rules').waitFor({ state: 'detached' });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const before = await background();
  await visitor.press('t');
  await expect.poll(background).not.toBe(before);
  expect(visitor.complained()).toEqual([]);
});

/** Drops a file onto the page as a hand would. */
async function drop(name: string, bytes: Buffer): Promise<void> {
  const transfer = await visitor.page.evaluateHandle(
    ([name, base64]) => {
      const bytes = Uint8Array.from(atob(base64 ?? ''), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name ?? ''));
      return transfer;
    },
    [name, bytes.toString('base64')],
  );
  for (const kind of ['dragenter', 'dragover', 'drop']) {
    await visitor.page.dispatchEvent('body', kind, { dataTransfer: transfer });
  }
}

test('a replay that is dropped plays', async () => {
  visitor = await Visitor.come(browser);
  await visitor.page.goto(address('/'));
  await visitor.page.getByTestId('matches').waitFor();
  await drop('mine.replay', readFileSync(scratch.file(`${ONE.game}.replay`)));
  await visitor.page.waitForURL(/\/mine/);
  await visitor.drawn();
  expect(visitor.complained()).toEqual([]);
});

test.each(GAMES.flatMap(({ game, log }) => (log ? [{ game, ...log }] : [])))(
  "the contest's own log of $game plays",
  async ({ game, format, file: name }) => {
    visitor = await Visitor.come(browser);
    const { page } = visitor;
    const log = scratch.file(name);
    scratch.palestra('replay', 'export', scratch.file(`${game}.replay`), format, '--out', log);
    await visitor.open(address(`/${OTHER.game}`));
    await drop(name, readFileSync(log));
    await page.waitForURL((url) => url.pathname !== `/${OTHER.game}`);
    await page.getByTestId('seat-2').getByText('player 2').waitFor();
    await visitor.at(0);
    await visitor.press('End');
    await page.waitForFunction(() => (window.palestra?.turn() ?? 0) > 100);
    await page.getByTestId('seat-2').waitFor();
    expect(visitor.complained()).toEqual([]);
  },
);

test('a broken file is told, and the page goes on', async () => {
  visitor = await Visitor.come(browser);
  const { page } = visitor;
  const bytes = readFileSync(scratch.file(`${ONE.game}.replay`));
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 0x55;
  await visitor.open(address(`/${ONE.game}`));
  await drop('broken.replay', bytes);
  await page.getByText(/the replay is damaged/).waitFor();
  await drop('notes.txt', Buffer.from('buy milk'));
  await page.getByText(/neither a replay of palestra nor a log/).waitFor();
  await page.goto(address('/nobody'));
  await page.getByText(/there is no match "nobody" here/).waitFor();
  // The browser itself remarks on every answer that is not a success.
  expect(visitor.complained(/status of (404|422)/)).toEqual([]);
});

test('a picture and a film come from the command line', () => {
  const replay = scratch.file(`${OTHER.game}.replay`);
  const said = scratch.palestra(
    'replay',
    'picture',
    replay,
    '--turn',
    '60',
    '--width',
    '480',
    '--height',
    '360',
  );
  expect(said).toMatch(new RegExp(`${OTHER.game}\\.60\\.png \\(.*KB\\)`));
  const picture = readFileSync(scratch.file(`${OTHER.game}.60.png`));
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([480, 360]);
  scratch.palestra(
    'replay',
    'film',
    replay,
    '--from',
    '20',
    '--to',
    '40',
    '--width',
    '240',
    '--height',
    '180',
  );
  const film = readFileSync(scratch.file(`${OTHER.game}.gif`));
  expect(film.subarray(0, 6).toString()).toBe('GIF89a');
  expect([film.readUInt16LE(6), film.readUInt16LE(8)]).toEqual([240, 180]);
  // One picture descriptor with its own delay for every turn.
  const pictures = film.toString('latin1').split('\x21\xf9\x04').length - 1;
  expect(pictures).toBe(21);
  writeFileSync(scratch.file('broken.replay'), 'PALESTRA');
  expect(() => scratch.palestra('replay', 'picture', scratch.file('broken.replay'))).toThrow(/damaged/);
});
