/** What a viewer says to people. */

/**
 * Something in the language of the page, by its code under "page" in the game's files of words, or in those of this kit.
 * Values go into its gaps.
 */
export type Say = (code: string, values?: Record<string, string | number>) => string;
