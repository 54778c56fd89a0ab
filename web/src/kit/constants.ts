// Generated from the Rust types by `make golden`; do not edit.

/** Moments in one chunk. */
export const CHUNK_MOMENTS = 128;

/** The longest stride between two moments of a chunk. */
export const LONGEST_STRIDE = 4096;

/** Pictures of a film. */
export const FILM_PICTURES = 500;

/** The colours of seats, in order. */
export const SEAT_COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#f0e442',
  '#8f6bc4',
  '#00406b',
  '#8a3d00',
  '#005c43',
  '#8c3f69',
  '#b5d99c',
  '#a8d8f5',
  '#f7b89a',
  '#6e6e6e',
] as const;
