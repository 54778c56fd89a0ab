import type { Plugin } from 'vite';

/** What the head of every page says. */
export function pageHead(icon = true): Plugin {
  const meta = (attrs: Record<string, string>) => ({ tag: 'meta', attrs, injectTo: 'head-prepend' as const });
  return {
    name: 'page-head',
    transformIndexHtml: () => [
      meta({ charset: 'utf-8' }),
      meta({ name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' }),
      meta({ name: 'color-scheme', content: 'light dark' }),
      ...(icon
        ? [
            {
              tag: 'link',
              attrs: { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
              injectTo: 'head' as const,
            },
          ]
        : []),
    ],
  };
}
