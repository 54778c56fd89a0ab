/** The language of the site, with everything it says and how it writes numbers and times. */

import { Language } from '../language.svelte';
import type { Code } from '../languages';
import { fill, form, type Forms } from '../phrases';
import * as format from './format';
import { clock } from './clock.svelte';
import { en } from './words/en';

/** English is the measure: the others say the same. */
export type Words = typeof en;

const LOAD: Record<Code, () => Promise<Words>> = {
  en: () => Promise.resolve(en),
  ru: async () => (await import('./words/ru')).ru,
  hu: async () => (await import('./words/hu')).hu,
};

class SiteLanguage extends Language {
  words = $state.raw<Words>(en);

  protected override async speak(code: Code): Promise<void> {
    const words = await LOAD[code]();
    await super.speak(code);
    this.words = words;
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

  date(at: number): string {
    return format.day(this.code, at);
  }

  exact(at: number): string {
    return format.exact(this.code, at);
  }

  relative(at: number): string {
    return format.relative(this.code, at, clock.now);
  }

  bytes(value: number): string {
    return format.bytes(this.code, value);
  }

  span(millis: number): string {
    return format.span(this.code, millis);
  }
}

export const language = new SiteLanguage();
