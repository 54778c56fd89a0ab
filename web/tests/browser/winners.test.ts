/** Who won: deciders in a bracket, the podium, the report of an event, certificates, and the projector's end. */

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { gameThat } from './games';
import { LANGUAGES, inspect, pale } from './site';
import { DESKTOP, PHONE, PROJECTOR, withArena } from './stand';

/** Bots that do nothing are equal in it. */
const GAME = gameThat(({ idle, rounds }) => idle && rounds);
const [KEY, VALUE] = GAME.rounds?.(3) ?? ['', 0];
const PLAYERS = ['Ada Lovelace', 'Béla', 'Чебышёв', 'Dorottya Kanizsai-Nagy'];

const PLAN = `
name = "Equals"
gateway = false

[[game]]
id = "${GAME.game}"
settings = { ${KEY} = ${VALUE} }
pause = "1h"

[[round]]
name = "Cup"
game = "${GAME.game}"
format = "knockout"
third_place = true
seatings = "drawn"
points = { win = 2, draw = 1 }

[[round]]
name = "Late round"
game = "${GAME.game}"
start = "2100-01-01 10:00"
`;

const SAID = {
  en: {
    seed: 'Equal after 4 further matches: better seed, 1 before 2',
    winners: 'Winners',
    report: 'Report of the event',
    certificate: 'Certificate',
    place: (game: string) => `${game}: place 1 of 4`,
    round: (game: string) => `Cup (${game}): place 1 of 4`,
    handIn: 'Hand in',
    next: 'What comes next: Late round',
    visit: 'Watch along and join in',
  },
  ru: {
    seed: 'Поровну и после 4 дополнительных партий: выше посев, 1 перед 2',
    winners: 'Победители',
    report: 'Итоги турнира',
    certificate: 'Грамота',
    place: (game: string) => `${game}: 1 место из 4`,
    round: (game: string) => `Cup (${game}): 1 место из 4`,
    handIn: 'Сдать',
    next: 'Что дальше: Late round',
    visit: 'Смотрите и участвуйте',
  },
  hu: {
    seed: '4 ráadásmeccs után is egyenlő: jobb kiemelés, 1 a(z) 2 előtt',
    winners: 'Győztesek',
    report: 'A verseny összefoglalója',
    certificate: 'Oklevél',
    place: (game: string) => `${game}: 1. hely 4 közül`,
    round: (game: string) => `Cup (${game}): 1. hely 4 közül`,
    handIn: 'Bead',
    next: 'Mi következik: Late round',
    visit: 'Nézd és játssz te is',
  },
};
const SIZES = { desktop: DESKTOP, projector: PROJECTOR, phone: PHONE };

const stand = withArena(PLAN);
const { address: at } = stand;
let key = '';
const json = async <T>(path: string): Promise<T> => (await (await fetch(at(path))).json()) as T;

async function handIn(bearer: string): Promise<Response> {
  return fetch(at(`/api/games/${GAME.game}/versions?file=bot.py`), {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/octet-stream' },
    body: GAME.idle?.(0) ?? '',
  });
}

/** Letters on players' colours are marks, and have names beside them. */
const tooPale = async (page: Page): Promise<string[]> =>
  (await pale(page)).filter((text) => !text.includes('swatch'));

/** Nothing reaches beyond the screen, or out of the scene. */
const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const scene = document.querySelector('[data-testid=scene]')?.getBoundingClientRect();
    const { scrollWidth, scrollHeight } = document.documentElement;
    const texts = [...document.querySelectorAll('[data-testid=scene] *')].filter(
      (one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE),
    );
    const within = (one: Element): boolean => {
      const { top, bottom, left, right } = one.getBoundingClientRect();
      return (
        top >= (scene?.top ?? 0) - 1 && bottom <= (scene?.bottom ?? 0) + 1 && left >= 0 && right <= innerWidth
      );
    };
    return scrollWidth <= innerWidth && scrollHeight <= innerHeight && texts.every(within);
  });

beforeAll(async () => {
  for (const name of PLAYERS) {
    stand.event('players add', name);
    key = stand.event('players key', name).trim();
    expect((await handIn(key)).status).toBe(200);
  }
  const until = async (so: () => Promise<boolean>): Promise<void> => {
    while (!(await so())) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  type Lines = { plays: string }[];
  const lines = (): Promise<Lines> => json(`/api/games/${GAME.game}/standings`);
  await until(
    async () => (await lines()).filter(({ plays }) => plays === 'version').length === PLAYERS.length,
  );
  stand.event('start', 'Cup');
  const cup = (): Promise<{ round: { state: string } }> => json('/api/rounds/1');
  await until(async () => (await cup()).round.state === 'over');
});

describe.each(Object.entries(LANGUAGES))('in %s, while the event goes on', (code, locale) => {
  const said = SAID[code as keyof typeof SAID];

  test('a bracket says what decided, and the round names its winners', async () => {
    const visitor = await stand.come(PHONE, false, locale);
    const { page } = visitor;
    await page.goto(at('/rounds/1'));
    const final = page.locator('[data-testid=duel][data-part=final]');
    await final.getByTestId('decision').getByText(said.seed).waitFor();
    const winner = await final.locator('.won .name').innerText();
    await page.getByTestId('podium').locator('[data-place="1"]').getByText(winner).waitFor();
    expect(await page.getByTestId('group').getByRole('row').nth(1).innerText()).toContain(winner);
    await inspect(page, code);
    await page.goto(at('/'));
    await page.getByTestId('winners').getByText(winner).waitFor();
    expect(visitor.complained()).toEqual([]);
  });

  test('the projector shows what comes next, the bracket, the winners and the way to the site', async () => {
    const visitor = await stand.come(PROJECTOR, false, locale);
    const { page } = visitor;
    await page.goto(at('/projector'));
    const scene = page.getByTestId('scene');
    await page.getByText(said.visit).first().waitFor();
    await page.getByTestId('qr').first().waitFor();
    for (const kind of ['standings', 'podium', 'stage', 'round']) {
      await expect
        .poll(async () => {
          const shown = await scene.getAttribute('data-kind');
          if (shown !== kind) await visitor.press('ArrowRight');
          return shown;
        })
        .toBe(kind);
      if (kind === 'stage') await scene.getByTestId('decision').first().waitFor();
      if (kind === 'podium') await page.getByText(said.next).waitFor();
      expect(await fits(page), kind).toBe(true);
    }
    expect(visitor.complained()).toEqual([]);
  });
});

describe('after the end', () => {
  beforeAll(() => {
    stand.event('close');
  });

  test('whoever looks soon knows that it is over', async () => {
    await expect.poll(async () => (await json<{ state: string }>('/api/event')).state).toBe('closed');
  });

  test('whoever hands in is told that it is over', async () => {
    const answer = await handIn(key);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('the event is over, and nothing is taken in any more');
  });

  describe.each(Object.entries(LANGUAGES))('in %s', (code, locale) => {
    const said = SAID[code as keyof typeof SAID];

    test.each(Object.entries(SIZES))(
      'everybody is told who won, and nobody to hand in, %s',
      async (_, size) => {
        const visitor = await stand.come(size, false, locale);
        const { page } = visitor;
        await page.goto(at('/'));
        const podium = page.getByTestId('winners').getByTestId('podium');
        await page.getByRole('heading', { name: said.winners, exact: true }).waitFor();
        const winner = await podium.locator('[data-place="1"] .one').innerText();
        for (const path of ['/', '/me', `/games/${GAME.game}`]) {
          await page.goto(at(path));
          await page.getByRole('link', { name: said.report }).first().waitFor();
          expect(await page.getByRole('link', { name: said.handIn }).count(), path).toBe(0);
          await inspect(page, code);
          expect(await tooPale(page), path).toEqual([]);
        }

        await page.goto(at('/report'));
        await page.getByTestId('game-result').getByTestId('podium').getByText(winner).waitFor();
        expect(await page.getByTestId('round-result').getByRole('listitem').count()).toBe(PLAYERS.length);
        await inspect(page, code);
        expect(await tooPale(page)).toEqual([]);

        await page.goto(at('/certificates'));
        const sheets = page.getByTestId('certificate');
        await sheets.first().waitFor();
        expect((await sheets.getByRole('heading').allInnerTexts()).sort()).toEqual(PLAYERS.toSorted());
        const first = sheets.filter({ hasText: winner });
        await first.getByText(said.certificate, { exact: true }).waitFor();
        await first.getByText(said.place(GAME.title)).waitFor();
        await first.getByText(said.round(GAME.title)).waitFor();
        await first.getByText('Equals').waitFor();
        await inspect(page, code);
        expect(visitor.complained()).toEqual([]);
      },
    );

    test.each(Object.entries(SIZES))('the projector ends with the podium, %s', async (_, size) => {
      const visitor = await stand.come(size, false, locale);
      const { page } = visitor;
      await page.goto(at('/projector'));
      await expect.poll(() => page.getByTestId('scene').getAttribute('data-kind')).toBe('final');
      await page.getByTestId('podium').locator('[data-place="1"]').waitFor();
      await visitor.press('ArrowRight');
      expect(await page.getByTestId('scene').getAttribute('data-kind')).toBe('final');
      expect(await fits(page)).toBe(true);
      expect(visitor.complained()).toEqual([]);
    });
  });

  test('certificates are printed one to a page, and without the site around them', async () => {
    const visitor = await stand.come(DESKTOP);
    const { page } = visitor;
    await page.goto(at('/certificates'));
    await page.getByTestId('certificate').first().waitFor();
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length).toBe(PLAYERS.length);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('banner').isVisible()).toBe(false);
    expect(await page.getByRole('button').first().isVisible()).toBe(false);
  });
});
