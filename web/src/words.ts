/** Numbers and names for people. */

/** Thousands apart by a thin space: 12 345. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** A counter, or a dash where these eyes cannot know it. */
export function counter(value: unknown): string {
  return typeof value === 'number' ? grouped(value) : '–';
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
