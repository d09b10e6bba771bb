// Lists the kinds of files that a test runner or a builder loads by their name, and those that hold tests.

/** True for a test or for a file of a folder of tests: helpers, fixtures, expected results. */
export declare function isTestFile(path: string): boolean;

/**
 * Names the kind of a file that a runner or builder loads by its name, e.g. "settings of a test runner"; null
 * for any other file, and for a test. The text tells a Go `TestMain`; null where it is not known.
 */
export declare function loadedByName(path: string, text: string | null): string | null;
