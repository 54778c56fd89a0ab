import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { page } from './page.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Puts scripts and styles into the page itself. */
function inline(): Plugin {
  return {
    name: 'inline',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const take = (name: string): string => {
          const file = bundle[name];
          if (!file) throw new Error(`the page needs ${name}, which was not built`);
          // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
          delete bundle[name];
          return file.type === 'chunk' ? file.code : String(file.source);
        };
        for (const page of Object.values(bundle)) {
          if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue;
          page.source = String(page.source)
            .replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)">/g, (_, name: string) => {
              return `<style>${take(name)}</style>`;
            })
            .replace(/<script type="module"[^>]*src="\/([^"]+)"><\/script>/g, (_, name: string) => {
              return `<script type="module">${take(name).replaceAll('</script', '<\\/script')}</script>`;
            });
        }
      },
    },
  };
}

/** Pages that are one file and need no other: the report of a tournament, a replay. `--mode` says which one. */
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), page(false), inline()],
  publicDir: false,
  resolve: { alias: { palestra: here('./src/kit'), 'more-games': here('../games') } },
  build: {
    target: 'es2022',
    emptyOutDir: false,
    reportCompressedSize: false,
    modulePreload: false,
    rolldownOptions: { input: here(`./${mode}.html`), output: { codeSplitting: false } },
  },
}));
