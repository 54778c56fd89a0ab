/** The language of the site: by choice, else the browser's. */

import { loadCatalog } from '../catalog';
import { fill, form, type Forms } from '../phrases';
import { speech } from '../speech.svelte';
import { storage } from '../storage';
import * as format from './format';
import { clock } from './clock.svelte';
import { en } from './words/en';

/** English is the measure: the others say the same. */
export type Words = typeof en;

/** By code, as their own people call them. */
export const LANGUAGES = { en: 'English', ru: 'Русский', hu: 'Magyar' } as const;
export type Code = keyof typeof LANGUAGES;

const LOAD: Record<Code, () => Promise<Words>> = {
  en: () => Promise.resolve(en),
  ru: async () => (await import('./words/ru')).ru,
  hu: async () => (await import('./words/hu')).hu,
};

const KEY = 'palestra-language';

export const isCode = (text: string | null | undefined): text is Code =>
  Object.keys(LANGUAGES).includes(text ?? '');

/** The first language that the site has of those that somebody reads. */
export function bestOf(wanted: readonly string[]): Code {
  for (const tag of wanted) {
    const code = tag.toLowerCase().split('-')[0];
    if (isCode(code)) return code;
  }
  return 'en';
}

class Language {
  code = $state<Code>('en');
  words = $state.raw<Words>(en);

  /** The address may ask for a language, for a projector or for a link. */
  async start(): Promise<void> {
    const asked = new URL(location.href).searchParams.get('lang');
    await this.#speak(isCode(asked) ? asked : (remembered() ?? bestOf(navigator.languages)));
  }

  async choose(code: Code): Promise<void> {
    storage.setItem(KEY, code);
    await this.#speak(code);
  }

  async #speak(code: Code): Promise<void> {
    const [words, catalog] = await Promise.all([LOAD[code](), loadCatalog(code)]);
    this.words = words;
    this.code = code;
    document.documentElement.lang = code;
    speech.change(code, words.viewer, catalog);
  }

  /** "1 match", "12 matches". */
  count(forms: Forms, value: number): string {
    return fill(form(this.code, forms, value), { n: this.number(value) });
  }

  number(value: number, digits = 0): string {
    return format.number(this.code, value, digits);
  }

  /** Points of scored rounds: halves and quarters happen. */
  points(value: number): string {
    return this.number(value, 2);
  }

  change(value: number): string {
    return format.change(this.code, value);
  }

  moment(at: number): string {
    return format.moment(this.code, at, clock.now);
  }

  exact(at: number): string {
    return format.exact(this.code, at);
  }

  relative(at: number): string {
    return format.relative(this.code, at, clock.now);
  }

  span(millis: number): string {
    return format.span(this.code, millis);
  }
}

function remembered(): Code | null {
  const kept = storage.getItem(KEY);
  return isCode(kept) ? kept : null;
}

export const language = new Language();
