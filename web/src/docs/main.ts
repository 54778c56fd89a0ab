/** What the documentation's pages do besides being read: colours, search, copying, and requests to an arena. */

import '../app.css';
import './docs.css';
import { applyTheme } from '../apply-theme';
import { inDocumentation, isCode, remember } from '../languages';
import { theme } from '../kit/palette';
import { load, save } from '../state/prefs';
import { storage } from '../storage';
import { Search, type Found } from './search';
import { arenaIsHere, offer } from './try';
import { WORDS } from './words';

const code = isCode(document.documentElement.lang) ? document.documentElement.lang : 'en';
const root = document.documentElement.dataset.root ?? '';
const words = WORDS[code];
const byId = (id: string): HTMLElement | null => document.getElementById(id);

// Colours: as chosen here or in the viewer, else the system's.
const system = matchMedia('(prefers-color-scheme: dark)');
const dark = (): boolean => (load(storage).theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
const paint = (): void => {
  applyTheme(theme(dark()));
  document.documentElement.classList.toggle('light', !dark());
};
paint();
system.addEventListener('change', paint);
byId('theme')?.addEventListener('click', () => {
  save(storage, { ...load(storage), theme: dark() ? 'light' : 'dark' });
  paint();
});

// Who chooses a language here speaks it in the viewer, too.
for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a')) {
  link.addEventListener('click', () => {
    if (isCode(link.lang)) remember(link.lang);
    link.hash = location.hash;
  });
}

for (const block of document.querySelectorAll('pre')) {
  if (block.closest('form')) continue;
  const button = document.createElement('button');
  button.className = 'button copy';
  button.textContent = words.copy;
  button.addEventListener('click', () => {
    void navigator.clipboard?.writeText(commands(block.textContent ?? '')).then(() => {
      button.textContent = words.copied;
    });
  });
  const around = document.createElement('div');
  around.className = 'code';
  block.replaceWith(around);
  around.append(block, button);
}

/** Of a session only what was typed. */
function commands(text: string): string {
  const typed = text.split('\n').filter((line) => line.startsWith('$ '));
  return typed.length ? typed.map((line) => line.slice(2)).join('\n') : text;
}

const input = byId('search') as HTMLInputElement | null;
const list = byId('found');
let search: Promise<Search> | undefined;

const read = async (path: string): Promise<Found[]> => (await fetch(path)).json() as Promise<Found[]>;

async function open(): Promise<Search> {
  const own = read(root + inDocumentation(code, 'search.json'));
  const english = code === 'en' ? Promise.resolve([]) : read(`${root}search.json`);
  return new Search(await own, await english);
}

async function look(): Promise<void> {
  if (!input || !list) return;
  const asked = input.value.trim();
  list.hidden = asked === '';
  if (asked === '') return;
  const hits = (await (search ??= open())).find(asked);
  // Whoever types on does not see what came for fewer letters.
  if (asked !== input.value.trim()) return;
  list.replaceChildren(
    ...hits.map(({ href, page, title, excerpt }) => {
      const link = document.createElement('a');
      link.href = root + inDocumentation(code, href);
      const parts = [page === title ? '' : page, title, excerpt].map((text, at) => {
        const part = document.createElement(at === 1 ? 'strong' : 'span');
        part.textContent = text;
        return part;
      });
      link.append(...parts.filter(({ textContent }) => textContent));
      return link;
    }),
  );
  if (hits.length === 0) list.textContent = input.dataset.nothing ?? '';
}

input?.addEventListener('focus', () => void (search ??= open()));
input?.addEventListener('input', () => void look());
document.addEventListener('click', ({ target }) => {
  if (list && target instanceof Node && !list.contains(target) && target !== input) list.hidden = true;
});
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.matches('input, textarea');
  if (event.key === '/' && !typing) {
    event.preventDefault();
    input?.focus();
  } else if (event.key === 'Escape' && list) {
    list.hidden = true;
  } else if (list && !list.hidden && ['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) {
    const links = [...list.querySelectorAll('a')];
    const at = links.findIndex((link) => link === document.activeElement);
    if (event.key === 'Enter' && at < 0 && event.target === input) links[0]?.click();
    if (event.key === 'Enter') return;
    event.preventDefault();
    const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
    if (next < 0) input?.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  }
});

// A link to one address opens it.
function openAsked(): void {
  const asked = byId(decodeURIComponent(location.hash.slice(1)));
  if (asked instanceof HTMLDetailsElement) {
    asked.open = true;
    asked.scrollIntoView();
  }
}
openAsked();
addEventListener('hashchange', openAsked);

const operations = [...document.querySelectorAll<HTMLElement>('.operation')];
if (operations.length) {
  void arenaIsHere().then((here) => {
    const key = byId('key') as HTMLInputElement | null;
    document.querySelector<HTMLElement>('.try-key')?.toggleAttribute('hidden', !here);
    document.querySelector<HTMLElement>('.try-not')?.toggleAttribute('hidden', here);
    if (here)
      for (const operation of operations) offer(operation, () => key?.value.trim() ?? '', words.failed);
  });
}
