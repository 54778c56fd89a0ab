/** The documentation as it is built from the project's own documents. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LANGUAGES, type Code } from '../languages';
import { anchorOf, resolve, type Files } from './documents';
import { Search, type Found } from './search';
import { site } from './site';
import { addressOf } from './try';

const project = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const files: Files = {
  read: (path) => readFileSync(project(path), 'utf8'),
  exists: (path) => existsSync(project(path)),
  list: (path) => readdirSync(project(path)),
};
const ASSETS = { script: 'assets/main.js', style: 'assets/main.css' };
const { made, plain } = site(files, ASSETS);
const codes = Object.keys(LANGUAGES) as Code[];

test('every link of every page leads to a page, a heading or a file', () => {
  const there = new Set([
    ...made.keys(),
    ...plain.map((path) => `files/${path}`),
    ...Object.values(ASSETS),
    'favicon.svg',
  ]);
  const ids = new Map([...made].map(([name, html]) => [name, new Set(html.match(/(?<= id=")[^"]+/g))]));
  const wrong: string[] = [];
  let looked = 0;
  for (const [name, html] of made) {
    if (!name.endsWith('.html')) continue;
    for (const [, href = ''] of html.matchAll(/<(?:a|img|link|script)\b[^>]*?(?:href|src)="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      looked++;
      const [path = '', anchor] = href.split('#', 2);
      const target = path.startsWith('/docs/') ? path.slice(6) : path ? resolve(name, path) : name;
      if (!there.has(target)) wrong.push(`${name}: ${href}`);
      else if (anchor && !ids.get(target)?.has(decodeURIComponent(anchor))) wrong.push(`${name}: ${href}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(looked).toBeGreaterThan(3000);
});

test('every page is there in every language, and says so where it is in English', () => {
  const english = [...made.keys()].filter((name) => /^[\w-]+\.html$/.test(name) && name !== '404.html');
  for (const code of codes.filter((code) => code !== 'en')) {
    for (const name of english) {
      const html = made.get(`${code}/${name}`) ?? '';
      expect(html, `${code}/${name}`).toContain(`<html lang="${code}"`);
      expect(html.includes('class="note'), `${code}/${name}`).toBe(html.includes('<article lang="en"'));
    }
    // What somebody new needs is not among those in English.
    for (const name of [
      'first-steps',
      'bot-times-out',
      'works-at-home',
      'run-an-event',
      'room-of-pcs',
      'add-a-game',
      'openapi',
    ]) {
      expect(made.get(`${code}/${name}.html`), name).toContain(`<article lang="${code}"`);
    }
  }
});

test('a document whose link leads nowhere is refused with its name', () => {
  const broken = (text: string): Files => ({
    ...files,
    read: (path) => (path === 'docs/playing.md' ? text : files.read(path)),
  });
  expect(() => site(broken('# P\n\n[there](nowhere.md)\n'), ASSETS)).toThrow(
    'docs/playing.md: the link to nowhere.md leads nowhere',
  );
  expect(() => site(broken('# P\n\n[there](json.md#no-heading)\n'), ASSETS)).toThrow(
    'docs/playing.md: the link to json.md#no-heading leads nowhere',
  );
});

test('nothing in a document becomes markup of the page', () => {
  const only = (path: string): string =>
    path === 'docs/json.md' ? '# <b>J</b>\n\n<script>x</script>\n' : '# T\n';
  const marked = { ...files, read: (path: string) => (path.endsWith('.md') ? only(path) : files.read(path)) };
  const html = site(marked, ASSETS).made.get('json.html') ?? '';
  expect(html).toContain('&lt;script&gt;x&lt;/script&gt;');
  expect(html).toContain('<title>&lt;b&gt;J');
});

const found = (name: string): Found[] => JSON.parse(made.get(name) ?? '') as Found[];

test('the search finds what is written in the language, and English where nothing else is', () => {
  const english = new Search(found('search.json'), []);
  expect(english.find('flush answer')[0]?.href).toMatch(/^bot-times-out\.html#/);
  expect(english.find('tie-breaks').some(({ href }) => href.startsWith('tournaments.html'))).toBe(true);
  expect(english.find('xyzzy quux')).toEqual([]);
  const russian = new Search(found('ru/search.json'), found('search.json'));
  expect(russian.find('песочница')[0]?.title).toMatch(/\p{Script=Cyrillic}/u);
  const hits = russian.find('tie-breaks');
  expect(hits.some(({ href }) => href.startsWith('tournaments.html'))).toBe(true);
  // Nothing is found twice.
  const times = russian.find('palestra').map(({ id }) => id);
  expect(new Set(times).size).toBe(times.length);
});

test('headings are named as the places name them where documents are read as files', () => {
  expect(anchorOf('What `--json` prints')).toBe('what---json-prints');
  expect(anchorOf('Настройки, ключи')).toBe('настройки-ключи');
});

test('a request of the reference has its places filled in, and nothing that was left empty', () => {
  const fields = [
    { name: 'id', place: 'path', value: 'a/b' },
    { name: 'of', place: 'query', value: '2' },
    { name: 'after', place: 'query', value: '' },
  ];
  expect(addressOf('/api/x/{id}', fields)).toBe('/api/x/a%2Fb?of=2');
});
