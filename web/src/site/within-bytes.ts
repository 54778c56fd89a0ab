/** Fields take as many bytes as the server does. */

import { fill } from '../phrases';
import { language } from './language.svelte';

const bytes = new TextEncoder();

/** A browser counts letters; this says before the form is sent that a text has too many bytes. */
export function withinBytes(most: number): (field: HTMLInputElement | HTMLTextAreaElement) => () => void {
  return (field) => {
    const check = (): void => {
      const long = bytes.encode(field.value).length > most;
      field.setCustomValidity(long ? fill(language.words.trouble.tooLong, { n: most }) : '');
    };
    field.maxLength = most;
    field.addEventListener('input', check);
    return () => field.removeEventListener('input', check);
  };
}
