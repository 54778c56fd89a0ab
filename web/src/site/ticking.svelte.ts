/** For components: a number that grows every other second, as long as there is something to wait for. */

const MILLIS = 2000;

export class Ticking {
  ticks = $state(0);
  waits = $state(false);

  constructor() {
    $effect(() => {
      if (!this.waits) return;
      const timer = setInterval(() => this.ticks++, MILLIS);
      return () => clearInterval(timer);
    });
  }
}
