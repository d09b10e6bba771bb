// Reads the output of test runners line by line: how each is started, what it says of a test and of a run.

/** How many names are kept, and the length of one. */
export const mostNames = 5_000;
export const mostName = 200;
/** The length of a line that is read, in characters. */
export const mostLine = 2_000;

/** Numbers of tests by how they ended. */
export interface Sums {
  passed: number;
  failed: number;
  skipped: number;
}

/** What was seen of one runner. */
export interface SeenRunner {
  /** How often it began, by its own words, and how often command lines start it. */
  began: number;
  started: number;
  /** The tests since the last summary, of runners that do not sum them up in it. */
  open: Sums;
  /** The summaries that it printed, in order. */
  readonly ends: Sums[];
  readonly names: string[];
}

interface Runner {
  /** The start of a command line, without what starts it in turn, e.g. `npx`. */
  readonly start: RegExp;
  readonly read: (line: string, seen: SeenRunner) => void;
}

/** The runners, by their names. */
export const runners: Readonly<Record<string, Runner>> = {
  node: {
    start: /^node\s(?:.*\s)?--test(?=\s|$)/,
    read(line, seen) {
      // A file without tests counts as a test for node.
      if (/^(?:✔|ok \d+ -) \S+\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$/.test(line)) seen.open.passed -= 1;
      const [, key = '', value = ''] =
        /^(?:ℹ|#) (tests|pass|fail|cancelled|skipped|todo) (\d+)$/.exec(line) ?? [];
      const last = seen.ends.at(-1);
      if (key === 'tests') endWith(seen, none());
      else if (last !== undefined && key !== '') {
        last[key === 'pass' ? 'passed' : /^[fc]/.test(key) ? 'failed' : 'skipped'] += Number(value);
      }
    },
  },
  vitest: {
    start: /^vitest(?=\s|$)/,
    read(line, seen) {
      if (/^\s*RUN\s+v\d/.test(line)) seen.began += 1;
      else if (/^\s*BENCH\s/.test(line)) seen.began = 0;
      else if (/^(?:\s*Tests\s+(?:\d|no tests)|No test files found)/.test(line))
        seen.ends.push(sumsIn(line));
    },
  },
  jest: {
    start: /^jest(?=\s|$)/,
    read(line, { ends }) {
      if (/^(?:Tests:\s+\d.* total$|No tests found\b)/.test(line)) ends.push(sumsIn(line));
    },
  },
  mocha: {
    start: /^_?mocha(?=\s|$)(?!.*\s-R\s)/,
    read(line, { ends }) {
      const sums = /^\s+\d+ (?:passing \(.*\)|pending|failing)$/.test(line) ? sumsIn(line) : null;
      if (sums === null) return;
      if (line.includes('passing')) ends.push(sums);
      else if (ends.length > 0) ends.push(plus(ends.pop(), sums));
    },
  },
  pytest: {
    start: /^(?:pytest|py\.test)(?=\s|$)/,
    read(line, seen) {
      if (/^=+ test session starts =+$/.test(line)) seen.began += 1;
      else if (/^(?:=+ )?(?:no tests ran|\d+ [a-z]+(?:, \d+ [a-z]+)*) in [\d.]+s\b/.test(line)) {
        seen.ends.push(sumsIn(line));
      }
    },
  },
  unittest: {
    start: /^unittest(?=\s|$)/,
    read(line, seen) {
      const ran = /^Ran (\d+) tests? in /.exec(line)?.[1];
      if (ran !== undefined) seen.open = { passed: Number(ran), failed: 0, skipped: 0 };
      if (!/^(?:OK|FAILED|NO TESTS RAN)(?: \(.*\))?$/.test(line)) return;
      const failed = sum(line, /(?:(?<!expected )failures|errors|unexpected successes)=(\d+)/g);
      const skipped = sum(line, /(?:skipped|expected failures)=(\d+)/g);
      endWith(seen, { passed: -failed - skipped, failed, skipped });
    },
  },
  go: {
    start: /^go\s+(?:-C\s+\S+\s+)?test(?=\s|$)(?!.*\s-c(?=\s|$))/,
    read(line, seen) {
      const begins = /^(?:=== RUN|ok\s|\?\s.*\[no test files\]|testing: warning: no tests to run)/;
      const [, end = '', name = ''] =
        /^\s*--- (PASS|FAIL|SKIP): (\S+) \(/.exec(line) ??
        /^\{.*"Action":"(pass|fail|skip)".*"Test":"([^"]+)"/.exec(line) ??
        /^()(Benchmark\S+)\s+\d+\s+[\d.]+ ns\/op/.exec(line) ??
        [];
      if (seen.ends.length === 0 && (name !== '' || begins.test(line))) seen.ends.push(none());
      const [sums] = seen.ends;
      if (sums === undefined || name === '') return;
      add(seen, { sums, end: end.toLowerCase(), name: name.replaceAll('/', ' > ') });
    },
  },
  cargo: {
    start: /^cargo\s+(?:\+\S+\s+)?(?:test|t)(?=\s|$)/,
    read(line, seen) {
      if (/^running \d+ tests?$/.test(line)) seen.began += 1;
      else if (/^test result: /.test(line)) seen.ends.push(sumsIn(line));
      const name = /^test (\S+)(?: - should panic)? \.\.\. ok$/.exec(line)?.[1];
      if (name !== undefined) keepName(seen, name.split('::').at(-1) ?? name);
    },
  },
  ctest: {
    start: /^ctest(?=\s|$)(?!.*\s(?:-N|--show-only))/,
    read(line, seen) {
      if (/^Test project \//.test(line)) seen.began += 1;
      const [, name = '', end = ''] =
        /^\s*\d+\/\d+ Test\s+#\d+: (\S+) [ .]*(?:\*\*\*)?(Passed|Skipped|Not Run|[A-Z]\w+)/.exec(
          line,
        ) ?? [];
      if (name !== '') add(seen, { sums: seen.open, end: end.slice(0, 4).toLowerCase(), name });
      if (!/^(?:\d+% tests passed|No tests were found!!!|Total Tests: )/.test(line)) return;
      endWith(seen, none());
    },
  },
};

export const none = (): Sums => ({ passed: 0, failed: 0, skipped: 0 });

export function plus(a: Sums = none(), b: Sums = none()): Sums {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

/** Ends a run with these numbers and those since the last summary. */
function endWith(seen: SeenRunner, sums: Sums): void {
  seen.ends.push(plus(seen.open, sums));
  seen.open = none();
}

/** Adds one test by the word with which its runner tells how it ended. */
function add(
  seen: SeenRunner,
  { sums, end, name }: { readonly sums: Sums; readonly end: string; readonly name: string },
): void {
  if (end === 'pass' || end === '') {
    sums.passed += 1;
    keepName(seen, name);
  } else sums[end === 'skip' || end === 'not ' ? 'skipped' : 'failed'] += 1;
}

function keepName({ names }: SeenRunner, name: string): void {
  if (names.length <= mostNames) names.push(name.slice(0, mostName));
}

/** Reads a summary such as `2 passed, 1 skipped`. */
function sumsIn(line: string): Sums {
  return {
    passed: sum(line, /(\d+) (?:passed|passing|measured)\b/g),
    failed: sum(line, /(\d+) (?:failed|failing|errors?)\b/g),
    skipped: sum(line, /(\d+) (?:skipped|pending|todo|ignored|xfailed|expected fail)\b/g),
  };
}

function sum(line: string, pattern: RegExp): number {
  return [...line.matchAll(pattern)].reduce((all, [, number]) => all + Number(number), 0);
}

/** Lists the runners that a command line starts, each as often as it does. */
export function startedBy(line: string): readonly string[] {
  return line
    .slice(0, mostLine)
    .split(/[;&|(){}\n]/)
    .flatMap((part) => {
      const command = part
        .trim()
        .replace(startsAnother, '')
        .replace(/^[^\s]*\//, '');
      if (tellsOtherwise.test(command)) return [];
      return Object.entries(runners).flatMap(([name, { start }]) =>
        start.test(command) ? name : [],
      );
    });
}

/** The start of a command that starts another one. */
const startsAnother =
  /^(?:(?:\w+=\S*|@?npx|bunx|time|exec|env|(?:ba|z|da)?sh\s+-\w*c|(?:\S*\/)?python[\d.]*(?:\s+-[A-Z]+)*\s+-m|(?:uv|poetry|pdm|pipenv|hatch)\s+run|(?:npm|pnpm|yarn)\s+(?:exec|dlx)(?:\s+--)?|yarn|pnpm)\s+)+/;

/** Words with which a runner runs no test, or prints its summary in another form or not at all. */
const tellsOtherwise =
  /\s(?:--(?:version|help|no-run|collect-only|co|listTests|list|(?:test-)?reporters?|json)(?=[\s=]|$)|-h(?=\s|$)|(?:list|bench|typecheck)(?=\s|$))/;
