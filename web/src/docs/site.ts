/** All pages of the documentation in all languages, as files: the pages themselves, and what the search looks through. */

import { inDocumentation, LANGUAGES, type Code } from '../languages';
import { inkOn, theme } from '../kit/palette';
import type { Theme } from '../kit/contract';
import { escape } from './api';
import { Documents, type Files, type Page, type Section } from './documents';
import type { Found } from './search';
import { WORDS } from './words';

const CODES = Object.keys(LANGUAGES) as Code[];
const FILM = 'docs/pictures/match.gif';

/** What the built scripts and styles are called, from the documentation's folder. */
export interface Assets {
  script: string;
  style: string;
}

interface Place {
  code: Code;
  /** From the page to the documentation's folder. */
  root: string;
  sections: Section[];
}

/** Every file by name; those of the project that pages show are named and not read. */
export function site(files: Files, assets: Assets): { made: Map<string, string>; plain: string[] } {
  const documents = new Documents(files);
  const made = new Map<string, string>();
  for (const code of CODES) {
    const sections = documents.sections(code).map((section) => ({
      ...section,
      pages: section.pages.map((page) => ({ ...page, section: section.id })),
    }));
    const place: Place = { code, root: code === 'en' ? '' : '../', sections };
    const pages = sections.flatMap((section) => section.pages);
    pages.forEach((page, at) => {
      made.set(
        inDocumentation(code, `${page.slug}.html`),
        frame(place, assets, page, article(place, page, pages[at - 1], pages[at + 1])),
      );
    });
    made.set(
      inDocumentation(code, 'index.html'),
      frame(place, assets, null, home(place, documents.firstFight)),
    );
    made.set(inDocumentation(code, 'search.json'), JSON.stringify(found(pages, code)));
  }
  const nowhere: Place = { code: 'en', root: '/docs/', sections: documents.sections('en') };
  made.set('404.html', frame(nowhere, assets, null, `<h1>404</h1><p>${WORDS.en.missing}</p>`));
  return { made, plain: [...documents.plain, FILM] };
}

/** What is written in this language: other pages are found in English. */
function found(pages: Page[], code: Code): Found[] {
  return pages
    .filter((page) => page.language === code)
    .flatMap((page) =>
      page.parts.map(({ anchor, title, text }, at) => ({
        id: `${page.slug}#${anchor}`,
        page: page.title,
        title: at === 0 ? page.title : title,
        text: text.replace(/\s+/g, ' ').trim(),
      })),
    );
}

function colours({ page, ground, line, text, faint, accent, neutral }: Theme): string {
  const named = { page, ground, line, text, faint, accent, neutral, 'on-accent': inkOn(accent) };
  return Object.entries(named)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
}

/** The colours before the script runs, and without it. */
const COLOURS = `:root{${colours(theme(false))};color-scheme:light}@media (prefers-color-scheme:dark){:root:not(.light){${colours(theme(true))};color-scheme:dark}}`;

function navigation({ code, sections }: Place, here: Page | null): string {
  const list = sections.map(({ title, pages }) => {
    const items = pages.map(
      ({ slug, title }) =>
        `<li><a href="${slug}.html"${here?.slug === slug ? ' aria-current="page"' : ''}>${escape(title)}</a></li>`,
    );
    return `<h2>${escape(title)}</h2><ul>${items.join('')}</ul>`;
  });
  return `<nav class="contents" aria-label="${WORDS[code].contents}">${list.join('')}</nav>`;
}

function frame(place: Place, { script, style }: Assets, page: Page | null, main: string): string {
  const { code, root } = place;
  const words = WORDS[code];
  const name = page ? `${page.slug}.html` : 'index.html';
  const others = CODES.map(
    (other) =>
      `<a href="${root}${inDocumentation(other, name)}" lang="${other}" hreflang="${other}" title="${LANGUAGES[other]}"${other === code ? ' aria-current="true"' : ''}>${other.toUpperCase()}</a>`,
  );
  const prefix = root.startsWith('/') ? `${root}${inDocumentation(code)}` : '';
  // Where a page stands for any address, what it leads to is named in full.
  const contents = navigation(place, page).replaceAll('href="', `href="${prefix}`);
  return `<!doctype html>
<html lang="${code}" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${page ? `${escape(page.title)} – ` : ''}Palestra</title>
<style>${COLOURS}</style>
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}${style}">
<script type="module" src="${root}${script}"></script>
</head>
<body>
<a class="skip button" href="#main">${words.skip}</a>
<header class="bar">
<a class="home" aria-label="Palestra" href="${prefix}index.html"><img src="${root}favicon.svg" alt="" width="28" height="28"><span>Palestra</span></a>
<div class="search" role="search"><input class="field" type="search" id="search" placeholder="${words.search}" aria-label="${words.search}" autocomplete="off" data-nothing="${words.nothing}"><div class="found card" id="found" hidden></div></div>
<div class="languages">${others.join('')}</div>
<button class="button plain icon" id="theme" title="${words.theme}" aria-label="${words.theme}">◐</button>
</header>
<div class="${page ? 'page' : 'page wide-page'}">
<details class="drawer"><summary class="button">${words.contents}</summary>${contents}</details>
${page ? contents : ''}
<main id="main" tabindex="-1">${main}</main>
${page ? here(page, words.here) : ''}
</div>
</body>
</html>
`;
}

function here({ headings, language }: Page, title: string): string {
  const shown = headings.filter(({ level }) => level === 2);
  if (shown.length < 2) return '<aside></aside>';
  const items = shown.map(
    ({ text, anchor }) => `<li><a href="#${encodeURIComponent(anchor)}">${escape(text)}</a></li>`,
  );
  return `<aside aria-label="${title}"><h2>${title}</h2><ul lang="${language}">${items.join('')}</ul></aside>`;
}

function article({ code }: Place, page: Page, before: Page | undefined, after: Page | undefined): string {
  const words = WORDS[code];
  const note = page.language === code ? '' : `<p class="note card">${words.englishOnly}</p>`;
  const way = (to: Page | undefined, text: string, kind: string): string =>
    to
      ? `<a class="${kind} card" href="${to.slug}.html"><span class="faint">${text}</span>${escape(to.title)}</a>`
      : '<span></span>';
  return `${note}<article lang="${page.language}" data-copy="${words.copy}" data-copied="${words.copied}">${page.html}</article><nav class="ways" aria-label="${words.before}, ${words.after}">${way(before, words.before, 'before')}${way(after, words.after, 'after')}</nav>`;
}

function home({ code, root, sections }: Place, firstFight: string): string {
  const words = WORDS[code];
  const tiles = sections.map(({ title, pages }) => {
    const items = pages.map(({ slug, title }) => `<li><a href="${slug}.html">${escape(title)}</a></li>`);
    return `<li class="card"><h2>${escape(title)}</h2><ul>${items.join('')}</ul></li>`;
  });
  return `<div class="hero"><div><h1>${words.motto}</h1><p>${words.about}</p><h2>${words.three}</h2><pre tabindex="0" data-copy="${words.copy}" data-copied="${words.copied}"><code>${escape(firstFight)}</code></pre></div><img src="${root}files/${FILM}" alt="${words.picture}"></div><ul class="tiles sections">${tiles.join('')}</ul>`;
}
