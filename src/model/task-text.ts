/** The longest task text, in bytes. */
export const longestTask = 256 * 1024;
