/** Numbers and times for people, as their language writes them. */

const made = new Map<string, unknown>();

/** Formatters are dear to make and are needed again and again. */
function kept<T>(key: string, make: () => T): T {
  const known = made.get(key);
  if (known !== undefined) return known as T;
  const fresh = make();
  made.set(key, fresh);
  return fresh;
}

/** 12 345 or 12,345; at most so many digits after the point. */
export function number(language: string, value: number, digits = 0): string {
  const key = `number ${language} ${digits}`;
  return kept(key, () => new Intl.NumberFormat(language, { maximumFractionDigits: digits })).format(value);
}

/** +12.4, −3.0, 0.0: how far something moved. */
export function change(language: string, value: number): string {
  const key = `change ${language}`;
  const options: Intl.NumberFormatOptions = {
    signDisplay: 'exceptZero',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  };
  return kept(key, () => new Intl.NumberFormat(language, options)).format(value);
}

/** Days are as long as they are: people of all three languages count to 24. */
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

export function clock(language: string, at: number, zone?: string): string {
  return date(language, at, CLOCK, zone);
}

/** "16:00" today, "15 Nov, 16:00" on any other day, and with the year of any other year. */
export function moment(language: string, at: number, now: number, zone?: string): string {
  const day: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };
  if (date(language, at, day, zone) === date(language, now, day, zone)) return clock(language, at, zone);
  const year: Intl.DateTimeFormatOptions = { year: 'numeric' };
  const same = date(language, at, year, zone) === date(language, now, year, zone);
  return date(language, at, { ...(same ? {} : year), month: 'short', day: 'numeric', ...CLOCK }, zone);
}

/** The day, for paper: "16 November 2026". */
export function day(language: string, at: number, zone?: string): string {
  return date(language, at, { dateStyle: 'long' }, zone);
}

/** The day and the time to the second. */
export function exact(language: string, at: number, zone?: string): string {
  return date(language, at, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' }, zone);
}

function date(language: string, at: number, options: Intl.DateTimeFormatOptions, zone?: string): string {
  const whole = zone ? { ...options, timeZone: zone } : options;
  const key = `date ${language} ${JSON.stringify(whole)}`;
  return kept(key, () => new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, whole)).format(at);
}

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** "3 minutes ago", "in 2 hours"; anything nearer than five seconds is now. */
export function relative(language: string, at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const [unit, length] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1];
  const count = Math.abs(seconds) < 5 ? 0 : Math.trunc(seconds / length);
  const key = `relative ${language}`;
  return kept(key, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' })).format(count, unit);
}

/** How long something took: 0.4 sec, 12.5 sec, 3 min 20 sec. */
export function span(language: string, millis: number): string {
  const seconds = millis / 1000;
  if (seconds < 60) return unit(language, seconds, 'second', 1);
  const whole = Math.round(seconds);
  return `${unit(language, Math.floor(whole / 60), 'minute')} ${unit(language, whole % 60, 'second')}`;
}

/** 812 byte, 14.2 kB, 23.5 MB: how large a file is. */
export function bytes(language: string, value: number): string {
  if (value < 1000) return unit(language, value, 'byte');
  if (value < 1_000_000) return unit(language, value / 1000, 'kilobyte', 1);
  return unit(language, value / 1_000_000, 'megabyte', 1);
}

function unit(language: string, value: number, name: string, digits = 0): string {
  const options: Intl.NumberFormatOptions = { style: 'unit', unit: name, maximumFractionDigits: digits };
  return kept(`unit ${language} ${name} ${digits}`, () => new Intl.NumberFormat(language, options)).format(
    value,
  );
}

/** What is left until something, as a clock shows it: whole days apart, then 1:02:03 or 02:03. */
export function countdown(millis: number): { days: number; clock: string } {
  const seconds = Math.max(0, Math.ceil(millis / 1000));
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3600) % 24, (seconds / 60) % 60].map(
    Math.floor,
  );
  const two = (part: number): string => String(part).padStart(2, '0');
  const tail = `${two(minutes ?? 0)}:${two(seconds % 60)}`;
  return { days: days ?? 0, clock: days || hours ? `${hours}:${tail}` : tail };
}
