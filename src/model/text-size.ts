// Limits the task text, and estimates the tokens of a text.

/** The longest task text, in bytes. */
export const longestTask = 256 * 1024;

/**
 * The bytes of code with line numbers that one token takes. Measured with the tokenizers o200k and
 * cl100k on eight repositories in eight languages: 3.2 to 3.9 for each, so that this counts too
 * many tokens rather than too few.
 */
const bytesPerToken = 3.2;

/** About how many tokens a model counts for text of so many bytes: an estimate, no count. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/** The most bytes whose estimate is within a number of tokens. */
export function bytesWithin(tokens: number): number {
  return Math.floor(tokens * bytesPerToken);
}
