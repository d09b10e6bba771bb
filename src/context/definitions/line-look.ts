/** A language whose lines are read each by itself. */
export interface LineLanguage {
  readonly look: LineLook;
  /** The only group of each is the name; the first one that fits tells. */
  readonly patterns: readonly RegExp[];
}

/**
 * What the lines have in common that may define something in one language: whatever its patterns
 * fit has this look, and few other lines do. It is cheap to see in bytes, before a pattern is tried.
 * Words are those of letters, digits, `_` and `$`, several with a space between.
 */
export interface LineLook {
  /** One of these words stands at the start, or after words of `leading`. */
  readonly heads?: string;
  /** As `heads`, but at the start only where the line is not indented. */
  readonly outermost?: string;
  /** The words before those, and before anything that is no word. */
  readonly leading?: string;
  /** With these at the start the line has no look at all. */
  readonly never?: string;
  /** Or else it is a line of such a shape; at most seven. */
  readonly shapes?: readonly LineShape[];
}

export interface LineShape {
  /** What it may start with after spaces, as the ranges of a class in a pattern, e.g. `A-Z_`. */
  readonly first: string;
  readonly where?: 'indented' | 'outermost';
  /** One of these stands last before spaces. */
  readonly last?: string;
  /** Such a character stands in it. */
  readonly has?: string;
  /** No such character stands in it. */
  readonly lacks?: string;
  /** What stands before the first `(` has a space between. */
  readonly isCalled?: boolean;
  /** The line before it is wanted too. */
  readonly isUnder?: boolean;
}
