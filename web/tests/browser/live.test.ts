/** A real match, watched by two browsers while it is played; and one that never reads what it is sent. */

import type { Browser } from 'playwright-core';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gameThat } from './games';
import { PHONE, Scratch, Serving, Visitor, launch } from './stand';

const { game, idle, rounds } = gameThat(({ fog, idle, rounds }) => fog && idle && rounds);

let browser: Browser;
const scratch = new Scratch();

beforeAll(async () => {
  // However busy this machine is, the match neither goes on nor ends before the browsers have done their part.
  const gates = { 30: scratch.file('looked-back'), 140: scratch.file('caught-up') };
  writeFileSync(scratch.file('slow.py'), idle?.(0.02, gates) ?? '');
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  scratch.remove();
});

test('two browsers follow a match, go back while it goes on, and catch up', async () => {
  const args = [
    'play',
    game,
    'slow.py',
    'slow.py',
    '--watch',
    '--time',
    'none',
    '--set',
    rounds?.(150).join('=') ?? '',
    '--seed',
    '7',
    '--quiet',
  ];
  const palestra = await Serving.start(scratch.path, args, 'watch');
  const address = palestra.address('watch');
  const [first, second] = [await Visitor.come(browser), await Visitor.come(browser, PHONE)];

  // A third one asks for everything and never reads an answer.
  const { hostname, port, pathname } = new URL(address);
  const stuck = connect(Number(port), hostname);
  stuck.on('error', () => undefined);
  for (let count = 0; count < 200; count++) {
    stuck.write(`GET /api/matches${pathname}/frames?every=1&chunk=0 HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  }
  stuck.pause();

  await Promise.all([first.open(address), second.open(address)]);
  for (const visitor of [first, second]) {
    await visitor.page.getByTestId('live').waitFor();
    await visitor.page.waitForFunction(() => (window.palestra?.turn() ?? 0) > 20);
  }
  // One pauses and goes back; the match goes on, and so does the other.
  await first.press('p', 'Home');
  await first.at(0);
  await first.press('d', 'd');
  await first.at(2);
  const then = await second.turn();
  writeFileSync(scratch.file('looked-back'), '');
  await second.page.waitForFunction((then) => (window.palestra?.turn() ?? 0) > then + 20, then);
  expect(await first.turn()).toBe(2);
  await first.page.getByTestId('seat-1').getByRole('cell').first().click();
  await first.page.getByTestId('panel').locator('summary').click();
  await first.page.getByTestId('panel').getByText('thought number 1', { exact: false }).first().waitFor();
  await first.page.getByTestId('live-back').click();
  await first.page.waitForFunction((then) => (window.palestra?.turn() ?? 0) > then, then);
  writeFileSync(scratch.file('caught-up'), '');

  // Both see the end.
  for (const visitor of [first, second]) {
    await visitor.at(300);
    await visitor.page.getByTestId('live').waitFor({ state: 'detached' });
    expect(visitor.complained()).toEqual([]);
    await visitor.leave();
  }
  stuck.destroy();
  expect(await palestra.end()).toBe(0);
});

test('when palestra ends, the page says so and keeps what it has', async () => {
  const args = ['play', game, 'slow.py', 'slow.py', '--watch', '--time', 'none', '--seed', '7', '--quiet'];
  const palestra = await Serving.start(scratch.path, args, 'watch');
  const visitor = await Visitor.come(browser);
  await visitor.open(palestra.address('watch'));
  await visitor.page.waitForFunction(() => (window.palestra?.turn() ?? 0) > 5);
  expect(await palestra.end()).toBe(130);
  await visitor.page.getByText(/cannot be reached/).waitFor();
  await visitor.press('p', 'Home');
  await visitor.at(0);
  expect(visitor.complained(/ERR_/)).toEqual([]);
  await visitor.leave();
});
