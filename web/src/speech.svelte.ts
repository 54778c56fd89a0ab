/** The language in which the viewer speaks: English, unless the page around it has another. */

import { fill, form, translate, type Forms } from './phrases';
import { english, type ViewerWords } from './viewer-words';
import { grouped } from './words';

class Speech {
  language = $state('en');
  words = $state.raw<ViewerWords>(english);

  change(language: string, words: ViewerWords): void {
    this.language = language;
    this.words = words;
  }

  /** "1 turn", "12 turns". */
  count(forms: Forms, number: number): string {
    return fill(form(this.language, forms, number), { n: grouped(number) });
  }

  /** "1st", "2nd", "11th". */
  place(place: number): string {
    return fill(form(this.language, this.words.place, place, 'ordinal'), { n: place });
  }

  /** What the server calls something. */
  term(text: string): string {
    return translate(this.words.terms, text);
  }

  /** What the server remarks of somebody: "NAME takes a city", "NAME is out: why", "NAME: what". */
  remark(name: string, text: string): string {
    const rest = text.startsWith(name) ? text.slice(name.length) : '';
    const [, gap = '', out = '', what = ''] = /^(:? )(is out(?:: )?)?(.*)$/s.exec(rest) ?? [];
    if (!gap) return text;
    if (!out) return `${name}${gap}${this.term(what)}`;
    const said = fill(this.words.isOut, { name });
    return what ? `${said}: ${this.term(what)}` : said;
  }

  /** A time as short as it is still telling: 0.4 ms, 17 ms, 1.25 s. */
  duration(millis: number): string {
    if (millis >= 1000) return fill(this.words.seconds, { n: (millis / 1000).toFixed(2) });
    return fill(this.words.millis, { n: millis < 10 ? millis.toFixed(1) : Math.round(millis) });
  }
}

export const speech = new Speech();
