/** A real palestra and a real browser for tests. */

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { execFileSync, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { launch } from '../chromium.mjs';
import { post } from './site';

export { launch };

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** How long a program may take to end by itself. */
const END_MILLIS = 10_000;
/** How long a page may take to show something, however busy the machine is. */
const PATIENCE_MILLIS = 60_000;
const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target');
export const PALESTRA = process.env.PALESTRA ?? join(TARGET, 'debug/palestra');

/** What was started and is not over yet. */
const running = new Set<ChildProcess>();

/** Folders that are still there. */
const scratches = new Set<string>();

function clear(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of scratches) rmSync(folder, { recursive: true, force: true });
}

// A test that fails, is interrupted or runs out of time leaves nothing behind.
process.once('exit', clear);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

function start(cwd: string, args: string[], stdio: StdioOptions): ChildProcess {
  const child = spawn(PALESTRA, args, { cwd, stdio });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends it with a signal, and says its exit code. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (!running.has(child)) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  // One that does not listen any more is killed.
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MILLIS);
  await ended;
  clearTimeout(timer);
  return child.exitCode;
}

/** Ends whatever a test file has not ended itself, as when its setting up failed. */
afterAll(async () => {
  await Promise.all([...running].map((child) => end(child, 'SIGINT')));
});

/** A folder that is gone when the tests are. */
export class Scratch {
  readonly path = mkdtempSync(join(tmpdir(), 'palestra-'));

  constructor() {
    scratches.add(this.path);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Runs a palestra command to its end. */
  palestra(...args: string[]): string {
    return execFileSync(PALESTRA, args, {
      cwd: this.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Plays a match of built-in players and says where its replay is. */
  replay(name: string, game: string, bots: string[], ...more: string[]): string {
    const file = this.file(`${name}.replay`);
    this.palestra('play', game, ...bots, '--seed', '7', '--quiet', '--replay', file, ...more);
    return file;
  }

  remove(): void {
    scratches.delete(this.path);
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A palestra that serves pages until it is ended. */
export class Serving {
  private constructor(
    private readonly child: ChildProcess,
    /** The addresses it told, by what it called them: "view", "watch", "play seat 1". */
    readonly addresses: ReadonlyMap<string, string>,
  ) {}

  /** Starts it and waits for as many addresses as are named. */
  static async start(cwd: string, args: string[], ...names: string[]): Promise<Serving> {
    const child = start(cwd, args, ['ignore', 'ignore', 'pipe']);
    const addresses = new Map<string, string>();
    let heard = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        heard += text;
        for (const [, name = '', address = ''] of heard.matchAll(/^([a-z0-9 ]+): (http:\S+)$/gm)) {
          addresses.set(name, address);
        }
        if (names.every((name) => addresses.has(name))) resolve();
      });
      child.once('exit', (code) => reject(new Error(`palestra ended with ${code}: ${heard}`)));
    });
    return new Serving(child, addresses);
  }

  address(name: string): string {
    const address = this.addresses.get(name);
    if (!address) throw new Error(`palestra told no address for "${name}"`);
    return address;
  }

  /** Ends it as Ctrl-C does; says its exit code. */
  end(): Promise<number | null> {
    return end(this.child, 'SIGINT');
  }
}

/** An arena that is open until it is ended. */
export class Arena {
  private constructor(
    private readonly child: ChildProcess,
    /** Where its site is. */
    readonly site: string,
    /** The organiser's name and password, if they were told just now. */
    readonly organiser: { name: string; password: string } | null,
  ) {}

  /** Opens the arena of a plan and waits until it says where it is. */
  static async open(cwd: string, plan: string, ...args: string[]): Promise<Arena> {
    const child = start(cwd, ['serve', plan, ...args], ['ignore', 'pipe', 'pipe']);
    let heard = '';
    let complaints = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const site = await new Promise<string>((resolve, reject) => {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        heard += text;
        const [, address] = /is open: (http:\S+)/.exec(heard) ?? [];
        // What else it has to tell comes in the same breath.
        if (address && heard.endsWith('\n')) setTimeout(() => resolve(address), 100);
      });
      child.once('exit', (code) => reject(new Error(`palestra ended with ${code}: ${heard}${complaints}`)));
    });
    const [, name, password] = /sign in as (\S+) with the password (\S+)/.exec(heard) ?? [];
    return new Arena(child, site, name && password ? { name, password } : null);
  }

  /** Ends it at once, as a power cut does. */
  async cut(): Promise<void> {
    await end(this.child, 'SIGKILL');
  }

  async end(): Promise<void> {
    await end(this.child, 'SIGINT');
  }
}

export const DESKTOP = { width: 1280, height: 800 };
export const PROJECTOR = { width: 1920, height: 1080 };
export const PHONE = { width: 390, height: 844 };
/** The narrowest that people still have. */
export const SMALL_PHONE = { width: 360, height: 740 };

/** A page that takes note of everything that a page must not do. */
export class Visitor {
  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly complaints: string[],
  ) {}

  static async come(browser: Browser, size = DESKTOP, dark = false, locale = 'en-GB'): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: size,
      locale,
      hasTouch: size === PHONE || size === SMALL_PHONE,
      colorScheme: dark ? 'dark' : 'light',
    });
    context.setDefaultTimeout(PATIENCE_MILLIS);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        complaints.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      const own = hostname === '127.0.0.1' || protocol === 'data:' || protocol === 'blob:';
      if (!own) complaints.push(`a request to ${request.url()}`);
    });
    return new Visitor(page, context, complaints);
  }

  /** Goes to an address and waits until its board is drawn. */
  async open(address: string): Promise<void> {
    await this.page.goto(address);
    await this.drawn();
  }

  /** Waits until the moment that is wanted is the one that is drawn. */
  async drawn(): Promise<void> {
    await this.page.waitForFunction(() => window.palestra?.drawn());
  }

  turn(): Promise<number> {
    return this.page.evaluate(() => window.palestra?.turn() ?? -1);
  }

  /** Waits until this turn is drawn. */
  async at(turn: number): Promise<void> {
    await this.page.waitForFunction(
      (turn) => window.palestra?.drawn() && window.palestra.turn() === turn,
      turn,
    );
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** What went wrong so far, apart from what this visitor asked for. */
  complained(...expected: RegExp[]): string[] {
    return this.complaints.filter((complaint) => !expected.some((pattern) => pattern.test(complaint)));
  }

  leave(): Promise<void> {
    return this.context.close();
  }
}

/** With it newcomers make an account. */
export const INVITE = 'come-in';
/** What everybody's account has. */
export const PASSWORD = 'papir es ollo es ko';

/** What the plans of all arenas have in common: anywhere on this machine, and bots of the test's own. */
const PLAN_HEAD = `
site = "127.0.0.1:0"
sandbox = "off"
invite = "${INVITE}"
`;

/** The arena of a plan, and a browser in front of it. */
export class Stand {
  readonly scratch = new Scratch();
  readonly address = (path: string): string => new URL(path, this.arena.site).href;
  #arena: Arena | null = null;
  #browser: Browser | null = null;
  readonly #registered = new Set<string>();

  get arena(): Arena {
    if (!this.#arena) throw new Error('the arena is not open');
    return this.#arena;
  }

  get browser(): Browser {
    if (!this.#browser) throw new Error('there is no browser');
    return this.#browser;
  }

  get organiser(): { name: string; password: string } {
    const { organiser } = this.arena;
    if (!organiser) throw new Error('the arena did not tell the password of its organiser');
    return organiser;
  }

  async open(plan: string, prepare: (scratch: Scratch) => void): Promise<void> {
    writeFileSync(this.scratch.file('event.toml'), PLAN_HEAD + plan);
    prepare(this.scratch);
    await this.reopen();
    this.#browser = await launch();
  }

  /** Opens the arena anew after it was cut off. */
  async reopen(...args: string[]): Promise<void> {
    this.#arena = await Arena.open(this.scratch.path, 'event.toml', ...args);
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await this.#arena?.end();
    this.scratch.remove();
  }

  /** Runs `palestra event COMMAND` on its plan. */
  event(command: string, ...args: string[]): string {
    return this.scratch.palestra('event', ...command.split(' '), 'event.toml', ...args);
  }

  /** Somebody who looks in, and leaves when the test is over. */
  async come(...how: [size?: typeof DESKTOP, dark?: boolean, locale?: string]): Promise<Visitor> {
    const visitor = await Visitor.come(this.browser, ...how);
    onTestFinished(() => visitor.leave());
    return visitor;
  }

  async signIn(page: Page, { name, password }: { name: string; password: string }): Promise<void> {
    await page.goto(this.address('/login'));
    await page.locator('input[autocomplete="username"]').fill(name);
    await page.locator('input[type="password"]').fill(password);
    await page.locator('form button').click();
    await page.waitForURL(this.address('/me'));
  }

  /** Makes an account in this browser; a test that is tried once more signs in to the one it has made. */
  async register(page: Page, name: string): Promise<void> {
    await page.goto(this.address('/'));
    const way = this.#registered.has(name) ? '/api/login' : '/api/register';
    expect(await post(page, way, { name, password: PASSWORD, invite: INVITE })).toBe(200);
    this.#registered.add(name);
  }

  /** Hands in a file on the page for that, and waits until it is settled. */
  async handIn(page: Page, game: string, name: string, text: string): Promise<void> {
    await page.goto(this.address(`/submit/${game}`));
    await page
      .getByTestId('bot-file')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.getByTestId('upload').locator('ol li:last-child[aria-current="step"]').waitFor();
  }
}

/** The arena of a plan for all tests of a file; `prepare` sees its folder before it is opened. */
export function withArena(plan: string, prepare: (scratch: Scratch) => void = () => undefined): Stand {
  const stand = new Stand();
  beforeAll(() => stand.open(plan, prepare));
  afterAll(() => stand.close());
  return stand;
}

declare global {
  interface Window {
    palestra?: {
      turn(): number;
      drawn(): boolean;
      stats(): Record<string, number>;
    };
  }
}
