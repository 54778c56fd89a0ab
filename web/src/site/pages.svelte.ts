/** A list that is read page by page. Its first page is asked for again and again, and grows at the top; the others stay. */

export class Pages<T> {
  /** What was asked for beyond the first page. */
  older = $state.raw<T[]>([]);
  /** Where it goes on; undefined until somebody goes beyond the first page. */
  #next = $state.raw<number | null | undefined>(undefined);

  /** It is another list now. */
  restart(): void {
    this.older = [];
    this.#next = undefined;
  }

  /** Where it goes on; null at its end. */
  onward(first: { older: number | null } | null): number | null {
    return this.#next === undefined ? (first?.older ?? null) : this.#next;
  }

  /** What is shown below the first page from now on, and where it goes on then. */
  add(older: T[], next: number | null): void {
    this.older = older;
    this.#next = next;
  }
}
