/** Which page is shown, by the address in the browser. */

/** Addresses of this server that are no pages. */
const NOT_PAGES = /^\/(api|kits|assets|docs)\/|^\/(metrics|health|report\.html)$/;

const here = (): URL => new URL(location.href);

export class Router<Place> {
  place = $state.raw() as Place;
  /** Grows when somebody goes to another page, so that a page shown again begins anew. */
  visit = $state(0);

  constructor(
    private readonly parse: (url: URL) => Place,
    private readonly format: (place: Place) => string,
  ) {
    this.place = parse(here());
    addEventListener('popstate', () => this.#show());
  }

  go(place: Place | string): void {
    history.pushState(null, '', this.#address(place));
    this.#show();
    scrollTo(0, 0);
  }

  /** Goes on without leaving a trace of this page in the history. */
  replace(place: Place | string): void {
    history.replaceState(null, '', this.#address(place));
    this.#show();
  }

  /** Shows another part of the same page. */
  turn(place: Place): void {
    note(this.format(place));
    this.place = place;
  }

  /** For clicks anywhere: a plain one on a link to a page stays here, every other one is the browser's. */
  readonly follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    // A link to a place within the page, such as the way past the navigation.
    if (link.hash && link.pathname === location.pathname) return;
    if (NOT_PAGES.test(link.pathname)) return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  };

  #address(place: Place | string): string {
    return typeof place === 'string' ? place : this.format(place);
  }

  #show(): void {
    this.place = this.parse(here());
    this.visit++;
  }
}

/** Writes what is shown of the same page into the address, without showing anything else. */
export function note(address: string): void {
  history.replaceState(history.state, '', address);
}
