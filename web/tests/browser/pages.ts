/** The pages built anew, with the games of another folder added: `PALESTRA_GAMES`. */

import { fileURLToPath } from 'node:url';
import { build, preview, type PreviewServer } from 'vite';

// For tests that do not lie in this folder.
export { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
export type { Browser } from 'playwright-core';

const WEB = fileURLToPath(new URL('../..', import.meta.url));

export class Pages {
  #server: PreviewServer | null = null;

  private constructor(private readonly folder: string) {}

  static async build(folder: string): Promise<Pages> {
    await build({ root: WEB, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
    return new Pages(folder);
  }

  /** Shows them in front of what a palestra tells; every address that is no file of theirs is this page. */
  async inFrontOf(palestra: string, page: 'index.html' | 'site.html'): Promise<string> {
    const { origin } = new URL(palestra);
    const proxy = { '/api': origin, '/kits': origin };
    this.#server = await preview({
      root: WEB,
      logLevel: 'warn',
      build: { outDir: this.folder },
      preview: { host: '127.0.0.1', port: 0, proxy },
      plugins: [
        {
          name: 'one-page',
          configurePreviewServer({ middlewares }) {
            middlewares.use((request, _, next) => {
              if (request.headers.accept?.includes('text/html')) request.url = `/${page}`;
              next();
            });
          },
        },
      ],
    });
    const [address] = this.#server.resolvedUrls?.local ?? [];
    if (!address) throw new Error('the pages have no address');
    return address;
  }

  async close(): Promise<void> {
    await this.#server?.close();
    this.#server = null;
  }
}
