/** What the browser keeps of a page. Where it keeps nothing, as for a report that came from a server, nothing is found. */

function kept(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

export const storage: Pick<Storage, 'getItem' | 'setItem'> = {
  getItem: (key) => kept()?.getItem(key) ?? null,
  setItem: (key, value) => {
    try {
      kept()?.setItem(key, value);
    } catch {
      // A full store costs the memory of a preference, nothing else.
    }
  },
};
