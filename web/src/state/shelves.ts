/** What has been loaded through the last few pairs of eyes, so that switching between them is immediate. */
export class Shelves<T extends { close(): void }> {
  #kept = new Map<number | null, T>();

  constructor(private readonly limit: number) {}

  of(eye: number | null, make: () => T): T {
    const known = this.#kept.get(eye);
    if (known) return known;
    for (const [old, shelf] of this.#kept) {
      if (this.#kept.size < this.limit) break;
      shelf.close();
      this.#kept.delete(old);
    }
    const made = make();
    this.#kept.set(eye, made);
    return made;
  }

  close(): void {
    for (const shelf of this.#kept.values()) shelf.close();
  }
}
