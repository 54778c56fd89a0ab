/** A match that hides things, while two clients play it: what its players see of it, and what everybody else is told. */

import type { Browser } from 'playwright-core';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { gameThat } from './games';
import { Arena, DESKTOP, PHONE, PROJECTOR, Scratch, Visitor, launch } from './stand';

const { game, client, rounds } = gameThat(({ fog, client, rounds }) => fog && client && rounds);
const { pass, before, over } = client ?? { pass: '', before: 0, over: '' };

const PLAN = `
name = "Fog"
site = "127.0.0.1:0"
gateway = "127.0.0.1:0"
rest = "1h"

[[game]]
id = "${game}"
submissions = false
time = "none"
settings = { ${rounds?.(200).join(' = ')} }
`;

const LANGUAGES = {
  'en-GB': { end: 'Shown when it is over: hidden information', late: 'Shown 1 s late: hidden information' },
  'ru-RU': {
    end: 'Будет показана после окончания: скрытая информация',
    late: 'Показывается с задержкой 1 с: скрытая информация',
  },
  'hu-HU': {
    end: 'A vége után látható: rejtett információ',
    late: '1 mp késéssel látható: rejtett információ',
  },
};

/** A client that passes in every turn that it is let take. */
class Client {
  /** Turns that it may still take. */
  turns = 0;
  /** Turns that it has taken. */
  taken = 0;
  #asked = false;
  #answer: () => void;

  constructor(port: number, password: string) {
    const socket = connect(port, '127.0.0.1');
    this.#answer = () => socket.write(`bytes ${pass.length}\n${pass}`);
    // The arena may end before its clients do.
    socket.on('error', () => undefined);
    socket.write(`palestra-bridge 1\nlogin ${game} ${password}\nopponent any\n`);
    let heard = Buffer.alloc(0);
    let packets = 0;
    socket.on('data', (bytes: Buffer) => {
      heard = Buffer.concat([heard, bytes]);
      for (let end = heard.indexOf('\n'); end >= 0; end = heard.indexOf('\n')) {
        const [word, rest = ''] = heard.toString('latin1', 0, end).split(' ');
        const length = word === 'bytes' ? Number(rest) : 0;
        if (heard.length < end + 1 + length) return;
        const packet = heard.toString('latin1', end + 1, end + 1 + length);
        heard = heard.subarray(end + 1 + length);
        if (word === 'ping') socket.write('pong\n');
        if (word === 'begin') socket.write('ready\n');
        // The map comes first; then every turn is asked for.
        if (word === 'bytes' && packets++ >= before && packet !== over) {
          this.#asked = true;
          this.play(0);
        }
      }
    });
  }

  play(turns: number): void {
    this.turns += turns;
    if (!this.#asked || this.turns === 0) return;
    this.turns--;
    this.taken++;
    this.#asked = false;
    this.#answer();
  }
}

let browser: Browser;
let arena: Arena | undefined;
let visitor: Visitor | undefined;
let scratch: Scratch;
let clients: Client[];
let passwords: Record<string, string>;

const address = (path: string): string => new URL(path, arena?.site).href;
const play = (turns: number): void => clients.forEach((client) => client.play(turns));

/** Waits until the clients together have taken so many turns. */
async function taken(turns: number): Promise<void> {
  while (clients.reduce((sum, client) => sum + client.taken, 0) < turns) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Opens an arena in which anna and bela begin a match; says its number. */
async function begin(more: string): Promise<number> {
  scratch = new Scratch();
  writeFileSync(scratch.file('event.toml'), `${more}\n${PLAN}`);
  const added = scratch.palestra('event', 'players', 'add', 'event.toml', 'anna', 'bela').trim().split('\n');
  passwords = Object.fromEntries(added.map((line) => line.split('\t') as [string, string]));
  arena = await Arena.open(scratch.path, 'event.toml');
  const { gateway } = (await (await fetch(address('/api/event'))).json()) as { gateway: number };
  clients = Object.values(passwords).map((password) => new Client(gateway, password));
  for (;;) {
    const { matches } = (await (await fetch(address('/api/live'))).json()) as { matches: { id: number }[] };
    if (matches[0]) return matches[0].id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
});

afterEach(async () => {
  await visitor?.leave();
  await arena?.end();
  scratch.remove();
});

test('spectators are told why they see nothing yet, and see it when it is over', async () => {
  const id = await begin('');
  play(15);
  for (const [locale, { end }] of Object.entries(LANGUAGES)) {
    for (const size of [DESKTOP, PROJECTOR, PHONE]) {
      visitor = await Visitor.come(browser, size, false, locale);
      for (const [path, where] of [
        [`/matches/${id}`, 'late'],
        ['/', 'later'],
      ] as const) {
        await visitor.page.goto(address(path));
        expect(await visitor.page.getByTestId(where).textContent()).toBe(end);
        expect(await visitor.page.locator('canvas').count()).toBe(0);
      }
      expect(visitor.complained()).toEqual([]);
      await visitor.leave();
    }
  }
  visitor = await Visitor.come(browser);
  await visitor.page.goto(address(`/matches/${id}`));
  await visitor.page.getByTestId('late').waitFor();
  play(1000);
  await visitor.page.getByTestId('viewer').waitFor();
  expect(await visitor.page.getByTestId('late').count()).toBe(0);
});

test('with a delay spectators see what is old enough, and are told how late it is', async () => {
  const id = await begin('live_delay = "1s"');
  play(5);
  await taken(10);
  // What is played in quick succession is told together.
  await new Promise((resolve) => setTimeout(resolve, 600));
  play(25);
  for (const [locale, { late }] of Object.entries(LANGUAGES)) {
    visitor = await Visitor.come(browser, DESKTOP, false, locale);
    await visitor.page.goto(address(`/matches/${id}`));
    await visitor.page.getByTestId('viewer').waitFor();
    expect(await visitor.page.getByTestId('late').textContent()).toBe(late);
    await visitor.page.waitForFunction(() => window.palestra?.drawn());
    expect(await visitor.turn()).toBeLessThanOrEqual(2 * (30 - 20));
    expect(visitor.complained()).toEqual([]);
    await visitor.leave();
  }
});

test('who plays sees it at once, through its own eyes only', async () => {
  const id = await begin('');
  play(6);
  visitor = await Visitor.come(browser);
  const { page } = visitor;
  await page.goto(address('/login'));
  await page.locator('input[autocomplete="username"]').fill('anna');
  await page.locator('input[type="password"]').fill(passwords.anna ?? '');
  await page.locator('form button').click();
  await page.waitForURL(address('/me'));
  await page.goto(address(`/matches/${id}`));
  await page.getByTestId('own-eyes').waitFor();
  await visitor.drawn();
  expect(await page.getByTestId('eyes').count()).toBe(0);
  expect(await page.getByTestId('eye-1').count()).toBe(0);
  // Keys that change whose eyes look do nothing.
  await visitor.press('f', '0', '1', '2');
  await visitor.drawn();
  expect(visitor.complained()).toEqual([]);
});
