/** Keeps the screen from going dark while a page is shown, where the browser allows it. */

export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let ended = false;

  async function ask(): Promise<void> {
    if (document.hidden || ended) return;
    // Only pages that came over a safe connection are granted this; a projector's computer has settings, too.
    lock = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null;
    if (ended) void lock?.release();
  }

  // A page that was hidden has lost the lock.
  const looked = (): void => void ask();
  document.addEventListener('visibilitychange', looked);
  void ask();
  return () => {
    ended = true;
    document.removeEventListener('visibilitychange', looked);
    void lock?.release();
  };
}
