/** What authors see of their own bots, in every language. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, OPEN, inspect, listed, pale, post, read } from './site';
import { DESKTOP, PHONE, PROJECTOR, withArena } from './stand';

const PLAN = `
name = "Authors' cup"
gateway = "127.0.0.1:0"

[[game]]
id = "${OPEN.game}"
house = [${listed(OPEN.house)}]
house_in_rounds = true

[[round]]
name = "Evening round"
game = "${OPEN.game}"
points = { win = 2, draw = 1 }
`;

/** The bot that never does anything, which plays to the end and loses. */
const IDLE = OPEN.idle?.(0) ?? '';

const stand = withArena(PLAN);
const { address } = stand;

/** However busy the machine is. */
const patiently = <T>(look: () => T) => expect.poll(look, { timeout: 30_000 });

interface OwnMatches {
  matches: { game: { id: number; seats: { version: number | null }[] }; seat: number; result: string }[];
}

/** Waits until this account has lost a match with this version. */
async function lost(page: Page, version: number): Promise<number> {
  for (;;) {
    const { matches } = await read<OwnMatches>(page, `/api/me/matches?result=lost&version=${version}`);
    if (matches[0]) return matches[0].game.id;
    await page.waitForTimeout(200);
  }
}

const REJECTED = {
  en: { compiling: 'Rejected while compiling', match: 'Rejected in its first match' },
  ru: { compiling: 'Отклонено при компиляции', match: 'Отклонено в первой партии' },
  hu: { compiling: 'Fordításkor elutasítva', match: 'Az első meccsén elutasítva' },
};

const OWN = {
  en: {
    title: 'My matches',
    unseen: 'new',
    result: 'Result',
    lost: 'lost',
    version: /version 1/,
    none: 'No match fits.',
  },
  ru: {
    title: 'Мои партии',
    unseen: 'новое',
    result: 'Результат',
    lost: 'поражение',
    version: /версия 1/,
    none: 'Таких партий нет.',
  },
  hu: {
    title: 'Meccseim',
    unseen: 'új',
    result: 'Eredmény',
    lost: 'vereség',
    version: /1\. verzió/,
    none: 'Nincs ilyen meccs.',
  },
};
const EDITOR = {
  en: {
    link: 'Write a bot in the browser',
    title: 'Write a bot',
    works: 'It works.',
    line: 'Line 3',
    ready: 'Ready: version 1',
    download: 'Download',
    note: 'Note',
    save: 'Save',
  },
  ru: {
    link: 'Написать бота в браузере',
    title: 'Написать бота',
    works: 'Работает.',
    line: 'Строка 3',
    ready: 'версия 1',
    download: 'Скачать',
    note: 'Заметка',
    save: 'Сохранить',
  },
  hu: {
    link: 'Bot írása a böngészőben',
    title: 'Bot írása',
    works: 'Működik.',
    line: '3. sor',
    ready: '1. verzió',
    download: 'Letöltés',
    note: 'Megjegyzés',
    save: 'Mentés',
  },
};
const FOLLOW = {
  en: { follow: 'Follow', following: 'Following', mark: 'You follow this player' },
  ru: { follow: 'Следить', following: 'Вы следите', mark: 'Вы следите за этим игроком' },
  hu: { follow: 'Követés', following: 'Követed', mark: 'Ezt a játékost követed' },
};
const NOTIFY = {
  en: { rejected: /version 1 was rejected/ },
  ru: { rejected: /версия 1 отклонена/ },
  hu: { rejected: /1\. verziót elutasítottuk/ },
};

describe.each(Object.entries(LANGUAGES))('in %s', (language, locale) => {
  const code = language as keyof typeof LANGUAGES;

  test('a rejection tells its step, and the line that says why comes first', async () => {
    const visitor = await stand.come(PHONE, false, locale);
    const { page } = visitor;
    await stand.register(page, `rejected-${code}`);
    const first = page.getByTestId('upload').getByTestId('rejection');

    await stand.handIn(page, OPEN.game, 'broken.cpp', 'int main() {\n  return nonsense;\n}\n');
    await first.getByText(REJECTED[code].compiling).waitFor();
    expect(await first.locator('code').innerText()).toMatch(/^broken\.cpp:2:10: error: .*nonsense/);
    expect(await page.getByTestId('log').innerText()).toContain('compiling broken.cpp');
    await inspect(page, code);

    await stand.handIn(page, OPEN.game, 'crash.py', 'def move():\n    return {}["map"]\n\nmove()\n');
    await first.getByText(REJECTED[code].match).waitFor();
    expect(await first.locator('code').innerText()).toBe("KeyError: 'map'");
    // The versions below say the same of each.
    const told = page.getByTestId('versions').getByTestId('rejection');
    await told.filter({ hasText: REJECTED[code].compiling }).waitFor();
    await told.filter({ hasText: "KeyError: 'map'" }).waitFor();
    await inspect(page, code);
    expect(visitor.complained()).toEqual([]);
  });

  test('losses come first, and what is not seen is marked until it is', async () => {
    const visitor = await stand.come(PHONE, true, locale);
    const { page } = visitor;
    await stand.register(page, `loser-${code}`);
    await stand.handIn(page, OPEN.game, 'mybot.py', IDLE);
    const words = OWN[code];
    await lost(page, 1);
    await page.goto(address('/me/matches'));
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor();
    const rows = page.getByTestId('own-matches');
    await rows.locator('li.unseen').first().getByText(words.unseen, { exact: true }).waitFor();
    await inspect(page, code);
    expect(await pale(page)).toEqual([]);
    await page.getByLabel(words.result).selectOption('lost');
    expect(new URL(page.url()).search).toBe('?result=lost');
    const row = rows.locator('li').filter({ hasText: words.lost }).first();
    await row.waitFor();
    // Result, version, rating and reason stand in the row.
    expect(await row.innerText()).toMatch(words.version);
    expect(await row.innerText()).toMatch(/[−-]\d/);
    expect((await row.locator('.why').innerText()).trim()).not.toBe('');
    await page.getByLabel(words.result).selectOption('won');
    await rows.getByText(words.none).waitFor();
    await page.getByLabel(words.result).selectOption('');

    await page.getByTestId('newest-loss').click();
    await page.waitForURL(/\/matches\/\d+/);
    await visitor.drawn();
    const opened = Number(/\/matches\/(\d+)/.exec(page.url())?.[1]);
    await page.goto(address('/me/matches?result=lost'));
    await page.getByTestId(`own-${opened}`).waitFor();
    expect(await rows.locator(`li.unseen:has([data-testid="own-${opened}"])`).count()).toBe(0);
    await page.goto(address('/me/matches'));
    const last = await rows.locator('li.unseen a').last().getAttribute('data-testid');
    await page.getByTestId('see-all').click();
    await rows.locator(`li:not(.unseen) [data-testid="${last}"]`).waitFor();
    expect(visitor.complained()).toEqual([]);
  });

  test('a bot is written, tried and handed in, in the browser', async () => {
    const visitor = await stand.come(DESKTOP, false, locale);
    const { page } = visitor;
    await stand.register(page, `writer-${code}`);
    const words = EDITOR[code];
    await page.goto(address(`/submit/${OPEN.game}`));
    await page.getByRole('link', { name: words.link }).click();
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor();
    const source = page.getByTestId('code');
    await source.waitFor();
    await inspect(page, code);
    // It begins with a bot that plays.
    await page.getByTestId('try').click();
    await page.getByTestId('trial').getByText(words.works).waitFor();

    // What is wrong is shown at its line.
    await source.fill('import sys\n\nraise KeyError("map")\n');
    await page.getByTestId('try').click();
    await page.getByTestId('trial').getByText("KeyError: 'map'").waitFor();
    await page.getByTestId('complaints').getByRole('button', { name: words.line }).click();
    await page.locator('.cm-lintRange-error').getByText('raise').first().waitFor();
    await inspect(page, code);
    expect(await read<unknown[]>(page, '/api/me/bots').then((bots) => JSON.stringify(bots))).toContain(
      '"versions":[]',
    );

    // What was written is there after a reload; handed in, it is a version, to read and to note something about.
    await page.reload();
    await patiently(() => source.innerText()).toContain('raise KeyError');
    await source.fill(IDLE);
    await page.getByTestId('save').click();
    await page.getByTestId('trial').getByText(words.ready).waitFor();
    await page.goto(address(`/submit/${OPEN.game}`));
    const versions = page.getByTestId('versions');
    await versions.getByTestId('source').locator('summary').click();
    await patiently(() => versions.getByTestId('source').locator('pre').innerText()).toContain('import');
    const download = page.waitForEvent('download');
    await versions.getByRole('link', { name: words.download }).click();
    expect((await download).suggestedFilename()).toMatch(/\.py$/);
    await versions.getByLabel(words.note).fill('waits for better days');
    await versions.getByRole('button', { name: words.save }).click();
    await versions.getByRole('button', { name: words.save }).waitFor({ state: 'detached' });
    await page.reload();
    await patiently(() => versions.getByLabel(words.note).inputValue()).toBe('waits for better days');
    await inspect(page, code);
    await page.setViewportSize(PHONE);
    await page.goto(address(`/edit/${OPEN.game}`));
    await source.waitFor();
    await inspect(page, code);
    expect(visitor.complained()).toEqual([]);
  });

  test('players are followed, with an account and without', async () => {
    const visitor = await stand.come(PHONE, false, locale);
    const { page } = visitor;
    const words = FOLLOW[code];
    const [house] = (
      (await (await fetch(address('/api/players'))).json()) as { id: number; house: boolean }[]
    ).filter(({ house }) => house);
    await page.goto(address(`/players/${house?.id}`));
    await page.getByTestId('follow').click();
    await page.getByRole('button', { name: words.following, pressed: true }).waitFor();
    await page.goto(address(`/games/${OPEN.game}`));
    await page.getByRole('img', { name: words.mark }).first().waitFor();
    await inspect(page, code);
    // Whoever makes an account takes them along.
    await stand.register(page, `follower-${code}`);
    await page.reload();
    await patiently(() => read<number[]>(page, '/api/me/follows')).toEqual([house?.id]);
    await page.goto(address('/matches'));
    await page.getByTestId('only-followed').check();
    await page.getByTestId('matches').getByRole('img', { name: words.mark }).first().waitFor();
    const rows = page.getByTestId('matches').locator('li');
    await patiently(async () => {
      const marked = await rows.filter({ has: page.getByRole('img', { name: words.mark }) }).count();
      return marked > 0 && marked === (await rows.count());
    }).toBe(true);
    await inspect(page, code);
    await page.goto(address(`/players/${house?.id}`));
    await page.getByTestId('follow').click();
    await page.getByRole('button', { name: words.follow, pressed: false }).waitFor();
    expect(await read<number[]>(page, '/api/me/follows')).toEqual([]);
    expect(visitor.complained()).toEqual([]);
  });

  test('a rejection elsewhere is told on whatever page is open', async () => {
    const visitor = await stand.come(PHONE, false, locale);
    const { page } = visitor;
    await stand.register(page, `told-${code}`);
    const first = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const stream = new EventSource('/api/stream');
          stream.onmessage = ({ data }) => (stream.close(), resolve(data as string));
        }),
    );
    // The page hears this before it knows whose page it is, and nothing more for a while.
    let heard = (): void => undefined;
    const known = new Promise<void>((resolve) => (heard = resolve));
    let streams = 0;
    await page.route('**/api/stream', async (route) => {
      if (streams++) return route.abort();
      await route.fulfill({ contentType: 'text/event-stream', body: `data: ${first}\n\n` });
      heard();
    });
    await page.route('**/api/event', async (route) => {
      await known;
      await page.waitForTimeout(300);
      await route.continue();
    });
    await page.goto(address('/me'));
    await page.getByTestId('notifications').waitFor();
    // As `palestra submit` does, from elsewhere.
    await page.evaluate(
      (path) =>
        fetch(path, { method: 'POST', headers: { 'x-palestra': '1' }, body: 'raise KeyError("map")' }),
      `/api/games/${OPEN.game}/versions?file=bad.py`,
    );
    await patiently(async () => {
      const [bot] = await read<{ versions: { state: string }[] }[]>(page, '/api/me/bots');
      return bot?.versions[0]?.state;
    }).toBe('rejected');
    await page.unrouteAll();
    const note = page.getByTestId('note');
    await note.getByText(NOTIFY[code].rejected).waitFor();
    await inspect(page, code);
    await note.getByRole('link').click();
    await page.waitForURL(address(`/submit/${OPEN.game}`));
    await page.getByTestId('rejection').first().waitFor();
    expect(await note.count()).toBe(0);
    expect(visitor.complained(/\/api\/stream$/)).toEqual([]);
  });
});

test('versions are compared, and the chart marks them', async () => {
  const visitor = await stand.come(PROJECTOR);
  const { page } = visitor;
  await stand.register(page, 'two-versions');
  await stand.handIn(page, OPEN.game, 'first.py', IDLE);
  await lost(page, 1);
  await stand.handIn(page, OPEN.game, 'second.py', `# better\n${IDLE}`);
  await lost(page, 2);
  const [bot] = await read<{ id: number }[]>(page, '/api/me/bots');
  await page.goto(address(`/bots/${bot?.id}`));
  const table = page.getByTestId('comparison');
  await table.getByText('Version 2').waitFor();
  await table.getByText('Version 1').waitFor();
  expect(await table.innerText()).toMatch(/\d+ % \(\d+–\d+\)/);
  await page.getByLabel('Compare with').selectOption('1');
  await inspect(page, 'en');
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    await inspect(page, 'en');
  }
  expect(visitor.complained()).toEqual([]);
});

test('sources are not there for strangers', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await stand.register(page, 'with-a-secret');
  await stand.handIn(page, OPEN.game, 'secret.py', `# top secret\n${IDLE}`);
  const [bot] = await read<{ id: number; versions: { id: number }[] }[]>(page, '/api/me/bots');
  const id = bot?.versions[0]?.id;
  const other = await stand.come();
  for (const signedIn of [false, true]) {
    if (signedIn) await stand.register(other.page, 'curious');
    for (const part of ['source', 'file']) {
      const answer = await fetch(address(`/api/versions/${id}/${part}`));
      expect(answer.ok).toBe(false);
      expect(await answer.text()).not.toContain('secret');
    }
    await other.page.goto(address(`/bots/${bot?.id}`));
    await other.page.getByTestId('versions').waitFor();
    expect(await other.page.getByTestId('source').count()).toBe(0);
  }
  const status = await other.page.evaluate(
    async (path) => (await fetch(path)).status,
    `/api/versions/${id}/source`,
  );
  expect(status).toBe(404);
  expect(other.complained(/404/)).toEqual([]);
  await other.leave();
  expect(visitor.complained()).toEqual([]);
});

test('the browser notifies whoever asked for it, on a click and not before', async () => {
  const context = await stand.browser.newContext({ locale: 'en-GB', permissions: ['notifications'] });
  const page = await context.newPage();
  // What the browser would show cannot be seen from here: it is written down instead of shown.
  await page.addInitScript(() => {
    const told: string[] = [];
    class Recorded extends EventTarget {
      static permission: NotificationPermission = 'default';
      static requestPermission(): Promise<NotificationPermission> {
        told.push('asked');
        Recorded.permission = 'granted';
        return Promise.resolve('granted');
      }
      onclick: (() => void) | null = null;
      constructor(title: string, options?: NotificationOptions) {
        super();
        told.push(`${options?.tag}: ${title}`);
      }
      close(): void {
        told.push('closed');
      }
    }
    Object.assign(window, { Notification: Recorded, told });
  });
  const told = (): Promise<string[]> => page.evaluate(() => (window as unknown as { told: string[] }).told);
  await stand.register(page, 'in-the-round');
  await stand.handIn(page, OPEN.game, 'mybot.py', IDLE);
  await page.goto(address('/me'));
  await page.getByTestId('notifications').waitFor();
  expect(await told()).toEqual([]);
  await page.getByTestId('notifications').getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('They are on.').waitFor();
  expect(await told()).toEqual(['asked']);

  const visitor = await stand.come();
  const boss = visitor.page;
  await boss.goto(address('/'));
  expect(await post(boss, '/api/login', stand.organiser)).toBe(200);
  expect(await post(boss, '/api/admin/rounds/1', 'start')).toBeLessThan(300);
  await patiently(told).toContain('round-1: The round “Evening round” begins');
  await page.getByTestId('note').getByRole('link').click();
  await page.waitForURL(address('/rounds/1'));
  await context.close();
});

test('the editor is loaded by those who edit only', async () => {
  const visitor = await stand.come();
  const { page } = visitor;
  await stand.register(page, 'reader');
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    // What is still on its way when the page is left is never read.
    if (response.url().endsWith('.js')) scripts.push(response.text().catch(() => ''));
  });
  // A class that CodeMirror gives to what is edited.
  const editors = async (): Promise<number> =>
    (await Promise.all(scripts)).filter((text) => text.includes('cm-content')).length;
  await page.goto(address(`/submit/${OPEN.game}`));
  await page.getByTestId('bot-file').waitFor({ state: 'attached' });
  expect(scripts.length).toBeGreaterThan(0);
  expect(await editors()).toBe(0);
  await page.goto(address(`/edit/${OPEN.game}`));
  await page.getByTestId('code').waitFor();
  expect(await editors()).toBeGreaterThan(0);
  expect(visitor.complained()).toEqual([]);
});
