/** What the viewer says, in the language of the page. */

import type { Say } from 'palestra/say';
import type { Mark, Message } from './api';
import { type Catalog, english as catalog } from './catalog';
import { fill, form, type Forms } from './phrases';
import { en, type ViewerWords } from './viewer-words/en';
import { grouped } from './words';

class Speech {
  language = $state('en');
  words = $state.raw<ViewerWords>(en);
  catalog = $state.raw<Catalog>(catalog);

  change(language: string, words: ViewerWords, catalog: Catalog): void {
    this.language = language;
    this.words = words;
    this.catalog = catalog;
  }

  /** "1 turn", "12 turns". */
  count(forms: Forms, number: number): string {
    return fill(form(this.language, forms, number), { n: grouped(number) });
  }

  /** "1st", "2nd", "11th". */
  place(place: number): string {
    return fill(form(this.language, this.words.place, place, 'ordinal'), { n: place });
  }

  /** What there is to tell in a match of this game. */
  say(game: string, message: Message): string {
    return this.catalog.say(game, message);
  }

  /** For the viewer of a game: its own words in the language of the page. */
  of(game: string): Say {
    return (code, values) => this.catalog.page(game, code, values);
  }

  /** A mark on the time line, of somebody of this name. */
  mark(game: string, name: string, { kind, counter, what }: Mark): string {
    const told = what === null ? '' : this.say(game, what);
    if (kind === 'capture') return `${name} ${this.catalog.gain(game, counter ?? '')}`;
    if (kind !== 'out') return `${name}: ${told}`;
    const out = fill(this.words.isOut, { name });
    return told ? `${out}: ${told}` : out;
  }

  /** A time as short as it is still telling: 0.4 ms, 17 ms, 1.25 s. */
  duration(millis: number): string {
    if (millis >= 1000) return fill(this.words.seconds, { n: (millis / 1000).toFixed(2) });
    return fill(this.words.millis, { n: millis < 10 ? millis.toFixed(1) : Math.round(millis) });
  }
}

export const speech = new Speech();
