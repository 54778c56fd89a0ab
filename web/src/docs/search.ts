/** The search: a few words, found in the reader's language and, where a page has no translation, in English. Everything is
 *  in the documentation itself, so it works where no network is. */

import MiniSearch from 'minisearch';

/** A part of a page that can be found. */
export interface Found {
  /** The page's name and the heading's anchor. */
  id: string;
  /** The page's title, and the heading. */
  page: string;
  title: string;
  text: string;
}

/** A result, with where it is from. */
export interface Hit extends Found {
  href: string;
  excerpt: string;
}

/** What was not asked for is in nobody's way: more than these are not read. */
export const MOST_HITS = 12;
/** Characters shown around what was found. */
const AROUND = 60;

const slug = (id: string): string => id.split('#')[0] ?? '';

/** The page's address, from the folder of the language. */
const address = (id: string): string => id.replace('#', '.html#');

export class Search {
  readonly #index = new MiniSearch<Found>({
    fields: ['title', 'page', 'text'],
    storeFields: ['page', 'title', 'text'],
    searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });

  /** What is written in the reader's language goes before the same page in English. */
  constructor(own: readonly Found[], english: readonly Found[]) {
    const here = new Set(own.map(({ id }) => slug(id)));
    this.#index.addAll([...own, ...english.filter(({ id }) => !here.has(slug(id)))]);
  }

  find(words: string): Hit[] {
    return this.#index
      .search(words)
      .slice(0, MOST_HITS)
      .map(({ id, page, title, text, terms }) => ({
        id: String(id),
        page: String(page),
        title: String(title),
        text: String(text),
        href: address(String(id)),
        excerpt: excerpt(String(text), terms),
      }));
  }
}

/** The text around the first of the words. */
export function excerpt(text: string, terms: readonly string[]): string {
  const low = text.toLowerCase();
  const places = terms.map((term) => low.indexOf(term)).filter((at) => at >= 0);
  const at = places.length ? Math.min(...places) : 0;
  // No word is cut in two at its beginning.
  const from = at > AROUND ? text.indexOf(' ', at - AROUND) + 1 : 0;
  const to = Math.min(text.length, at + 2 * AROUND);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`;
}
