/** What authors see of their own bots, in every language. */

import type { Browser, Page } from 'playwright-core';
import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES, OPEN, inspect, listed } from './site';
import { Arena, PHONE, Scratch, Visitor, launch } from './stand';

const PASSWORD = 'papir es ollo es ko';

const PLAN = `
name = "Authors' cup"
site = "127.0.0.1:0"
gateway = "127.0.0.1:0"
invite = "come-in"
sandbox = "off"

[[game]]
id = "${OPEN.game}"
house = [${listed(OPEN.house)}]
`;

let browser: Browser;
let arena: Arena;
let visitor: Visitor;
const scratch = new Scratch();
const address = (path: string): string => new URL(path, arena.site).href;

beforeAll(async () => {
  writeFileSync(scratch.file('event.toml'), PLAN);
  arena = await Arena.open(scratch.path, 'event.toml');
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await arena?.end();
  scratch.remove();
});

afterEach(async () => {
  await visitor?.leave();
});

/** Makes an account in this browser. */
async function register(page: Page, name: string): Promise<void> {
  await page.goto(address('/'));
  const made = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json', 'x-palestra': '1' };
      return (await fetch('/api/register', { method: 'POST', headers, body: JSON.stringify(body) })).status;
    },
    { name, password: PASSWORD, invite: 'come-in' },
  );
  expect(made).toBe(200);
}

/** Hands in a file on the page that is open, and waits until it is settled. */
async function handIn(page: Page, name: string, text: string): Promise<void> {
  await page.goto(address(`/submit/${OPEN.game}`));
  await page
    .getByTestId('bot-file')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page.getByTestId('upload').locator('ol li:last-child[aria-current="step"]').waitFor();
}

const REJECTED = {
  en: { compiling: 'Rejected while compiling', match: 'Rejected in its first match' },
  ru: { compiling: 'Отклонено при компиляции', match: 'Отклонено в первой партии' },
  hu: { compiling: 'Fordításkor elutasítva', match: 'Az első meccsén elutasítva' },
};

describe.each(Object.entries(LANGUAGES))('in %s', (language, locale) => {
  const code = language as keyof typeof LANGUAGES;

  test('a rejection tells its step, and the line that says why comes first', async () => {
    visitor = await Visitor.come(browser, PHONE, false, locale);
    const { page } = visitor;
    await register(page, `rejected-${code}`);
    const first = page.getByTestId('upload').getByTestId('rejection');

    await handIn(page, 'broken.cpp', 'int main() {\n  return nonsense;\n}\n');
    await first.getByText(REJECTED[code].compiling).waitFor();
    expect(await first.locator('code').innerText()).toMatch(/^broken\.cpp:2:10: error: .*nonsense/);
    expect(await page.getByTestId('log').innerText()).toContain('compiling broken.cpp');
    await inspect(page, code);

    await handIn(page, 'crash.py', 'def move():\n    return {}["map"]\n\nmove()\n');
    await first.getByText(REJECTED[code].match).waitFor();
    expect(await first.locator('code').innerText()).toBe("KeyError: 'map'");
    // The versions below say the same of each.
    const told = page.getByTestId('versions').getByTestId('rejection');
    await told.filter({ hasText: REJECTED[code].compiling }).waitFor();
    await told.filter({ hasText: "KeyError: 'map'" }).waitFor();
    await inspect(page, code);
    expect(visitor.complained()).toEqual([]);
  });
});
