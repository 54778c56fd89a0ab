/** What the tests of the site share: its languages, the games of its arenas, and what every page owes. */

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { gameThat } from './games';

export const LANGUAGES = { en: 'en-GB', ru: 'ru-RU', hu: 'hu-HU' } as const;

/** One that shows everything, one that hides things, and one whose matches can be made short. */
export const OPEN = gameThat(({ fog, idle }) => !fog && idle);
export const FOGGED = gameThat(({ fog }) => fog);
export const SHORT = gameThat(({ short }) => short);
/** As a list of an event's plan. */
export const listed = (names: string[]): string => names.map((name) => `"${name}"`).join(', ');

/** What every page owes to people who do not see it, cannot point at it, or have a small screen. */
export async function inspect(page: Page, language: string): Promise<void> {
  const faults = await page.evaluate(() => {
    const named = (element: Element): boolean => {
      const labels = (element as HTMLInputElement).labels ?? [];
      const by = element.getAttribute('aria-labelledby');
      const text = [
        element.getAttribute('aria-label'),
        by && document.getElementById(by)?.textContent,
        element.textContent,
        ...[...labels].map((label) => label.textContent),
      ];
      return text.some((part) => part?.trim());
    };
    const all = (what: string): Element[] => [...document.querySelectorAll(what)];
    const shown = (element: Element): boolean => !element.closest('[aria-hidden="true"]');
    const tell = (what: string) => (element: Element) => `${what}: ${element.outerHTML.slice(0, 120)}`;
    const ids = all('[id]').map(({ id }) => id);
    return [
      ...all('input, select, textarea, button, a[href]')
        .filter((element) => shown(element) && !named(element))
        .map(tell('no name')),
      ...all('img:not([alt])').map(tell('no alt')),
      ...all('svg:not([aria-hidden="true"], [role="img"])').map(tell('no role')),
      ...all('[role="img"]:not([aria-label])').map(tell('no label')),
      ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `twice: #${id}`),
      ...(all('h1').filter((heading) => heading.checkVisibility()).length === 1
        ? []
        : ['not one main heading']),
      ...(all('main').length === 1 ? [] : ['no main part']),
      ...(document.title.trim() ? [] : ['no title']),
    ];
  });
  expect(faults).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}
