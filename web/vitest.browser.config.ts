import { defineConfig } from 'vitest/config';

/** Tests in a real browser against the real program: `npm run browser`, after `cargo build` and `npm run build`. */
export default defineConfig({
  test: {
    include: ['tests/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One browser at a time: the machine may have two cores.
    fileParallelism: false,
  },
});
