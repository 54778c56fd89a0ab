/** Gives the page the colours of a theme. */

import type { Theme } from 'palestra/contract';
import { inkOn } from 'palestra/palette';

export function applyTheme({ dark, page, ground, line, text, faint, accent, neutral }: Theme): void {
  const root = document.documentElement;
  root.classList.toggle('dark', dark);
  root.style.colorScheme = dark ? 'dark' : 'light';
  const colours = { page, ground, line, text, faint, accent, neutral, 'on-accent': inkOn(accent) };
  for (const [name, colour] of Object.entries(colours)) root.style.setProperty(`--${name}`, colour);
}
