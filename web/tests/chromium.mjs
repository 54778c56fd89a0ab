/** The browser for tests and measurements: one that is installed. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** @returns {Promise<import('playwright-core').Browser>} */
export async function launch() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const executablePath = folders
    .flatMap((folder) => BROWSERS.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  if (!executablePath) throw new Error(`no browser was found; install one of ${BROWSERS.join(', ')}`);
  // A browser that is ended leaves files of its own behind.
  const folder = mkdtempSync(join(tmpdir(), 'palestra-browser-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, TMPDIR: folder },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  browser.once('disconnected', remove);
  return browser;
}
