/** The project's documents as pages: which there are, where each stands, and what links between them become. No page is
 *  written here; a link that leads nowhere is an error that names its file and where it points. */

import MarkdownIt from 'markdown-it';
import type { Code } from '../languages';
import { apiPage } from './api';

/** Reads the project's files; paths are relative to its folder. */
export interface Files {
  read(path: string): string;
  exists(path: string): boolean;
  /** Names in a folder. */
  list(path: string): string[];
}

export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

/** A document in one language, as it is shown among the pages of a language, which may be another. */
export interface Page {
  slug: string;
  section: string;
  title: string;
  /** Where it is written, for errors. */
  file: string;
  /** The language it is written in. */
  language: Code;
  html: string;
  headings: Heading[];
  /** What can be found: a heading with the text below it. */
  parts: { anchor: string; title: string; text: string }[];
}

export interface Section {
  id: string;
  title: string;
  pages: Page[];
}

interface Entry {
  file: string;
  ru?: string;
  hu?: string;
}

export interface Contents {
  /** What is typed from the download to the first match. */
  first_fight: string[];
  sections: ({ id: string; pages: Entry[] } & Record<Code, string>)[];
}

/** Files that are shown as they are, since documents lead to them. */
const PLAIN = /\.(toml|yaml|json|png|gif|webp|svg)$/;

/** As the places where documents are read as files name their headings. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

export function slugOf(file: string): string {
  const name = file
    .replace(/^docs\/(how-to\/)?/, '')
    .replace(/(\.\w+)?\.(md|json)$/, '')
    .replace(/\/README$/, '');
  return name.replaceAll('/', '-').toLowerCase();
}

/** A document's own file in a language, if it is there. */
function translated(files: Files, file: string, language: Code): string | null {
  const own = language === 'en' ? file : file.replace(/\.md$/, `.${language}.md`);
  return files.exists(own) ? own : null;
}

/** `a/b` and `../c` as `a/c`. */
export function resolve(from: string, to: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of to.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

export class Documents {
  readonly #files: Files;
  readonly #contents: Contents;
  readonly #known = new Map<string, Page>();
  /** Files that pages show or lead to. */
  readonly plain = new Set<string>();

  constructor(files: Files) {
    this.#files = files;
    this.#contents = JSON.parse(files.read('docs/contents.json')) as Contents;
    // A star is any folder there: games come and go.
    for (const section of this.#contents.sections) {
      section.pages = section.pages.flatMap((entry) => {
        const [before, after] = entry.file.split('*');
        if (after === undefined) return [entry];
        const folders = files.list(before ?? '').sort();
        return folders
          .map((name) => ({ ...entry, file: `${before}${name}${after}` }))
          .filter(({ file }) => files.exists(file));
      });
    }
  }

  get firstFight(): string {
    return this.#contents.first_fight.join('\n');
  }

  /** The contents in a language: every page, in that language if it is there, otherwise in English. */
  sections(language: Code): Section[] {
    return this.#contents.sections.map((section) => ({
      id: section.id,
      title: section[language],
      pages: section.pages.map((entry) => {
        const page = this.#page(entry.file, language);
        if (page.language === language) return page;
        const title = language === 'en' ? undefined : entry[language];
        if (!title)
          throw new Error(
            `docs/contents.json: ${entry.file} has neither a translation nor a title in "${language}"`,
          );
        // What stands beside a rule book is called after it.
        const named = title.includes('{}') ? this.#page(resolve(entry.file, 'README.md'), 'en').title : '';
        return { ...page, title: title.replace('{}', named) };
      }),
    }));
  }

  #entry(file: string): Entry | undefined {
    return this.#contents.sections.flatMap(({ pages }) => pages).find((entry) => entry.file === file);
  }

  #page(file: string, wanted: Code): Page {
    if (file.endsWith('.json')) return apiPage(file, this.#files.read(file), wanted);
    const own = translated(this.#files, file, wanted);
    const language = own ? wanted : 'en';
    // Links differ with the language of the pages around them.
    const key = `${file} ${wanted}`;
    const known = this.#known.get(key);
    if (known) return known;
    const page = this.#render(file, own ?? file, language, wanted);
    this.#known.set(key, page);
    return page;
  }

  #render(entry: string, file: string, language: Code, around: Code): Page {
    const markdown = new MarkdownIt({ html: false });
    const tokens = markdown.parse(this.#files.read(file), {});
    const headings: Heading[] = [];
    const parts: Page['parts'] = [];
    const times = new Map<string, number>();
    tokens.forEach((token, at) => {
      const inline = tokens[at + 1];
      if (token.type === 'heading_open' && inline) {
        const text = (inline.children ?? []).map(({ content }) => content).join('');
        const anchor = anchorOf(text);
        const before = times.get(anchor) ?? 0;
        times.set(anchor, before + 1);
        const unique = before ? `${anchor}-${before}` : anchor;
        token.attrSet('id', unique);
        headings.push({ level: Number(token.tag.slice(1)), text, anchor: unique });
        parts.push({ anchor: unique, title: text, text: '' });
      } else if (
        ['inline', 'fence', 'code_block'].includes(token.type) &&
        tokens[at - 1]?.type !== 'heading_open'
      ) {
        const last = parts.at(-1);
        const text = token.children
          ?.map(({ content, type }) => (type === 'softbreak' ? ' ' : content))
          .join('');
        if (last) last.text += ` ${text ?? token.content}`;
      }
    });
    const title = headings.find(({ level }) => level === 1)?.text;
    if (!title) throw new Error(`${file}: a document begins with its title`);
    const section = this.#contents.sections.find(({ pages }) => pages.some((one) => one.file === entry));
    const page: Page = {
      slug: slugOf(entry),
      section: section?.id ?? '',
      title,
      file,
      language,
      html: '',
      headings,
      parts,
    };
    this.#known.set(`${entry} ${around}`, page);
    for (const token of tokens) {
      for (const child of token.children ?? []) {
        if (child.type === 'link_open') {
          const href = this.#link(file, String(child.attrGet('href') ?? ''), around, headings);
          if (href === null) {
            // Sources are not part of these pages; their names stay.
            child.type = 'text';
            child.tag = '';
            child.content = '';
          } else child.attrSet('href', href);
        } else if (child.type === 'image')
          child.attrSet('src', this.#file(file, String(child.attrGet('src') ?? ''), around));
      }
      if (token.children) token.children = withoutLoneEnds(token.children);
    }
    page.html = markdown.renderer
      .render(tokens, markdown.options, {})
      .replaceAll('<table>', '<div class="wide"><table>')
      .replaceAll('</table>', '</table></div>')
      .replaceAll('<pre>', '<pre tabindex="0">');
    return page;
  }

  /** Where a link of a document leads to among the pages of a language; null if it leads to the project's sources. */
  #link(from: string, href: string, around: Code, own: Heading[]): string | null {
    if (/^[a-z]+:/.test(href)) return href;
    const [path = '', hash] = href.split('#', 2);
    const anchor = hash === undefined ? undefined : decodeURIComponent(hash);
    if (path === '') {
      if (anchor && !own.some((heading) => heading.anchor === anchor)) throw this.#nowhere(from, href);
      return `#${anchor ?? ''}`;
    }
    const target = resolve(from, path);
    const entry = target.replace(/\.(ru|hu)\.md$/, '.md');
    if (!this.#entry(entry)) {
      if (!this.#files.exists(target)) throw this.#nowhere(from, href);
      return PLAIN.test(target) ? this.#file(from, path, around) : null;
    }
    const inPlace = this.#page(entry, around);
    const has = (page: Page): boolean =>
      !anchor || page.headings.some((heading) => heading.anchor === anchor);
    if (has(inPlace)) return `${inPlace.slug}.html${anchor ? `#${anchor}` : ''}`;
    // A translation names its headings in its own language; the original is still right.
    if (around !== 'en' && has(this.#page(entry, 'en'))) return `../${inPlace.slug}.html#${anchor}`;
    throw this.#nowhere(from, href);
  }

  #file(from: string, path: string, around: Code): string {
    const target = resolve(from, path);
    if (!this.#files.exists(target)) throw this.#nowhere(from, path);
    this.plain.add(target);
    return `${around === 'en' ? '' : '../'}files/${target}`;
  }

  #nowhere(from: string, href: string): Error {
    return new Error(
      `${from}: the link to ${href} leads nowhere; mend it, or add the page to docs/contents.json`,
    );
  }
}

type Tokens = ReturnType<InstanceType<typeof MarkdownIt>['parse']>;

/** Takes the ends off links whose beginnings are gone. */
function withoutLoneEnds(tokens: Tokens): Tokens {
  let open = 0;
  return tokens.filter((token) => {
    if (token.type === 'link_open') open += 1;
    if (token.type !== 'link_close') return true;
    if (open === 0) return false;
    open -= 1;
    return true;
  });
}
