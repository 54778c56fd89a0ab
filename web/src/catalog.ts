/**
 * Sentences from messages: the templates of one language. `crates/core/src/catalog.rs` does the same, from the same
 * files, and says what is in them.
 */

import type { Message } from './api';
import { form, type Forms } from './phrases';

/** A file of words, of core or of a game. Summary and round are translations: the server has them in English. */
export interface Words {
  summary?: string;
  round?: string;
  counters?: Record<string, string>;
  gains?: Record<string, string>;
  templates: Record<string, string>;
  plurals?: Record<string, Forms>;
  /** What people are told about the steps of the game's course. */
  course?: Record<string, StepWords>;
  /** What the game's viewer says itself: of what is under the pointer, and to people who play by hand. */
  page?: Record<string, string>;
}

export interface StepWords {
  title: string;
  task: string;
  hint: string;
}

/**
 * By game, in one language; those of core are under `CORE`, those of what viewers share under `KIT`, and what servers refuse
 * under the names of their crates.
 */
export type Library = Readonly<Record<string, Words>>;
export const CORE = '';
export const KIT = 'kit';
export const SERVERS = ['arena', 'server'] as const;

/** Messages hold messages, but no game's more than two deep. */
const DEPTH = 4;
const GAP = /\{(\w+)(?::(\w+))?\}/g;

export class Catalog {
  constructor(
    readonly language: string,
    readonly library: Library,
  ) {}

  /** The sentence. */
  say(game: string, message: Message): string {
    return this.#say(game, message, DEPTH);
  }

  /** What a server refused; of a match of this game, if it is of one. */
  trouble(message: Message, game: string = CORE): string {
    const code = typeof message === 'string' ? '' : message.code;
    const server = SERVERS.find((name) => this.library[name]?.templates[code] !== undefined);
    return this.say(server ?? game, message);
  }

  /** What this counter of a game is called. */
  counter(game: string, key: string): string {
    return this.library[game]?.counters?.[key] ?? key;
  }

  /** What somebody does whose counter goes up: "takes a city". */
  gain(game: string, key: string): string {
    return this.library[game]?.gains?.[key] ?? key;
  }

  /** What people are told about a step of a game's course. */
  step(game: string, name: string): StepWords {
    return this.library[game]?.course?.[name] ?? { title: name, task: '', hint: '' };
  }

  /** What a game calls a round; the server knows it in English. */
  round(game: { id: string; round_word: string }): string {
    return this.library[game.id]?.round ?? game.round_word;
  }

  /** One line about a game; the server knows it in English. */
  summary(game: { id: string; summary: string }): string {
    return this.library[game.id]?.summary ?? game.summary;
  }

  /** What the viewer of a game says, with values in its gaps. */
  page(game: string, code: string, values: Record<string, string | number> = {}): string {
    const from = this.library[game]?.page?.[code] === undefined ? KIT : game;
    const template = this.library[from]?.page?.[code] ?? code;
    return this.#fill(from, template, { code, ...values }, DEPTH);
  }

  #say(game: string, message: Message, depth: number): string {
    if (typeof message === 'string') return message;
    const { code } = message;
    const template = this.library[game]?.templates[code] ?? this.library[CORE]?.templates[code];
    // Only a message of a later version, or a made-up one.
    if (template === undefined || depth === 0) return JSON.stringify(message);
    return this.#fill(game, template, message, depth);
  }

  #fill(game: string, template: string, message: Exclude<Message, string>, depth: number): string {
    return template.replace(GAP, (gap, name: string, noun?: string) => {
      const value = message[name];
      if (value === undefined) return gap;
      if (noun === undefined) return this.#tell(game, value, depth - 1);
      if (noun === 'counter') return typeof value === 'string' ? this.counter(game, value) : gap;
      const forms = this.library[game]?.plurals?.[noun] ?? this.library[CORE]?.plurals?.[noun];
      if (!forms || typeof value !== 'number') return gap;
      return form(this.language, forms, value).replace(GAP, String(value));
    });
  }

  #tell(game: string, value: Message | number | number[], depth: number): string {
    if (typeof value === 'number') return String(value);
    return Array.isArray(value) ? `(${value.join(', ')})` : this.#say(game, value, depth);
  }
}

const ENGLISH = import.meta.glob<Words>(
  [
    '../../games/*/words/en.json',
    'more-games/*/words/en.json',
    '../../crates/{core,server,arena}/words/en.json',
    './kit/words/en.json',
  ],
  { eager: true, import: 'default' },
);
const OTHERS = import.meta.glob<Words>(
  [
    '../../games/*/words/{hu,ru}.json',
    'more-games/*/words/{hu,ru}.json',
    '../../crates/{core,server,arena}/words/{hu,ru}.json',
    './kit/words/{hu,ru}.json',
  ],
  { import: 'default' },
);

/** The game of a file, and its language. */
function place(path: string): [string, string] {
  const parts = path.split('/');
  const core = parts.at(-4) === 'crates' && parts.at(-3) === 'core';
  return [core ? CORE : (parts.at(-3) ?? ''), parts.at(-1)?.split('.')[0] ?? ''];
}

export const english = new Catalog(
  'en',
  Object.fromEntries(Object.entries(ENGLISH).map(([path, words]) => [place(path)[0], words])),
);

export async function loadCatalog(language: string): Promise<Catalog> {
  if (language === 'en') return english;
  const files = Object.entries(OTHERS).filter(([path]) => place(path)[1] === language);
  const read = files.map(async ([path, load]): Promise<[string, Words]> => [place(path)[0], await load()]);
  return new Catalog(language, Object.fromEntries(await Promise.all(read)));
}
