import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Message } from './api';
import { Catalog, CORE, english, KIT, loadCatalog, SERVERS, type Words } from './catalog';
import vectors from '../../crates/core/src/catalog/vectors.json';

const LANGUAGES = ['en', 'hu', 'ru'];

test('messages become the same sentences as in the program', () => {
  const words = vectors.words as Record<string, Words>;
  for (const { language, message, text } of vectors.cases) {
    const library = { [CORE]: words[language] ?? { templates: {} } };
    expect(new Catalog(language, library).say('', message as Message)).toBe(text);
  }
});

/** Every message there is, as the program tells it; see `check_messages`. */
const recorded = import.meta.glob<Record<string, string>[]>(
  ['../../games/*/golden/messages.json', '../../crates/{core,server,arena}/golden/messages.json'],
  { eager: true, import: 'default' },
);

describe.each(LANGUAGES)('%s', (language) => {
  test('every message of every game is told as the program tells it', async () => {
    const catalog = await loadCatalog(language);
    const told = Object.keys(english.library).filter((name) => name !== KIT);
    expect(Object.keys(recorded).length).toBe(told.length);
    for (const [path, messages] of Object.entries(recorded)) {
      const game = path.split('/').at(-3) ?? '';
      for (const { message, ...sentences } of messages)
        expect(catalog.say(game, message as unknown as Message), path).toBe(sentences[language]);
    }
  });

  test('viewers say the same as in English, with the same gaps', async () => {
    const { library } = await loadCatalog(language);
    const gaps = (text = ''): string[] => (text.match(/\{[\w:]+\}/g) ?? []).sort();
    for (const [name, { page = {} }] of Object.entries(english.library)) {
      const here = library[name]?.page ?? {};
      expect(Object.keys(here).sort(), name).toEqual(Object.keys(page).sort());
      for (const [code, text] of Object.entries(page)) expect(gaps(here[code]), code).toEqual(gaps(text));
    }
  });

  test('a noun has every form that its numbers need, and no other', async () => {
    const { library } = await loadCatalog(language);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const { plurals = {} } of Object.values(library))
      for (const [noun, forms] of Object.entries(plurals))
        expect(Object.keys(forms).sort(), noun).toEqual([...pluralCategories].sort());
  });
});

test('a message that holds itself over and over ends somewhere', () => {
  let message: Message = { code: 'out_of_time' };
  for (let i = 0; i < 100; i++) message = { code: 'malformed_because', why: message };
  expect(english.say('', message).match(/malformed answer/g)).toHaveLength(4);
});

test('what the page itself says names no game', () => {
  const games = Object.keys(english.library).filter((name) => ![CORE, KIT, ...SERVERS].includes(name));
  for (const file of ['en', 'hu', 'ru']) {
    const text = readFileSync(new URL(`./site/words/${file}.ts`, import.meta.url), 'utf8');
    for (const game of games) expect(text.includes(game), `${file}.ts names ${game}`).toBe(false);
  }
});

/** The sources of everything that viewers share, and of each game's viewer. */
const SOURCES = import.meta.glob<string>(
  ['./kit/*.ts', '../../games/*/viewer.ts', '../../games/*/viewer/*.ts', '!**/*.test.ts'],
  { eager: true, query: '?raw', import: 'default' },
);

test('everything that a viewer says has words', () => {
  let said = 0;
  for (const [path, source] of Object.entries(SOURCES)) {
    const game = /games\/(\w+)\//.exec(path)?.[1] ?? KIT;
    for (const [, code = ''] of source.matchAll(/\bsay\(\s*'(\w+)'/g)) {
      said++;
      const words = english.library[game]?.page?.[code] ?? english.library[KIT]?.page?.[code];
      expect(words, `${path}: ${code}`).toBeDefined();
    }
  }
  expect(said).toBeGreaterThan(50);
});

/** Everything that the page says in Russian, and the Russian rule books. */
const RUSSIAN = import.meta.glob<string>(
  [
    './{site/words,viewer-words}/ru.ts',
    './kit/words/ru.json',
    '../../games/*/{words/ru.json,README.ru.md}',
    '../../crates/{core,server,arena}/words/ru.json',
  ],
  { eager: true, query: '?raw', import: 'default' },
);

test('in Russian people are addressed as вы', () => {
  // The pronouns of ты, and verbs that ask one person; those with another ending are found by reading.
  const informal =
    /(?<![а-яё])(ты|тебе|тебя|тобой|тво(й|я|ё|и|его|ей|их|им|ими|ему|ю)|[а-яё]{3,}(ай|уй|яй)(ся)?)(?![а-яё])/giu;
  expect(Object.keys(RUSSIAN).length).toBeGreaterThan(10);
  for (const [path, text] of Object.entries(RUSSIAN)) expect(text.match(informal) ?? [], path).toEqual([]);
});
