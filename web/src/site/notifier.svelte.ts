/** Tells the visitor when a round with a bot of theirs begins, and when a version of theirs is rejected. */

import { fill } from '../phrases';
import { storage } from '../storage';
import { format } from './address';
import type { LiveView, Me, RoundView, SettledVersion } from './api';
import { getEvent, getMyBots, getRound } from './client';
import { language } from './language.svelte';
import { router } from './router.svelte';

const KEY = 'palestra-notify';

export interface Note {
  /** The same for the same thing, in every tab. */
  tag: string;
  title: string;
  text: string;
  href: string;
}

/** Without https most browsers refuse without asking. */
const able = (): boolean => 'Notification' in globalThis && isSecureContext;

class Notifier {
  /** What the page itself shows, the newest first. */
  notes = $state.raw<Note[]>([]);
  permission = $state<NotificationPermission | 'unable'>(able() ? Notification.permission : 'unable');
  #wanted = $state(storage.getItem(KEY) === 'on');
  readonly on = $derived(this.#wanted && this.permission === 'granted');

  /** What was known before; nothing until the first news for this visitor. */
  #before: { me: number; begun: Set<number>; settled: Set<number> } | null = null;

  /** On a click only: browsers refuse whoever asks unasked. */
  async turnOn(): Promise<void> {
    this.permission = await Notification.requestPermission();
    this.#want(this.permission === 'granted');
  }

  turnOff(): void {
    this.#want(false);
  }

  dismiss(tag: string): void {
    this.notes = this.notes.filter((note) => note.tag !== tag);
  }

  heard(view: LiveView, me: Me | null): void {
    if (!me) {
      this.#before = null;
      return;
    }
    const begun = view.rounds.filter(({ state }) => state === 'running');
    const before = this.#before?.me === me.id ? this.#before : null;
    this.#before = {
      me: me.id,
      begun: new Set([...(before?.begun ?? []), ...begun.map(({ id }) => id)]),
      settled: new Set(view.settled.map(({ id }) => id)),
    };
    if (!before) return;
    for (const round of begun) if (!before.begun.has(round.id)) void this.#begins(round);
    for (const version of view.settled) {
      if (version.state === 'rejected' && !before.settled.has(version.id)) void this.#rejected(version);
    }
  }

  #want(wanted: boolean): void {
    this.#wanted = wanted;
    storage.setItem(KEY, wanted ? 'on' : 'off');
  }

  async #begins(round: RoundView): Promise<void> {
    try {
      const [{ players }, bots] = await Promise.all([getRound(round.id), getMyBots()]);
      if (!players.some(({ bot }) => bots.some(({ id }) => id === bot))) return;
    } catch {
      return;
    }
    const words = language.words.authors.notify;
    this.#tell({
      tag: `round-${round.id}`,
      title: fill(words.round, { round: round.name }),
      text: words.roundText,
      href: format({ page: 'round', id: round.id, stage: null }),
    });
  }

  async #rejected({ id, number, game }: SettledVersion): Promise<void> {
    // Whoever looks on while it is tried sees it anyway.
    if (!document.hidden && ['submit', 'edit'].includes(router.place.page)) return;
    const title = (await getEvent().catch(() => null))?.games.find((one) => one.id === game)?.title ?? game;
    const words = language.words.authors.notify;
    this.#tell({
      tag: `version-${id}`,
      title: fill(words.rejected, { game: title, n: number }),
      text: words.rejectedText,
      href: format({ page: 'submit', game }),
    });
  }

  #tell(note: Note): void {
    this.notes = [note, ...this.notes.filter(({ tag }) => tag !== note.tag)];
    if (!this.on) return;
    try {
      const { tag, title, text: body } = note;
      const shown = new Notification(title, { body, tag, lang: language.code, icon: '/favicon.svg' });
      shown.onclick = () => {
        window.focus();
        router.go(note.href);
        shown.close();
      };
    } catch {
      // Some browsers, on phones, leave this to service workers; the page tells it all the same.
    }
  }
}

export const notifier = new Notifier();
