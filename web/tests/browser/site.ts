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

/** Asks something of the site as its pages do, in this browser; says the status of the answer. */
export function post(page: Page, path: string, body: unknown): Promise<number> {
  return page.evaluate(
    async ([path, body]) => {
      const headers = { 'content-type': 'application/json', 'x-palestra': '1' };
      return (await fetch(path as string, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    },
    [path, body],
  );
}

/** What the site answers in this browser. */
export const read = <T>(page: Page, path: string): Promise<T> =>
  page.evaluate(async (path) => (await fetch(path)).json() as Promise<T>, path);

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

/** Texts that too little sets off from what is behind them, as WCAG counts it. */
export function pale(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (!pen) throw new Error('this browser does not draw');
    /** Colours laid over each other, the last on top. */
    const blend = (colours: string[]): number[] => {
      pen.clearRect(0, 0, 1, 1);
      for (const colour of colours) {
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
      }
      return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const light = (rgb: number[]): number => {
      const [r = 0, g = 0, b = 0] = rgb.map((value) => {
        const share = value / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      const told = text.map((node) => node.textContent?.trim() ?? '').join('');
      if (!told || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest('svg, option, [disabled], .hidden')) continue;
      const behind: string[] = [];
      for (let at: HTMLElement | null = element; at; at = at.parentElement)
        behind.unshift(getComputedStyle(at).backgroundColor);
      const style = getComputedStyle(element);
      const [ground, ink] = [light(blend(behind)), light(blend([...behind, style.color]))];
      const ratio = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5) - 0.01)
        found.push(`${ratio.toFixed(2)}: ${element.className || element.tagName} "${told.slice(0, 40)}"`);
    }
    return found;
  });
}
