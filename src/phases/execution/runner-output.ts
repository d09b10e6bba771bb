// Reads the output of test runners line by line: how each is started, what it says of a test and of a run.
import { stripVTControlCharacters } from 'node:util';
import type { TestCounts } from '../../model/check-record.ts';

/** How many names are kept, and the length of one. */
export const mostNames = 2_000;
export const mostName = 200;
/** The length of a line that is read, in characters. */
const mostLine = 2_000;

/** Reads the output of a command, and tells what each runner that was seen said of its tests. */
export function readOutput(argv: readonly string[]): {
  read(line: string): void;
  counts(): ReadonlyMap<string, TestCounts>;
} {
  const all = Object.entries(runners).map(([name, runner]) => {
    const seen: SeenRunner = { began: 0, started: 0, open: none(), ends: [], names: [] };
    return { name, ...runner, seen };
  });
  const start = (command: string) => {
    for (const part of commandsIn(command)) {
      for (const { start: pattern, seen } of all) if (pattern.test(part)) seen.started += 1;
    }
  };
  start(argv.join(' '));
  const isMake = argv.some((word) => /\bmake\b/.test(word));
  return {
    read(raw) {
      const line = stripVTControlCharacters(raw.slice(0, mostLine)).trimEnd();
      // npm and yarn print the command line with a sign in front, make without.
      const command = /^(?:> |\$ )(.*)/.exec(line)?.[1] ?? (isMake ? line : undefined);
      if (command !== undefined) start(command);
      for (const { read, seen } of all) read(line, seen);
    },
    counts: () =>
      new Map(
        all.flatMap(({ name, seen }) => {
          const counts = countsOf(name, seen);
          return counts === null ? [] : [[name, counts] as const];
        }),
      ),
  };
}

/** Numbers of tests by how they ended. */
interface Sums {
  passed: number;
  failed: number;
  skipped: number;
}

/** What was seen of one runner. */
interface SeenRunner {
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
const runners: Readonly<Record<string, Runner>> = {
  node: {
    start: /^node\s(?:.*\s)?--test(?=\s|$)/,
    read(line, seen) {
      // A file without tests counts as a test for node.
      if (/^(?:✔|ok \d+ -) \S+\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$/.test(line)) seen.open.passed -= 1;
      const [, key = '', value = ''] = /^(?:ℹ|#) (tests|pass|skipped|todo) (\d+)$/.exec(line) ?? [];
      const last = seen.ends.at(-1);
      if (key === 'tests') endWith(seen, none());
      else if (last !== undefined && key !== '') {
        // Files that fail count as tests, too, so that their number says nothing.
        last[key === 'pass' ? 'passed' : 'skipped'] += Number(value);
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
      const faults = sum(line, /(?:(?<!expected )failures|errors|unexpected successes)=(\d+)/g);
      // A test may fail in several parts, and a set-up without any test.
      const failed = Math.min(faults, seen.open.passed);
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
      else if (line.startsWith('test result: ')) seen.ends.push(sumsIn(line));
      const name = /^test (\S+)(?: - should panic)? \.\.\. ok$/.exec(line)?.[1];
      if (name !== undefined) keepName(seen, name.split('::').at(-1) ?? name);
    },
  },
  ctest: {
    start: /^ctest(?=\s|$)(?!.*\s(?:-N|--show-only))/,
    read(line, seen) {
      if (line.startsWith('Test project /')) seen.began += 1;
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

const none = (): Sums => ({ passed: 0, failed: 0, skipped: 0 });

function plus(a: Sums = none(), b: Sums = none()): Sums {
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

/** The commands of a shell line that may start a runner, without what starts them in turn. */
function commandsIn(line: string): readonly string[] {
  return line
    .slice(0, mostLine)
    .split(/[;&|(){}\n]/)
    .map((part) =>
      part
        .trim()
        .replace(startsAnother, '')
        .replace(/^\S*\//, ''),
    )
    .filter((command) => !tellsOtherwise.test(command));
}

/** The start of a command that starts another one. */
const startsAnother =
  /^(?:(?:\w+=\S*|@?npx|bunx|time|exec|env|(?:ba|z|da)?sh\s+-\w*c|(?:\S*\/)?python[\d.]*(?:\s+-[A-Z]+)*\s+-m|(?:uv|poetry|pdm|pipenv|hatch)\s+run|(?:npm|pnpm|yarn)\s+(?:exec|dlx)(?:\s+--)?|yarn|pnpm)\s+)+/;

/** Words with which a runner runs no test, or prints its summary in another form or not at all. */
const tellsOtherwise =
  /\s(?:--(?:version|help|no-run|collect-only|co|listTests|list|(?:test-)?reporters?|json)(?=[\s=]|$)|-h(?=\s|$)|(?:list|bench|typecheck)(?=\s|$))/;

/** What was seen of a runner, as counts; null if it was not there. */
function countsOf(name: string, { began, started, ends, names }: SeenRunner): TestCounts | null {
  if (began + started + ends.length === 0) return null;
  // A program under test may print what looks like a summary; the runner has the last word.
  const sums = ends.slice(-Math.max(began, started, 1)).reduce(plus, none());
  const isCut = began > ends.length || ends.length === 0;
  const isWhole = names.length === sums.passed && names.length <= mostNames;
  const { failed, skipped } = sums;
  const passed = Math.max(0, sums.passed);
  return { passed, failed, skipped, names: isWhole ? names : null, cut: isCut ? name : null };
}

/** Adds up what runners told. */
export function joinCounts(a: TestCounts, b: TestCounts): TestCounts {
  const names = a.names === null || b.names === null ? null : [...a.names, ...b.names];
  const isLong = names !== null && names.length > mostNames;
  return { ...plus(a, b), names: isLong ? null : names, cut: a.cut ?? b.cut };
}
