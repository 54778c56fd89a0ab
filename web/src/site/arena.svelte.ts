/** The event, and what changes in it all the time: one stream for the whole tab. */

import { RETRY_MILLIS } from '../client';
import { Live } from '../live';
import type { EventView, LiveView } from './api';
import { getEvent } from './client';
import { clock } from './clock.svelte';
import { language } from './language.svelte';
import { eventIn, roundIn } from './texts';
import { notifier } from './notifier.svelte';

/** Lists are brought up to date at most this often, however many matches end. */
const PULSE_MILLIS = 4000;

class Arena {
  #event = $state.raw<EventView | null>(null);
  readonly event = $derived(this.#event && eventIn(language.code, this.#event));
  live = $state.raw<LiveView | null>(null);
  /** Why the event cannot be shown. */
  trouble = $state.raw<unknown>(null);
  /** Whether the stream is broken; the page shows what it has. */
  lost = $state(false);
  /** Grows when results have come in, or the connection is back: what lists show may have changed. */
  pulse = $state(0);

  readonly me = $derived(this.event?.me ?? null);
  readonly state = $derived(this.live?.state ?? this.event?.state ?? 'open');
  readonly rounds = $derived(
    (this.live?.rounds ?? this.#event?.rounds ?? []).map((round) => roundIn(language.code, round)),
  );
  readonly online = $derived(this.live?.online ?? this.event?.online ?? 0);

  #stream: Live<LiveView> | null = null;
  #newest = 0;
  #beat: ReturnType<typeof setTimeout> | undefined;

  /** Resolves when the event is known, or why it is not. */
  start(): Promise<void> {
    this.#stream = new Live<LiveView>('/api/stream', {
      heard: (view) => this.#heard(view),
      lost: (lost) => this.#setLost(lost),
      // Whoever wants to be notified has the page somewhere behind others.
      rests: () => !notifier.on,
    });
    return this.reload();
  }

  /** Asks anew for what does not come with the stream: who is signed in, the games, announcements. */
  async reload(): Promise<void> {
    const [known, before] = [this.event !== null, this.me?.id];
    try {
      const event = await getEvent();
      this.#event = event;
      // What came before it was known whose page this is was not compared with anything.
      if (!known && this.live) notifier.heard(this.live, this.me);
      // What the stream tells depends on who asks.
      if (known && before !== this.me?.id) this.#stream?.restart();
      this.trouble = null;
      clock.set(event.now);
    } catch (error) {
      this.trouble = error;
      setTimeout(() => void this.reload(), RETRY_MILLIS);
    }
  }

  title(game: string): string {
    return this.event?.games.find(({ id }) => id === game)?.title ?? game;
  }

  #heard(view: LiveView): void {
    this.live = view;
    notifier.heard(view, this.me);
    clock.set(view.now);
    const newest = Math.max(0, ...view.latest.map(({ id }) => id));
    if (newest > this.#newest) this.#stir();
    this.#newest = newest;
    const known = this.event?.announcements[0]?.id ?? null;
    if (this.event && view.announcement !== known) void this.reload();
  }

  #stir(): void {
    if (this.#beat !== undefined) return;
    this.#beat = setTimeout(() => {
      this.#beat = undefined;
      this.pulse++;
    }, PULSE_MILLIS);
  }

  #setLost(lost: boolean): void {
    if (this.lost && !lost) {
      void this.reload();
      this.pulse++;
    }
    this.lost = lost;
  }
}

export const arena = new Arena();
