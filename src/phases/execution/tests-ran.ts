// Recognises from the output of a test runner if any test ran, or the one with a given name.

/** Message of vitest and jest, which then fail unless they are told not to. */
const refused = /^No tests? (?:files )?found\b/m;

/** The messages by which runners say that they ran no test; some runners succeed then. */
const noneSaid = [
  // node --test, in its own format and as TAP
  /^(?:ℹ|#) tests 0$/m,
  // pytest
  /^(?:=+ )?no tests (?:ran|collected)\b/m,
  // go test, if no package ran any
  /^(?:testing: warning: no tests to run|ok\s.*\[no tests to run\])$/m,
  refused,
  // mocha
  /^\s+0 passing\b/m,
  // cargo test
  /^running 0 tests$/m,
];

/** The signs that a test ran nevertheless: a command may start a runner more than once. */
const someSaid = [
  /^(?:ℹ|#) tests [1-9]/m,
  /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests)/m,
  /^\s+[1-9]\d* passing\b/m,
  /^running [1-9]\d* tests?$/m,
  /\b[1-9]\d* passed\b/,
];

/** The exit code of pytest if it found no test. */
const noneCollected = 5;

/** True if a runner that did not fail for another reason says that it ran no test. */
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

/** node --test counts a file as one test if none of its tests has the requested name. */
function ranOnlyFiles(output: string): boolean {
  const tests = Number(/^(?:ℹ|#) tests (\d+)$/m.exec(output)?.[1]);
  const files = output.match(/^(?:✔|ok \d+ -) .*\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$/gm) ?? [];
  return files.length === tests;
}

/** The end of a complete report of node --test, which names each test; others name only failed tests. */
const namesAll = /^(?:ℹ|#) tests \d+$/m;

/** True if a runner that names its tests does not name this one; parts may be separated by ` > `. */
export function ranNoTestNamed(name: string, output: string): boolean {
  if (!namesAll.test(output)) return false;
  const folded = fold(output);
  return !name.split(' > ').every((part) => folded.includes(fold(part)));
}

// TAP escapes a few characters with a backslash.
function fold(text: string): string {
  return text.replaceAll('\\', '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
