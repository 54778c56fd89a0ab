import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Browsers at the same time, each with a palestra of its own; more than this only wait for each other. */
const MOST_BROWSERS = 4;

const MORE = process.env.PALESTRA_GAMES;

/** Tests in a real browser against the real program: `npm run browser`, after `npm run build` and `cargo build`. */
export default defineConfig({
  test: {
    // With more games than those that ship, only what is said of these.
    include: MORE
      ? [`${MORE}/*/browser.test.ts`]
      : ['tests/browser/**/*.test.ts', '../games/*/browser.test.ts'],
    // However busy the machine is: bots are compiled and play whole matches meanwhile.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // As the Rust tests do there: what a shared machine was too slow for is tried again.
    retry: process.env.NEXTEST_PROFILE === 'ci' ? 2 : 0,
    maxWorkers: Math.min(MOST_BROWSERS, availableParallelism()),
  },
});
