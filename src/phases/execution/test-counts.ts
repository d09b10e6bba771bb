// Counts the tests that a command ran, as far as its test runner tells.

/** What a run told of its tests. All of it is data for a check record. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Tests that were skipped, to be written, or expected to fail. */
  readonly skipped: number;
  /**
   * The names of passed tests without their file, each as often as it passed; parts are separated by ` > `.
   * Null where a runner tells no names, or too many.
   */
  readonly names: readonly string[] | null;
  /** The runner that was seen to begin and did not tell how it ended; null if there is none. */
  readonly cut: string | null;
}

export interface TestReader {
  /** Reads the next line of the output, of either stream. */
  read(line: string): void;
  /** The counts once the command has ended; null if tests were not counted. */
  end(): Promise<TestCounts | null>;
}

/**
 * The variables that ask runners for reports, in addition to those that a check gets anyway. `folder` is an
 * empty folder for the reports, in the TMPDIR of the check and outside of its work tree; use a new one for
 * each run.
 */
export declare function countingVariables(
  folder: string,
  given: Readonly<Record<string, string>>,
): Record<string, string>;

/** Reads the output of a command that got the counting variables for the same folder. */
export declare function readTests(argv: readonly string[], folder: string): TestReader;

/**
 * True if the command failed because it cannot be asked for a report, so that it has to run again without the
 * counting variables (with a reader all the same).
 */
export declare function refusesReport(exitCode: number | null, output: string): boolean;

/**
 * Explains as a clause why a run that ended with 0 is no pass ("no test ran", "every test was skipped", "node
 * began and did not say how it ended", "no test named “x” passed"); null if it is one, also where tests were
 * not counted. `name` is that of a check of kind `test`.
 */
export declare function whyNoPass(counts: TestCounts | null, name?: string): string | null;

/**
 * The names that passed before and do not pass now, without those that the task removes; where no names are
 * told, a sentence of numbers ("3 tests passed before, now 2"). Null if nothing is gone.
 */
export declare function whatIsGone(
  before: TestCounts,
  after: TestCounts,
  removes: readonly string[],
): string | null;
