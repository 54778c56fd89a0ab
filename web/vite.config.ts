import { svelte } from '@sveltejs/vite-plugin-svelte';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { page } from './page.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [svelte(), page()],
  resolve: {
    alias: {
      palestra: here('./src/kit'),
      // A folder with more games than those that ship, for the test that a game is a folder.
      'more-games': resolve(process.env.PALESTRA_GAMES ?? here('../games')),
    },
  },
  server: {
    // The games' viewers live beside their rules.
    fs: { allow: [here('..')] },
    // While working on the pages: `palestra view --port 7777 FILE`, or an arena there, behind `npm run dev`.
    proxy: { '/api': 'http://127.0.0.1:7777', '/kits': 'http://127.0.0.1:7777' },
  },
  test: { include: ['src/**/*.test.ts', '../games/*/viewer.test.ts'] },
  build: {
    target: 'es2022',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 400,
    // The viewer of `palestra view`, and the site of an arena; what both need is one file.
    rolldownOptions: { input: [here('./index.html'), here('./site.html')] },
  },
});
