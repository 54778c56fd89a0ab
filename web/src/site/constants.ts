// Generated from the Rust types by `make golden`; do not edit.

/** Bytes of a player's name. */
export const NAME_BYTES = 28;

/** Bytes of a password, at least */
export const SHORTEST_PASSWORD = 6;

/** and at most. */
export const LONGEST_PASSWORD = 200;

/** Bytes of what a key is for. */
export const LABEL_BYTES = 100;

/** Bytes of an announcement, or of a reason. */
export const TEXT_BYTES = 2000;

/** Matches of one challenge. */
export const MOST_MATCHES = 20;

/** Bytes of an author's note on a version. */
export const NOTE_BYTES = 500;

/** Bytes of a source that is tried. */
export const TRIAL_BYTES = 262144;

/** Players that somebody follows. */
export const FOLLOWS = 100;
