/** What keys do on the page of a match. */

import type { Session } from './session.svelte';
import { settings } from './settings.svelte';
import { nextMark } from './state/marks';
import type { ViewerWords } from './viewer-words/en';

/** For the help page. */
export const SHORTCUTS: [keys: string[], what: keyof ViewerWords['keys']][] = [
  [['Space', 'P'], 'play'],
  [['A', 'D', '←', '→'], 'step'],
  [['Home', 'End'], 'ends'],
  [['[', ']'], 'marks'],
  [['+', '−'], 'speed'],
  [['F'], 'fog'],
  [['1', '…', '8'], 'eyes'],
  [['C'], 'patterns'],
  [['M'], 'movement'],
  [['T'], 'theme'],
  [['G'], 'charts'],
  [['I'], 'inspect'],
  [['L'], 'large'],
  [['?'], 'help'],
  [['Esc'], 'back'],
];

type Action = (session: Session, shift: boolean) => void;

const jump = (session: Session, direction: 1 | -1): void => {
  const turn = nextMark(session.overview?.marks ?? [], session.turn, direction);
  if (turn !== null) session.seek(turn);
};

const toggle: Action = (session) => session.toggle();
const back: Action = (session, shift) => session.step(shift ? -10 : -1);
const on: Action = (session, shift) => session.step(shift ? 10 : 1);
const faster: Action = () => settings.changeSpeed(1);
const slower: Action = () => settings.changeSpeed(-1);

const ACTIONS: Record<string, Action> = {
  ' ': toggle,
  p: toggle,
  a: back,
  arrowleft: back,
  d: on,
  arrowright: on,
  home: (session) => session.seek(0),
  end: (session) => session.seek(session.end),
  '[': (session) => jump(session, -1),
  ']': (session) => jump(session, 1),
  '+': faster,
  '=': faster,
  '-': slower,
  f: (session) => session.toggleFog(),
  0: (session) => session.look(null),
  c: () => settings.change({ patterns: !settings.patterns }),
  m: () => settings.change({ movement: !settings.movement }),
  t: () => settings.toggleTheme(),
  g: () => settings.change({ charts: !settings.charts }),
  i: (session) => {
    if (settings.projector) settings.setProjector(false);
    session.inspecting = !session.inspecting;
  },
  l: () => settings.setProjector(!settings.projector),
};

/** Does what a key means; false if it means nothing. */
export function press(session: Session, event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  if (/^[1-8]$/.test(key)) {
    session.look(Number(key));
    return true;
  }
  const action = ACTIONS[key];
  action?.(session, event.shiftKey);
  return action !== undefined;
}

/** Whether a key pressed there belongs to the control that has the focus. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  // An overlay has all keys, wherever the focus has got to.
  if (document.querySelector('dialog[open]')) return true;
  // A list keeps the keys that open it and move in it, but does not search for letters.
  if (target instanceof HTMLSelectElement) return /^( |Enter|ArrowUp|ArrowDown|Home|End)$/.test(event.key);
  if (target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLInputElement) return target.type !== 'range' && target.type !== 'checkbox';
  return target instanceof HTMLButtonElement && (event.key === ' ' || event.key === 'Enter');
}
