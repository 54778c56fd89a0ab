import { describe, expect, test } from 'vitest';
import type { Forms } from '../../phrases';
import { en as viewer } from '../../viewer-words/en';
import { hu as viewerHu } from '../../viewer-words/hu';
import { ru as viewerRu } from '../../viewer-words/ru';
import { en } from './en';
import { hu } from './hu';
import { ru } from './ru';

/** The site with the viewer inside. */
const ALL = {
  en: { ...en, viewer },
  ru: { ...ru, viewer: viewerRu },
  hu: { ...hu, viewer: viewerHu },
};

type Tree = { readonly [key: string]: string | Tree };

const PLURALS = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

const isForms = (value: Tree): boolean =>
  'other' in value && Object.keys(value).every((key) => PLURALS.has(key));

/** Every entry by its path: sentences, and the forms of counted words. */
function entries(tree: Tree, path: string[] = []): [string, string | Forms][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string | Forms][] => {
    const here = [...path, key];
    if (typeof value === 'string') return [[here.join('.'), value]];
    return isForms(value) ? [[here.join('.'), value as unknown as Forms]] : entries(value, here);
  });
}

const gaps = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).sort();
const english = new Map(entries(ALL.en));

describe.each(Object.entries(ALL))('%s', (code, words) => {
  const all = entries(words as unknown as Tree);

  test('has exactly the entries of English, and none is empty', () => {
    expect(all.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
    for (const [path, value] of all) {
      const texts = typeof value === 'string' ? [value] : Object.values(value);
      expect(
        texts.every((text) => text.trim() !== ''),
        path,
      ).toBe(true);
    }
  });

  test('has the same gaps in every sentence and in every form', () => {
    for (const [path, value] of all) {
      const model = english.get(path);
      const wanted = gaps(typeof model === 'string' ? model : (model?.other ?? ''));
      const texts = typeof value === 'string' ? [value] : Object.values(value);
      for (const text of texts) expect(gaps(text), `${path}: ${text}`).toEqual(wanted);
    }
  });

  test('has every form that its numbers need, and no other', () => {
    for (const [path, value] of all) {
      if (typeof value === 'string') continue;
      const type = path === 'viewer.place' ? 'ordinal' : 'cardinal';
      const { pluralCategories } = new Intl.PluralRules(code, { type }).resolvedOptions();
      expect(Object.keys(value).sort(), path).toEqual([...pluralCategories].sort());
    }
  });
});
