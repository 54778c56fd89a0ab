import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { site } from './src/docs/site.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const project = (path: string): string => here(`../${path}`);

/** Turns the project's documents into pages around the built script. */
function pages(): Plugin {
  return {
    name: 'docs',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const named = (ending: string): string => {
          const name = Object.keys(bundle).find((name) => name.endsWith(ending));
          if (!name)
            throw new Error(`the documentation needs a file ending in ${ending}, which was not built`);
          return name;
        };
        const files = {
          read: (path: string) => readFileSync(project(path), 'utf8'),
          exists: (path: string) => existsSync(project(path)),
          list: (path: string) => readdirSync(project(path)),
        };
        const { made, plain } = site(files, { script: named('.js'), style: named('.css') });
        for (const [fileName, source] of made) this.emitFile({ type: 'asset', fileName, source });
        for (const path of plain) {
          this.emitFile({ type: 'asset', fileName: `files/${path}`, source: readFileSync(project(path)) });
        }
        this.emitFile({
          type: 'asset',
          fileName: 'favicon.svg',
          source: readFileSync(here('public/favicon.svg')),
        });
      },
    },
  };
}

/** The documentation: a folder that any web server can show, and that arenas show under /docs. */
export default defineConfig({
  plugins: [pages()],
  base: './',
  publicDir: false,
  resolve: { alias: { palestra: here('./src/kit') } },
  build: {
    target: 'es2022',
    outDir: 'dist/docs',
    reportCompressedSize: false,
    modulePreload: false,
    rolldownOptions: { input: here('./src/docs/main.ts') },
  },
});
