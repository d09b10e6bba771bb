// Tells by the output of a test runner whether a test ran at all, and one of a name.

/** vitest and jest, which fail then unless they are told not to. */
const refused = /^No tests? (?:files )?found\b/m;

/** A runner says by one of these that it ran no test; some of them end well then. */
const noneSaid = [
  // node --test, in its own words and as TAP
  /^(?:ℹ|#) tests 0$/m,
  // pytest
  /^(?:=+ )?no tests (?:ran|collected)\b/m,
  // go test, where no package ran any
  /^(?:testing: warning: no tests to run|ok\s.*\[no tests to run\])$/m,
  refused,
  // mocha
  /^\s+0 passing\b/m,
  // cargo test
  /^running 0 tests$/m,
];

/** Some test ran all the same: a command may start a runner more than once. */
const someSaid = [
  /^(?:ℹ|#) tests [1-9]/m,
  /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests)/m,
  /^\s+[1-9]\d* passing\b/m,
  /^running [1-9]\d* tests?$/m,
  /\b[1-9]\d* passed\b/,
];

/** The exit code of pytest where it found no test. */
const noneCollected = 5;

/** True where a runner that did not fail otherwise says that it ran no test. */
export function ranNoTest(
  { exitCode, argv }: { readonly exitCode: number | null; readonly argv: readonly string[] },
  output: string,
): boolean {
  if (exitCode === 0 && argv.some((word) => byName.test(word)) && ranOnlyFiles(output)) return true;
  const says = (words: readonly RegExp[]) => words.some((word) => word.test(output));
  if (exitCode !== 0 && exitCode !== noneCollected) return exitCode === 1 && says([refused]);
  return says(noneSaid) && !says(someSaid);
}

const byName = /^--test-name-pattern(?:=|$)/;

/** node --test counts a file as one test where none of its tests has the name that was asked for. */
function ranOnlyFiles(output: string): boolean {
  const tests = Number(/^(?:ℹ|#) tests (\d+)$/m.exec(output)?.[1]);
  const files = output.match(/^(?:✔|ok \d+ -) .*\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$/gm) ?? [];
  return files.length === tests;
}

/** A whole report of node --test, which names each test; others name only those that fail. */
const namesAll = /^(?:ℹ|#) tests \d+$/m;

/** True where a runner that names its tests does not name this one; parts may stand apart by ` > `. */
export function ranNoTestNamed(name: string, output: string): boolean {
  if (!namesAll.test(output)) return false;
  const folded = fold(output);
  return !name.split(' > ').every((part) => folded.includes(fold(part)));
}

// TAP escapes a few characters by a backslash.
function fold(text: string): string {
  return text.replaceAll('\\', '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
