import type { Plugin } from 'vite';

/** What every page has around the content of its file. */
export function page(icon = true): Plugin {
  const link = icon ? '<link rel="icon" href="/favicon.svg" type="image/svg+xml" />' : '';
  const handler = (content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    <title>Palestra</title>
    ${link}
  </head>
  <body>
    <div id="app"></div>
${content}  </body>
</html>
`;
  return { name: 'page', transformIndexHtml: { order: 'pre', handler } };
}
