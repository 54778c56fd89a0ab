/** Scored rounds on the site of a real arena: stages, groups and brackets in every language, and rule books. */

import { beforeAll, expect, test } from 'vitest';
import { LANGUAGES, OPEN, SHORT, inspect, listed } from './site';
import { DESKTOP, PHONE, PROJECTOR, withArena } from './stand';

/** Rounds in several formats between built-in players: over, going on, and with a match taken out. */
const ROUNDS = `
name = "Rounds"
gateway = false

[[game]]
id = "${SHORT.game}"
${SHORT.short}
house = [${listed(SHORT.house.toReversed())}]
house_in_rounds = true
pause = "1h"

[[game]]
id = "${OPEN.game}"
house = [${listed(OPEN.house.toReversed())}]
house_in_rounds = true
pace = "1s"
pause = "1h"

[[round]]
name = "Cup"
game = "${SHORT.game}"
[[round.stage]]
name = "First"
groups = 2
seatings = "drawn"
[[round.stage]]
name = "Second"
format = "knockout"
take = 4
seatings = "drawn"

[[round]]
name = "Two lives"
game = "${SHORT.game}"
format = "double-knockout"
seatings = "drawn"

[[round]]
name = "Slow"
game = "${OPEN.game}"
format = "knockout"
seatings = "drawn"
`;

/** What the page of a round says, in all languages. */
const SAID = {
  en: {
    groups: ['Group 1', 'Group 2'],
    final: 'Final',
    lower: 'Losers, round 1',
    round: 'Round 1 of 2',
    open: 'winner of 1',
    bye: 'bye',
    void: 'does not count',
    all: 'All rounds',
  },
  ru: {
    groups: ['Группа 1', 'Группа 2'],
    final: 'Финал',
    lower: 'Нижняя сетка, тур 1',
    round: 'Тур 1 из 2',
    open: 'победитель пары 1',
    bye: 'без соперника',
    void: 'не засчитано',
    all: 'Все раунды',
  },
  hu: {
    groups: ['1. csoport', '2. csoport'],
    final: 'Döntő',
    lower: 'Alsó ág, 1. kör',
    round: '1. kör, összesen 2',
    open: 'a(z) 1. pár győztese',
    bye: 'erőnyerő',
    void: 'nem számít',
    all: 'Minden forduló',
  },
};

const stand = withArena(ROUNDS);
const { address: at } = stand;

interface Detail {
  round: { state: string };
  stages: { rounds: { meetings: { matches: { id: number | null; state: string }[] }[] }[] }[];
}
const detail = async (round: number): Promise<Detail> =>
  (await (await fetch(at(`/api/rounds/${round}`))).json()) as Detail;
const states = ({ stages }: Detail): string[] =>
  stages.flatMap(({ rounds }) =>
    rounds.flatMap(({ meetings }) => meetings.flatMap(({ matches }) => matches.map(({ state }) => state))),
  );

beforeAll(async () => {
  const until = async (round: number, so: (detail: Detail) => boolean): Promise<void> => {
    while (!so(await detail(round))) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  const over = ({ round }: Detail): boolean => round.state === 'over';
  stand.event('start', 'Cup');
  await until(1, over);
  stand.event('start', 'Two lives');
  await until(2, over);
  stand.event('start', 'Slow');
  await until(3, (detail) => states(detail).join() === 'running,running');
  const first = (await detail(1)).stages[0]?.rounds[0]?.meetings[0]?.matches[0]?.id;
  stand.event('void', String(first), '--why', 'a test');
});

test.each(Object.entries(LANGUAGES))(
  'stages, groups and brackets in %s, on a phone',
  async (code, locale) => {
    const said = SAID[code as keyof typeof SAID];
    const visitor = await stand.come(PHONE, code === 'ru', locale);
    const { page } = visitor;

    // Two stages: groups first, then the knockout, which is shown first as it was played last.
    await page.goto(at('/rounds/1'));
    const bracket = page.getByTestId('bracket');
    await bracket.getByText(said.final, { exact: true }).waitFor();
    expect(await page.getByTestId('duel').count()).toBe(3);
    await inspect(page, code);
    await page.getByRole('link', { name: 'First', exact: true }).click();
    expect(new URL(page.url()).search).toBe('?stage=1');
    for (const group of said.groups) await page.getByRole('heading', { name: group }).first().waitFor();
    expect(await page.getByTestId('cross').count()).toBe(1);
    expect(await page.getByTestId('group').count()).toBe(2);
    await page.getByTestId('pairings').getByText(said.void).waitFor();
    await inspect(page, code);

    // Who may lose once: the losers below, byes, and the whole picture scrolls in its own box.
    await page.goto(at('/rounds/2'));
    await bracket.getByText(said.lower, { exact: true }).waitFor();
    await bracket.getByText(said.bye, { exact: true }).first().waitFor();
    const tops = async (part: string): Promise<number[]> =>
      page
        .locator(`[data-part="${part}"]`)
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(Math.min(...(await tops('lower')))).toBeGreaterThan(Math.max(...(await tops('upper'))));
    expect(await bracket.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
    await inspect(page, code);
    await page.getByTestId('duel').last().getByRole('link').click();
    await page.waitForURL(/\/matches\/\d+$/);
    await visitor.drawn();

    // What goes on, and what is to come.
    await page.goto(at('/rounds/3'));
    await bracket.getByText(said.open, { exact: true }).waitFor();
    await page.getByTestId('pairings').getByText(said.round, { exact: true }).waitFor();
    expect(await page.getByTestId('pairings').locator('.badge.live').count()).toBe(2);
    await inspect(page, code);

    await page.goto(at('/'));
    await page.getByRole('link', { name: said.all }).click();
    await page.waitForURL(at('/rounds'));
    const names = page.getByTestId('rounds').locator('strong');
    await expect.poll(() => names.allInnerTexts()).toEqual(['Slow', 'Two lives', 'Cup']);
    await inspect(page, code);
    expect(visitor.complained()).toEqual([]);
  },
);

test('every match of a bracket and of the list leads to its page', async () => {
  const visitor = await stand.come(PROJECTOR);
  const { page } = visitor;
  await page.goto(at('/rounds/2'));
  await page.getByTestId('bracket').waitFor();
  const links = (part: string): Promise<string[]> =>
    page
      .getByTestId(part)
      .locator('a[href^="/matches/"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  const drawn = await links('bracket');
  expect(new Set(drawn).size).toBe(drawn.length);
  expect(drawn.toSorted()).toEqual((await links('pairings')).toSorted());
  expect(drawn.length).toBe(states(await detail(2)).length);
  expect(visitor.complained()).toEqual([]);
});

test('rule books are in the language of the reader', async () => {
  for (const [code, locale] of Object.entries(LANGUAGES)) {
    const visitor = await stand.come(DESKTOP, false, locale);
    const { page } = visitor;
    await page.goto(at(`/games/${SHORT.game}?tab=rules`));
    const rules = page.getByTestId('rules');
    expect(await rules.getAttribute('lang')).toBe(code);
    // Its links lead to their headings, whatever letters these have.
    const link = rules.locator('a[href^="#"]').first();
    const target = decodeURIComponent((await link.getAttribute('href')) ?? '').slice(1);
    const top = (): Promise<number> =>
      page.evaluate((id) => document.getElementById(id)?.getBoundingClientRect().top ?? -1, target);
    expect(await top()).toBeGreaterThan(DESKTOP.height);
    await link.click();
    await expect.poll(top).toBeLessThan(DESKTOP.height);
    await visitor.leave();
  }
});
