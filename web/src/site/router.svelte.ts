/** Which page of the site is shown. */

import { format, parse, type Place } from './address';

/** Addresses of this server that are no pages of the site. */
const NOT_PAGES = /^\/(api|kits|assets)\/|^\/(metrics|health)$/;

class Router {
  place = $state.raw<Place>(parse(new URL(location.href)));
  /** Grows when somebody goes to another page, so that a page shown again begins anew. */
  visit = $state(0);

  constructor() {
    addEventListener('popstate', () => this.#show());
  }

  go(place: Place | string): void {
    history.pushState(null, '', typeof place === 'string' ? place : format(place));
    this.#show();
    scrollTo(0, 0);
  }

  /** Goes on without leaving a trace of this page in the history. */
  replace(place: Place | string): void {
    history.replaceState(null, '', typeof place === 'string' ? place : format(place));
    this.#show();
  }

  /** Shows another part of the same page. */
  turn(place: Place): void {
    history.replaceState(history.state, '', format(place));
    this.place = place;
  }

  /** Writes what is shown of the same page into the address, without showing anything else. */
  note(place: Place): void {
    history.replaceState(history.state, '', format(place));
  }

  #show(): void {
    this.place = parse(new URL(location.href));
    this.visit++;
  }
}

export const router = new Router();

/** For clicks anywhere: a plain one on a link to a page of the site stays here, every other one is the browser's. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  // A link to a place within the page, such as the way past the navigation.
  if (link.hash && link.pathname === location.pathname) return;
  if (NOT_PAGES.test(link.pathname)) return;
  event.preventDefault();
  router.go(link.pathname + link.search);
}
