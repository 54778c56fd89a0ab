/** Which page is shown. */

import { format, parse, type Place } from './state/address';

class Router {
  place = $state.raw<Place>(parse(new URL(location.href)));
  /** Whether the page was opened just here, and not reached from another of its pages. */
  arrival = $state(true);

  constructor() {
    addEventListener('popstate', () => {
      this.arrival = false;
      this.place = parse(new URL(location.href));
    });
  }

  go(place: Place): void {
    history.pushState(null, '', format(place));
    this.arrival = false;
    this.place = place;
    scrollTo(0, 0);
  }

  /** Goes on without leaving a trace of this page in the history. */
  replace(place: Place): void {
    history.replaceState(null, '', format(place));
    this.place = place;
  }

  /** Writes what is shown of the same page into the address. */
  note(place: Place): void {
    history.replaceState(history.state, '', format(place));
  }
}

export const router = new Router();

/** For links: a plain click stays on the page, every other one is the browser's. */
export function follow(place: Place): (event: MouseEvent) => void {
  return (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.go(place);
  };
}
