/**
 * Applies a change as the server writes them (docs/viewer.md). Nothing is changed in place, and what stays the same is
 * shared with the old value, so that two moments can be compared part by part with `===`.
 */
export function patch(old: unknown, change: unknown): unknown {
  if (change === null || typeof change !== 'object') return change;
  if (Array.isArray(change)) return change[0];
  const places = (change as Record<string, unknown>)['@'];
  return Array.isArray(places) ? patchArray(old, places) : patchObject(old, change);
}

function patchArray(old: unknown, places: unknown[]): unknown[] {
  const next = (old as unknown[]).slice();
  for (let i = 0; i + 1 < places.length; i += 2) {
    const at = places[i] as number;
    next[at] = patch(next[at], places[i + 1]);
  }
  return next;
}

function patchObject(old: unknown, change: object): Record<string, unknown> {
  const next = { ...(old as Record<string, unknown>) };
  for (const [key, part] of Object.entries(change)) {
    if (Array.isArray(part) && part.length === 0) Reflect.deleteProperty(next, key);
    else next[key] = patch(next[key], part);
  }
  return next;
}
