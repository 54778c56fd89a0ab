/**
 * Measures the viewer in a real browser: bytes, first frames, frames per second, seeks. Run by `make bench`, which
 * says in PALESTRA which program to use, in REPLAYS where its replays are, and in GAMES of which games. Prints one JSON object per row.
 */

import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { launch } from './chromium.mjs';

const { PALESTRA = 'target/release/palestra', REPLAYS = '.', GAMES = '' } = process.env;
const DIST = new URL('../dist/', import.meta.url).pathname;
const SIZE = { width: 1280, height: 800 };

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const worst = (values) => Math.max(...values);

function row(what, ours, against, ratio, goal) {
  console.log(JSON.stringify({ what, ours, against, ratio, goal }));
}

/** Serves files until `end` is called. */
async function serve(...names) {
  const files = names.map((name) => join(REPLAYS, `${name}.replay`));
  const child = spawn(PALESTRA, ['view', ...files, '--no-open'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const origin = await new Promise((resolve, reject) => {
    let heard = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      heard += text;
      const told = /view: (http:\/\/[^/\s]+)/.exec(heard);
      if (told) resolve(told[1]);
    });
    child.once('exit', () => reject(new Error(heard)));
  });
  return { origin, end: () => new Promise((resolve) => child.once('exit', resolve).kill('SIGINT')) };
}

const browser = await launch();

/** A page of its own, with nothing kept from before. */
async function visit(address, then) {
  const context = await browser.newContext({ viewport: SIZE });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => window.palestra?.drawn());
  const result = await then(page);
  await context.close();
  return result;
}

const stats = (page) => page.evaluate(() => window.palestra.stats());

function bundle() {
  const files = ['index.html', ...readdirSync(join(DIST, 'assets')).map((name) => `assets/${name}`)];
  const contents = files.map((name) => readFileSync(join(DIST, name)));
  const raw = contents.reduce((sum, bytes) => sum + bytes.length, 0);
  const packed = contents.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} KB`;
  row(
    'viewer: all of the page',
    kilobytes(raw),
    `packed for the way: ${kilobytes(packed)}`,
    packed / raw,
    '-',
  );
}

async function firstFrames() {
  const names = GAMES.split(' ');
  const palestra = await serve(...names);
  for (const name of names) {
    const times = [];
    for (let count = 0; count < 5; count++) {
      times.push(await visit(`${palestra.origin}/${name}`, async (page) => (await stats(page)).firstFrameMs));
    }
    row(
      `viewer: ${name}, first frame`,
      `${median(times).toFixed(0)} ms`,
      'a second',
      median(times) / 1000,
      '< 1',
    );
  }
  await palestra.end();
}

async function longReplay() {
  const opened = [];
  for (let count = 0; count < 3; count++) {
    // A new program each time, so that nothing has been worked out before.
    const palestra = await serve('auralux-100000');
    opened.push(
      await visit(`${palestra.origin}/auralux-100000`, async (page) => (await stats(page)).firstFrameMs),
    );
    await palestra.end();
  }
  const time = `${median(opened).toFixed(0)} ms`;
  row('viewer: 100000 steps of Auralux, first frame', time, 'two seconds', median(opened) / 2000, '< 1');

  const palestra = await serve('auralux-100000');
  const seeks = await visit(`${palestra.origin}/auralux-100000?turn=0`, async (page) => {
    await page.waitForTimeout(1500);
    const box = await page.getByTestId('scrubber').boundingBox();
    const times = [];
    for (let count = 0; count < 40; count++) {
      // Back and forth over the whole match, never twice at the same place.
      const share = (0.5 + count * 0.381966) % 1;
      const before = await page.evaluate(() => window.palestra.turn());
      await page.mouse.click(box.x + 1 + (box.width - 2) * share, box.y + box.height / 2);
      await page.waitForFunction((before) => {
        const { palestra } = window;
        const wanted = Number(document.querySelector('[data-testid=turn]').dataset.turn);
        return palestra.drawn() && palestra.turn() === wanted && wanted !== before;
      }, before);
      times.push((await stats(page)).lastSeekMs);
    }
    return times;
  });
  await palestra.end();
  const frame = 1000 / 60;
  row(
    'viewer: 100000 steps of Auralux, a seek anywhere',
    `${median(seeks).toFixed(0)} ms, at worst ${worst(seeks).toFixed(0)} ms`,
    'a tenth of a second',
    median(seeks) / (frame * 6),
    '< 1',
  );
}

async function framesPerSecond() {
  const palestra = await serve('generals-50x50', 'auralux');
  for (const [name, speed] of [
    ['generals-50x50', '1'],
    ['generals-50x50', '16'],
    ['auralux', '1'],
  ]) {
    const fps = await visit(
      `${palestra.origin}/${name}?turn=${name === 'auralux' ? 2000 : 3000}`,
      async (page) => {
        await page.getByTestId('speed').selectOption({ label: `${speed}×` });
        await page.keyboard.press('Space');
        await page.waitForTimeout(2000);
        const seen = [];
        for (let count = 0; count < 5; count++) {
          await page.waitForTimeout(1000);
          seen.push((await stats(page)).fps);
        }
        return median(seen);
      },
    );
    const what = name === 'auralux' ? 'Auralux, four players' : 'Generals, 50x50, 16 players';
    row(`viewer: ${what}, at ${speed}x`, `${fps} frames/s`, 'the screen, 60', fps / 60, '1');
  }
  await palestra.end();
}

async function onTheWay() {
  const palestra = await serve('generals-50x50');
  const address = `${palestra.origin}/api/matches/generals-50x50/frames?every=1&chunk=20`;
  const sent = await fetch(address, { headers: { 'accept-encoding': 'gzip' } });
  const chunk = await sent.json();
  const whole = JSON.stringify(chunk.first).length * (chunk.changes.length + 1);
  // Packed again here, as fetch has unpacked it.
  const packed = gzipSync(JSON.stringify(chunk)).length;
  const perFrame = packed / (chunk.changes.length + 1);
  row(
    'viewer: Generals, 50x50, a frame on the way',
    `${perFrame.toFixed(0)} bytes`,
    'the whole frame',
    packed / whole,
    '-',
  );
  await palestra.end();
}

bundle();
await firstFrames();
await longReplay();
await framesPerSecond();
await onTheWay();
await browser.close();
