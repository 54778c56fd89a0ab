/** Numbers and names for people. */

/** "1 turn", "12 turns". */
export function count(number: number, word: string): string {
  return `${grouped(number)} ${word}${number === 1 ? '' : 's'}`;
}

/** Thousands apart by a thin space: 12 345. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** A time as short as it is still telling: 0.4 ms, 17 ms, 1.25 s. */
export function duration(millis: number): string {
  if (millis < 10) return `${millis.toFixed(1)} ms`;
  return millis < 1000 ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(2)} s`;
}

/** "1st", "2nd", "11th". */
export function ordinal(place: number): string {
  const teen = place % 100 >= 11 && place % 100 <= 13;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th');
  return `${place}${ending}`;
}

/** A counter, or a dash where these eyes cannot know it. */
export function counter(value: unknown): string {
  return typeof value === 'number' ? grouped(value) : '–';
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
