/** The languages there are, and which of them somebody wants. */

import { storage } from './storage';

/** By code, as their own people call them. */
export const LANGUAGES = { en: 'English', ru: 'Русский', hu: 'Magyar' } as const;
export type Code = keyof typeof LANGUAGES;

const KEY = 'palestra-language';

export const isCode = (text: string | null | undefined): text is Code =>
  Object.keys(LANGUAGES).includes(text ?? '');

/** The first language that there is of those that somebody reads. */
export function bestOf(wanted: readonly string[]): Code {
  for (const tag of wanted) {
    const code = tag.toLowerCase().split('-')[0];
    if (isCode(code)) return code;
  }
  return 'en';
}

/** The address may ask for a language, for a projector or for a link; then comes what was chosen before. */
export function wanted(): Code {
  const asked = new URL(location.href).searchParams.get('lang');
  const kept = storage.getItem(KEY);
  return [asked, kept].find(isCode) ?? bestOf(navigator.languages);
}

export function remember(code: Code): void {
  storage.setItem(KEY, code);
}

/** A page of the documentation in a language, from its folder. */
export const inDocumentation = (code: Code, page = ''): string => `${code === 'en' ? '' : `${code}/`}${page}`;

/** Where the program itself shows it. */
export const documentation = (code: Code, page = ''): string => `/docs/${inDocumentation(code, page)}`;
